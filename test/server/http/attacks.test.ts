import { randomBytes } from 'node:crypto';
import { EventEmitter, once } from 'node:events';
import { writeFileSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { connect as connectSocket } from 'node:net';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { setTimeout as wait } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { InMemoryServerEventBus } from '@modelcontextprotocol/server';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createBodies, listen } from '../../../src/server/http/listen.ts';
import { temporaryFolder } from '../../support/built-program.ts';
import { createFixtureFront, startEntry } from '../../support/conformance/entry.ts';
import { accessKey, company } from '../../support/documents.ts';
import { answerEvents, documentsUser, isAbout, operationOf } from '../../support/event-service.ts';
import { member, startTestServer, type TestServer, writeTenants } from '../../support/http-server.ts';
import {
  type RecordingUpstream,
  type SeenRequest,
  startRecordingUpstream,
} from '../../support/recording-upstream.ts';

const envelope = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
  'io.modelcontextprotocol/clientCapabilities': { elicitation: { form: {} } },
};

/** A call of a tool as it stands on the wire. */
function messageOf(isModern: boolean, name: string, args: object, more: object = {}) {
  const headers = {
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
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

const folder = temporaryFolder();
/** Answers of the service that are held back until the test lets them go. */
const held: { request: SeenRequest; response: ServerResponse }[] = [];
let isHolding: (request: SeenRequest) => boolean = () => false;
let upstream: RecordingUpstream;
let server: TestServer;
let env: Record<string, string>;

beforeAll(async () => {
  upstream = await startRecordingUpstream((request, response) => {
    if (isHolding(request)) held.push({ request, response });
    else answerEvents(request, response);
  });
  writeFileSync(join(folder.path, 'key'), randomBytes(32).toString('hex'));
  env = {
    DFE_URL: upstream.url,
    ...documentsUser,
    DFE_CNPJ: company,
    DFE_SIGNING_KEY_FILE: join(folder.path, 'key'),
    DFE_DATA_DIR: join(folder.path, 'data'),
  };
  server = await startTestServer(env);
});

afterAll(async () => {
  await server.close();
  await upstream.close();
  folder.remove();
});

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
  await entry.close();
});

it('a form counts once, on whichever replica, and no other state does', async () => {
  const replica = await startTestServer(env);
  const key = accessKey({ number: 501 });
  const args = { key, event: 'ciencia' };
  const { requestState, inputRequests } = await call('manifest_nfe', args);
  const [form = ''] = Object.keys(inputRequests as object);
  const inputResponses = { [form]: { action: 'accept', content: { confirm: true } } };
  const forged = `${String(requestState).slice(0, 20)}${String(requestState).charAt(20) === 'x' ? 'y' : 'x'}${String(requestState).slice(21)}`;
  for (const state of [forged, 'x', '']) {
    await call('manifest_nfe', args, { requestState: state, inputResponses });
  }
  await call('manifest_nfe', { ...args, key: accessKey({ number: 502 }) }, { requestState, inputResponses });
  await call('manifest_nfe', args, { inputResponses });
  expect(sentAbout(key)).toBe(0);
  const both = await Promise.all(
    [server, replica].map((at) => call('manifest_nfe', args, { requestState, inputResponses }, at)),
  );
  expect(sentAbout(key), JSON.stringify(both)).toBe(1);
  expect(
    both.filter((one) => (one.structuredContent as { status?: string })?.status === 'done'),
  ).toHaveLength(1);
  await call('manifest_nfe', args, { requestState, inputResponses }, replica);
  expect(sentAbout(key)).toBe(1);
  await replica.close();
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
    leaving.abort();
    await isOver;
    expect(response?.writableFinished).toBe(false);
    await asked;
    while (server.active > 0) await wait(5);
    isHolding = () => false;
  },
);

