import { randomUUID } from 'node:crypto';
import type { Observed } from '../../services/observation.ts';
import type { Asked } from '../server.ts';

/** One request as it is told of: never its arguments, names or keys. */
export interface RequestRecord extends Observed {
  readonly id: string;
  readonly began: number;
  traceId: string | undefined;
  tenant: string | undefined;
  era: 'legacy' | 'modern' | undefined;
  method: string | undefined;
  /** To be called when its response is over. */
  ended?: () => void;
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
  readonly params?: unknown;
}

/** The members of what may be anything: of what is no object there are none. */
function membersOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? { ...value } : {};
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

/** What a body says; undefined for what is no JSON. */
export function messageIn(body: string | undefined): unknown {
  try {
    return JSON.parse(body ?? '');
  } catch {
    return undefined;
  }
}

/**
 * Adds what a message says of itself.
 * @returns what is asked, where a request is one message and nothing else
 */
export function describeMessage(record: RequestRecord, read: unknown): Asked | undefined {
  const { method, params }: Message = membersOf(Array.isArray(read) ? read[0] : read);
  record.method = typeof method === 'string' && METHOD.test(method) ? method : undefined;
  const { name, _meta } = membersOf(params);
  const meta = membersOf(_meta);
  record.traceId ??= traceIdOf(meta.traceparent);
  const isModern = 'io.modelcontextprotocol/protocolVersion' in meta;
  record.era = isModern ? 'modern' : 'legacy';
  if (Array.isArray(read) || typeof method !== 'string') return undefined;
  const tool = method === 'tools/call' ? name : undefined;
  return { method, tool: typeof tool === 'string' ? tool : undefined };
}

/**
 * What became of a request: of the call where there was one, else by its status. A call that came to no tool was refused
 * with an error of the protocol, whatever the status.
 */
export function outcomeOf({ outcome, method }: RequestRecord, status: number, isCancelled: boolean): string {
  if (isCancelled) return 'cancelled';
  if (outcome !== undefined) return outcome;
  if (status >= 500) return 'failed';
  return status >= 400 || method === 'tools/call' ? 'refused' : 'ok';
}

/** Lines of so long are one write: each of its own would take longer than the line. */
const GATHERED_MS = 20;

/** Requests as lines of JSON on standard error. */
export interface RequestLog {
  write(record: RequestRecord, status: number, outcome: string): void;
  /** Writes the name of an error of the protocol, whose words may have what was asked in them. */
  error(error: Error): void;
  /** Writes what has been gathered. */
  end(): void;
}

export function createRequestLog(): RequestLog {
  let lines = '';
  let timer: NodeJS.Timeout | undefined;
  const flush = (): void => {
    clearTimeout(timer);
    timer = undefined;
    if (lines !== '') process.stderr.write(lines);
    lines = '';
  };
  process.on('exit', flush);
  const add = (line: object): void => {
    lines += `${JSON.stringify({ time: new Date().toISOString(), ...line })}\n`;
    timer ??= setTimeout(flush, GATHERED_MS).unref();
  };
  return {
    write: (record, status, outcome) => add(lineOf(record, status, outcome)),
    error: ({ name }) => add({ level: 'error', error: name }),
    end() {
      process.off('exit', flush);
      flush();
    },
  };
}

function lineOf(record: RequestRecord, status: number, outcome: string) {
  return {
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
}
