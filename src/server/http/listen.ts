import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo, isIP, type Socket } from 'node:net';
import { hostname, networkInterfaces } from 'node:os';
import { isLoopback } from '../../config/setting-kinds.ts';
import { createBodies, limitConnections, protocolError } from './connections.ts';

/** What a web `Request` does not carry. */
export interface Arrival {
  readonly httpVersion: string;
  /** Reads the body of a POST for an authenticated caller; undefined for other methods, a response when refused. */
  body(caller: string): Promise<string | undefined | Response>;
}

/** A handler in the shape of `fetch`. */
export type Answering = (request: Request, arrival: Arrival) => Promise<Response>;

function requestOf({ headers, url, method }: IncomingMessage, signal: AbortSignal): Request | undefined {
  try {
    // Node joins repeated headers, except `set-cookie`, which requests don't have.
    const named = headers as Record<string, string>;
    return new Request(`http://${headers.host ?? 'localhost'}${url}`, { method, headers: named, signal });
  } catch {
    return undefined;
  }
}

/** Whether a response is complete and can be sent in one write: JSON, or without a body. */
function isWhole({ body, headers }: Response): boolean {
  return body === null || headers.get('content-type')?.startsWith('application/json') === true;
}

async function send(response: Response, outgoing: ServerResponse, signal: AbortSignal): Promise<void> {
  const headers = Object.fromEntries(response.headers);
  if (isWhole(response)) {
    const text = response.body === null ? undefined : await response.text();
    if (text !== undefined) headers['content-length'] = String(Buffer.byteLength(text));
    outgoing.writeHead(response.status, headers).end(text);
    return;
  }
  outgoing.writeHead(response.status, headers);
  const gone = new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
  try {
    for await (const chunk of response.body ?? []) {
      if (signal.aborted) break;
      if (outgoing.write(chunk)) continue;
      await Promise.race([new Promise((resolve) => outgoing.once('drain', resolve)), gone]);
    }
  } finally {
    outgoing.end();
  }
}

/**
 * Calls back once when a response is over, at once for a complete one.
 * @param over gets whether the client disconnected before the end
 */
export function onResponseEnd(response: Response, over: (isCancelled: boolean) => void): Response {
  if (response.body === null || isWhole(response)) {
    over(false);
    return response;
  }
  let isOver = false;
  const end = (isCancelled: boolean): void => {
    if (!isOver) over(isCancelled);
    isOver = true;
  };
  const reader = response.body.getReader();
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      try {
        const { done, value } = await reader.read();
        if (!done) return controller.enqueue(value);
        end(false);
        controller.close();
      } catch (error) {
        end(true);
        controller.error(error);
      }
    },
    async cancel(reason) {
      end(true);
      await reader.cancel(reason);
    },
  });
  return new Response(body, response);
}

/**
 * Adapts Node's requests to a `fetch`-shaped handler. The SDK's adapter streams every body, which takes a fifth of a
 * call's time.
 */
function nodeRequests(
  answer: Answering,
  bodies: ReturnType<typeof createBodies>,
  authenticated: (socket: Socket) => void,
): (incoming: IncomingMessage, outgoing: ServerResponse) => Promise<void> {
  return async (incoming, outgoing) => {
    const leaving = new AbortController();
    outgoing.on('error', () => undefined);
    const isOver = new Promise<void>((resolve) =>
      outgoing.once('close', () => {
        if (!outgoing.writableFinished) leaving.abort();
        resolve();
      }),
    );
    const arrival: Arrival = {
      httpVersion: incoming.httpVersion,
      async body(caller) {
        authenticated(incoming.socket);
        return incoming.method === 'POST' ? bodies.read(incoming, caller, isOver) : undefined;
      },
    };
    const request = requestOf(incoming, leaving.signal);
    try {
      const answered = request && (await answer(request, arrival));
      await send(answered ?? protocolError(400, -32_600, 'Invalid Request'), outgoing, leaving.signal);
    } catch (error) {
      // The client disconnected.
      if (leaving.signal.aborted || incoming.errored || outgoing.headersSent) return void outgoing.destroy();
      const { name } = error instanceof Error ? error : { name: typeof error };
      console.error(JSON.stringify({ level: 'error', status: 500, error: name }));
      await send(protocolError(500, -32_603, 'Internal server error'), outgoing, leaving.signal);
    }
  };
}

const loopbackNames = ['localhost', '127.0.0.1', '[::1]'];

/** A host as written in a URL and in a `Host` header, without its port. */
export function inUrl(host: string): string {
  return isIP(host) === 6 ? `[${host}]` : host;
}

/** Allowed `Host` names, without ports: any other is a page whose own name resolves to this machine (DNS rebinding). */
export function allowedHosts(listening: string, publicUrl: string): string[] {
  const named = [new URL(publicUrl).hostname, inUrl(listening)];
  if (isLoopback(listening)) return [...new Set([...named, ...loopbackNames])];
  const isEverywhere = listening === '0.0.0.0' || listening === '::';
  const own = isEverywhere
    ? Object.values(networkInterfaces()).flatMap((list) => (list ?? []).map(({ address }) => inUrl(address)))
    : [];
  return [...new Set([...named, ...(isEverywhere ? [...loopbackNames, hostname(), ...own] : [])])];
}

const LARGEST_HEADERS = 16 * 1024;
/** Longer than the idle timeout of most load balancers (a minute), so that they close first. */
const IDLE_MS = 75_000;

/** Timeouts for slow clients, and the interval of their check. */
const clientTimeouts = { headersMs: 10_000, requestMs: 30_000, everyMs: 1_000 };

/** Begins to listen; the port. Rejects with the system's error when it is unavailable. */
export async function openServer(server: Server, host: string, port: number): Promise<number> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.off('error', reject);
      resolve();
    });
  });
  return (server.address() as AddressInfo).port;
}

export async function closeServer(server: Server): Promise<void> {
  const closed = new Promise((resolve) => server.close(resolve));
  server.closeAllConnections();
  await closed;
}

/** Listens and passes requests to the endpoint. Rejects with the system's error when the port is unavailable. */
export async function listen(
  { fetch }: { readonly fetch: Answering },
  host: string,
  port: number,
  { headersMs, requestMs, everyMs } = clientTimeouts,
  mostConnections?: number,
) {
  let active = 0;
  const server = createServer({
    maxHeaderSize: LARGEST_HEADERS,
    headersTimeout: headersMs,
    requestTimeout: requestMs,
    keepAliveTimeout: IDLE_MS,
    connectionsCheckingInterval: everyMs,
  });
  const handle = nodeRequests(fetch, createBodies(), limitConnections(server, mostConnections));
  server.on('request', (request, response) => {
    active += 1;
    response.once('close', () => {
      active -= 1;
    });
    void handle(request, response);
  });
  return {
    port: await openServer(server, host, port),
    get active() {
      return active;
    },
    /** Stops accepting connections and closes idle ones; the rest close with their requests. */
    stop() {
      server.close();
      server.closeIdleConnections();
    },
    close: () => closeServer(server),
  };
}
