import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Sandbox, startSandbox } from '../../src/sandbox/index.ts';
import { startNovemberSandbox } from '../support/november-sandbox.ts';
import { LARGE_CNPJ, list, operation, period, stringOf, text, texts } from './calls.ts';

const YEAR = period('01/01/2026', '31/12/2026', LARGE_CNPJ);
const DAY = period('14/10/2026', '14/10/2026', LARGE_CNPJ);

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await startSandbox({ large: true, now: () => new Date('2026-12-31T23:59:59-03:00') });
});
afterAll(() => sandbox.close());

const ask = async (name: string, parameters: Readonly<Record<string, string>>, asked = sandbox) =>
  stringOf(await operation(asked, name, parameters));

it('the large company is there only when asked for', async () => {
  const small = await startNovemberSandbox();
  expect(text(await ask('Mercadoria/RetornaChaves', DAY, small), 'cStat')).toBe('593');
  await small.close();
  expect(sandbox.companies.at(-1)).toMatchObject({ id: LARGE_CNPJ });
});

it('the large company has about 100,000 documents in the year', async () => {
  const keys = texts(await ask('Mercadoria/RetornaChaves', YEAR), 'ChaveNFe');
  expect(new Set(keys).size).toBe(keys.length);
  const counts = [keys.length];
  for (const tipo of ['Recebidas', 'Emitidas'])
    counts.push(Number(text(await ask('Servico/RetornaChavesPelaEmissao', { ...YEAR, tipo }), 'Quantidade')));
  for (const tipo of ['Entrada', 'Saída'])
    counts.push(Number(text(await ask('Transporte/RetornaChavesPorTipo', { ...YEAR, tipo }), 'Quantidade')));
  expect(keys.length).toBeGreaterThan(68_000);
  expect(Math.abs(counts.reduce((sum, count) => sum + count) - 100_000)).toBeLessThan(1_500);
});

it('its notes have 1 to 60 items, and are found by key as they were listed', async () => {
  const documents = await list(sandbox, 'Mercadoria/RetornaListaXml', DAY);
  const sizes = documents.map((xml) => texts(xml, 'xProd').length);
  expect([Math.min(...sizes), Math.max(...sizes) > 50]).toEqual([1, true]);
  for (const document of documents.slice(0, 20))
    expect(await ask('Mercadoria/DownloadXml', { chaveNfe: text(document, 'chNFe') })).toContain(document);
});

it('a limit on documents per reply lets a page of summaries through', async () => {
  const limited = await startNovemberSandbox({ large: true, maxDocumentsPerReply: 300 });
  const month = period('01/10/2026', '31/10/2026', LARGE_CNPJ);
  expect(text(await ask('Mercadoria/RetornaChaves', month, limited), 'cStat')).toBe('999');
  const page = await ask('Mercadoria/RetornaResumos', { ...month, pagina: '118' }, limited);
  expect(texts(page, 'Quantidade')).toEqual(['50']);
  await limited.close();
});
