import { createServer as createTcpServer } from 'node:net';
import { expect, it } from 'vitest';
import { type Refused, Unreachable } from '../../../src/clients/errors.ts';
import { freePort } from '../../support/free-port.ts';
import { clientOf, failure, get, listen, serve, text } from './local-server.ts';

/** A service that answers connections with these bytes, one after the other, and then with the last. */
async function answering(...answers: string[]): Promise<string> {
  let connections = 0;
  const server = createTcpServer((socket) => {
    const answer = answers[Math.min(connections++, answers.length - 1)] ?? '';
    socket.once('data', () => socket.end(answer));
  });
  return `http://127.0.0.1:${await listen(server)}/`;
}

const CUT = 'HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\npart';
const CHUNK = 'Transfer-Encoding: chunked\r\n\r\n4\r\npart\r\n';
const WHOLE = 'HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nwhole';

it('a read gives status, headers and body of a 2xx, and sends the headers of the call', async () => {
  const server = await serve((_, response) => {
    response.writeHead(200, { 'Content-Type': 'text/plain', 'X-Kind': 'a' }).end('olá');
  });
  const call = get(`${server.origin}/a/b?x=1&y=%20`, { headers: { Accept: 'application/json' } });
  const reply = await clientOf().call(call, async (reply) => ({
    status: reply.status,
    kind: reply.headers['x-kind'],
    text: await text(reply),
  }));
  expect(reply).toEqual({ status: 200, kind: 'a', text: 'olá' });
  const headers = {
    accept: 'application/json',
    'accept-encoding': 'gzip',
    'user-agent': 'docfiscal-mcp/test',
  };
  expect(server.received).toMatchObject([{ method: 'GET', url: '/a/b?x=1&y=%20', headers }]);
});

it('a read leaves its connection to later ones', async () => {
  const server = await serve((_, response) => response.end('ok'));
  const client = clientOf();
  for (let count = 0; count < 10; count += 1) await client.call(get(server.origin), text);
  expect(new Set(server.received.map(({ from }) => from)).size).toBeLessThanOrEqual(2);
});

it('a read is retried after the pause that the service asks for', async () => {
  const server = await serve((_, response, count) => {
    if (count === 3) response.end('third');
    else response.writeHead(503, count === 2 ? { 'Retry-After': '2' } : {}).end();
  });
  const client = clientOf();
  expect(await client.call(get(server.origin), text)).toBe('third');
  expect(client.waits).toEqual([375, 2000]);
});

it('a read reports a long Retry-After instead of waiting', async () => {
  const server = await serve((_, response) => response.writeHead(429, { 'Retry-After': '3600' }).end());
  const client = clientOf();
  const before = Date.now();
  const error = (await failure(client.call(get(server.origin), text))) as Refused;
  expect(error).toMatchObject({ refusal: { status: 429, retryAfter: 3600 } });
  const moment = Date.parse(error.refusal.retryAt ?? '') - 3_600_000;
  expect(moment).toBeGreaterThanOrEqual(before);
  expect(moment).toBeLessThanOrEqual(Date.now());
  expect(client.waits).toEqual([]);
});

it('a read does not wait beyond its deadline', async () => {
  const server = await serve((_, response) => response.writeHead(503, { 'Retry-After': '5' }).end());
  await failure(clientOf({ timeoutSeconds: 4 }).call(get(server.origin), text));
  expect(server.received).toHaveLength(1);
});

it('an unreachable service is reported without the query', async () => {
  for (const host of [`127.0.0.1:${await freePort()}`, 'does-not-exist.invalid:80']) {
    const error = await failure(clientOf().call(get(`http://${host}/x?senha=segredo`), text));
    expect(error).toMatchObject({ name: 'Unreachable', host });
    expect(JSON.stringify(error) + String(error)).not.toContain('segredo');
  }
});

const cutReplies = [CUT, `HTTP/1.1 200 OK\r\n${CHUNK}`, `HTTP/1.1 200 OK\r\nConnection: close\r\n${CHUNK}`];
it.each(cutReplies)('a read is retried from the start when the body is cut: %j', async (cut) => {
  const seen: string[] = [];
  const result = await clientOf().call(get(await answering(cut, WHOLE)), async (reply) => {
    let all = '';
    for await (const chunk of reply.body) {
      all += Buffer.from(chunk).toString();
      seen.push(all);
    }
    return all;
  });
  expect(result).toBe('whole');
  expect(seen).toEqual(['part', 'whole']);
});

it('a truncated body is an error, whatever the reader makes of it', async () => {
  const swallowing = clientOf().call(get(await answering(CUT)), (reply) => text(reply).catch(() => ''));
  expect(await failure(swallowing)).toMatchObject({ name: 'Unreachable', code: 'ECONNRESET' });
});

it('an error of the reader is passed on without a retry', async () => {
  const server = await serve((_, response) => response.end('x'));
  const own = new Unreachable({ service: 'documents', operation: 'inner' }, 'inner:1', 'ECONNRESET');
  expect(await failure(clientOf().call(get(server.origin), () => Promise.reject(own)))).toBe(own);
  expect(server.received).toHaveLength(1);
});

it('a reader may stop early or ignore the body', async () => {
  const server = await serve((_, response) => response.end('x'.repeat(1_000_000)));
  const client = clientOf();
  expect(await client.call(get(server.origin), async (reply) => reply.status)).toBe(200);
  const first = client.call(get(server.origin), async (reply) => {
    for await (const chunk of reply.body) return chunk.length;
    return 0;
  });
  expect(await first).toBeGreaterThan(0);
});

it('errors quote neither an invalid header nor an invalid address', async () => {
  const call = get('http://127.0.0.1:9/', { headers: { authorization: 'a\nb' } });
  const unsendable = String(await failure(clientOf().call(call, text)));
  expect(unsendable).toContain('authorization');
  expect(unsendable).not.toContain('a\nb');
  const error = await failure(clientOf().call(get('not a url?senha=segredo'), text));
  expect(error).toBeInstanceOf(TypeError);
  expect(JSON.stringify(error) + String(error)).not.toContain('segredo');
});

it('a redirect with a target is returned to a caller that takes redirects', async () => {
  const server = await serve((_, response, count) =>
    response.writeHead(302, count === 1 ? { Location: '/b?sig=x' } : {}).end(),
  );
  const call = get(server.origin, { takesRedirects: true });
  expect(await clientOf().call(call, async ({ headers }) => headers.location)).toBe('/b?sig=x');
  expect(await failure(clientOf().call(call, text))).toMatchObject({ refusal: { status: 302 } });
});
