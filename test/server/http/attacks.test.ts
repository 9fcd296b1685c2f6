import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { connect as connectSocket, type Socket } from 'node:net';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { InMemoryServerEventBus } from '@modelcontextprotocol/server';
import { describe, expect, it, vi } from 'vitest';
import { listen } from '../../../src/server/http/listen.ts';
import { temporaryFolder } from '../../support/built-program.ts';
import { createFixtureFront, startEntry } from '../../support/conformance/entry.ts';
import { accessKey, company } from '../../support/documents.ts';
import { duringTests } from '../../support/during-tests.ts';
import { answerEvents, documentsUser, isAbout, operationOf } from '../../support/event-service.ts';
import { member, startTestServer, writeTenants } from '../../support/http-server.ts';
import { envelopeOf } from '../../support/modern-conversation.ts';
import { type SeenRequest, startRecordingUpstream } from '../../support/recording-upstream.ts';

const envelope = envelopeOf({ elicitation: { form: {} } });
const ofJson = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };

/** A call of a tool as it is sent. */
function messageOf(isModern: boolean, name: string, args: object, more: object = {}) {
  const headers = {
    ...ofJson,
    ...(isModern && { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/call', 'mcp-name': name }),
  };
  const _meta = { ...(isModern && envelope), progressToken: 'token' };
  const params = { name, arguments: args, ...more, _meta };
  return {
    method: 'POST',
    headers,
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }),
  };
}

/** A request that is answered at once. */
const list = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' });

/** A request as it is sent; `Host` and the headers of JSON unless given. */
function wireOf(path: string, given: Record<string, string | number>, body: string, version = '1.1'): string {
  const headers = { host: 'localhost', ...ofJson, 'content-length': body.length, ...given };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  return `POST ${path} HTTP/${version}\r\n${lines.join('')}\r\n${body}`;
}

const folder = temporaryFolder();
/** Answers of the service that are held back until the test lets them go. */
const held: { request: SeenRequest; response: ServerResponse }[] = [];
let isHolding: (request: SeenRequest) => boolean = () => false;
const upstream = duringTests(() =>
  startRecordingUpstream((request, response) => {
    if (isHolding(request)) held.push({ request, response });
    else answerEvents(request, response);
  }),
);
const start = (dataDir = 'data') =>
  startTestServer({
    ...{ DFE_URL: upstream.url, ...documentsUser, DFE_CNPJ: company },
    DFE_SIGNING_KEY_FILE: join(folder.path, 'key'),
    DFE_DATA_DIR: join(folder.path, dataDir),
  });
const server = duringTests(() => {
  writeFileSync(join(folder.path, 'key'), randomBytes(32).toString('hex'));
  return start();
});

const portOf = ({ url }: { readonly url: string }) => Number(new URL(url).port);

/** The first bytes of an answer to what is sent, while the connection stays open; empty where it is ended. */
function firstAnswer(port: number, text: string | Buffer): Promise<{ answer: string; end(): void }> {
  return new Promise((resolve) => {
    const socket = connectSocket(port, '127.0.0.1');
    const end = () => void socket.destroy();
    socket.on('error', () => undefined);
    socket.once('data', (data) => resolve({ answer: String(data), end }));
    socket.once('close', () => resolve({ answer: '', end }));
    socket.write(text);
  });
}

/** The status of a request with headers that `fetch` would not let one set. */
async function statusOf(given: Record<string, string>, body = list, version?: string): Promise<number> {
  const { answer, end } = await firstAnswer(portOf(server), wireOf('/mcp', given, body, version));
  end();
  return Number(/^HTTP\/1\.1 (\d+) /.exec(answer)?.[1]);
}

/** What a server answers to a call in the modern era, its last message. */
async function resultOf(response: Response): Promise<Record<string, unknown>> {
  const text = await response.text();
  const last = text.split('\n').findLast((line) => line.startsWith('data: '));
  const message = JSON.parse(last === undefined ? text : last.slice(6));
  return message.result ?? message;
}

const call = (name: string, args: object, more: object = {}, at = server) =>
  at.request('/mcp', messageOf(true, name, args, more)).then(resultOf);

const sentAbout = (key: string) =>
  upstream.seen.filter((request) => operationOf(request) === 'RealizarManifesto' && isAbout([key])(request))
    .length;

