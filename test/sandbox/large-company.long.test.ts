import { SaxesParser } from 'saxes';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { checkAccessKey } from '../../src/documents/identity/keys.ts';
import { checkCnpj } from '../../src/documents/identity/tax-ids.ts';
import { type Sandbox, startSandbox } from '../../src/sandbox/index.ts';
import { startNovemberSandbox } from '../support/november-sandbox.ts';
import { inside, LARGE_CNPJ, list, operation, period, stringOf, text, texts } from './calls.ts';

const LARGE_ID = 1005;
const DAY = period('14/10/2026', '14/10/2026', LARGE_CNPJ);

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await startSandbox({ large: true, now: () => new Date('2026-12-31T23:59:59-03:00') });
});
afterAll(() => sandbox.close());

async function answer(name: string, parameters: Readonly<Record<string, string>>): Promise<string> {
  return stringOf(await operation(sandbox, name, parameters));
}

function sum(counts: readonly number[]): number {
  return counts.reduce((total, count) => total + count, 0);
}

function parseStrictly(xml: string): void {
  const parser = new SaxesParser({ xmlns: true });
  parser.on('error', (error) => {
    throw error;
  });
  parser.write(xml).close();
}

describe('the large company', () => {
  it('is there only when asked for, and last', async () => {
    const small = await startNovemberSandbox();
    try {
      expect(small.companies.map(({ id }) => id)).not.toContain(LARGE_CNPJ);
      const refused = stringOf(await operation(small, 'Mercadoria/RetornaChaves', DAY));
      expect(text(refused, 'cStat')).toBe('593');
      expect(() => small.census(LARGE_ID)).toThrow(RangeError);
    } finally {
      await small.close();
    }
    expect(sandbox.companies.at(-1)).toMatchObject({ id: LARGE_CNPJ, companyId: LARGE_ID, regime: '3' });
    expect(checkCnpj(LARGE_CNPJ).ok).toBe(true);
  });

  it('is not known by its documents where it was not asked for', async () => {
    const keys = texts(await answer('Mercadoria/RetornaChaves', DAY), 'ChaveNFe');
    const small = await startSandbox({ now: () => new Date('2026-12-31T23:59:59-03:00') });
    try {
      const received = keys.find((key) => !key.includes(LARGE_CNPJ)) ?? '';
      const issued = keys.find((key) => key.includes(LARGE_CNPJ)) ?? '';
      for (const chaveNfe of [received, issued]) {
        expect(checkAccessKey(chaveNfe).ok).toBe(true);
        const refused = stringOf(await operation(small, 'Mercadoria/DownloadXml', { chaveNfe }));
        expect(text(refused, 'cStat')).toBe('217');
      }
    } finally {
      await small.close();
    }
  });

  it('writes documents that are well-formed and add up, with 1 to 60 items', async () => {
    const documents = await list(sandbox, 'Mercadoria/RetornaListaXml', DAY);
    const sizes = documents.map((xml) => texts(xml, 'xProd').length);
    for (const xml of documents) {
      parseStrictly(xml);
      const products = texts(inside(xml, 'infNFe').split('<total>')[0] ?? '', 'vProd');
      const total = products.reduce((cents, amount) => cents + Number(amount.replace('.', '')), 0);
      expect(Number(text(inside(xml, 'ICMSTot'), 'vProd').replace('.', ''))).toBe(total);
    }
    expect(documents.length).toBeGreaterThan(200);
    expect(Math.min(...sizes)).toBe(1);
    expect(Math.max(...sizes)).toBeGreaterThan(50);
    expect(Math.max(...sizes)).toBeLessThanOrEqual(60);
    expect(sum(sizes) / sizes.length).toBeGreaterThan(11);
    expect(sum(sizes) / sizes.length).toBeLessThan(17);
  });

  it('trades with outsiders only', async () => {
    const others = sandbox.companies.map(({ id }) => id).filter((id) => id !== LARGE_CNPJ);
    const documents = await list(sandbox, 'Mercadoria/RetornaListaXml', DAY);
    for (const xml of documents) for (const id of others) expect(xml).not.toContain(id);
  });
});

describe('a census', () => {
  it('is there for a small company too', async () => {
    const { nfe } = sandbox.census(1001);
    const listed = await answer('Mercadoria/RetornaChaves', period('01/10/2026', '31/10/2026'));
    expect(texts(listed, 'ChaveNFe').length).toBe(
      (nfe.inbound['2026-10'] ?? 0) + (nfe.outbound['2026-10'] ?? 0),
    );
  });
});

