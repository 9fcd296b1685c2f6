import type { IncomingMessage } from 'node:http';

/** A reply that is ready to be sent. */
export interface Reply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** Text, or pieces of it that are made while they are sent. */
  readonly body: string | Iterable<string>;
}

const JSON_TYPE = { 'content-type': 'application/json; charset=utf-8' };

export function jsonReply(status: number, value: unknown, headers: Record<string, string> = {}): Reply {
  return { status, headers: { ...JSON_TYPE, ...headers }, body: JSON.stringify(value) };
}

/** A text as a JSON string, in pieces that are made while they are sent. */
export function quotedReply(pieces: Iterable<string>): Reply {
  function* quoted(): Generator<string> {
    yield '"';
    for (const piece of pieces) yield JSON.stringify(piece).slice(1, -1);
    yield '"';
  }
  return { status: 200, headers: JSON_TYPE, body: quoted() };
}

export function emptyReply(status: number): Reply {
  return { status, headers: {}, body: '' };
}

/** One request as the services see it. */
export interface SandboxRequest {
  readonly method: string;
  /** Percent-decoded, as it was written; the services compare it in lower case. */
  readonly path: string;
  readonly query: URLSearchParams;
  /** Length of path and query together, percent-encoded. */
  readonly targetLength: number;
  readonly host: string;
  readonly authorization: string | undefined;
  readonly body: string;
}

const LARGEST_BODY = 1_048_576;

/** Reads a request whole; rejects where its path is no path or its body is over 1 MiB. */
export async function readRequest(message: IncomingMessage): Promise<SandboxRequest> {
  const { method = '', url = '', headers } = message;
  const { pathname, searchParams } = new URL(url, 'http://sandbox');
  let body = '';
  for await (const chunk of message.setEncoding('utf8')) {
    body += chunk;
    if (body.length > LARGEST_BODY) throw new RangeError('the body is too long');
  }
  return {
    method,
    path: decodeURIComponent(pathname),
    query: searchParams,
    targetLength: url.length,
    host: headers.host ?? 'localhost',
    authorization: headers.authorization,
    body,
  };
}

/** The JSON value of a body, or undefined where it is not JSON. */
export function jsonOf(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}
