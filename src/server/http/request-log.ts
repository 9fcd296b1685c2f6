import { AsyncLocalStorage } from 'node:async_hooks';
import { randomUUID } from 'node:crypto';
import type { Exchanged } from '../../clients/http/exchange.ts';
import { isObject } from '../../documents/untrusted.ts';

export type CallOutcome = 'ok' | 'tool_error' | 'cancelled';

/** A request's log entry, filled while it is served: never arguments, names or keys. */
export interface RequestRecord {
  readonly id: string;
  readonly began: number;
  traceId: string | undefined;
  tenant?: string | undefined;
  era?: 'legacy' | 'modern';
  method?: string | undefined;
  tool?: string;
  outcome?: CallOutcome;
  upstreamCalls: number;
  /** Total duration of calls to the services in milliseconds, overlaps counted twice. */
  upstreamMs: number;
  upstreamStatus?: number;
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
  record.upstreamCalls += 1;
  record.upstreamMs += ms;
  if (status !== undefined) record.upstreamStatus = status;
}

/** Source: W3C Trace Context, section 3.2.2.3. */
const TRACEPARENT = /^[0-9a-f]{2}-(?!0{32})([0-9a-f]{32})-[0-9a-f]{16}-[0-9a-f]{2}$/;

const traceIdOf = (text: unknown) => (typeof text === 'string' ? TRACEPARENT.exec(text)?.[1] : undefined);

/** Methods of the protocol; any other text is not logged. */
const METHOD =
  /^(?:initialize|ping|server|tools|resources|prompts|completion|logging|notifications|subscriptions|skills)(?:\/[a-z_/]{1,40})?$/i;

export function beginRecord(headers: Headers): RequestRecord {
  const traceId = traceIdOf(headers.get('traceparent'));
  return { id: randomUUID(), began: performance.now(), traceId, upstreamCalls: 0, upstreamMs: 0 };
}

const membersOf = (value: unknown) => (isObject(value) ? value : {});

export function describeMessage(record: RequestRecord, message: unknown): void {
  const { method, params } = membersOf(Array.isArray(message) ? message[0] : message);
  const meta = membersOf(membersOf(params)._meta);
  record.method = typeof method === 'string' && METHOD.test(method) ? method : undefined;
  record.traceId ??= traceIdOf(meta.traceparent);
  record.era = 'io.modelcontextprotocol/protocolVersion' in meta ? 'modern' : 'legacy';
}

/**
 * Outcome of a request: of its tool call, else by status. A call that reached no tool was refused by the protocol,
 * whatever the status.
 */
export function outcomeOf({ outcome, method }: RequestRecord, status: number, isCancelled: boolean): string {
  if (isCancelled) return 'cancelled';
  if (outcome !== undefined) return outcome;
  if (status >= 500) return 'failed';
  return status >= 400 || method === 'tools/call' ? 'refused' : 'ok';
}

function write(line: object): void {
  process.stderr.write(`${JSON.stringify({ time: new Date().toISOString(), ...line })}\n`);
}

/** Logs a request as a line of JSON on standard error. */
export function logRequest(record: RequestRecord, status: number, outcome: string): void {
  const { id, tenant, era, method, tool } = record;
  write({
    level: outcome === 'failed' ? 'error' : 'info',
    id,
    trace_id: record.traceId,
    tenant,
    era,
    method,
    tool,
    outcome,
    status,
    ms: Math.round(performance.now() - record.began),
    upstream_calls: record.upstreamCalls,
    upstream_ms: Math.round(record.upstreamMs),
    upstream_status: record.upstreamStatus,
  });
}

/** Logs the name of a protocol error; its message may quote the request. */
export const logError = ({ name }: Error): void => write({ level: 'error', error: name });
