import { randomUUID } from 'node:crypto';
import type { Observed } from '../../services/observation.ts';

/** One request as it is told of: never its arguments, names or keys. */
export interface RequestRecord extends Observed {
  readonly id: string;
  readonly began: number;
  traceId: string | undefined;
  tenant: string | undefined;
  era: 'legacy' | 'modern' | undefined;
  method: string | undefined;
}

/** Source: W3C Trace Context, section 3.2.2.3. */
const TRACEPARENT = /^[0-9a-f]{2}-([0-9a-f]{32})-[0-9a-f]{16}-[0-9a-f]{2}$/;

function traceIdOf(text: unknown): string | undefined {
  const [, id] = typeof text === 'string' ? (TRACEPARENT.exec(text) ?? []) : [];
  return id === '0'.repeat(32) ? undefined : id;
}

/** Methods of the protocol; any other word came from outside and is not repeated. */
const METHOD =
  /^(?:initialize|ping|server|tools|resources|prompts|completion|logging|notifications|subscriptions|skills)(?:\/[a-z_/]{1,40})?$/i;

interface Message {
  readonly method?: unknown;
  readonly params?: { readonly name?: unknown; readonly _meta?: Readonly<Record<string, unknown>> };
}

export function beginRecord(headers: Headers): RequestRecord {
  return {
    id: randomUUID(),
    began: performance.now(),
    traceId: traceIdOf(headers.get('traceparent')),
    tenant: undefined,
    era: undefined,
    method: undefined,
    upstreamCalls: 0,
    upstreamMs: 0,
  };
}

function messagesOf(body: string | undefined): unknown {
  try {
    return JSON.parse(body ?? '');
  } catch {
    return undefined;
  }
}

/**
 * Adds what a message says of itself.
 * @returns the tool that is called, where a request is one call and nothing else
 */
export function describeMessage(record: RequestRecord, body: string | undefined): string | undefined {
  const read = messagesOf(body);
  const message = (Array.isArray(read) ? read[0] : read) as Message | null | undefined;
  if (typeof message !== 'object' || message === null) return undefined;
  const { method, params } = message;
  record.method = typeof method === 'string' && METHOD.test(method) ? method : undefined;
  const meta = typeof params === 'object' ? params?._meta : undefined;
  record.traceId ??= traceIdOf(meta?.traceparent);
  const isModern = meta !== undefined && 'io.modelcontextprotocol/protocolVersion' in meta;
  record.era = isModern ? 'modern' : 'legacy';
  const tool = method === 'tools/call' && !Array.isArray(read) ? params?.name : undefined;
  return typeof tool === 'string' ? tool : undefined;
}

/** What became of a request: of the call where there was one, else by its status. */
export function outcomeOf({ outcome }: RequestRecord, status: number, isCancelled: boolean): string {
  if (isCancelled) return 'cancelled';
  if (outcome !== undefined) return outcome;
  if (status >= 500) return 'failed';
  return status >= 400 ? 'refused' : 'ok';
}

/** One line of JSON on standard error. */
export function writeRecord(record: RequestRecord, status: number, outcome: string): void {
  const line = {
    time: new Date().toISOString(),
    level: outcome === 'failed' ? 'error' : 'info',
    id: record.id,
    trace_id: record.traceId,
    tenant: record.tenant,
    era: record.era,
    method: record.method,
    tool: record.tool,
    outcome,
    status,
    ms: Math.round(performance.now() - record.began),
    upstream_calls: record.upstreamCalls,
    upstream_ms: Math.round(record.upstreamMs),
    upstream_status: record.upstreamStatus,
  };
  process.stderr.write(`${JSON.stringify(line)}\n`);
}
