import type { SandboxRequest } from './request.ts';

/** A request as it may be shown: without credentials. */
export interface LoggedRequest {
  readonly method: string;
  readonly path: string;
  readonly query: Readonly<Record<string, string>>;
  readonly headers: Readonly<Record<string, string>>;
  /** The body of an account operation, as text; empty for every other request. */
  readonly body: string;
}

export interface RequestLog {
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
