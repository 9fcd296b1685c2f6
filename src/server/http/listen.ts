import { createServer as createHttpServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Front } from './front.ts';
import { nodeRequests } from './node-requests.ts';

/** Bytes of a request's body: arguments, never documents. */
const LARGEST_BODY = 4 * 1024 ** 2;
const LARGEST_HEADERS = 16 * 1024;
/** How long a client may take to send, in milliseconds. */
export interface Patience {
  readonly headersMs: number;
  readonly requestMs: number;
  /** How often it is looked after. */
  readonly everyMs: number;
}

const patient: Patience = { headersMs: 10_000, requestMs: 30_000, everyMs: 1_000 };
/** Longer than the minute after which most balancers let go of an idle connection, so that they do and not we. */
const IDLE_MS = 75_000;
const MOST_CONNECTIONS = 2_000;

/** A server that listens. */
export interface Listening {
  readonly port: number;
  /** Requests whose responses have not been sent to their ends. */
  readonly active: number;
  /** Takes no more connections, and ends those that are idle; the ones under way end with their requests. */
  stop(): void;
  /** Ends every connection. */
  close(): Promise<void>;
}

/** Listens for requests and hands them to a front. Rejects with the system's error where the port cannot be had. */
export async function listen(
  front: Front,
  host: string,
  port: number,
  patience: Patience = patient,
): Promise<Listening> {
  const handle = nodeRequests((request, body) => front.fetch(request, body), {
    largestBody: LARGEST_BODY,
    onerror: (error) => console.error(JSON.stringify({ level: 'error', status: 500, error: error.name })),
  });
  let active = 0;
  const server: Server = createHttpServer(
    {
      maxHeaderSize: LARGEST_HEADERS,
      headersTimeout: patience.headersMs,
      requestTimeout: patience.requestMs,
      keepAliveTimeout: IDLE_MS,
      connectionsCheckingInterval: patience.everyMs,
    },
    (request, response) => {
      active += 1;
      response.once('close', () => {
        active -= 1;
      });
      void handle(request, response);
    },
  );
  server.maxConnections = MOST_CONNECTIONS;
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.off('error', reject);
      resolve();
    });
  });
  return {
    port: (server.address() as AddressInfo).port,
    get active() {
      return active;
    },
    stop() {
      server.close();
      server.closeIdleConnections();
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
