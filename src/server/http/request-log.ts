import { AsyncLocalStorage } from 'node:async_hooks';
import { randomUUID } from 'node:crypto';
import type { Exchanged } from '../../clients/http/exchange.ts';
import { isObject } from '../../documents/untrusted.ts';

/** A request's log line, filled while it is served: never arguments, names or keys. */
export interface RequestRecord {
  readonly id: string;
  readonly began: number;
  trace_id: string | undefined;
  tenant?: string | undefined;
  era?: 'legacy' | 'modern';
  method?: string | undefined;
  tool?: string;
  outcome?: 'ok' | 'tool_error' | 'cancelled';
  upstream_calls: number;
  /** Total duration of calls to the services in milliseconds, overlaps counted twice. */
  upstream_ms: number;
  upstream_status?: number;
}

const requests = new AsyncLocalStorage<RequestRecord>();

/** Serves a request and records its calls. */
export const serveObserved = <T>(record: RequestRecord, serve: () => T): T => requests.run(record, serve);

export function noteCall(tool: string, outcome: 'ok' | 'tool_error' | 'cancelled'): void {
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

const membersOf = (value: unknown) => (isObject(value) ? value : {});

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
