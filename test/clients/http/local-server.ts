import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http';
import type { Server as NetServer } from 'node:net';
import type { HttpCall, HttpReply } from '../../../src/clients/http/call.ts';
import { createHttpClient, type HttpClient, type HttpOptions } from '../../../src/clients/http/client.ts';
import { endsBehindTests } from '../../support/ending.ts';

/** A request as the server saw it, whole. */
export interface Received {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
  /** The client's port: equal for requests on one connection. */
  readonly from: number;
}

export interface LocalServer {
  readonly origin: string;
  readonly port: number;
  readonly received: Received[];
}

export type Handler = (request: Received, response: ServerResponse, count: number) => void;

/** An HTTP server on this machine that keeps what it receives; closed when the test ends. */
export async function serve(handler: Handler): Promise<LocalServer> {
  const received: Received[] = [];
  const port = await listen(createServer(recording(received, handler)));
  return { origin: `http://127.0.0.1:${port}`, port, received };
}

export function recording(received: Received[], handler: Handler): RequestListener {
  return async (request, response) => {
    let body = '';
    for await (const chunk of request.setEncoding('utf8')) body += chunk;
    const { method = '', url = '', headers, socket } = request;
    const seen = { method, url, headers, body, from: socket.remotePort ?? 0 };
    received.push(seen);
    handler(seen, response, received.length);
  };
}

/** Starts any server on a free port or the one given; connections are cut when the test ends. */
export async function listen(server: NetServer, port = 0): Promise<number> {
  const sockets = new Set<{ destroy(): void }>();
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
    socket.on('close', () => sockets.delete(socket));
  });
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  endsBehindTests(async () => {
    for (const socket of sockets) socket.destroy();
    await new Promise((resolve) => server.close(resolve));
  });
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  return address.port;
}

/** A client without a proxy that does not really wait between attempts; `waits` has what it would have waited. */
export function clientOf(options: Partial<HttpOptions> = {}): HttpClient & { readonly waits: number[] } {
  const waits: number[] = [];
  const client = createHttpClient({
    timeoutSeconds: 20,
    concurrency: 4,
    userAgent: 'docfiscal-mcp/test',
    env: {},
    random: () => 0.5,
    sleep: async (milliseconds) => {
      waits.push(milliseconds);
    },
    ...options,
  });
  endsBehindTests(() => client.close());
  return { ...client, waits };
}

export function get(url: string, more: Partial<HttpCall> = {}): HttpCall {
  return { service: 'documents', operation: 'Mercadoria/Test', method: 'GET', url, kind: 'read', ...more };
}

export function post(url: string, more: Partial<HttpCall> = {}): HttpCall {
  return { service: 'documents', operation: 'Mercadoria/Write', method: 'POST', url, kind: 'write', ...more };
}

export async function text(reply: HttpReply): Promise<string> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of reply.body) chunks.push(chunk);
  return Buffer.concat(chunks).toString('utf8');
}

/** What a promise is rejected with. */
export async function failure(work: Promise<unknown>): Promise<unknown> {
  return await work.then(
    (value) => {
      throw new Error(`succeeded with ${JSON.stringify(value)}`);
    },
    (error: unknown) => error,
  );
}
