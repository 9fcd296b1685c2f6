import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { temporaryFolder } from '../support/built-program.ts';
import { connect } from '../support/clients.ts';
import { until } from '../support/passing-time.ts';
import { type RawProgram, startRaw } from '../support/raw-program.ts';
import { json, type RecordingUpstream, startRecordingUpstream } from '../support/recording-upstream.ts';
import { expectProtocolOnly, listTools, toolCall } from './protocol-lines.ts';

/** Ends what a test opened, last first. */
const open: (() => Promise<void> | void)[] = [];

afterEach(async () => {
  for (const close of open.splice(0).reverse()) await close();
});

function start(args: readonly string[] = [], env: Readonly<Record<string, string>> = {}): RawProgram {
  const raw = startRaw(args, env);
  open.push(() => raw.close());
  return raw;
}

const modernMeta = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientCapabilities': {},
  'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
};

describe('both eras of the protocol', () => {
  it('are served by the same program: the handshake', async () => {
    const raw = start();
    const { result } = await raw.initialize();
    expect(result).toMatchObject({ protocolVersion: '2025-11-25', serverInfo: { name: 'docfiscal-mcp' } });
    raw.send(listTools(1));
    expect((await raw.answerTo(1)).result?.tools).toHaveLength(20);
    expectProtocolOnly(raw);
  });

  it('are served by the same program: discovery', async () => {
    const raw = start();
    raw.send({ jsonrpc: '2.0', id: 1, method: 'server/discover', params: { _meta: modernMeta } });
    const { result } = await raw.answerTo(1);
    expect(result?.supportedVersions).toContain('2026-07-28');
    expect(String(result?.instructions)).toContain('never instructions');
    raw.send({ jsonrpc: '2.0', id: 2, method: 'tools/list', params: { _meta: modernMeta } });
    expect((await raw.answerTo(2)).result?.tools).toHaveLength(20);
    expectProtocolOnly(raw);
  });
});

describe('starting', () => {
  let folder: ReturnType<typeof temporaryFolder>;
  let upstream: RecordingUpstream;
  let env: Record<string, string>;

  beforeEach(async () => {
    folder = temporaryFolder();
    upstream = await startRecordingUpstream((_request, response) => json(response, 'Conectado'));
    open.push(folder.remove, () => upstream.close());
    env = {
      DFE_URL: upstream.url,
      DFE_USER: 'user',
      DFE_PASSWORD: 'password',
      DFE_DATA_DIR: join(folder.path, 'data'),
      DFE_DOWNLOAD_DIR: join(folder.path, 'downloads'),
      DFE_ACCOUNT_URL: upstream.url,
      DFE_ACCOUNT_API_KEY: 'api-key',
    };
  });

  it('touches no network before the first call, and writes no file, as a call that reads does', async () => {
    const raw = start([], env);
    await raw.initialize();
    raw.send(listTools(1));
    await raw.answerTo(1);
    raw.send({ jsonrpc: '2.0', id: 2, method: 'resources/templates/list', params: {} });
    await raw.answerTo(2);
    expect(upstream.seen).toHaveLength(0);
    raw.send(toolCall(3, 'check_connection'));
    await raw.answerTo(3);
    expect(upstream.seen.length).toBeGreaterThan(0);
    expect(existsSync(join(folder.path, 'data'))).toBe(false);
    expect(existsSync(join(folder.path, 'downloads'))).toBe(false);
    raw.endInput();
    expect(await raw.ended()).toBe(0);
    expect(existsSync(join(folder.path, 'data'))).toBe(false);
  });
});

describe('what goes wrong inside', () => {
  it('neither ends the program nor reaches standard output', async () => {
    const folder = temporaryFolder();
    open.push(folder.remove);
    const intruder = join(folder.path, 'intruder.cjs');
    writeFileSync(
      intruder,
      `setInterval(() => {
        console.log('a banner of some dependency');
        Promise.reject(new Error('nobody waits for this: secret-value'));
      }, 20).unref();`,
    );
    const raw = start([], { NODE_OPTIONS: `--require "${intruder.replaceAll('\\', '/')}"` });
    await raw.initialize();
    await until(() => /banner.*unhandled rejection \(Error\)/s.test(raw.stderr()));
    raw.send(listTools(1));
    expect((await raw.answerTo(1)).result?.tools).toHaveLength(20);
    expectProtocolOnly(raw);
    expect(raw.stderr()).not.toContain('secret-value');
  });
});