describe('a request', () => {
  it.each([
    ['/', 404],
    ['/mcp', 405],
    ['/healthz', 200],
    ['/readyz', 200],
  ])('for %s is answered %i', async (path, status) => {
    expect((await server.request(path)).status).toBe(status);
  });

  it.each<[what: string, headers: Record<string, string>, body: string, status: number]>([
    ['of this machine', { host: 'localhost:1' }, list, 200],
    ['under another name', { host: 'evil.example' }, list, 403],
    ['under a name that begins like ours', { host: '127.0.0.1.evil.example:80' }, list, 403],
    ['of a page', { origin: 'https://evil.example' }, list, 403],
    ['of a page without an origin', { origin: 'null' }, list, 403],
    ['of another type', { 'content-type': 'text/plain' }, list, 415],
    ['that is no JSON', {}, '{', 400],
    ['that is too large', {}, JSON.stringify({ filler: 'x'.repeat(1024 ** 2) }), 413],
    ['with headers that are too large', { 'x-large': 'x'.repeat(10 * 1024 ** 2) }, list, 431],
    // Where nobody says who they are, a proxy could be speaking for anybody.
    ...[
      ...['Forwarded', 'X-Forwarded-For', 'X-Forwarded-Host', 'X-Forwarded-Port', 'X-Forwarded-Prefix'],
      ...['X-Real-IP', 'Via', 'CF-Connecting-IP', 'True-Client-IP', 'CDN-Loop', 'X-Amzn-Trace-Id'],
      ...['Forwarded-For', 'Client-IP', 'X-Envoy-External-Address', 'X-Azure-ClientIP'],
    ].map((name): [string, Record<string, string>, string, number] => {
      return [`that a proxy passed on with ${name}`, { [name]: '10.0.0.1' }, list, 403];
    }),
  ])('%s is answered accordingly', async (_what, headers, body, status) => {
    expect(await statusOf(headers, body)).toBe(status);
  });

  it('of an older HTTP may come through a proxy', async () => {
    for (const version of ['1.0', '0.9']) expect(await statusOf({}, list, version)).toBe(403);
  });
});

it.each([true, false])('an argument __proto__ is refused as unknown (modern era: %s)', async (isModern) => {
  const given: object = JSON.parse('{"document":"nfe","from":"today","to":"today","__proto__":{"limit":1}}');
  upstream.seen.length = 0;
  const text = await (await fetch(server.url, messageOf(isModern, 'list_documents', given))).text();
  expect(text).toContain('"isError":true');
  expect(text).toContain('__proto__');
  expect(upstream.seen).toEqual([]);
});

it.each([true, false])('progress arrives whole: 40 of 40 (modern era: %s)', async (isModern) => {
  const entry = await startEntry(false);
  const response = await fetch(entry.url, messageOf(isModern, 'test_tool_with_progress', { steps: 40 }));
  const text = await response.text();
  expect(text.match(/"notifications\/progress"/g)).toHaveLength(40);
  expect(text).toContain('Done.');
});

it('a tenant with too many calls under way gets a 429 with a time to retry, until one ends', async () => {
  const front = createFixtureFront(new InMemoryServerEventBus());
  const ends: ((isCancelled: boolean) => void)[] = [];
  const ask = async () => {
    const over = new Promise<boolean>((resolve) => ends.push(resolve));
    const request = new Request('http://127.0.0.1/mcp', { headers: { host: '127.0.0.1' } });
    const response = await front.fetch(request, { httpVersion: '1.1', body: async () => undefined, over });
    return [response.status, response.headers.get('retry-after'), await response.text()];
  };
  for (let count = 0; count < 256; count++) expect((await ask())[0]).toBe(405);
  expect(await ask()).toEqual([429, '5', '{"error":"too_many_calls"}']);
  ends[0]?.(false);
  expect((await ask())[0]).toBe(405);
  expect((await ask())[0]).toBe(429);
});

it('an answer that breaks off while it is sent breaks its connection, and does not seem to be whole', async () => {
  async function* parts() {
    yield Buffer.from('the beginning');
    throw new Error('the disk is gone');
  }
  const own = await listen(async () => new Response(ReadableStream.from(parts())), '127.0.0.1', 0);
  const read = fetch(`http://127.0.0.1:${own.port}/`).then((response) => response.text());
  await expect(read).rejects.toThrow();
  await vi.waitFor(() => expect(own.active).toBe(0));
  await own.close();
});

