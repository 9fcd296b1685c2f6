import { expect, it } from 'vitest';
import { startRaw } from '../support/raw-program.ts';
import { expectProtocolOnly, toolCall } from './protocol-lines.ts';

const begin = (args: readonly string[]) => startRaw(args, {});

it('a line longer than is taken ends the program, with words', async () => {
  const raw = begin(['--demo', '--language', 'en']);
  await raw.initialize();
  raw.write(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"a":"${'z'.repeat(9_000_000)}"}}\n`);
  expect(await raw.ended()).toBe(1);
  expect(raw.stderr()).toMatch(/more than 8000000 bytes/);
  expectProtocolOnly(raw);
});

it('what comes in may echo in nothing that is larger than a host takes', async () => {
  const raw = begin(['--demo', '--language', 'en']);
  await raw.initialize();
  const long = '\u0001"é'.repeat(500_000);
  raw.send({ jsonrpc: '2.0', id: 1, method: `no/such/${long}`, params: {} });
  raw.send(toolCall(2, `no_such_${long}`));
  raw.send({ jsonrpc: '2.0', id: 3, method: 'resources/read', params: { uri: `dfe://nfe/${long}/xml` } });
  const wrongKeys = Array.from({ length: 200_000 }, (_, i) => String(i).padStart(30, '9'));
  raw.send(toolCall(4, 'manifest_nfe_batch', { keys: wrongKeys, event: 'ciencia' }));
  raw.send(toolCall(5, 'get_document', { document: 'nfe', key: long }));
  raw.send(toolCall(6, 'list_documents', { document: 'nfe', from: long }));
  raw.send(toolCall(7, 'check_connection', { [long]: 1 }));
  raw.send({ jsonrpc: '2.0', id: 'x'.repeat(7_000_000), method: 'tools/list', params: {} });
  raw.send(toolCall(8, 'check_connection'));
  for (let id = 1; id <= 8; id += 1) {
    const { result, error } = await raw.answerTo(id);
    expect([id, result?.isError === true || error !== undefined]).toEqual([id, id !== 8]);
  }
  for (const line of raw.stdout().split('\n')) expect(Buffer.byteLength(line)).toBeLessThan(8_000_000);
  expectProtocolOnly(raw);
});
