import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Sandbox, startSandbox } from '../../src/sandbox/index.ts';
import { call, LARGE_CNPJ, period } from './calls.ts';

const MEBIBYTE = 1_048_576;
const DAY = period('14/10/2026', '14/10/2026');
const MONTH = period('01/10/2026', '31/10/2026', LARGE_CNPJ);

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await startSandbox({ large: true, now: () => new Date('2026-12-31T23:59:59-03:00') });
});
afterAll(() => sandbox.close());

async function ask(name: string, dates: Readonly<Record<string, string>>): Promise<IncomingMessage> {
  const query = new URLSearchParams({ usuario: 'demo', senha: 'demo', ...dates });
  const [response]: IncomingMessage[] = await once(get(`${sandbox.url}/API/${name}?${query}`), 'response');
  if (response === undefined) throw new Error('no response');
  return response;
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
