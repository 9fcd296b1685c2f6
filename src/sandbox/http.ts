import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { setImmediate as nextTurn } from 'node:timers/promises';

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

export function jsonReply(status: number, value: unknown, headers: Record<string, string> = {}): Reply {
  const {
    status: code,
    headers: own,
    body,
  } = reply(status, 'application/json; charset=utf-8', JSON.stringify(value));
  return { status: code, headers: { ...own, ...headers }, body };
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

/** The first bytes of a body, and the rest where there is more. */
interface Beginning {
  readonly bytes: Buffer;
  /** Undefined where the first bytes are the whole body. */
  readonly rest: Iterator<Buffer> | undefined;
}

const CHUNK_LENGTH = 65_536;

/** Pieces of text are put together, so that a body of many small ones is not sent in as many packets. */
function* chunksOf(pieces: Iterable<string>): Generator<Buffer> {
  let text = '';
  for (const piece of pieces) {
    text += piece;
    if (text.length < CHUNK_LENGTH) continue;
    yield Buffer.from(text);
    text = '';
  }
  yield Buffer.from(text);
}

/** Makes no more of a body than `wanted` bytes; bytes that exist already are returned whole. */
export function beginningOf(body: Reply['body'], wanted: number): Beginning {
  if (Buffer.isBuffer(body)) return { bytes: body, rest: undefined };
  const rest = chunksOf(body);
  const made: Buffer[] = [];
  let length = 0;
  while (length <= wanted) {
    const { value, done } = rest.next();
    if (done) return { bytes: Buffer.concat(made), rest: undefined };
    made.push(value);
    length += value.length;
  }
  return { bytes: Buffer.concat(made), rest };
}

/** The rest of a body at the pace of whoever reads it; other requests have their turn between two chunks. */
export async function* paced({ bytes, rest }: Beginning): AsyncGenerator<Buffer> {
  yield bytes;
  for (let next = rest?.next(); next && !next.done; next = rest?.next()) {
    yield next.value;
    await nextTurn();
  }
}
