import { isIP } from 'node:net';
import type { Exchanged } from '../../clients/http/exchange.ts';
import type { Company } from '../../company/company.ts';
import { isLoopback } from '../../config/setting-kinds.ts';
import { allowedHosts, type FetchHandler } from './listen.ts';

const buckets = [0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 20, 45];

/** Creates the metrics of a process; loads the library on first use. @param companies those that are open */
export async function createMetrics(companies: () => readonly Company[]) {
  const { Counter, Gauge, Histogram, Registry, collectDefaultMetrics } = await import('prom-client');
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const described = (name: string, help: string, ...labelNames: string[]) => ({
    name: `docfiscal_${name}`,
    help,
    labelNames,
    registers: [registry],
  });
  const calls = new Counter(described('calls_total', 'Calls of tools', 'tool', 'outcome'));
  const seconds = new Histogram({ ...described('call_seconds', 'Time of calls of tools', 'tool'), buckets });
  const help = 'Requests to the services; status 0 is no answer';
  const requests = new Counter(described('upstream_requests_total', help, 'operation', 'status'));
  const upstream = new Histogram({
    ...described('upstream_seconds', 'Time of requests to the services', 'operation'),
    buckets,
  });
  const held = 'Tenants whose calls to a service are held back because it failed';
  new Gauge({
    ...described('breaker_open', held, 'service'),
    collect() {
      for (const service of ['documents', 'account'] as const) {
        this.set({ service }, companies().filter((company) => company.openBreakers().has(service)).length);
      }
    },
  });
  new Gauge({
    ...described('queue_length', 'Requests to the services that wait for their turn'),
    collect() {
      this.set(companies().reduce((sum, company) => sum + company.waitingCalls(), 0));
    },
  });
  new Gauge({
    ...described('archive_documents', 'Documents kept in the archives that are open'),
    async collect() {
      const archives = companies().flatMap((company) => company.openedArchive() ?? []);
      const infos = await Promise.all(archives.map((archive) => archive.info()));
      this.set(infos.reduce((sum, { documents }) => sum + documents, 0));
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
 * Answers `/metrics`. A `Host` header must be one of this machine's names or, where other machines reach it, an address
 * or a name without dots (a container's): no web page has those.
 * @param host where the metrics listen
 * @param publicUrl the address that clients of the service use
 */
export function answerMetrics(text: () => Promise<string>, host: string, publicUrl: string): FetchHandler {
  const names = allowedHosts(host, publicUrl);
  return async ({ url, method }) => {
    const { hostname, pathname } = new URL(url);
    const isAddress = isIP(hostname.replace(/^\[|\]$/g, '')) !== 0 || !hostname.includes('.');
    if (!names.includes(hostname) && (isLoopback(host) || !isAddress)) {
      return new Response(null, { status: 403 });
    }
    if (pathname !== '/metrics' || method !== 'GET') return new Response(null, { status: 404 });
    return new Response(await text(), { headers: { 'content-type': 'text/plain; version=0.0.4' } });
  };
}
