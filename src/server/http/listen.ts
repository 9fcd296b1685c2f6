import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createBodies } from './bodies.ts';
import { type ConnectionLimits, limitConnections } from './connections.ts';
import type { Front } from './front.ts';
import { nodeRequests } from './node-requests.ts';

const LARGEST_HEADERS = 16 * 1024;
/** Longer than the idle timeout of most load balancers (a minute), so that they close first. */
const IDLE_MS = 75_000;

/** Timeouts for slow clients, in milliseconds. */
export interface ClientTimeouts {
  readonly headersMs: number;
  readonly requestMs: number;
  /** Interval of the check. */
  readonly everyMs: number;
}

const clientTimeouts: ClientTimeouts = { headersMs: 10_000, requestMs: 30_000, everyMs: 1_000 };

/** A server that listens. */
export interface Listening {
  readonly port: number;
  /** Requests under way. */
  readonly active: number;
  /** Stops accepting connections and closes idle ones; the rest close with their requests. */
  stop(): void;
  /** Closes every connection. */
  close(): Promise<void>;
}

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

/** Closes a server with every connection. */
export async function closeServer(server: Server): Promise<void> {
  const closed = new Promise((resolve) => server.close(resolve));
  server.closeAllConnections();
  await closed;
}

/** Listens and passes requests to the endpoint. Rejects with the system's error when the port is unavailable. */
export async function listen(
  front: Front,
  host: string,
  port: number,
  { headersMs, requestMs, everyMs }: ClientTimeouts = clientTimeouts,
  limits?: ConnectionLimits,
): Promise<Listening> {
  let active = 0;
  const server = createServer({
    maxHeaderSize: LARGEST_HEADERS,
    headersTimeout: headersMs,
    requestTimeout: requestMs,
    keepAliveTimeout: IDLE_MS,
    connectionsCheckingInterval: everyMs,
  });
  const handle = nodeRequests(front.fetch, createBodies(), limitConnections(server, limits));
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
    stop() {
      server.close();
      server.closeIdleConnections();
    },
    close: () => closeServer(server),
  };
}
