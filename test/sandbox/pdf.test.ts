import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Sandbox } from '../../src/sandbox/index.ts';
import { startNovemberSandbox } from '../support/november-sandbox.ts';
import { list, operation, period, stringOf, text } from './calls.ts';

let sandbox: Sandbox;
let document: string;
let pdf: string;

beforeAll(async () => {
  sandbox = await startNovemberSandbox();
  const notes = await list(sandbox, 'Mercadoria/RetornaListaXml', period('05/10/2026', '09/10/2026'));
  document = notes[0] ?? '';
  const chaveNfe = text(document, 'chNFe');
  const base64 = stringOf(await operation(sandbox, 'Mercadoria/DownloadPdfNfe', { chaveNfe }));
  pdf = Buffer.from(base64, 'base64').toString('latin1');
});
afterAll(() => sandbox.close());

describe('the DANFE', () => {
  it('begins and ends as a PDF does', () => {
    expect(pdf).toMatch(/^%PDF-1\.4\n/);
    expect(pdf).toMatch(/\n%%EOF\n$/);
  });

  it('has a cross-reference table whose every offset is an object', () => {
    const start = Number(/startxref\n(\d+)\n%%EOF/.exec(pdf)?.[1]);
    expect(pdf.slice(start, start + 5)).toBe('xref\n');
    const [, size] = /^xref\n0 (\d+)\n/.exec(pdf.slice(start)) ?? [];
    const entries = [...pdf.slice(start).matchAll(/^(\d{10}) 00000 n $/gm)];
    expect(entries.length).toBe(Number(size) - 1);
    entries.forEach(([, offset], i) => {
      expect(pdf.slice(Number(offset))).toMatch(new RegExp(`^${i + 1} 0 obj\n`));
    });
    expect(pdf).toContain(`/Size ${size} `);
  });

  it('says how long its content is', () => {
    const [whole = '', length] = /\/Length (\d+) >>\nstream\n/.exec(pdf) ?? [];
    const start = pdf.indexOf(whole) + whole.length;
    expect(pdf.slice(start + Number(length))).toMatch(/^\nendstream\n/);
  });

  it('shows the key, the parties, the first item and the total', () => {
    const key = text(document, 'chNFe').match(/.{4}/g)?.join(' ');
    expect(pdf).toContain('(DANFE)');
    expect(pdf).toContain(`(${key})`);
    expect(pdf).toContain(`(${text(document, 'cProd')})`);
    const [reais = '', cents] = text(document, 'vNF').split('.');
    expect(pdf).toContain(`${Number(reais).toLocaleString('pt-BR')},${cents}`);
    expect(pdf).toContain(`mero: ${text(document, 'nNF')}`);
  });

  it('is written in windows-1252', () => {
    expect(pdf).toContain('/Encoding /WinAnsiEncoding');
    expect(pdf).toContain('EMITENTE');
    expect(pdf).toContain('DESTINAT\u00c1RIO');
  });
});
