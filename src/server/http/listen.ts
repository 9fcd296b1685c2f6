import { createServer as createHttpServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { toNodeHandler } from '@modelcontextprotocol/node';
import type { Front } from './front.ts';

/** Bytes of a request's body: arguments, never documents. */
const LARGEST_BODY = 4 * 1024 ** 2;
const LARGEST_HEADERS = 16 * 1024;
const HEADERS_WITHIN_MS = 10_000;
const REQUEST_WITHIN_MS = 30_000;
/** Longer than the minute after which most balancers let go of an idle connection, so that they do and not we. */
const IDLE_MS = 75_000;
const MOST_CONNECTIONS = 2_000;

/** A server that listens. */
export interface Listening {
  readonly port: number;
  /** Takes no more connections, and ends those that are idle; the ones under way end with their requests. */
  stop(): void;
  /** Ends every connection. */
  close(): Promise<void>;
}

function failure(status: number): (error: Error) => void {
  return (error) => console.error(JSON.stringify({ level: 'error', status, error: error.name }));
}

/** Listens for requests and hands them to a front. Rejects with the system's error where the port cannot be had. */
export async function listen(front: Front, host: string, port: number): Promise<Listening> {
  const handle = toNodeHandler(
    { fetch: (request) => front.fetch(request) },
    {
      maxRequestBodySize: LARGEST_BODY,
      onerror: failure(500),
    },
  );
  const server: Server = createHttpServer(
    {
      maxHeaderSize: LARGEST_HEADERS,
      headersTimeout: HEADERS_WITHIN_MS,
      requestTimeout: REQUEST_WITHIN_MS,
      keepAliveTimeout: IDLE_MS,
      connectionsCheckingInterval: 1_000,
    },
    (request, response) => {
      response.on('error', () => undefined);
      void handle(request as Parameters<typeof handle>[0], response as Parameters<typeof handle>[1]).catch(
        () => {
          // The client is gone; there is nobody to answer.
          response.destroy();
        },
      );
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
