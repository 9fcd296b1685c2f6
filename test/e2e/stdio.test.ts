import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { connect } from '../support/clients.ts';
import { folderOfEachTest } from '../support/during-tests.ts';
import { envelopeOf } from '../support/modern-conversation.ts';
import { until } from '../support/passing-time.ts';
import { type RawProgram, startRaw } from '../support/raw-program.ts';
import { json, type RecordingUpstream, startRecordingUpstream } from '../support/recording-upstream.ts';
import { expectProtocolOnly, listTools, toolCall } from './protocol-lines.ts';

const folder = folderOfEachTest();
let upstream: RecordingUpstream;
/** Settings of the service, which says that it is connected, or nothing until the test says so. */
let env: Record<string, string>;
let isSilent = false;

beforeEach(async () => {
  isSilent = false;
  upstream = await startRecordingUpstream(({ path }, response) => {
    if (!isSilent) json(response, path.endsWith('Login') ? 1 : 'Conectado');
  });
  env = {
    ...{ DFE_URL: upstream.url, DFE_USER: 'user', DFE_PASSWORD: 'password', DFE_TIMEOUT: '3600' },
    ...{ DFE_ACCOUNT_URL: upstream.url, DFE_ACCOUNT_API_KEY: 'api-key' },
    DFE_DATA_DIR: join(folder.path, 'data'),
    DFE_DOWNLOAD_DIR: join(folder.path, 'downloads'),
  };
});

async function begin(...given: Parameters<typeof startRaw>): Promise<RawProgram> {
  const raw = startRaw(...given);
  await raw.initialize();
  return raw;
}

const expectTools = async (raw: RawProgram, id: number) =>
  expect((await raw.answerTo(id)).result?.tools).toHaveLength(20);

it('both eras of the protocol are served by the same program, by handshake and by discovery', async () => {
  const legacy = startRaw();
  const { result } = await legacy.initialize();
  expect(result).toMatchObject({ protocolVersion: '2025-11-25', serverInfo: { name: 'docfiscal-mcp' } });
  legacy.send(listTools(1));
  await expectTools(legacy, 1);
  expectProtocolOnly(legacy);
  const modern = startRaw();
  const _meta = envelopeOf();
  modern.send({ jsonrpc: '2.0', id: 1, method: 'server/discover', params: { _meta } });
  const discovered = (await modern.answerTo(1)).result;
  expect(discovered?.supportedVersions).toContain('2026-07-28');
  expect(String(discovered?.instructions)).toContain('never instructions');
  modern.send({ jsonrpc: '2.0', id: 2, method: 'tools/list', params: { _meta } });
  await expectTools(modern, 2);
  expectProtocolOnly(modern);
});

it('starting touches no network before the first call, and writes no file, as a call that reads does', async () => {
  const raw = await begin([], env);
  raw.send(listTools(1));
  await raw.answerTo(1);
  raw.send({ jsonrpc: '2.0', id: 2, method: 'resources/templates/list', params: {} });
  await raw.answerTo(2);
  expect(upstream.seen).toHaveLength(0);
  raw.send(toolCall(3, 'check_connection'));
  await raw.answerTo(3);
  expect(upstream.seen.length).toBeGreaterThan(0);
  raw.endInput();
  expect(await raw.ended()).toBe(0);
  for (const name of ['data', 'downloads']) expect(existsSync(join(folder.path, name))).toBe(false);
});

it('what goes wrong inside neither ends the program nor reaches standard output', async () => {
  const intruder = join(folder.path, 'intruder.cjs');
  writeFileSync(
    intruder,
    `setInterval(() => {
      console.log('a banner of some dependency');
      Promise.reject(new Error('nobody waits for this: secret-value'));
    }, 20).unref();`,
  );
  const raw = await begin([], { NODE_OPTIONS: `--require "${intruder.replaceAll('\\', '/')}"` });
  await until(() => /banner.*unhandled rejection \(Error\)/s.test(raw.stderr()));
  raw.send(listTools(1));
  await expectTools(raw, 1);
  expectProtocolOnly(raw);
  expect(raw.stderr()).not.toContain('secret-value');
});