/** A form that the server shows for a write, and the answer that agrees to it. */
async function agreedForm(args: object, at = server) {
  const { requestState, inputRequests } = await call('manifest_nfe', args, {}, at);
  const [form = ''] = Object.keys(inputRequests as object);
  return {
    requestState: String(requestState),
    inputResponses: { [form]: { action: 'accept', content: { confirm: true } } },
  };
}

it('a form or a token counts once, on whichever replica', async () => {
  const replica = await start();
  const key = accessKey({ number: 501 });
  const args = { key, event: 'ciencia' };
  const agreed = await agreedForm(args);
  const both = await Promise.all([server, replica].map((at) => call('manifest_nfe', args, agreed, at)));
  expect(sentAbout(key), JSON.stringify(both)).toBe(1);
  expect(both.map(({ structuredContent }) => (structuredContent as { status?: string })?.status)).toContain(
    'done',
  );
  await call('manifest_nfe', args, agreed, replica);
  expect(sentAbout(key)).toBe(1);

  const other = { ...args, key: accessKey({ number: 503 }) };
  const [first, second] = await Promise.all([server, replica].map((one) => one.connect('v1')));
  const asked = await first?.call('manifest_nfe', other);
  const given = { ...other, confirmation_token: asked?.structured?.confirmation_token };
  expect((await second?.call('manifest_nfe', given))?.structured).toMatchObject({ status: 'done' });
  const spent = { status: 'not_sent', reason: 'token_spent' };
  expect((await first?.call('manifest_nfe', given))?.structured).toMatchObject(spent);
  expect(sentAbout(other.key)).toBe(1);
  await Promise.all([first?.close(), second?.close()]);
});

it.each([true, false])(
  'a client that goes away takes its call of the service with it (modern era: %s)',
  async (isModern) => {
    isHolding = () => true;
    const leaving = new AbortController();
    const { signal } = leaving;
    const asked = server
      .request('/mcp', { ...messageOf(isModern, 'check_connection', {}), signal })
      .catch(() => undefined);
    while (held.length === 0) await wait(5);
    const { response } = held.splice(0)[0] ?? {};
    const isOver = new Promise((resolve) => response?.once('close', resolve));
    const left = performance.now();
    leaving.abort();
    await isOver;
    // The call itself would take until its time limit.
    expect(performance.now() - left).toBeLessThan(20_000);
    expect(response?.writableFinished).toBe(false);
    await asked;
    while (server.active > 0) await wait(5);
    isHolding = () => false;
  },
);

it('while the server stops, a write under way is sent, answered and journaled, and nothing new begins', async () => {
  const own = await start('other');
  const key = accessKey({ number: 504 });
  const args = { key, event: 'ciencia' };
  const agreed = await agreedForm(args, own);
  isHolding = (request) => operationOf(request) === 'RealizarManifesto';
  const writing = call('manifest_nfe', args, agreed, own);
  while (held.length === 0) await wait(5);
  const stopped = own.stop(30_000);
  const late = await own.request('/mcp', messageOf(true, 'check_connection', {})).then(
    ({ status }) => status,
    () => 'refused',
  );
  expect([503, 'refused']).toContain(late);
  isHolding = () => false;
  for (const { request, response } of held.splice(0)) answerEvents(request, response);
  expect((await writing).structuredContent).toMatchObject({ status: 'done' });
  await stopped;
  await expect(own.request('/healthz')).rejects.toThrow();
  const next = await start('other');
  expect(JSON.stringify(await call('manifest_nfe', args, {}, next))).toContain('ALREADY REGISTERED');
  expect(sentAbout(key)).toBe(1);
});

it('a request that is sent a byte at a time ends at the limit, in its headers or in its body, and spoils nothing for others', async () => {
  const front = createFixtureFront(new InMemoryServerEventBus());
  const own = await listen(front.fetch, '127.0.0.1', 0, { headersMs: 50, requestMs: 100, everyMs: 10 });
  const drip = async (text: string): Promise<string> => {
    const socket = connectSocket(own.port, '127.0.0.1');
    let answer = '';
    socket.on('error', () => undefined);
    socket.on('data', (data) => {
      answer += String(data);
    });
    socket.write(text);
    // It never ends by itself.
    const dripping = setInterval(() => socket.write(' '), 5);
    await once(socket, 'close');
    clearInterval(dripping);
    return answer;
  };
  const headers = 'POST /mcp HTTP/1.1\r\nHost: localhost\r\nx-filler: ';
  const slow = Promise.all([drip(headers), drip(wireOf('/mcp', { 'content-length': 90_000 }, '{'))]);
  const answered = async () => (await fetch(`http://127.0.0.1:${own.port}/healthz`)).status;
  expect(await answered()).toBe(200);
  for (const answer of await slow) expect(answer).toMatch(/^(?:HTTP\/1\.1 408|$)/);
  expect(await answered()).toBe(200);
  expect(own.active).toBe(0);
  await own.close();
});

