import type { IncomingMessage, ServerResponse } from 'node:http';
import { createElementCount, MOST_ELEMENTS } from '../message-elements.ts';

/** What answers, in the shape of `fetch`, with the text of the body beside the request: read once, and no stream. */
export type Answering = (request: Request, body: string | undefined) => Promise<Response>;

export interface RequestOptions {
  /** Bytes of a body. */
  readonly largestBody: number;
  readonly onerror: (error: Error) => void;
}

function refusal(status: number, code: number, message: string): Response {
  const headers = { connection: 'close' };
  return Response.json({ jsonrpc: '2.0', error: { code, message }, id: null }, { status, headers });
}

const utf8 = new TextDecoder();

/**
 * The text of a body; undefined for one that is larger, or of more than anyone sends.
 * @throws where the client leaves in the middle of it
 */
async function readBody(request: IncomingMessage, largest: number): Promise<string | undefined> {
  if (Number(request.headers['content-length']) > largest) return undefined;
  const chunks: Buffer[] = [];
  const elements = createElementCount();
  let bytes = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    elements.read(chunk);
    if (bytes > largest || elements.count() > MOST_ELEMENTS) return undefined;
    chunks.push(chunk);
  }
  return utf8.decode(chunks.length === 1 ? chunks[0] : Buffer.concat(chunks));
}

function requestOf({ headers, url, method }: IncomingMessage, signal: AbortSignal): Request | undefined {
  try {
    // Node has joined what came several times, but for `set-cookie`, which is no request's.
    const named = headers as Record<string, string>;
    return new Request(`http://${headers.host ?? 'localhost'}${url}`, { method, headers: named, signal });
  } catch {
    return undefined;
  }
}

async function send(response: Response, outgoing: ServerResponse, signal: AbortSignal): Promise<void> {
  const headers = Object.fromEntries(response.headers);
  if (isWhole(response)) {
    // As a text it leaves together with the headers.
    const text = response.body === null ? undefined : await response.text();
    if (text !== undefined) headers['content-length'] = String(Buffer.byteLength(text));
    outgoing.writeHead(response.status, headers).end(text);
    return;
  }
  outgoing.writeHead(response.status, headers);
  const gone = new Promise<void>((resolve) =>
    signal.addEventListener('abort', () => resolve(), { once: true }),
  );
  try {
    for await (const chunk of response.body ?? []) {
      if (signal.aborted) break;
      if (outgoing.write(chunk)) continue;
      await Promise.race([new Promise((resolve) => outgoing.once('drain', resolve)), gone]);
    }
  } finally {
    outgoing.end();
  }
}

/**
 * Whether all of a response is there already, so that it can be sent at once: an answer in JSON, and one without a
 * body.
 */
export function isWhole({ body, headers }: Response): boolean {
  return body === null || headers.get('content-type')?.startsWith('application/json') === true;
}

/**
 * Takes requests from Node's server and gives back what `answer` answers. The SDK's own adapter does the same with a
 * stream for the body of every request and response, which takes a fifth of a call's time.
 */
export function nodeRequests(
  answer: Answering,
  { largestBody, onerror }: RequestOptions,
): (incoming: IncomingMessage, outgoing: ServerResponse) => Promise<void> {
  return async (incoming, outgoing) => {
    const leaving = new AbortController();
    outgoing.on('error', () => undefined);
    outgoing.once('close', () => {
      if (!outgoing.writableFinished) leaving.abort();
    });
    const answered = async (): Promise<Response> => {
      const request = requestOf(incoming, leaving.signal);
      if (request === undefined) return refusal(400, -32_600, 'Invalid Request');
      if (incoming.method !== 'POST') return answer(request, undefined);
      const body = await readBody(incoming, largestBody);
      if (body === undefined) {
        const most = `${largestBody} bytes and ${MOST_ELEMENTS} elements`;
        return refusal(413, -32_000, `Payload Too Large: Request body must not exceed ${most}`);
      }
      return answer(request, body);
    };
    try {
      await send(await answered(), outgoing, leaving.signal);
    } catch (error) {
      // A client that has gone is nobody to answer, and no error of ours.
      if (leaving.signal.aborted || !incoming.complete || outgoing.headersSent)
        return void outgoing.destroy();
      onerror(error instanceof Error ? error : new Error(typeof error));
      await send(refusal(500, -32_603, 'Internal server error'), outgoing, leaving.signal);
    }
  };
}
