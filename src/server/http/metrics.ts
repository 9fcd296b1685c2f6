import { createServer } from 'node:http';
import { isIP } from 'node:net';
import { isLoopback } from '../../config/setting-kinds.ts';
import { allowedHosts, closeServer, openServer } from './listen.ts';
import type { Exchanged } from './request-log.ts';

/** Values read at each scrape. */
export interface Gauges {
  queue(): number;
  /** Tenants whose breaker for a service is open. */
  open(service: 'documents' | 'account'): number;
  documents(): Promise<number>;
}

const buckets = [0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 20, 45];

/** Creates the metrics of a process; loads the library on first use. */
export async function createMetrics({ queue, open, documents }: Gauges) {
  const { Counter, Gauge, Histogram, Registry, collectDefaultMetrics } = await import('prom-client');
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const described = (name: string, help: string, labelNames: readonly string[] = []) => ({
    name: `docfiscal_${name}`,
    help,
    labelNames,
    registers: [registry],
  });
  const time = (name: string, help: string, label: string) =>
    new Histogram({ ...described(name, help, [label]), buckets });
  const calls = new Counter(described('calls_total', 'Calls of tools', ['tool', 'outcome']));
  const seconds = time('call_seconds', 'Time of calls of tools', 'tool');
  const help = 'Requests to the services; status 0 is no answer';
  const requests = new Counter(described('upstream_requests_total', help, ['operation', 'status']));
  const upstream = time('upstream_seconds', 'Time of requests to the services', 'operation');
  new Gauge({
    ...described('breaker_open', 'Tenants whose calls to a service are held back because it failed', [
      'service',
    ]),
    collect() {
      for (const service of ['documents', 'account'] as const) this.set({ service }, open(service));
    },
  });
  new Gauge({
    ...described('queue_length', 'Requests to the services that wait for their turn'),
    collect() {
      this.set(queue());
    },
  });
  new Gauge({
    ...described('archive_documents', 'Documents kept in the archives that are open'),
    async collect() {
      this.set(await documents());
    },
  });
  return {
    call(tool: string, outcome: string, elapsed: number) {
      calls.inc({ tool, outcome });
      seconds.observe({ tool }, elapsed);
    },
    exchange({ operation, status, ms }: Exchanged) {
      requests.inc({ operation, status: String(status ?? 0) });
      upstream.observe({ operation }, ms / 1000);
    },
    text: () => registry.metrics(),
  };
}

/**
 * Whether a `Host` header may name this machine: one of its own names, or where other machines reach it an address or a
 * name without dots (of a container), which no page of strangers can have.
 */
function isOwnName(header: string | undefined, names: readonly string[], isLocal: boolean): boolean {
  if (header === undefined || !/^[^@/?#]+$/.test(header) || !URL.canParse(`http://${header}`)) return false;
  const { hostname } = new URL(`http://${header}`);
  const isAddressOrLabel = isIP(hostname.replace(/^\[|\]$/g, '')) !== 0 || !hostname.includes('.');
  return names.includes(hostname) || (!isLocal && isAddressOrLabel);
}

/**
 * Serves `/metrics` on its own port. Rejects when the port is unavailable.
 * @param publicUrl the address that clients of the service use
 */
export async function serveMetrics(
  metrics: Pick<Awaited<ReturnType<typeof createMetrics>>, 'text'>,
  host: string,
  port: number,
  publicUrl: string,
): Promise<{ readonly port: number; close(): Promise<void> }> {
  const names = allowedHosts(host, publicUrl);
  const server = createServer((request, response) => {
    if (!isOwnName(request.headers.host, names, isLoopback(host))) return void response.writeHead(403).end();
    if (request.url !== '/metrics' || request.method !== 'GET') return void response.writeHead(404).end();
    metrics.text().then(
      (text) => response.writeHead(200, { 'content-type': 'text/plain; version=0.0.4' }).end(text),
      () => response.writeHead(500).end(),
    );
  });
  return { port: await openServer(server, host, port), close: () => closeServer(server) };
}
