import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Sandbox } from '../../src/sandbox/index.ts';
import { startNovemberSandbox } from '../support/november-sandbox.ts';
import { pdfFaults, pdfTexts } from '../support/pdf-text.ts';
import { list, operation, period, stringOf, text } from './calls.ts';

let sandbox: Sandbox;
let document: string;
let pdf: Buffer;

async function download(from: Sandbox, key: string): Promise<Buffer> {
  const base64 = stringOf(await operation(from, 'Mercadoria/DownloadPdfNfe', { chaveNfe: key }));
  return Buffer.from(base64, 'base64');
}

beforeAll(async () => {
  sandbox = await startNovemberSandbox();
  const notes = await list(sandbox, 'Mercadoria/RetornaListaXml', period('05/10/2026', '09/10/2026'));
  document = notes[0] ?? '';
  pdf = await download(sandbox, text(document, 'chNFe'));
});
afterAll(() => sandbox.close());

describe('the DANFE', () => {
  it('is a PDF whose every object is where it says', () => {
    expect(pdfFaults(pdf)).toEqual([]);
  });

  it('shows the key, the parties, the first item and the total', () => {
    const texts = pdfTexts(pdf);
    expect(texts).toContain('DANFE');
    expect(texts).toContain(text(document, 'chNFe').match(/.{4}/g)?.join(' '));
    expect(texts).toContain(text(document, 'cProd'));
    expect(texts).toEqual(expect.arrayContaining(['EMITENTE', 'DESTINATÁRIO']));
    const [reais = '', cents] = text(document, 'vNF').split('.');
    expect(texts.join('\n')).toContain(`${Number(reais).toLocaleString('pt-BR')},${cents}`);
    expect(texts.join('\n')).toContain(`Número: ${text(document, 'nNF')}`);
  });

  it('is the same bytes in another sandbox of the same seed', async () => {
    const other = await startNovemberSandbox();
    try {
      expect(await download(other, text(document, 'chNFe'))).toEqual(pdf);
    } finally {
      await other.close();
    }
  });
});
