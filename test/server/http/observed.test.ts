import { once } from 'node:events';
import { request as httpRequest } from 'node:http';
import { createServer } from 'node:net';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { Company } from '../../../src/company/company.ts';
import { createMetrics } from '../../../src/server/http/telemetry.ts';
import { listen } from '../../clients/http/local-server.ts';
import { accessKey, company } from '../../support/documents.ts';
import { duringTests } from '../../support/during-tests.ts';
import { freePort } from '../../support/free-port.ts';
import { message, startTestServer } from '../../support/http-server.ts';
import { json, startRecordingUpstream } from '../../support/recording-upstream.ts';

const upstream = duringTests(() =>
  startRecordingUpstream((_, response) =>
    json(response, `<retChavesNfe><chNFe>${accessKey({ number: 1 })}</chNFe></retChavesNfe>`),
  ),
);
let port: number;
const server = duringTests(async () => {
  port = await freePort();
  const service = { DFE_URL: upstream.url, DFE_USER: 'ana', DFE_PASSWORD: 'segredo-da-ana' };
  return startTestServer({ ...service, DFE_CNPJ: company, DFE_METRICS_PORT: String(port) });
});
const lines: Record<string, unknown>[] = [];
const write = process.stderr.write;

beforeAll(() => {
  process.stderr.write = ((text: string) => {
    // Protocol errors are logged on lines of their own, without a request's id.
    const ofRequests = text.split('\n').filter((line) => line.includes('"id":'));
    lines.push(...ofRequests.map((line) => JSON.parse(line)));
    return true;
  }) as typeof process.stderr.write;
});

afterAll(() => {
  process.stderr.write = write;
});

const traceId = '4bf92f3577b34da6a3ce929d0e0e4736';
const period = { document: 'nfe', from: '2026-11-01', to: '2026-11-02' };

const call = (body: object, headers?: Record<string, string>): Promise<Response> =>
  server.request('/mcp', message(body, undefined, headers));

/** Lines are written some at a time; the one of the request that was answered last. */
async function lineOf(count: number): Promise<Record<string, unknown> | undefined> {
  await vi.waitUntil(() => lines.length >= count, { timeout: 20_000 });
  return lines[count - 1];
}

describe('a request', () => {
  it('is one line with the tool and the outcome, and nothing of its contents', async () => {
    const params = { name: 'list_document_keys', arguments: period };
    const traceparent = `00-${traceId}-00f067aa0ba902b7-01`;
    await (await call({ method: 'tools/call', params }, { traceparent })).text();
    const line = await lineOf(1);
    expect(line).toEqual({
      time: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
      level: 'info',
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      trace_id: traceId,
      tenant: '',
      era: 'legacy',
      method: 'tools/call',
      tool: 'list_document_keys',
      outcome: 'ok',
      status: 200,
      ms: expect.any(Number),
      upstream_calls: 1,
      upstream_ms: expect.any(Number),
      upstream_status: 200,
    });
    expect(JSON.stringify(line)).not.toMatch(new RegExp(`${company}|2026-11-01|segredo`));
  });

  it('that failed says so', async () => {
    const wrong = { name: 'list_document_keys', arguments: { ...period, from: 'x' } };
    await (await call({ method: 'tools/call', params: wrong })).text();
    expect(await lineOf(2)).toMatchObject({ outcome: 'tool_error', upstream_calls: 0 });
    await (await call({ method: 'tools/call', params: { name: 'nothing_like_it', arguments: {} } })).text();
    expect(JSON.stringify(await lineOf(3))).not.toContain('nothing_like_it');
    expect(await lineOf(3)).toMatchObject({ outcome: 'refused', status: 200 });
    await (await call({ method: 'made up\nby others' })).text();
    expect(JSON.stringify(await lineOf(4))).not.toContain('made up');
  });

  it.each([1, null, 'io.modelcontextprotocol/protocolVersion', [], { traceparent: [] }, { '': { '': 1 } }])(
    'with %j as its metadata is answered and logged like any other',
    async (_meta) => {
      const before = lines.length;
      const response = await call({ method: 'tools/list', params: { _meta } });
      expect(response.status).toBeLessThan(500);
      await response.text();
      expect(await lineOf(before + 1)).toMatchObject({ method: 'tools/list' });
    },
  );
});

