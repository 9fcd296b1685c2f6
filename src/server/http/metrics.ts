import { createServer } from 'node:http';
import { type AddressInfo, isIP } from 'node:net';
import type { Exchanged } from '../../company/request-metrics.ts';
import { allowedHosts, isLoopback } from './addresses.ts';

/** Counters of a process. */
export interface Metrics {
  call(tool: string, outcome: string, seconds: number): void;
  exchange(exchanged: Exchanged): void;
  /** The metrics in Prometheus text format. */
  text(): Promise<string>;
}

/** Values read at each scrape. */
export interface Gauges {
  /** Queued upstream requests. */
  queue(): number;
  /** Tenants whose breaker for a service is open. */
  open(service: 'documents' | 'account'): number;
  /** Documents in open archives. */
  documents(): Promise<number>;
}

const callBuckets = [0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 20, 45];

/** Creates the metrics of a process; loads the library on first use. */
export async function createMetrics({ queue, open, documents }: Gauges): Promise<Metrics> {
  const { Counter, Gauge, Histogram, Registry, collectDefaultMetrics } = await import('prom-client');
  const registry = new Registry();
  const registers = [registry];
  collectDefaultMetrics({ register: registry });
  const calls = new Counter({
    name: 'docfiscal_calls_total',
    help: 'Calls of tools',
    labelNames: ['tool', 'outcome'],
    registers,
  });
  const seconds = new Histogram({
    name: 'docfiscal_call_seconds',
    help: 'Time of calls of tools',
    labelNames: ['tool'],
    buckets: callBuckets,
    registers,
  });
  const requests = new Counter({
    name: 'docfiscal_upstream_requests_total',
    help: 'Requests to the services; status 0 is no answer',
    labelNames: ['operation', 'status'],
    registers,
  });
  const upstream = new Histogram({
    name: 'docfiscal_upstream_seconds',
    help: 'Time of requests to the services',
    labelNames: ['operation'],
    buckets: callBuckets,
    registers,
  });
  new Gauge({
    name: 'docfiscal_breaker_open',
    help: 'Tenants whose calls to a service are held back because it failed',
    labelNames: ['service'],
    registers,
    collect() {
      for (const service of ['documents', 'account'] as const) this.set({ service }, open(service));
    },
  });
  new Gauge({
    name: 'docfiscal_queue_length',
    help: 'Requests to the services that wait for their turn',
    registers,
    collect() {
      this.set(queue());
    },
  });
  new Gauge({
    name: 'docfiscal_archive_documents',
    help: 'Documents kept in the archives that are open',
    registers,
    async collect() {
      this.set(await documents());
    },
  });
  return {
    call(tool, outcome, time) {
      calls.inc({ tool, outcome });
      seconds.observe({ tool }, time);
    },
    exchange({ operation, status, ms }) {
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
  metrics: Metrics,
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
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => resolve());
  });
  return {
    port: (server.address() as AddressInfo).port,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
