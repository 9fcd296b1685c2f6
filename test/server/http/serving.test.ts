import { once } from 'node:events';
import { request as httpRequest } from 'node:http';
import { connect as connectSocket } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Sandbox } from '../../../src/sandbox/index.ts';
import { clientKinds } from '../../support/clients.ts';
import { confirmed } from '../../support/confirmed.ts';
import { accessKey, company } from '../../support/documents.ts';
import { answerEvents, documentsUser, isAbout } from '../../support/event-service.ts';
import { startTestServer, type TestServer } from '../../support/http-server.ts';
import { startNovemberSandbox } from '../../support/november-sandbox.ts';
import { type RecordingUpstream, startRecordingUpstream } from '../../support/recording-upstream.ts';

let sandbox: Sandbox;
let server: TestServer;
let upstream: RecordingUpstream;
/** The same before a service that registers every event. */
let events: TestServer;

beforeAll(async () => {
  sandbox = await startNovemberSandbox();
  server = await startTestServer({
    DFE_URL: sandbox.url,
    DFE_USER: 'demo',
    DFE_PASSWORD: 'demo',
    DFE_CNPJ: '48152036000117',
  });
  upstream = await startRecordingUpstream((request, response) => answerEvents(request, response));
  events = await startTestServer({ DFE_URL: upstream.url, ...documentsUser, DFE_CNPJ: company });
});

afterAll(async () => {
  await server.close();
  await events.close();
  await upstream.close();
  await sandbox.close();
});

const list = { jsonrpc: '2.0', id: 1, method: 'tools/list' };
const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
const post = (init: RequestInit = {}) =>
  server.request('/mcp', {
    method: 'POST',
    body: JSON.stringify(list),
    ...init,
    headers: { ...headers, ...init.headers },
  });

/** Sends headers that `fetch` would not let one set. */
function bare(path: string, given: Record<string, string>): Promise<number | undefined> {
  const { hostname, port } = new URL(server.url);
  return new Promise((resolve, reject) => {
    const request = httpRequest(
      { hostname, port, path, method: 'POST', headers: { ...headers, ...given } },
      (response) => {
        response.resume();
        resolve(response.statusCode);
      },
    );
    request.on('error', reject);
    request.end(JSON.stringify(list));
  });
}

describe.each(clientKinds)('over HTTP a %s client', (kind) => {
  it('lists tools and keys', async () => {
    const client = await server.connect(kind);
    try {
      const tools = await client.listTools();
      expect(tools.map(({ name }) => name)).toContain('manifest_nfe');
      const period = { from: '2026-11-01', to: '2026-11-15' };
      const keys = await client.call('list_document_keys', { document: 'nfe', ...period });
      expect(keys.isError, keys.text).toBe(false);
    } finally {
      await client.close();
    }
  });

  it('manifests after a yes, once', async () => {
    const client = await events.connect(kind);
    try {
      const event = { key: accessKey({ number: 100 + clientKinds.indexOf(kind) }), event: 'ciencia' };
      const asked = await client.call('manifest_nfe', event);
      expect(asked.structured).toMatchObject({ status: 'confirmation_required' });
      const given = { ...event, confirmation_token: asked.structured?.confirmation_token };
      expect((await client.call('manifest_nfe', given)).structured).toMatchObject({ status: 'done' });
      const again = await client.call('manifest_nfe', given);
      expect(again.structured).toMatchObject({ status: 'not_sent', reason: 'token_spent' });
    } finally {
      await client.close();
    }
  });

  it('hears how far a long call is', async () => {
    const client = await events.connect(kind);
    const heard: number[] = [];
    const keys = Array.from({ length: 40 }, (_, number) => accessKey({ number: number + 1 }));
    try {
      const answer = await confirmed(
        client,
        'manifest_nfe_batch',
        { keys, event: clientKinds.indexOf(kind) === 0 ? 'ciencia' : 'confirmacao' },
        { onprogress: ({ progress }) => heard.push(progress) },
      );
      expect(answer.isError, answer.text).toBe(false);
      // What follows the last part may reach the client together with the answer, and is dropped by it then.
      expect(heard.length).toBeGreaterThan(1);
      expect(heard).toEqual(heard.map((_, index) => index + 1));
    } finally {
      await client.close();
    }
  });
});