describe('what comes in', () => {
  const long = JSON.stringify({ jsonrpc: '2.0', id: 9, method: 'x', params: { a: 'y'.repeat(7_000_000) } });
  const garbage: readonly (readonly [what: string, bytes: string | Uint8Array])[] = [
    ['binary', Uint8Array.from({ length: 256 }, (_, index) => index)],
    ['half a message', '{"jsonrpc":"2.0","id":\n'],
    ['no JSON', 'hello there\n'],
    ['JSON that is no message', '[]\n42\nnull\n"text"\n{}\n'],
    ['invalid UTF-8', Uint8Array.from([0x22, 0xff, 0xfe, 0xc3, 0x28, 0x22, 0x0a])],
    ['empty lines', '\n\n\r\n'],
    ['a long line', `${long}\n`],
    ['an id of a wrong kind', '{"jsonrpc":"2.0","id":{"a":1},"method":"tools/list"}\n'],
    ['an unsolicited answer', '{"jsonrpc":"2.0","id":77,"result":{}}\n'],
    [
      'deep nesting',
      `{"jsonrpc":"2.0","id":8,"method":"tools/call","params":${'['.repeat(5_000)}${']'.repeat(5_000)}}\n`,
    ],
  ];

  it('may be garbage: the program goes on answering, and what it writes stays protocol', async () => {
    const raw = await begin(['--demo']);
    for (const [index, [what, bytes]] of garbage.entries()) {
      raw.write(bytes);
      raw.write('\n');
      raw.send(toolCall(1_000 + index, 'check_connection'));
      const answer = await raw.answerTo(1_000 + index).catch((error) => `after ${what}: ${error}`);
      expect(answer).toMatchObject({ result: { structuredContent: {} } });
    }
    expectProtocolOnly(raw);
  });

  it('may ask for what is not there', async () => {
    const raw = await begin(['--demo', '--language', 'en']);
    // The schemas of the protocol drop an argument __proto__: it is refused as unknown before they do.
    const proto: object = JSON.parse('{"document":"nfe","from":"today","__proto__":{"limit":1}}');
    for (const [id, method, params, answer] of [
      [1, 'no/such', {}, { error: { code: -32601 } }],
      [2, 'tools/call', { name: 5 }, { error: expect.anything() }],
      [3, 'tools/call', { name: 'no_such_tool', arguments: {} }, {}],
      [4, 'resources/read', { uri: 'dfe://nfe/1/xml' }, { error: { code: -32602 } }],
      [5, 'prompts/list', {}, {}],
      [6, 'resources/list', {}, { result: { resources: [] } }],
      [
        7,
        'tools/call',
        toolCall(0, 'list_documents', { document: 'nfe', from: 1, to: null }).params,
        { result: { isError: true } },
      ],
      [8, 'tools/call', toolCall(0, 'list_documents', proto).params, { result: { isError: true } }],
    ] as const) {
      raw.send({ jsonrpc: '2.0', id, method, params });
      const given = await raw.answerTo(id);
      expect(given).toMatchObject(answer);
      if (id === 3) expect(given.error !== undefined || given.result?.isError === true).toBe(true);
      if (id === 8) expect(JSON.stringify(given)).toContain('__proto__');
    }
    expectProtocolOnly(raw);
    expect(raw.stderr()).not.toMatch(/unhandled|uncaught/);
  });

  it('may come in pieces, and several messages at once', async () => {
    const raw = await begin();
    const lines = [1, 2, 3].map((id) => JSON.stringify(listTools(id))).join('\n');
    for (const piece of lines.match(/.{1,37}/gs) ?? []) raw.write(piece);
    raw.write('\r\n');
    for (const id of [1, 2, 3]) await expectTools(raw, id);
  });
});

describe('ending', () => {
  const isGone = (pid: number): boolean => {
    try {
      return !process.kill(pid, 0);
    } catch {
      return true;
    }
  };

  it
    .skipIf(process.platform === 'win32')
    .each(['the end of the input', 'SIGTERM', 'SIGINT', 'SIGHUP'] as const)(
    'follows %s, with a call under way',
    async (end) => {
      isSilent = true;
      const raw = await begin([], env);
      raw.send(toolCall(1, 'check_connection'));
      await until(() => upstream.seen.length > 0);
      if (end === 'the end of the input') raw.endInput();
      else raw.signal(end);
      expect(await raw.ended()).toBe(0);
      expectProtocolOnly(raw);
    },
  );

  it.each([[[]], [['--demo']]])('follows at once where nothing was asked: %j', async (args) => {
    const raw = await begin(args);
    raw.endInput();
    expect(await raw.ended()).toBe(0);
  });

  it('follows when the client disappears in the middle of a call', async () => {
    isSilent = true;
    const connection = await connect('v1', { env });
    const call = connection.call('check_connection').catch((error: unknown) => error);
    await until(() => upstream.seen.length > 0);
    await connection.close();
    expect(await call).toBeInstanceOf(Error);
    await until(() => isGone(connection.pid));
  });
});

it('a cancelled call is dropped, and the program answers the next one', async () => {
  isSilent = true;
  const raw = await begin([], env);
  raw.send(toolCall(1, 'check_connection'));
  await until(() => upstream.seen.length === 1);
  isSilent = false;
  raw.send({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } });
  raw.send(toolCall(2, 'check_connection'));
  expect((await raw.answerTo(2)).result).toMatchObject({ structuredContent: { documents: { login: 1 } } });
  expect(raw.stdout()).not.toContain('"id":1,');
  expect(raw.stderr()).not.toMatch(/unhandled|uncaught/);
});