describe('bodies that are sent but for their last byte', () => {
  const size = 1024 ** 2;
  const [token, other] = ['one', 'two'].map(() => `dfe_${randomBytes(32).toString('base64url')}`);
  const bearer = (one: string | undefined) => ({ authorization: `Bearer ${one}` });
  const guarded = duringTests(() => {
    const who = [member(String(token)), member(String(other))];
    const tenants = [{ id: 'one', who, companies: [company], settings: { DFE_URL: upstream.url } }];
    return startTestServer({ DFE_TENANTS: writeTenants(folder.path, tenants) });
  });

  it.each([
    ['elsewhere', '/other', {}, 404],
    ['under another name', '/mcp', { origin: 'https://evil.example' }, 403],
    ['without a token', '/mcp', {}, 401],
    ['with a wrong token', '/mcp', bearer('dfe_x'), 401],
  ])('are refused unread %s', async (_name, path, headers, status) => {
    const text = wireOf(path, { ...headers, 'content-length': size }, '{');
    const { answer, end } = await firstAnswer(portOf(guarded), text);
    expect(answer).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
    end();
  });

  it('are few of one caller, and leave room for others', async () => {
    const text = wireOf('/mcp', { ...bearer(token), 'content-length': size }, ' '.repeat(size - 1));
    const sending = Array.from({ length: 8 }, () => firstAnswer(portOf(guarded), text));
    const { answer } = await Promise.race(sending);
    expect(answer).toMatch(/^HTTP\/1\.1 503 [\s\S]*retry-after: \d/i);
    const init = { method: 'POST', body: list, headers: { ...ofJson, ...bearer(other) } };
    expect((await guarded.request('/mcp', init)).status).toBe(200);
    await guarded.stop(0);
    await Promise.all(sending);
  });
});

describe('connections', () => {
  const health = 'GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n';
  const call = wireOf('/mcp', {}, list);

  it.each([
    ['one that never authenticated', health],
    ['one that did', call],
  ])('of more clients than there may be: an idle one gives way, %s', async (_name, text) => {
    const front = createFixtureFront(new InMemoryServerEventBus());
    const own = await listen(front.fetch, '127.0.0.1', 0, undefined, 30);
    const kept = [];
    for (let count = 0; count < 40; count++) kept.push(await firstAnswer(own.port, text));
    for (const { answer, end } of kept) {
      expect(answer).toMatch(/^HTTP\/1\.1 200 /);
      end();
    }
    await own.close();
  });

  it('that authenticated stay, those that never did give way, also with requests under way', async () => {
    const front = createFixtureFront(new InMemoryServerEventBus());
    let isAnswering = true;
    const never = new Promise<Response>(() => undefined);
    const answer: typeof front.fetch = (...given) => (isAnswering ? front.fetch(...given) : never);
    const own = await listen(answer, '127.0.0.1', 0, undefined, 10);
    const sockets: Socket[] = [];
    const open = async (text: string) => {
      const socket = connectSocket(own.port, '127.0.0.1').on('error', () => undefined);
      const { active } = own;
      socket.write(text);
      if (isAnswering) await once(socket, 'data');
      else await vi.waitUntil(() => own.active > active || sockets.length === 10);
      sockets.push(socket);
    };
    for (let count = 0; count < 5; count++) await open(call);
    isAnswering = false;
    for (let count = 0; count < 5; count++) await open(health);
    const ended = once(sockets[5] as Socket, 'close');
    await open(health);
    await ended;
    expect(sockets.map(({ destroyed }) => destroyed).indexOf(true)).toBe(5);
    expect(sockets.filter(({ destroyed }) => destroyed)).toHaveLength(1);
    for (const socket of sockets) socket.destroy();
    await own.close();
  });
});
