import { AsyncLocalStorage } from 'node:async_hooks';
import { randomUUID } from 'node:crypto';
import type { Exchanged } from '../../clients/http/exchange.ts';
import type { Company } from '../../company/company.ts';
import { membersOf } from '../../documents/untrusted.ts';
import type { CallOutcome } from '../tool-calls.ts';

/** A request's log line, filled while it is served: never arguments, names or keys. */
export interface RequestRecord {
  readonly id: string;
  readonly began: number;
  trace_id: string | undefined;
  tenant?: string | undefined;
  era?: 'legacy' | 'modern';
  method?: string | undefined;
  tool?: string;
  outcome?: CallOutcome;
  upstream_calls: number;
  /** Total duration of calls to the services in milliseconds, overlaps counted twice. */
  upstream_ms: number;
  upstream_status?: number;
}

const requests = new AsyncLocalStorage<RequestRecord>();

/** Serves a request and records its calls. */
export const serveObserved = <T>(record: RequestRecord, serve: () => T): T => requests.run(record, serve);

export function noteCall(tool: string, outcome: CallOutcome): void {
  Object.assign(requests.getStore() ?? {}, { tool, outcome });
}

export function noteExchange({ status, ms }: Exchanged): void {
  const record = requests.getStore();
  if (record === undefined) return;
  record.upstream_calls += 1;
  record.upstream_ms += ms;
  if (status !== undefined) record.upstream_status = status;
}

/** Source: W3C Trace Context, section 3.2.2.3. */
const TRACEPARENT = /^[0-9a-f]{2}-(?!0{32})([0-9a-f]{32})-[0-9a-f]{16}-[0-9a-f]{2}$/;

const traceIdOf = (text: unknown) => (typeof text === 'string' ? TRACEPARENT.exec(text)?.[1] : undefined);

/** Methods of the protocol; any other text is not logged. */
const METHOD =
  /^(?:initialize|ping|server|tools|resources|prompts|completion|logging|notifications|subscriptions|skills)(?:\/[a-z_/]{1,40})?$/i;

export function beginRecord(headers: Headers): RequestRecord {
  const trace_id = traceIdOf(headers.get('traceparent'));
  return { id: randomUUID(), began: performance.now(), trace_id, upstream_calls: 0, upstream_ms: 0 };
}

export function describeMessage(record: RequestRecord, message: unknown): void {
  const { method, params } = membersOf(Array.isArray(message) ? message[0] : message);
  const meta = membersOf(membersOf(params)._meta);
  record.method = typeof method === 'string' && METHOD.test(method) ? method : undefined;
  record.trace_id ??= traceIdOf(meta.traceparent);
  record.era = 'io.modelcontextprotocol/protocolVersion' in meta ? 'modern' : 'legacy';
}

/**
 * Outcome of a request: of its tool call, else by status. A call that reached no tool was refused by the protocol,
 * whatever the status.
 */
function outcomeOf({ outcome, method }: Pick<RequestRecord, 'outcome' | 'method'>, status: number): string {
  if (outcome !== undefined) return outcome;
  if (status >= 500) return 'failed';
  return status >= 400 || method === 'tools/call' ? 'refused' : 'ok';
}

/** Fields of a line, in their order; no others are written. */
const FIELDS =
  'time level id trace_id tenant era method tool outcome status ms upstream_calls upstream_ms upstream_status error';

function write(line: object): void {
  const text = JSON.stringify({ time: new Date().toISOString(), ...line }, FIELDS.split(' '));
  process.stderr.write(`${text}\n`);
}

/** Logs a request that is over as a line of JSON on standard error. @returns its outcome and duration in milliseconds */
export function logRequest(record: RequestRecord, status: number, isCancelled: boolean) {
  const outcome = isCancelled ? 'cancelled' : outcomeOf(record, status);
  const ms = performance.now() - record.began;
  write({
    level: outcome === 'failed' ? 'error' : 'info',
    ...record,
    outcome,
    status,
    ms: Math.round(ms),
    upstream_ms: Math.round(record.upstream_ms),
  });
  return { outcome, ms };
}

/** Logs the name of a protocol error; its message may quote the request. */
export const logError = ({ name }: Error): void => write({ level: 'error', error: name });

const buckets = [0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 20, 45];

/** Creates the metrics of a process; loads the library on first use. @param companies those that are open */
export async function createMetrics(companies: () => readonly Company[]) {
  const { default: library } = await import('prom-client');
  const { Counter, Gauge, Histogram, Registry, collectDefaultMetrics } = library;
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
      try {
        const infos = await Promise.all(archives.map((archive) => archive.info()));
        this.set(infos.reduce((sum, { documents }) => sum + documents, 0));
      } catch {
        // No count is better than a wrong one, and the other metrics are needed just then.
        this.remove();
      }
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