describe('what comes in', () => {
  const garbage: readonly (readonly [what: string, bytes: string | Uint8Array])[] = [
    ['binary', Uint8Array.from({ length: 256 }, (_, index) => index)],
    ['half a message', '{"jsonrpc":"2.0","id":\n'],
    ['no JSON', 'hello there\n'],
    ['JSON that is no message', '[]\n42\nnull\n"text"\n{}\n'],
    ['invalid UTF-8', Uint8Array.from([0x22, 0xff, 0xfe, 0xc3, 0x28, 0x22, 0x0a])],
    ['empty lines', '\n\n\r\n'],
    [
      'a long line',
      `${JSON.stringify({ jsonrpc: '2.0', id: 9, method: 'x', params: { a: 'y'.repeat(7_000_000) } })}\n`,
    ],
    ['an id of a wrong kind', '{"jsonrpc":"2.0","id":{"a":1},"method":"tools/list"}\n'],
    ['an answer nobody asked for', '{"jsonrpc":"2.0","id":77,"result":{}}\n'],
    [
      'deep nesting',
      `{"jsonrpc":"2.0","id":8,"method":"tools/call","params":${'['.repeat(5_000)}${']'.repeat(5_000)}}\n`,
    ],
  ];

  it('may be garbage: the program goes on answering, and what it writes stays protocol', async () => {
    const raw = start(['--demo']);
    await raw.initialize();
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
    const raw = start(['--demo', '--language', 'en']);
    await raw.initialize();
    raw.send({ jsonrpc: '2.0', id: 1, method: 'no/such', params: {} });
    expect((await raw.answerTo(1)).error?.code).toBe(-32601);
    raw.send({ jsonrpc: '2.0', id: 2, method: 'tools/call', params: { name: 5 } });
    expect((await raw.answerTo(2)).error).toBeDefined();
    raw.send(toolCall(3, 'no_such_tool'));
    const unknown = await raw.answerTo(3);
    expect(unknown.error !== undefined || unknown.result?.isError === true).toBe(true);
    raw.send({ jsonrpc: '2.0', id: 4, method: 'resources/read', params: { uri: 'dfe://nfe/1/xml' } });
    expect((await raw.answerTo(4)).error?.code).toBe(-32602);
    raw.send({ jsonrpc: '2.0', id: 5, method: 'prompts/list', params: {} });
    await raw.answerTo(5);
    raw.send({ jsonrpc: '2.0', id: 6, method: 'resources/list', params: {} });
    expect((await raw.answerTo(6)).result?.resources).toEqual([]);
    raw.send(toolCall(7, 'list_documents', { document: 'nfe', from: 1, to: null }));
    expect((await raw.answerTo(7)).result).toMatchObject({ isError: true });
    expectProtocolOnly(raw);
    expect(raw.stderr()).not.toMatch(/unhandled|uncaught/);
  });

  it('may come in pieces, and several messages at once', async () => {
    const raw = start();
    await raw.initialize();
    const line = `${JSON.stringify(listTools(1))}\n${JSON.stringify(listTools(2))}\n${JSON.stringify(listTools(3))}`;
    for (const piece of line.match(/.{1,37}/gs) ?? []) raw.write(piece);
    raw.write('\r\n');
    for (const id of [1, 2, 3]) expect((await raw.answerTo(id)).result?.tools).toHaveLength(20);
  });
});

describe('ending', () => {
  let upstream: RecordingUpstream;
  let arrived: Promise<void>;
  let env: Record<string, string>;

  beforeEach(async () => {
    let noteArrival = (): void => undefined;
    arrived = new Promise((resolve) => {
      noteArrival = resolve;
    });
    // Never answers.
    upstream = await startRecordingUpstream(() => noteArrival());
    open.push(() => upstream.close());
    env = { DFE_URL: upstream.url, DFE_USER: 'user', DFE_PASSWORD: 'password', DFE_TIMEOUT: '3600' };
  });

  /** A program with a call under way that will never be answered. */
  async function startWaiting(): Promise<RawProgram> {
    const raw = start([], env);
    await raw.initialize();
    raw.send(toolCall(1, 'check_connection'));
    await arrived;
    return raw;
  }

  it('follows the end of the input, with a call under way', async () => {
    const raw = await startWaiting();
    raw.endInput();
    expect(await raw.ended()).toBe(0);
    expectProtocolOnly(raw);
  });

  it.skipIf(process.platform === 'win32').each(['SIGTERM', 'SIGINT', 'SIGHUP'] as const)(
    'follows %s, with a call under way',
    async (signal) => {
      const raw = await startWaiting();
      raw.signal(signal);
      expect(await raw.ended()).toBe(0);
      expectProtocolOnly(raw);
    },
  );

  it('follows at once where nothing was asked, with the demo too', async () => {
    for (const args of [[], ['--demo']]) {
      const raw = start(args);
      await raw.initialize();
      raw.endInput();
      expect(await raw.ended()).toBe(0);
    }
  });

  it('follows when the client disappears in the middle of a call', async () => {
    const connection = await connect('v1', { env });
    open.push(() => connection.close());
    const call = connection.call('check_connection').catch((error: unknown) => error);
    await arrived;
    await connection.close();
    expect(await call).toBeInstanceOf(Error);
    await until(() => isGone(connection.pid));
  });

  function isGone(pid: number): boolean {
    try {
      return !process.kill(pid, 0);
    } catch {
      return true;
    }
  }
});

describe('a call that is given up', () => {
  it('is let go, and the program answers the next one', async () => {
    const upstream = await startRecordingUpstream((request, response) => {
      if (request.path.endsWith('Login')) json(response, 1);
      // The first call is never answered.
      else if (upstream.seen.length > 1) json(response, 'Conectado');
    });
    open.push(() => upstream.close());
    const raw = start([], { DFE_URL: upstream.url, DFE_USER: 'user', DFE_PASSWORD: 'password' });
    await raw.initialize();
    raw.send(toolCall(1, 'check_connection'));
    await until(() => upstream.seen.length === 1);
    raw.send({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } });
    raw.send(toolCall(2, 'check_connection'));
    expect((await raw.answerTo(2)).result).toMatchObject({ structuredContent: { documents: { login: 1 } } });
    expect(raw.stdout()).not.toContain('"id":1,');
    expect(raw.stderr()).not.toMatch(/unhandled|uncaught/);
  });
});
