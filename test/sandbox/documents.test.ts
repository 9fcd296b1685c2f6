import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { SaxesParser } from 'saxes';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Sandbox, startSandbox } from '../../src/sandbox/index.ts';
import {
  call,
  cents,
  contents,
  inside,
  LARGE_CNPJ,
  list,
  operation,
  period,
  stringOf,
  text,
  texts,
} from './calls.ts';

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await startSandbox({ large: true, now: () => new Date('2026-12-31T23:59:59-03:00') });
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
  const envelope = stringOf(await operation(sandbox, name, period('01/10/2026', '31/12/2026')));
  parseStrictly(envelope);
  const documents = contents(envelope);
  expect(String(documents.length)).toBe(texts(envelope, 'Quantidade')[0]);
  expect(documents.length).toBeGreaterThan(20);
  for (const document of documents) parseStrictly(document);
});

it('no two NFS-e of the year share number, date and issuer', async () => {
  const seen: string[] = [];
  for (const tipo of ['Emitidas', 'Recebidas']) {
    const parameters = { ...period('01/01/2026', '31/12/2026'), tipo };
    const xml = stringOf(await operation(sandbox, 'Servico/RetornaChavesPelaEmissao', parameters));
    seen.push(...xml.split('<NFSe>').slice(1));
  }
  expect(new Set(seen).size).toBe(seen.length);
  expect(seen.length).toBeGreaterThan(100);
});

/** Half up, as tax amounts are rounded; rates in hundredths of a percent. */
const share = (base: number, rate: number) => Math.round((base * rate) / 10_000 + 1e-9);

// Sums, totals, IBS and CBS are what the rules look at: census.test.ts.
it('each item is quantity times price, and its taxes are rate times base', async () => {
  const notes = await list(sandbox, 'Mercadoria/RetornaListaXml', period('15/01/2026', '15/12/2026'));
  const items = notes.flatMap((note) => note.match(/<det nItem="\d+">.*?<\/det>/gs) ?? []);
  expect(items.length).toBeGreaterThan(500);
  for (const item of items) {
    const quantity = Number(text(item, 'qCom').replace('.', ''));
    const price = Number(text(item, 'vUnCom').slice(0, -8).replace('.', ''));
    expect(cents(text(item, 'vProd'))).toBe(Math.floor((quantity * price * 2 + 10_000) / 20_000));
    for (const tax of ['ICMS', 'PIS', 'COFINS']) {
      const element = inside(item, tax);
      if (!element.includes(`<v${tax}>`)) continue;
      const rate = Number(text(element, `p${tax}`)) * 100;
      expect(cents(text(element, `v${tax}`))).toBe(share(cents(text(element, 'vBC')), rate));
    }
  }
});

const MEBIBYTE = 1_048_576;
const DAY = period('14/10/2026', '14/10/2026');
const MONTH = period('01/10/2026', '31/10/2026', LARGE_CNPJ);

async function ask(name: string, dates: Readonly<Record<string, string>>): Promise<IncomingMessage> {
  const query = new URLSearchParams({ usuario: 'demo', senha: 'demo', ...dates });
  const [response] = await once(get(`${sandbox.url}/API/${name}?${query}`), 'response');
  return response as IncomingMessage;
}

async function lengthOf(response: IncomingMessage): Promise<number> {
  let length = 0;
  for await (const chunk of response) length += Buffer.from(chunk).length;
  return length;
}

it('a long list is written while it is read, and leaves other requests their turn', async () => {
  const long = await ask('Mercadoria/RetornaListaXml', MONTH);
  expect(long.headers['content-length']).toBeUndefined();
  await once(long, 'readable');
  for (let i = 0; i < 4; i++)
    expect(await lengthOf(await ask('Mercadoria/RetornaChaves', DAY))).toBeGreaterThan(0);
  expect(long.readableEnded).toBe(false);
  long.destroy();
  expect(await lengthOf(await ask('Mercadoria/RetornaListaXml', DAY))).toBeGreaterThan(0);
});

it('a fault ends a long list early', async () => {
  const fault = JSON.stringify({ truncateBytes: 3 * MEBIBYTE });
  expect((await call(sandbox, '/__sandbox/faults', { method: 'POST', body: fault })).status).toBe(204);
  const response = await ask('Mercadoria/RetornaListaXml', MONTH);
  expect(response.headers['content-length']).toBe(String(3 * MEBIBYTE));
  expect(await lengthOf(response)).toBe(3 * MEBIBYTE);
});
