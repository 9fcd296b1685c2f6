import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';

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
