import { execFile } from 'node:child_process';
import { createServer as createHttpServer, type IncomingMessage } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import { connect, createServer as createTcpServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { Cancelled, OutcomeUnknown, TimedOut, Unreachable } from '../../../src/clients/errors.ts';
import { readProxySettings } from '../../../src/clients/http/transport.ts';
import { temporaryFolder } from '../../support/built-program.ts';
import { freePort } from '../../support/free-port.ts';
import { signalOf, standStill, until } from '../../support/passing-time.ts';
import { makeCertificates } from './certificates.ts';
import {
  clientOf,
  failure,
  get,
  listen,
  post,
  type Received,
  recording,
  serve,
  text,
} from './local-server.ts';

const run = promisify(execFile);
const program = join(temporaryFolder().path, 'one-call.cjs');
const certificates = makeCertificates();

beforeAll(async () => {
  await build({
    entryPoints: [join(import.meta.dirname, 'one-call.ts')],
    outfile: program,
    bundle: true,
    platform: 'node',
    format: 'cjs',
  });
});

afterEach(() => vi.unstubAllEnvs());

/** Runs the program of one call with nothing of this process's network settings, and gives what it said. */
async function oneCall(url: string, env: NodeJS.ProcessEnv = {}): Promise<unknown> {
  // Windows opens no socket without its own folder.
  const { SystemRoot } = process.env;
  const options = { env: { SystemRoot, ...env }, timeout: 20_000 };
  const { stdout } = await run(process.execPath, [program, url], options);
  return JSON.parse(stdout);
}

async function serveTls() {
  const received: Received[] = [];
  const { key, cert } = certificates;
  const handle = recording(received, (_, response) => response.end('secure'));
  const server = createHttpsServer({ key, cert }, handle);
  let connections = 0;
  server.on('connection', () => {
    connections += 1;
  });
  const port = await listen(server);
  return { origin: `https://127.0.0.1:${port}`, port, received, connections: () => connections };
}

/** A proxy that tunnels, after `permit`, and forwards. */
async function startProxy(permit: () => Promise<number> = async () => 200) {
  /** `CONNECT host:port` or `GET http://…`, as asked for. */
  const asked: string[] = [];
  const credentials: (string | undefined)[] = [];
  const note = ({ method, url, headers }: IncomingMessage): void => {
    asked.push(`${method} ${url}`);
    credentials.push(headers['proxy-authorization']);
  };
  const server = createHttpServer((request, response) => {
    note(request);
    response.end('through the proxy');
  });
  server.on('connect', async (request, socket: Socket) => {
    note(request);
    socket.on('error', () => {});
    const status = await permit();
    if (status !== 200) return socket.end(`HTTP/1.1 ${status} No\r\n\r\n`);
    const { hostname, port } = new URL(`http://${request.url}`);
    const onward = connect(Number(port), hostname);
    onward.on('error', () => socket.destroy());
    socket.write('HTTP/1.1 200 Connection established\r\n\r\n');
    socket.pipe(onward).pipe(socket);
  });
  const port = await listen(server);
  return { address: `127.0.0.1:${port}`, asked, credentials };
}

it('TLS trusts an authority of NODE_EXTRA_CA_CERTS for its names, and no other', async () => {
  const { origin, port } = await serveTls();
  const trusting = { NODE_EXTRA_CA_CERTS: certificates.caFile };
  expect(await oneCall(origin, trusting)).toEqual({ body: 'secure' });
  expect(await oneCall(origin)).toEqual({ code: 'UNABLE_TO_VERIFY_LEAF_SIGNATURE' });
  const wrongName = { code: 'ERR_TLS_CERT_ALTNAME_INVALID' };
  expect(await oneCall(`https://localhost:${port}/`, trusting)).toEqual(wrongName);
});

it('a write is not sent after a failed TLS handshake', async () => {
  const { origin, received } = await serveTls();
  expect(await failure(clientOf().call(post(origin), text))).toBeInstanceOf(Unreachable);
  expect(received).toHaveLength(0);
});

describe('proxies', () => {
  it('https goes through a tunnel, with the credentials of the proxy address', async () => {
    const { origin, port } = await serveTls();
    const proxy = await startProxy();
    const env = {
      NODE_EXTRA_CA_CERTS: certificates.caFile,
      https_proxy: `http://joao:s%40nha@${proxy.address}`,
    };
    expect(await oneCall(origin, env)).toEqual({ body: 'secure' });
    expect(proxy.asked).toEqual([`CONNECT 127.0.0.1:${port}`]);
    expect(proxy.credentials).toEqual([`Basic ${Buffer.from('joao:s@nha').toString('base64')}`]);
  });

  it('http is forwarded, reads and writes', async () => {
    const proxy = await startProxy();
    const client = clientOf({ env: { HTTP_PROXY: proxy.address } });
    expect(await client.call(get('http://service.invalid/a?b=1'), text)).toBe('through the proxy');
    expect(await client.call(post('http://service.invalid/c', { body: 'x' }), text)).toBe(
      'through the proxy',
    );
    expect(proxy.asked).toEqual(['GET http://service.invalid/a?b=1', 'POST http://service.invalid/c']);
  });

  it('hosts of NO_PROXY are called directly', async () => {
    const proxy = await startProxy();
    const server = await serve((_, response) => response.end('direct'));
    const client = clientOf({ env: { HTTP_PROXY: proxy.address, NO_PROXY: 'other.test,127.0.0.1' } });
    expect(await client.call(get(server.origin), text)).toBe('direct');
    expect(proxy.asked).toEqual([]);
  });

  it('the environment given is the only one looked at', async () => {
    vi.stubEnv('HTTP_PROXY', `http://127.0.0.1:${await freePort()}`);
    const server = await serve((_, response) => response.end('direct'));
    expect(await clientOf({ env: {} }).call(get(server.origin), text)).toBe('direct');
    const onlyHttps = clientOf({ env: { HTTPS_PROXY: 'http://127.0.0.1:9' } });
    expect(await onlyHttps.call(get(server.origin), text)).toBe('direct');
  });

  it.each([407, 403, 502])('a tunnel refused with %i means that a write was not sent', async (status) => {
    const proxy = await startProxy(async () => status);
    const client = clientOf({ env: { HTTPS_PROXY: proxy.address } });
    const error = await failure(client.call(post('https://service.invalid/'), text));
    expect(error).toBeInstanceOf(Unreachable);
    expect(error).toMatchObject({ host: 'service.invalid:443', code: `PROXY_${status}` });
    expect(proxy.asked).toHaveLength(1);
  });

  it('a proxy that hangs up is not called again and again', async () => {
    const server = createHttpServer();
    let tunnels = 0;
    server.on('connect', (_, socket) => {
      tunnels += 1;
      socket.destroy();
    });
    const client = clientOf({ env: { HTTPS_PROXY: `127.0.0.1:${await listen(server)}` } });
    for (const [call, times] of [
      [post, 1],
      [get, 4],
    ] as const) {
      const error = await failure(client.call(call('https://service.invalid/'), text));
      expect(error).toMatchObject({ code: 'ECONNRESET' });
      expect(tunnels).toBe(times);
    }
  });

  it('an address of a proxy that can not be read is said so', async () => {
    const client = clientOf({ env: { HTTPS_PROXY: 'socks5://joao:segredo@h:1' } });
    const error = await failure(client.call(post('https://service.invalid/'), text));
    expect(error).toMatchObject({ name: 'Unreachable', code: 'PROXY_ADDRESS' });
    expect(JSON.stringify(error) + String(error)).not.toContain('segredo');
  });
});

it.each([
  [{}, undefined],
  [{ HTTP_PROXY: ' ', NO_PROXY: 'a' }, undefined],
  // Lower case goes before upper case, and an address may lack the scheme.
  [
    { HTTP_PROXY: 'http://upper:1', http_proxy: 'lower:2', https_proxy: 'https://secure:3', no_proxy: 'a,b' },
    { httpProxy: 'http://lower:2', httpsProxy: 'https://secure:3', noProxy: 'a,b' },
  ],
])('the proxies of %j are %j', (env, expected) => {
  expect(readProxySettings(env)).toEqual(expected);
});

it('a write that timed out while connecting is not sent once connected', async () => {
  vi.stubEnv('NODE_TLS_REJECT_UNAUTHORIZED', '0');
  const { origin, received, connections } = await serveTls();
  const asked = signalOf();
  const permitted = signalOf();
  const proxy = await startProxy(async () => {
    asked.fire();
    await permitted.promise;
    return 200;
  });
  const client = clientOf({ timeoutSeconds: 5, env: { HTTPS_PROXY: proxy.address } });
  using time = standStill();
  const pending = failure(client.call(post(origin), text));
  await asked.promise;
  await time.pass(5_000);
  expect(await pending).toBeInstanceOf(TimedOut);
  permitted.fire();
  await until(() => connections() === 1);
  await sleep(100);
  expect(received).toEqual([]);
  expect(await client.call(post(origin), text)).toBe('secure');
});

it('connecting has a timeout', async () => {
  const silent = await listen(createTcpServer());
  const client = clientOf({ connectTimeoutSeconds: 0.2 });
  const error = await failure(client.call(post(`https://127.0.0.1:${silent}/`), text));
  expect(error).toMatchObject({ name: 'Unreachable', code: 'ETIMEDOUT' });
});

it('closing the client ends calls under way and refuses later ones', async () => {
  const arrived = signalOf();
  const server = await serve((_, __, count) => count === 2 && arrived.fire());
  const client = clientOf();
  const reading = failure(client.call(get(server.origin), text));
  const writing = failure(client.call(post(server.origin), text));
  await arrived.promise;
  await client.close();
  await client.close();
  expect(await reading).toBeInstanceOf(Cancelled);
  expect(await writing).toBeInstanceOf(OutcomeUnknown);
  expect(await failure(client.call(get(server.origin), text))).toBeInstanceOf(Cancelled);
  expect(server.received).toHaveLength(2);
});

it('a closed client lets its process end', async () => {
  const server = await serve((_, response) => response.end('open'));
  expect(await oneCall(server.origin)).toEqual({ body: 'open' });
});
