import { once } from 'node:events';
import { Agent, get, type IncomingMessage } from 'node:http';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Sandbox } from '../../src/sandbox/index.ts';
import { startNovemberSandbox } from '../support/november-sandbox.ts';

let sandbox: Sandbox;
const agent = new Agent({ keepAlive: true, maxSockets: 1 });
beforeAll(async () => {
  sandbox = await startNovemberSandbox();
});
afterAll(async () => {
  agent.destroy();
  await sandbox.close();
});

async function ping(): Promise<{ headers: IncomingMessage['headers']; from: number | undefined }> {
  const request = get(`${sandbox.url}/API/ConsumoWS/ConectividadeWS`, { agent });
  const [response]: IncomingMessage[] = await once(request, 'response');
  if (response === undefined) throw new Error('no response');
  const from = request.socket?.localPort;
  await response.resume().toArray();
  return { headers: response.headers, from };
}

it('a connection is kept without an end, so that it is never dropped under a client that is about to write', async () => {
  const first = await ping();
  expect(first.headers.connection).toBe('keep-alive');
  // Node tells here after how many seconds the server drops it, where it does.
  expect(first.headers['keep-alive']).toBeUndefined();
  expect((await ping()).from).toBe(first.from);
});