describe('a modern client with forms', () => {
  it('is asked, and sends once after the yes', async () => {
    const forms: string[] = [];
    const client = await events.connect('v2 modern', {
      onForm: ({ message }) => {
        forms.push(message);
        return { action: 'accept', content: { confirm: true } };
      },
    });
    try {
      const key = accessKey({ number: 99 });
      const answer = await client.call('manifest_nfe', { key, event: 'ciencia' });
      expect(forms).toHaveLength(1);
      expect(upstream.seen.filter(isAbout([key]))).toHaveLength(1);
      expect(answer.structured, answer.text).toMatchObject({ status: 'done' });
    } finally {
      await client.close();
    }
  });
});

describe('a request', () => {
  it('is answered at its address alone', async () => {
    expect((await server.request('/')).status).toBe(404);
    expect((await server.request('/mcp')).status).toBe(405);
    expect((await server.request('/healthz')).status).toBe(200);
    expect((await server.request('/readyz')).status).toBe(200);
    expect((await post()).status).toBe(200);
  });

  it('under another name, from a page, or through a proxy is refused', async () => {
    expect(await bare('/mcp', { host: 'evil.example' })).toBe(403);
    expect(await bare('/mcp', { host: `127.0.0.1.evil.example:${new URL(server.url).port}` })).toBe(403);
    expect(await bare('/mcp', { host: `localhost:${new URL(server.url).port}` })).toBe(200);
    expect(await bare('/mcp', { origin: 'https://evil.example' })).toBe(403);
    expect(await bare('/mcp', { origin: 'null' })).toBe(403);
  });

  it.each([
    ...['Forwarded', 'X-Forwarded-For', 'X-Forwarded-Host', 'X-Forwarded-Port', 'X-Forwarded-Prefix'],
    ...['X-Real-IP', 'Via', 'CF-Connecting-IP', 'True-Client-IP', 'CDN-Loop'],
    ...['Forwarded-For', 'Client-IP', 'X-Envoy-External-Address', 'X-Azure-ClientIP', 'X-Amzn-Trace-Id'],
  ])('that a proxy passed on with %s is refused where nobody says who they are', async (name) => {
    expect(await bare('/mcp', { [name]: '10.0.0.1' })).toBe(403);
  });

  it.each(['1.0', '0.9'])('of HTTP/%s is refused where nobody says who they are', async (version) => {
    const { hostname, port } = new URL(server.url);
    const socket = connectSocket(Number(port), hostname);
    const body = JSON.stringify(list);
    const lines = Object.entries({ host: 'localhost', ...headers, 'content-length': body.length });
    const text = lines.map(([name, value]) => `${name}: ${value}\r\n`).join('');
    socket.end(`POST /mcp HTTP/${version}\r\n${text}\r\n${body}`);
    const [answer] = await once(socket, 'data');
    expect(String(answer)).toMatch(/^HTTP\/1\.1 403 /);
  });

  it('that is too large, or no JSON, is refused', async () => {
    const large = { ...list, params: { filler: 'x'.repeat(5 * 1024 ** 2) } };
    expect((await post({ body: JSON.stringify(large) })).status).toBe(413);
    expect((await post({ headers: { 'content-type': 'text/plain' } })).status).toBe(415);
    expect((await post({ body: '{' })).status).toBe(400);
    expect(await bare('/mcp', { 'x-large': 'x'.repeat(32 * 1024) })).toBe(431);
    expect((await post()).status).toBe(200);
  });

  it('that never ends spoils nothing for others', async () => {
    const { hostname, port } = new URL(server.url);
    const sockets = Array.from({ length: 50 }, () => {
      const socket = connectSocket(Number(port), hostname);
      socket.on('error', () => undefined);
      socket.write(
        'POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{',
      );
      return socket;
    });
    await Promise.all(sockets.map((socket) => socket.connecting && once(socket, 'connect')));
    expect((await post()).status).toBe(200);
    for (const socket of sockets) socket.destroy();
    expect((await post()).status).toBe(200);
  });
});

it('begins nothing more once it is told to stop, and lets what is under way end', async () => {
  const own = await startTestServer({
    DFE_URL: sandbox.url,
    DFE_USER: 'demo',
    DFE_PASSWORD: 'demo',
    DFE_CNPJ: '48152036000117',
  });
  const client = await own.connect('v2 modern');
  const answer = client.call('query_documents', {
    document: 'nfe',
    from: '2026-09-01',
    to: '2026-09-30',
    group_by: ['month'],
  });
  while (own.active === 0) await wait(1);
  const stopped = own.stop(30_000);
  expect(await answer).toMatchObject({ isError: false });
  await stopped;
  await expect(own.request('/healthz')).rejects.toThrow();
  await own.close();
});