describe('while the server is told to stop', () => {
  it('a write under way is sent, answered and written down, and nothing new begins', async () => {
    const own = await startTestServer({ ...env, DFE_DATA_DIR: join(folder.path, 'other') });
    const key = accessKey({ number: 503 });
    const args = { key, event: 'ciencia' };
    const { requestState, inputRequests } = await call('manifest_nfe', args, {}, own);
    const [form = ''] = Object.keys(inputRequests as object);
    const inputResponses = { [form]: { action: 'accept', content: { confirm: true } } };
    isHolding = (request) => operationOf(request) === 'RealizarManifesto';
    const writing = call('manifest_nfe', args, { requestState, inputResponses }, own);
    while (held.length === 0) await wait(5);
    const stopped = own.stop(30_000);
    const late = await own.request('/healthz').then(
      ({ status }) => status,
      () => 'refused',
    );
    expect(late).not.toBe(500);
    isHolding = () => false;
    for (const { request, response } of held.splice(0)) answerEvents(request, response);
    expect((await writing).structuredContent).toMatchObject({ status: 'done' });
    await stopped;
    const next = await startTestServer({ ...env, DFE_DATA_DIR: join(folder.path, 'other') });
    const status = await call('manifest_nfe', args, {}, next);
    expect(JSON.stringify(status)).toContain('ALREADY REGISTERED');
    expect(sentAbout(key)).toBe(1);
    await next.close();
  });
});

it('ten megabytes of headers end at the limit, and only their own connection', async () => {
  const { hostname, port } = new URL(server.url);
  const socket = connectSocket(Number(port), hostname);
  socket.on('error', () => undefined);
  const answered = new Promise<string>((resolve) => {
    let text = '';
    socket.on('data', (data) => {
      text += String(data);
    });
    socket.once('close', () => resolve(text));
  });
  socket.write('POST /mcp HTTP/1.1\r\nHost: localhost\r\n');
  const line = `x-filler: ${'x'.repeat(1000)}\r\n`;
  let written = 0;
  while (written < 10 * 1024 ** 2 && !socket.destroyed) {
    written += line.length;
    if (!socket.write(line))
      await Promise.race([new Promise((resolve) => socket.once('drain', resolve)), answered]);
  }
  expect(await answered).toMatch(/^(?:HTTP\/1\.1 431|$)/);
  expect(written).toBeLessThan(10 * 1024 ** 2);
  expect((await server.request('/healthz')).status).toBe(200);
});

it('a request that is sent a byte at a time ends at the limit, in its headers or in its body, and spoils nothing for others', async () => {
  const front = createFixtureFront(new InMemoryServerEventBus());
  const own = await listen(front.fetch, '127.0.0.1', 0, { headersMs: 50, requestMs: 100, everyMs: 10 });
  const drip = (atOnce: string, text: string): Promise<string> =>
    new Promise((resolve) => {
      let answer = '';
      let at = 0;
      const socket = connectSocket(own.port, '127.0.0.1');
      socket.write(atOnce);
      // It never comes to its end, however long it is let.
      const dripping = setInterval(() => socket.write(text[at++] ?? ' '), 5);
      socket.on('error', () => undefined);
      socket.on('data', (data) => {
        answer += String(data);
      });
      socket.once('close', () => {
        clearInterval(dripping);
        resolve(answer);
      });
    });
  const headers = 'POST /mcp HTTP/1.1\r\nHost: localhost\r\nx-filler: ';
  const body =
    'POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 90000\r\n\r\n';
  const slow = Promise.all([drip('', headers), drip(body, '{')]);
  const answered = async () => (await fetch(`http://127.0.0.1:${own.port}/healthz`)).status;
  expect(await answered()).toBe(200);
  for (const answer of await slow) expect(answer).toMatch(/^(?:HTTP\/1\.1 408|$)/);
  expect(await answered()).toBe(200);
  expect(own.active).toBe(0);
  await front.close();
  await own.close();
});

it('clients that read nothing of their answers keep nobody else waiting', async () => {
  const { hostname, port } = new URL(server.url);
  const { body } = messageOf(false, 'x', {});
  const list = body.replace('"tools/call"', '"tools/list"');
  const request = `POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nAccept: application/json, text/event-stream\r\nContent-Length: ${list.length}\r\n\r\n${list}`;
  const sockets = Array.from({ length: 20 }, () => {
    const socket = connectSocket(Number(port), hostname);
    socket.on('error', () => undefined).pause();
    socket.write(request.repeat(20));
    return socket;
  });
  expect((await server.request('/mcp', { ...messageOf(false, 'x', {}), body: list })).status).toBe(200);
  for (const socket of sockets) socket.destroy();
  while (server.active > 0) await wait(5);
});

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

