import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';

/** A reply that is ready to be sent. */
export interface Reply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** Bytes, or pieces of text that are made while they are sent. */
  readonly body: Buffer | Iterable<string>;
}

export function reply(status: number, contentType: string, body: Reply['body'] | string): Reply {
  const headers = { 'content-type': contentType };
  return { status, headers, body: typeof body === 'string' ? Buffer.from(body) : body };
}

const JSON_TYPE = 'application/json; charset=utf-8';

export function jsonReply(status: number, value: unknown, headers: Record<string, string> = {}): Reply {
  const made = reply(status, JSON_TYPE, JSON.stringify(value));
  return { ...made, headers: { ...made.headers, ...headers } };
}

/** A text as a JSON string, in pieces that are made while they are sent. */
export function quotedReply(pieces: Iterable<string>): Reply {
  function* quoted(): Generator<string> {
    yield '"';
    for (const piece of pieces) yield JSON.stringify(piece).slice(1, -1);
    yield '"';
  }
  return reply(200, JSON_TYPE, quoted());
}

export function emptyReply(status: number): Reply {
  return { status, headers: {}, body: Buffer.alloc(0) };
}

/** One request as the services see it. */
export interface SandboxRequest {
  readonly method: string;
  /** Percent-decoded, as it was written; the services compare it in lower case. */
  readonly path: string;
  readonly query: URLSearchParams;
  /** Length of path and query together, percent-encoded. */
  readonly targetLength: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

const LARGEST_BODY = 1_048_576;

function decodedPath(path: string): string | undefined {
  try {
    return decodeURIComponent(path);
  } catch {
    return undefined;
  }
}

async function bodyOf(message: IncomingMessage): Promise<Buffer | undefined> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of message) {
    const bytes = Buffer.from(chunk);
    size += bytes.length;
    if (size > LARGEST_BODY) return undefined;
    chunks.push(bytes);
  }
  return Buffer.concat(chunks);
}

/** Reads a request whole; undefined where its path is no path or its body is over 1 MiB. */
export async function readRequest(message: IncomingMessage): Promise<SandboxRequest | undefined> {
  const target = message.url ?? '';
  const questionMark = target.indexOf('?');
  const path = decodedPath(questionMark < 0 ? target : target.slice(0, questionMark));
  const body = await bodyOf(message);
  if (path === undefined || body === undefined) return undefined;
  return {
    method: message.method ?? '',
    path,
    query: new URLSearchParams(questionMark < 0 ? '' : target.slice(questionMark + 1)),
    targetLength: target.length,
    headers: message.headers,
    body,
  };
}

/** The JSON value of a body, or undefined where it is not JSON. */
export function jsonOf(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString('utf8'));
  } catch {
    return undefined;
  }
}

/** A body as bytes; of one that is made while it is sent no more than about `most`. */
export function bytesOf(body: Reply['body'], most = Number.POSITIVE_INFINITY): Buffer {
  if (Buffer.isBuffer(body)) return body;
  let text = '';
  for (const piece of body) {
    text += piece;
    if (text.length >= most) break;
  }
  return Buffer.from(text);
}
