import { SaxesParser } from 'saxes';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Sandbox, startSandbox } from '../../src/sandbox/index.ts';
import { contents, operation, period, stringOf, texts } from './calls.ts';

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await startSandbox({ now: () => new Date('2026-12-31T23:59:00-03:00') });
});
afterAll(() => sandbox.close());

function parseStrictly(xml: string): void {
  const parser = new SaxesParser({ xmlns: true });
  parser.on('error', (error) => {
    throw error;
  });
  parser.write(xml).close();
}

it.each([
  'Mercadoria/RetornaListaXml',
  'Servico/RetornaListaXmlPelaEmissao',
  'Transporte/RetornaListaXmlPelaEmissao',
])('%s: envelope and documents of a quarter are well-formed', async (name) => {
  const envelope = stringOf(await operation(sandbox, name, period('01/10/2026', '31/12/2026', '')));
  parseStrictly(envelope);
  const documents = contents(envelope);
  expect(String(documents.length)).toBe(texts(envelope, 'Quantidade')[0]);
  expect(documents.length).toBeGreaterThan(50);
  for (const document of documents) parseStrictly(document);
});

it('no two NFS-e of the year share number, date and issuer', async () => {
  const seen: string[] = [];
  for (const tipo of ['Emitidas', 'Recebidas']) {
    const parameters = { ...period('01/01/2026', '31/12/2026', ''), tipo };
    const xml = stringOf(await operation(sandbox, 'Servico/RetornaChavesPelaEmissao', parameters));
    seen.push(...xml.split('<NFSe>').slice(1));
  }
  const betweenCompanies = seen.filter((one, i) => seen.indexOf(one) !== i);
  const ours = sandbox.companies.map(({ id }) => id);
  for (const one of betweenCompanies) expect(ours).toContain(texts(one, 'CNPJ')[0]);
  expect(new Set(seen).size).toBeGreaterThan(500);
});
