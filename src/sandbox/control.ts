import { emptyReply, jsonOf, jsonReply, type Reply, type SandboxRequest } from './http.ts';

/** A request as it may be shown: without credentials. */
interface LoggedRequest {
  readonly method: string;
  readonly path: string;
  readonly query: Readonly<Record<string, string>>;
  readonly headers: Readonly<Record<string, string>>;
  /** The body of an account operation, as text; empty for every other request. */
  readonly body: string;
}

interface RequestLog {
  add(request: SandboxRequest): void;
  /** The last two hundred requests, oldest first. */
  all(): readonly LoggedRequest[];
}

const MOST_KEPT = 200;
const MASK = '***';
const SECRET_PARAMETERS = ['usuario', 'senha', 'sig'];
const SECRET_HEADERS = ['authorization', 'proxy-authorization', 'cookie'];

function shownParameter(name: string, value: string): string {
  if (SECRET_PARAMETERS.includes(name.toLowerCase())) return MASK;
  return value.replace(/([?&]sig=)[^&]*/gi, `$1${MASK}`);
}

function shownHeader(name: string, value: string | string[] | undefined): string {
  return SECRET_HEADERS.includes(name) ? MASK : String(value);
}

function shownQuery({ query }: SandboxRequest): [name: string, value: string][] {
  return [...query].map(([name, value]) => [name, shownParameter(name, value)]);
}

/** Path and query as one text, percent-decoded and without credentials. */
export function shownTarget(request: SandboxRequest): string {
  const query = shownQuery(request).map(([name, value]) => `${name}=${value}`);
  return [request.path, ...(query.length > 0 ? [query.join('&')] : [])].join('?');
}

function shown(request: SandboxRequest): LoggedRequest {
  const headers = Object.entries(request.headers).map(([name, value]) => [name, shownHeader(name, value)]);
  return {
    method: request.method,
    path: request.path,
    query: Object.fromEntries(shownQuery(request)),
    headers: Object.fromEntries(headers),
    body: request.path.toLowerCase().startsWith('/api/v2/') ? request.body.toString('utf8') : '',
  };
}

export function createRequestLog(): RequestLog {
  const kept: LoggedRequest[] = [];
  return {
    add(request) {
      kept.push(shown(request));
      if (kept.length > MOST_KEPT) kept.shift();
    },
    all: () => [...kept],
  };
}

/** Something that goes wrong on purpose. */
export interface Fault {
  /** Part of the path and query it applies to; every request where it is left out. */
  readonly match?: string;
  /** How many requests it is for; one unless given. */
  readonly times?: number;
  readonly delayMs?: number;
  /** Answered in place of the real status and body. */
  readonly status?: number;
  readonly body?: string;
  /** Value of a `Retry-After` header, in seconds. */
  readonly retryAfter?: number;
  readonly cut?: 'before-reply' | 'in-headers' | 'in-body';
  /** The body ends after so many bytes, and its length says so too. */
  readonly truncateBytes?: number;
  /** The operation is performed first, and only its reply goes wrong. */
  readonly afterPerforming?: boolean;
}

/** The faults still to come, first asked first served. */
interface FaultQueue {
  /** Queues a fault; false where the value describes none. */
  add(value: unknown): boolean;
  clear(): void;
  /** Takes the first fault for a request's path and query, percent-decoded, off the queue. */
  take(target: string): Fault | undefined;
}

const isCount = (value: unknown) => Number.isSafeInteger(value) && Number(value) >= 0;
const isText = (value: unknown) => typeof value === 'string';

/** What each field of a fault may be. */
const fields: Readonly<Record<string, (value: unknown) => boolean>> = {
  match: (value) => isText(value) && decoded(String(value)) !== undefined,
  times: isCount,
  delayMs: isCount,
  status: (value) => Number.isSafeInteger(value) && Number(value) >= 200 && Number(value) <= 599,
  body: isText,
  retryAfter: isCount,
  cut: (value) => ['before-reply', 'in-headers', 'in-body'].includes(String(value)),
  truncateBytes: isCount,
  afterPerforming: (value) => typeof value === 'boolean',
};

/** `dataDe=14%2F03%2F2026` and `dataDe=14/03/2026` are the same text; undefined where it can't be decoded. */
function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text).toLowerCase();
  } catch {
    return undefined;
  }
}

function isFault(value: unknown): value is Fault {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  return Object.entries(value).every(([name, one]) => Object.hasOwn(fields, name) && fields[name]?.(one));
}

export function createFaultQueue(): FaultQueue {
  let queue: { readonly fault: Fault; left: number }[] = [];
  return {
    add(value) {
      if (!isFault(value)) return false;
      queue.push({ fault: value, left: value.times ?? 1 });
      return true;
    },
    clear() {
      queue = [];
    },
    take(target) {
      const asked = target.toLowerCase();
      const next = queue.find(
        ({ fault, left }) => left > 0 && asked.includes(decoded(fault.match ?? '') ?? ''),
      );
      if (next) next.left -= 1;
      queue = queue.filter(({ left }) => left > 0);
      return next?.fault;
    },
  };
}

/** What can be asked of and looked at while a sandbox runs. */
export interface Controls {
  readonly faults: FaultQueue;
  readonly log: RequestLog;
}

export const CONTROL_PREFIX = '/__sandbox/';

/** Answers a request below `/__sandbox/`. */
export function callControl({ method, path, body }: SandboxRequest, controls: Controls): Reply {
  switch (`${method} ${path.slice(CONTROL_PREFIX.length)}`) {
    case 'POST faults':
      return controls.faults.add(jsonOf(body)) ? emptyReply(204) : jsonReply(400, { message: 'not a fault' });
    case 'DELETE faults':
      controls.faults.clear();
      return emptyReply(204);
    case 'GET requests':
      return jsonReply(200, controls.log.all());
    default:
      return jsonReply(404, { message: 'no such control' });
  }
}
