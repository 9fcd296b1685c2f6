import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Exchanged } from '../../services/observation.ts';

/** What is counted while requests are served. */
export interface Metrics {
  call(tool: string, outcome: string, seconds: number): void;
  exchange(exchanged: Exchanged): void;
  /** The numbers in the form of Prometheus. */
  text(): Promise<string>;
}

/** What is looked up when the numbers are asked for. */
export interface Gauges {
  /** Calls that wait for their turn. */
  queue(): number;
  /** Tenants whose calls to a service are held back because one after the other failed. */
  open(service: 'documents' | 'account'): number;
  /** Documents kept in archives that are open. */
  documents(): Promise<number>;
}

const callBuckets = [0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 20, 45];

/** Makes the metrics of a process; the library is loaded here, and only where metrics are asked for. */
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

/** Serves the numbers at `/metrics` on a port of their own. Rejects where the port cannot be had. */
export async function serveMetrics(
  metrics: Metrics,
  host: string,
  port: number,
): Promise<{ readonly port: number; close(): Promise<void> }> {
  const server = createServer((request, response) => {
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