describe('bodies that are sent but for their last byte', () => {
  const size = 1024 ** 2;
  const token = `dfe_${randomBytes(32).toString('base64url')}`;
  const other = `dfe_${randomBytes(32).toString('base64url')}`;
  let guarded: TestServer;

  beforeAll(async () => {
    const who = [member(token), member(other)];
    const tenants = [{ id: 'one', who, companies: [company], settings: { DFE_URL: upstream.url } }];
    guarded = await startTestServer({ DFE_TENANTS: writeTenants(folder.path, tenants) });
  });
  afterAll(() => guarded.close());

  const begin = (path: string, header: string) =>
    `POST ${path} HTTP/1.1\r\nHost: ${new URL(guarded.url).host}\r\nContent-Type: application/json\r\nAccept: application/json, text/event-stream\r\n${header}Content-Length: ${size}\r\n\r\n{`;

  it.each([
    ['elsewhere', '/other', '', 404],
    ['under another name', '/mcp', 'X: 1\r\nOrigin: https://evil.example\r\n', 403],
    ['without a token', '/mcp', '', 401],
    ['with a wrong token', '/mcp', 'Authorization: Bearer dfe_x\r\n', 401],
  ])('are refused unread %s', async (_name, path, header, status) => {
    const { answer, end } = await firstAnswer(Number(new URL(guarded.url).port), begin(path, header));
    expect(answer).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
    end();
  });

  it('are few of one caller, and leave room for others', async () => {
    const text = begin('/mcp', `Authorization: Bearer ${token}\r\n`);
    const whole = Buffer.concat([Buffer.from(text), Buffer.alloc(size - 2, ' ')]);
    const port = Number(new URL(guarded.url).port);
    const sending = Array.from({ length: 8 }, () => firstAnswer(port, whole));
    const { answer } = await Promise.race(sending);
    expect(answer).toMatch(/^HTTP\/1\.1 503 [\s\S]*retry-after: \d/i);
    const listing = messageOf(false, 'x', {});
    const init = { ...listing, body: listing.body.replace('tools/call', 'tools/list') };
    const status = async (one: string) => {
      const headers = { ...listing.headers, authorization: `Bearer ${one}` };
      return (await guarded.request('/mcp', { ...init, headers })).status;
    };
    expect(await status(other)).toBe(200);
    await guarded.stop(0);
    await Promise.all(sending);
  });
});

it('a body in chunks of one byte takes no more memory than its bytes', async () => {
  setFlagsFromString('--expose-gc');
  const collect: () => void = runInNewContext('gc');
  const count = 300_000;
  const steps = new EventEmitter();
  const [sent, measured] = [once(steps, 'sent'), once(steps, 'measured')];
  const chunks = async function* () {
    for (let at = 0; at < count; at++) yield Buffer.from(' ');
    steps.emit('sent');
    await measured;
    yield Buffer.from('{}');
  };
  const request = Object.assign(Readable.from(chunks()), { headers: {} }) as unknown as IncomingMessage;
  collect();
  const before = process.memoryUsage().heapUsed;
  const body = createBodies()(request, 'one', new Promise(() => undefined));
  await sent;
  await wait(1);
  collect();
  expect(process.memoryUsage().heapUsed - before).toBeLessThan(10 * 1024 ** 2);
  steps.emit('measured');
  expect(await body).toBe(`${' '.repeat(count)}{}`);
});

it('of more connections than there may be the idle ones give way', async () => {
  const front = createFixtureFront(new InMemoryServerEventBus());
  const own = await listen(front.fetch, '127.0.0.1', 0, undefined, 30);
  const kept = [];
  let refused = 0;
  for (let count = 0; count < 100; count++) {
    const one = await firstAnswer(own.port, 'GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n');
    if (one.answer === '') refused += 1;
    else expect(one.answer).toMatch(/^HTTP\/1\.1 200 /);
    kept.push(one);
  }
  expect(refused).toBeLessThan(5);
  for (const { end } of kept) end();
  await front.close();
  await own.close();
});