describe('one document of the large company', () => {
  it('is found by key as it was listed', async () => {
    const documents = await list(sandbox, 'Mercadoria/RetornaListaXml', DAY);
    for (const document of documents.slice(0, 20)) {
      const chaveNfe = text(document, 'chNFe');
      expect(checkAccessKey(chaveNfe)).toMatchObject({ ok: true, warnings: [] });
      expect(await answer('Mercadoria/DownloadXml', { chaveNfe })).toContain(document);
    }
    const transports = await list(sandbox, 'Transporte/RetornaListaXmlPelaEmissao', DAY);
    for (const document of transports.slice(0, 20)) {
      const chaveCTe = text(document, 'chCTe');
      expect(await answer('Transporte/DownloadXml', { chaveCTe })).toContain(document);
    }
  });

  it('is an NFS-e that its identifier names, and no other', async () => {
    const xml = await answer('Servico/RetornaChavesPelaEmissao', { ...DAY, tipo: 'Recebidas' });
    const [numeroDocumento = ''] = texts(xml, 'NumeroNFe');
    const [cnpjEmissorDocumento = ''] = texts(xml, 'CNPJ');
    const identifier = { numeroDocumento, cnpjEmissorDocumento, dataEmissaoDocumento: '14/10/2026' };
    const download = await answer('Servico/DownloadNfse', identifier);
    expect(texts(download, 'Quantidade')).toEqual(['1']);
    expect(download).toContain(LARGE_CNPJ);
  });

  it('is manifested', async () => {
    const late = period('28/12/2026', '28/12/2026', LARGE_CNPJ);
    const name = 'Mercadoria/RetornaListaXmlPelaEmissaoPorTipo';
    const documents = await list(sandbox, name, { ...late, tipo: 'Entrada' });
    const note = documents.find((xml) => !xml.includes('procEventoNFe')) ?? '';
    const evento = JSON.stringify({ ChaveNFe: text(note, 'chNFe'), TipoEvento: '210200', Motivo: '' });
    const called = await operation(sandbox, 'Mercadoria/RealizarManifesto', { evento }, 'POST');
    expect(JSON.parse(called.text)).toMatchObject({ Sucesso: 1 });
  });
});

describe('a limit on documents per reply', () => {
  let limited: Sandbox;
  beforeAll(async () => {
    limited = await startNovemberSandbox({ large: true, maxDocumentsPerReply: 300 });
  });
  afterAll(() => limited.close());

  it.each([
    'Mercadoria/RetornaListaXml',
    'Mercadoria/RetornaChaves',
    'Transporte/RetornaListaXmlPelaEmissao',
  ])('refuses a month of %s', async (name) => {
    const month = period('01/10/2026', '31/10/2026', LARGE_CNPJ);
    const xml = stringOf(await operation(limited, name, month));
    expect(text(xml, 'cStat')).toBe('999');
    expect(text(xml, 'xMotivo')).toBe('Consumo: reduza o período');
    expect(xml).not.toContain('retorno');
  });

  it('lets through as many as it says, and no more', async () => {
    const count = (await list(sandbox, 'Mercadoria/RetornaListaXml', DAY)).length;
    for (const [maxDocumentsPerReply, code] of [
      [count, '100'],
      [count - 1, '999'],
    ] as const) {
      const exact = await startNovemberSandbox({ large: true, maxDocumentsPerReply });
      try {
        const xml = stringOf(await operation(exact, 'Mercadoria/RetornaListaXml', DAY));
        expect(text(xml, 'cStat')).toBe(code);
      } finally {
        await exact.close();
      }
    }
  });

  it('lets a single document and a page of summaries through', async () => {
    const listed = stringOf(await operation(limited, 'Mercadoria/RetornaChaves', DAY));
    const [chaveNfe = ''] = texts(listed, 'ChaveNFe');
    const single = stringOf(await operation(limited, 'Mercadoria/DownloadXml', { chaveNfe }));
    expect(text(single, 'cStat')).toBe('100');
    const month = period('01/10/2026', '31/10/2026', LARGE_CNPJ);
    const page = await operation(limited, 'Mercadoria/RetornaResumos', { ...month, pagina: '118' });
    expect(texts(stringOf(page), 'Quantidade')).toEqual(['50']);
  });
});
