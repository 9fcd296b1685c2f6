import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo, isIP, type Socket } from 'node:net';
import { hostname, networkInterfaces } from 'node:os';
import { pipeline } from 'node:stream/promises';
import { isLoopback } from '../../config/setting-kinds.ts';

/** Facts that a web `Request` does not carry. */
export interface Arrival {
  readonly httpVersion: string;
  /** Reads the body of a POST for an authenticated caller; undefined for other methods, a response when refused. */
  body(caller: string): Promise<string | undefined | Response>;
  /** Settled once the response is over; whether the client disconnected before. */
  readonly over: Promise<boolean>;
}

export type FetchHandler = (request: Request, arrival: Arrival) => Promise<Response>;

/** The protocol's answer to a request that is refused before its message is read. */
export function protocolError(
  status: number,
  code: number,
  message: string,
  headers: Record<string, string> = { connection: 'close' },
): Response {
  return Response.json({ jsonrpc: '2.0', error: { code, message }, id: null }, { status, headers });
}

/** Bytes of one body: arguments, never documents. An object of a hundred thousand members takes a quarter of a second. */
const LARGEST_BODY = 1024 ** 2;
/** Bytes of all bodies under way, and of one caller's. */
const MOST_BYTES = 64 * 1024 ** 2;
const MOST_BYTES_OF_CALLER = 4 * 1024 ** 2;

const tooLarge = () =>
  protocolError(413, -32_000, `Payload Too Large: Request body must not exceed ${LARGEST_BODY} bytes`);

/**
 * Creates a reader of request bodies: the text, or the response that refuses it. A body's declared size counts against
 * its caller and all callers until `over` settles. The reader throws when the client disconnects midway.
 */
function createBodies() {
  const byCaller = new Map<string, number>();
  let total = 0;
  const count = (caller: string, bytes: number): void => {
    total += bytes;
    const ofCaller = (byCaller.get(caller) ?? 0) + bytes;
    if (ofCaller === 0) byCaller.delete(caller);
    else byCaller.set(caller, ofCaller);
  };
  return async (
    request: IncomingMessage,
    caller: string,
    over: Promise<unknown>,
  ): Promise<string | Response> => {
    const size = Number(request.headers['content-length'] ?? LARGEST_BODY);
    if (size > LARGEST_BODY) return tooLarge();
    if (total + size > MOST_BYTES || (byCaller.get(caller) ?? 0) + size > MOST_BYTES_OF_CALLER) {
      const words = 'Service Unavailable: too many bytes of requests under way';
      return protocolError(503, -32_000, words, { 'retry-after': '5' });
    }
    count(caller, size);
    void over.then(() => count(caller, -size));
    // One buffer: a kept chunk of one byte costs hundreds.
    const body = Buffer.allocUnsafe(size);
    let bytes = 0;
    // A destroyed request would take its connection, and with it the response, along.
    for await (const chunk of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
      if (bytes + chunk.length > size) return tooLarge();
      bytes += chunk.copy(body, bytes);
    }
    return body.toString('utf8', 0, bytes).replace(/^\uFEFF/, '');
  };
}

/**
 * Bounds the connections of a server. At the limit a new one replaces the oldest that never
 * authenticated; without one, idle connections are closed. If all are busy, the new one is refused.
 * @returns marks a connection as authenticated
 */
function limitConnections(server: Server, most: number): (socket: Socket) => void {
  const open = new Set<Socket>();
  const strangers = new Set<Socket>();
  const forget = (socket: Socket): void => {
    open.delete(socket);
    strangers.delete(socket);
  };
  server.on('connection', (socket) => {
    const [oldest] = strangers;
    if (open.size >= most && oldest !== undefined) {
      forget(oldest);
      oldest.destroy();
    } else if (open.size >= most) {
      server.closeIdleConnections();
      for (const one of open) if (one.destroyed) forget(one);
    }
    if (open.size >= most) return void socket.destroy();
    open.add(socket);
    strangers.add(socket);
    socket.once('close', () => forget(socket));
  });
  return (socket) => void strangers.delete(socket);
}

function requestOf({ headers, url, method }: IncomingMessage, signal: AbortSignal): Request | undefined {
  try {
    // Node joins repeated headers, except `set-cookie`, which requests don't have.
    const named = headers as Record<string, string>;
    return new Request(`http://${headers.host ?? 'localhost'}${url}`, { method, headers: named, signal });
  } catch {
    return undefined;
  }
}

