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
    } finally {
      await small.close();
    }
    expect(sandbox.companies.at(-1)).toMatchObject({ id: LARGE_CNPJ, companyId: LARGE_ID, regime: '3' });
    expect(checkCnpj(LARGE_CNPJ).ok).toBe(true);
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
});

describe('a limit on documents per reply', () => {
  let limited: Sandbox;
  beforeAll(async () => {
    limited = await startNovemberSandbox({ large: true, maxDocumentsPerReply: 300 });
  });
  afterAll(() => limited.close());

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
