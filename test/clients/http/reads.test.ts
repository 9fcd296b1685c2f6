import { createServer as createTcpServer } from 'node:net';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { Refused, Unreachable } from '../../../src/clients/errors.ts';
import { clientOf, closedPort, failure, get, listen, serve, text } from './local-server.ts';

describe('a read', () => {
  it('gives status, headers and body of a 2xx, and sends what it was told', async () => {
    const server = await serve((_, response) => {
      response.writeHead(200, { 'Content-Type': 'text/plain', 'X-Kind': 'a' }).end('olá');
    });
    const reply = await clientOf().call(
      get(`${server.origin}/a/b?x=1&y=%20`, { headers: { Accept: 'application/json' } }),
      async (reply) => ({ status: reply.status, kind: reply.headers['x-kind'], text: await text(reply) }),
    );
    expect(reply).toEqual({ status: 200, kind: 'a', text: 'olá' });
    const [request] = server.received;
    expect(request).toMatchObject({ method: 'GET', url: '/a/b?x=1&y=%20' });
    expect(request?.headers).toMatchObject({
      accept: 'application/json',
      'accept-encoding': 'gzip',
      'user-agent': 'docfiscal-mcp/test',
    });
  });

  it('leaves its connection to later ones', async () => {
    const server = await serve((_, response) => response.end('ok'));
    const client = clientOf();
    for (let count = 0; count < 10; count += 1) await client.call(get(server.origin), text);
    expect(new Set(server.received.map(({ from }) => from)).size).toBeLessThanOrEqual(2);
  });

  it.each([408, 429, 502, 503, 504])('is repeated after a %i', async (status) => {
    const server = await serve((_, response, count) => {
      if (count < 3) response.writeHead(status).end();
      else response.end('third');
    });
    const client = clientOf();
    expect(await client.call(get(server.origin), text)).toBe('third');
    expect(client.waits).toEqual([375, 750]);
  });

  it('waits as long as the service asks', async () => {
    const server = await serve((_, response, count) => {
      if (count === 1) response.writeHead(429, { 'Retry-After': '2' }).end();
      else response.end('ok');
    });
    const client = clientOf();
    expect(await client.call(get(server.origin), text)).toBe('ok');
    expect(client.waits).toEqual([2000]);
  });

  it('says when to come back instead of waiting too long', async () => {
    const server = await serve((_, response) => response.writeHead(429, { 'Retry-After': '3600' }).end());
    const client = clientOf();
    const before = Date.now();
    const error = (await failure(client.call(get(server.origin), text))) as Refused;
    expect(error).toMatchObject({ refusal: { status: 429, retryAfter: 3600 } });
    const moment = Date.parse(error.refusal.retryAt ?? '') - 3_600_000;
    expect(moment).toBeGreaterThanOrEqual(before);
    expect(moment).toBeLessThanOrEqual(Date.now());
    expect(client.waits).toEqual([]);
    expect(server.received).toHaveLength(1);
  });

  it('does not begin a wait its time does not allow', async () => {
    const server = await serve((_, response) => response.writeHead(503, { 'Retry-After': '5' }).end());
    const client = clientOf({ timeoutSeconds: 4 });
    expect(await failure(client.call(get(server.origin), text))).toMatchObject({
      refusal: { retryAfter: 5 },
    });
    expect(server.received).toHaveLength(1);
  });

  it('is repeated when nothing listens, then says so without the query', async () => {
    const port = await closedPort();
    const client = clientOf();
    const error = await failure(client.call(get(`http://127.0.0.1:${port}/x?senha=segredo`), text));
    expect(error).toBeInstanceOf(Unreachable);
    expect(error).toMatchObject({ host: `127.0.0.1:${port}`, code: 'ECONNREFUSED' });
    expect(JSON.stringify(error) + String(error)).not.toContain('segredo');
    expect(client.waits).toHaveLength(2);
  });

  it('is not repeated when the name does not exist', async () => {
    const client = clientOf();
    expect(await failure(client.call(get('http://does-not-exist.invalid/'), text))).toMatchObject({
      name: 'Unreachable',
      host: 'does-not-exist.invalid:80',
    });
  });

  it.each([
    ['content-length', 'HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\npart'],
    ['chunked', 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n4\r\npart\r\n'],
    [
      'chunked and close',
      'HTTP/1.1 200 OK\r\nConnection: close\r\nTransfer-Encoding: chunked\r\n\r\n4\r\npart\r\n',
    ],
  ])('begins anew with a fresh reply when the body is cut (%s)', async (_, head) => {
    let connections = 0;
    const port = await listen(
      createTcpServer((socket) => {
        connections += 1;
        const whole = 'HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nwhole';
        const answer = connections === 1 ? head : whole;
        socket.once('data', () => socket.end(answer));
      }),
    );
    const seen: string[] = [];
    const result = await clientOf().call(get(`http://127.0.0.1:${port}/`), async (reply) => {
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

  it('does not let a reader pass a cut body off as a whole one', async () => {
    const port = await listen(
      createTcpServer((socket) => {
        socket.once('data', () => socket.end('HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\npart'));
      }),
    );
    const swallowing = clientOf().call(get(`http://127.0.0.1:${port}/`), async (reply) =>
      text(reply).catch(() => ''),
    );
    expect(await failure(swallowing)).toMatchObject({ name: 'Unreachable', code: 'ECONNRESET' });
  });

  it('passes on what the reader throws, once', async () => {
    const server = await serve((_, response) => response.end('x'));
    const own = new Unreachable({ service: 'documents', operation: 'inner' }, 'inner:1', 'ECONNRESET');
    const error = await failure(
      clientOf().call(get(server.origin), async () => {
        throw own;
      }),
    );
    expect(error).toBe(own);
    expect(server.received).toHaveLength(1);
  });

  it('is content with a reader that stops early or does not look at the body', async () => {
    const server = await serve((_, response) => response.end('x'.repeat(1_000_000)));
    const client = clientOf();
    expect(await client.call(get(server.origin), async (reply) => reply.status)).toBe(200);
    const first = await client.call(get(server.origin), async (reply) => {
      for await (const chunk of reply.body) return chunk.length;
      return 0;
    });
    expect(first).toBeGreaterThan(0);
  });

  it('says of a header that can not be sent which one it is, without showing it', async () => {
    const error = await failure(
      clientOf().call(get('http://127.0.0.1:9/', { headers: { authorization: 'a\nb' } }), text),
    );
    expect(String(error)).toContain('authorization');
    expect(String(error)).not.toContain('a\nb');
  });

  it('says of an address that is none that it is none, without showing it', async () => {
    const error = await failure(clientOf().call(get('not a url?senha=segredo'), text));
    expect(error).toBeInstanceOf(TypeError);
    expect(JSON.stringify(error) + String(error)).not.toContain('segredo');
  });
});

it('a compressed body whose connection is cut is asked for again', async () => {
  const whole = 'nota '.repeat(1000);
  const body = gzipSync(whole);
  const server = await serve((_, response, count) => {
    response.writeHead(200, { 'Content-Encoding': 'gzip', 'Content-Length': body.length });
    if (count === 1) response.write(body.subarray(0, 20), () => response.destroy());
    else response.end(body);
  });
  expect(await clientOf().call(get(server.origin), text)).toBe(whole);
});

it.each([301, 302, 303, 307, 308])(
  'a redirect (%i) is not followed and only its host is told',
  async (status) => {
    const target = await serve((_, response) => response.end('stolen'));
    const server = await serve((_, response) =>
      response.writeHead(status, { Location: `${target.origin}/login?token=segredo` }).end(),
    );
    const error = await failure(clientOf().call(get(server.origin), text));
    expect(error).toBeInstanceOf(Refused);
    expect(error).toMatchObject({ refusal: { status, redirectHost: `127.0.0.1:${target.port}` } });
    expect(JSON.stringify(error) + String(error)).not.toContain('segredo');
    expect(target.received).toHaveLength(0);
  },
);