/** Sends a response: JSON as a whole, with its length, anything else as it comes. */
async function send(response: Response, outgoing: ServerResponse, signal: AbortSignal): Promise<void> {
  const { status, body } = response;
  const headers = Object.fromEntries(response.headers);
  if (body !== null && headers['content-type']?.startsWith('application/json') !== true) {
    outgoing.writeHead(status, headers);
    await pipeline(body, outgoing, { signal });
    return;
  }
  const text = body === null ? undefined : await response.text();
  if (text !== undefined) headers['content-length'] = String(Buffer.byteLength(text));
  outgoing.writeHead(status, headers).end(text);
}

const loopbackNames = ['localhost', '127.0.0.1', '[::1]'];

/** A host as written in a URL and in a `Host` header, without its port. */
export function inUrl(host: string): string {
  return isIP(host) === 6 ? `[${host}]` : host;
}

/** Allowed `Host` names, without ports: any other is a page whose own name resolves to this machine (DNS rebinding). */
export function allowedHosts(listening: string, publicUrl: string): string[] {
  const named = [new URL(publicUrl).hostname, inUrl(listening)];
  if (listening === '0.0.0.0' || listening === '::') {
    const own = Object.values(networkInterfaces()).flatMap((list) => list ?? []);
    named.push(...loopbackNames, hostname(), ...own.map(({ address }) => inUrl(address)));
  } else if (isLoopback(listening)) named.push(...loopbackNames);
  return [...new Set(named)];
}

const LARGEST_HEADERS = 16 * 1024;
/** Longer than the idle timeout of most load balancers (a minute), so that they close first. */
const IDLE_MS = 75_000;
/** Every client behind one proxy may connect at once. */
const MOST_CONNECTIONS = 4_000;

/** Timeouts for slow clients, and the interval of their check. */
const clientTimeouts = { headersMs: 10_000, requestMs: 30_000, everyMs: 1_000 };

/**
 * Listens and passes requests to a `fetch`-shaped handler. The SDK's adapter streams every body, which takes a fifth of
 * a call's time. Rejects with the system's error when the port is unavailable.
 */
export async function listen(
  answer: FetchHandler,
  host: string,
  port: number,
  { headersMs, requestMs, everyMs } = clientTimeouts,
  mostConnections = MOST_CONNECTIONS,
) {
  const readBody = createBodies();
  let active = 0;
  const handle = async (incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> => {
    const leaving = new AbortController();
    outgoing.on('error', () => undefined);
    active += 1;
    const over = new Promise<boolean>((resolve) =>
      outgoing.once('close', () => {
        active -= 1;
        if (!outgoing.writableFinished) leaving.abort();
        resolve(leaving.signal.aborted);
      }),
    );
    const { httpVersion, method } = incoming;
    const body = async (caller: string) => {
      authenticated(incoming.socket);
      return method === 'POST' ? readBody(incoming, caller, over) : undefined;
    };
    const request = requestOf(incoming, leaving.signal);
    try {
      const answered = request && (await answer(request, { httpVersion, body, over }));
      await send(answered ?? protocolError(400, -32_600, 'Invalid Request'), outgoing, leaving.signal);
    } catch (error) {
      // The client disconnected.
      if (leaving.signal.aborted || incoming.errored || outgoing.headersSent) return void outgoing.destroy();
      const { name } = error instanceof Error ? error : { name: typeof error };
      console.error(JSON.stringify({ level: 'error', status: 500, error: name }));
      await send(protocolError(500, -32_603, 'Internal server error'), outgoing, leaving.signal);
    }
  };
  const server = createServer(
    {
      maxHeaderSize: LARGEST_HEADERS,
      headersTimeout: headersMs,
      requestTimeout: requestMs,
      keepAliveTimeout: IDLE_MS,
      connectionsCheckingInterval: everyMs,
    },
    (incoming, outgoing) => void handle(incoming, outgoing),
  );
  const authenticated = limitConnections(server, mostConnections);
  await once(server.listen(port, host), 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    /** Requests under way. */
    get active() {
      return active;
    },
    /** Stops accepting connections and closes idle ones; the rest close with their requests. */
    stop() {
      server.close();
      server.closeIdleConnections();
    },
    async close() {
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
    },
  };
}