it('is counted in the form of Prometheus, on a port of its own', async () => {
  const text = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
  expect(text).toMatch(/^docfiscal_calls_total\{tool="list_document_keys",outcome="ok"\} 1$/m);
  expect(text).toMatch(/^docfiscal_calls_total\{tool="list_document_keys",outcome="tool_error"\} 1$/m);
  expect(text).toMatch(/^docfiscal_upstream_requests_total\{operation="[^"]+",status="200"\} 1$/m);
  for (const name of ['call_seconds', 'upstream_seconds', 'queue_length', 'archive_documents']) {
    expect(text).toContain(`docfiscal_${name}`);
  }
  expect(text).not.toContain(company);
  expect((await server.request('/metrics')).status).toBe(404);
});

describe('metrics', () => {
  let own: number;
  void duringTests(async () => {
    own = await freePort();
    const open = { DFE_HTTP_URL: 'https://fiscal.example', DFE_AUTH_ISSUER: 'https://id.example' };
    return startTestServer({ ...open, DFE_METRICS_HOST: '0.0.0.0', DFE_METRICS_PORT: String(own) });
  });

  const status = async (at: number, host: string) => {
    const options = { hostname: '127.0.0.1', port: at, path: '/metrics', headers: { host } };
    const [response] = await once(httpRequest(options).end(), 'response');
    response.resume();
    return response.statusCode;
  };

  it.each([
    ['evil.example', 403, 403],
    ['127.0.0.1.evil.example:9464', 403, 403],
    ['localhost@evil.example', 400, 400],
    ['evil@localhost', 400, 400],
    ['[::1', 400, 400],
    ['localhost', 200, 200],
    ['127.0.0.1:9464', 200, 200],
    ['[::1]', 200, 200],
    ['10.1.2.3:9464', 403, 200],
    ['docfiscal:9464', 403, 200],
    ['fiscal.example', 403, 200],
  ])('are given under a name of this machine alone: %s', async (host, ofLoopback, elsewhere) => {
    expect([await status(port, host), await status(own, host)]).toEqual([ofLoopback, elsewhere]);
  });
});

it('each request is logged with the calls made for it, however deep and whatever runs beside it', async () => {
  const key = accessKey({ number: 1 });
  const days = { from: '2026-10-01', to: '2026-10-02' };
  const byTool: [name: string, args: object][] = [
    ['list_documents', { document: 'nfe', ...days }],
    ['query_documents', { document: 'nfe', ...days, group_by: ['issuer'] }],
    ['check_documents', { document: 'nfe', ...days }],
    ['get_document', { document: 'nfe', key }],
    ['get_nfe_event_status', { key, event: 'ciencia' }],
    ['list_pending_manifestations', days],
    ['manifest_nfe', { key, event: 'ciencia' }],
    ['list_nfe_covers', { direction: 'inbound', ...days }],
  ];
  const before = lines.length;
  const asked = byTool.map(([name, args]) =>
    call({ method: 'tools/call', params: { name, arguments: args } }),
  );
  const read = call({ method: 'resources/read', params: { uri: `dfe://nfe/${key}/xml` } });
  const ended = await Promise.all([...asked, read].map(async (one) => (await one).text()));
  expect(ended.filter((text) => text === '')).toEqual([]);
  await lineOf(before + byTool.length + 1);
  const counts = Object.fromEntries(
    lines.slice(before).map((line) => [line.tool ?? line.method, line.upstream_calls]),
  );
  expect(Object.keys(counts).toSorted()).toEqual(
    [...byTool.map(([name]) => name), 'resources/read'].toSorted(),
  );
  expect(Object.entries(counts).filter(([, count]) => count === 0)).toEqual([]);
});

it('a service that keeps failing opens the breaker, and the answer says until when', async () => {
  const metricsPort = await freePort();
  const own = await startTestServer({
    DFE_URL: `http://127.0.0.1:${await freePort()}`,
    DFE_USER: 'ana',
    DFE_PASSWORD: 'segredo-da-ana',
    DFE_CNPJ: company,
    DFE_METRICS_PORT: String(metricsPort),
    DFE_CONCURRENCY: '5',
  });
  const ask = async () => {
    const params = { name: 'list_document_keys', arguments: period };
    return (await own.request('/mcp', message({ method: 'tools/call', params }))).text();
  };
  const held = async () => (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text();
  expect(await held()).toMatch(/^docfiscal_breaker_open\{service="documents"\} 0$/m);
  await Promise.all(Array.from({ length: 5 }, ask));
  expect(await held()).toMatch(/^docfiscal_breaker_open\{service="documents"\} 1$/m);
  expect(await held()).toMatch(/^docfiscal_breaker_open\{service="account"\} 0$/m);
  expect(await ask()).toMatch(/failed several times in a row.*\d+ s, from .*\d\d:\d\d \(Brasilia/);
});

it('health does not depend on a database, readiness does', async () => {
  const own = await startTestServer({
    DFE_DATABASE_URL: `postgresql://nobody:x@127.0.0.1:${await freePort()}/nothing`,
  });
  expect((await own.request('/healthz')).status).toBe(200);
  expect((await own.request('/readyz')).status).toBe(503);
});

it('readiness asked for often at once costs the database one connection', async () => {
  let connections = 0;
  const database = createServer((socket) => {
    connections += 1;
    socket.destroy();
  });
  const databasePort = await listen(database);
  const own = await startTestServer({
    DFE_DATABASE_URL: `postgresql://nobody:x@127.0.0.1:${databasePort}/nothing`,
  });
  const asked = await Promise.all(Array.from({ length: 20 }, () => own.request('/readyz')));
  expect(asked.map(({ status }) => status)).toEqual(asked.map(() => 503));
  expect(connections).toBe(1);
});

it('readiness does not wait until the database has closed the connection, too', async () => {
  const database = createServer({ allowHalfOpen: true }, (socket) => {
    // Source: PostgreSQL's frontend/backend protocol, Message Formats. Type, length and contents.
    const ready = Buffer.from('Z\0\0\0\u0005I');
    socket.once('data', () => {
      socket.write(Buffer.concat([Buffer.from('R\0\0\0\u0008\0\0\0\0'), ready]));
      socket.once('data', () => {
        socket.write(Buffer.concat([Buffer.from('C\0\0\0\u000dSELECT 1\0'), ready]));
        socket.resume();
      });
    });
  });
  const databasePort = await listen(database);
  const own = await startTestServer({
    DFE_DATABASE_URL: `postgresql://nobody:x@127.0.0.1:${databasePort}/nothing`,
  });
  expect((await own.request('/readyz')).status).toBe(200);
});

it('metrics are given without the count of an archive that fails', async () => {
  const info = vi.fn(async () => ({ documents: 3 }));
  const one = { openBreakers: () => new Set(), waitingCalls: () => 0, openedArchive: () => ({ info }) };
  const { text } = await createMetrics(() => [one as unknown as Company]);
  expect(await text()).toMatch(/^docfiscal_archive_documents 3$/m);
  info.mockRejectedValueOnce(new Error('the connection ended'));
  const partial = await text();
  expect(partial).toMatch(/^docfiscal_queue_length 0$/m);
  expect(partial).not.toMatch(/^docfiscal_archive_documents /m);
  expect(await text()).toMatch(/^docfiscal_archive_documents 3$/m);
});
