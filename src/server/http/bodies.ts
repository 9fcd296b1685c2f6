import type { IncomingMessage } from 'node:http';
import { createElementCount, MOST_ELEMENTS } from './message-elements.ts';

/** Bytes of one body: arguments, never documents. */
const LARGEST_BODY = 4 * 1024 ** 2;
/** Bytes of all bodies under way, and of one caller's. */
const MOST_BYTES = 64 * 1024 ** 2;
const MOST_BYTES_OF_CALLER = 16 * 1024 ** 2;
const RETRY_SECONDS = '5';

const utf8 = new TextDecoder();

/** Appends a chunk to the first `used` bytes of a buffer; returns a larger buffer when it doesn't fit. */
function append(buffer: Buffer, used: number, chunk: Buffer): Buffer {
  const needed = used + chunk.length;
  const fitting = needed > buffer.length ? Buffer.allocUnsafe(Math.max(needed, 2 * buffer.length)) : buffer;
  if (fitting !== buffer) buffer.copy(fitting, 0, 0, used);
  chunk.copy(fitting, used);
  return fitting;
}

function refusal(status: number, code: number, message: string, headers: Record<string, string>): Response {
  return Response.json({ jsonrpc: '2.0', error: { code, message }, id: null }, { status, headers });
}

function tooLarge(): Response {
  const most = `${LARGEST_BODY} bytes and ${MOST_ELEMENTS} elements`;
  const message = `Payload Too Large: Request body must not exceed ${most}`;
  return refusal(413, -32_000, message, { connection: 'close' });
}

const tooManyBytes = () =>
  refusal(503, -32_000, 'Service Unavailable: too many bytes of requests under way', {
    'retry-after': RETRY_SECONDS,
  });

/** Reads request bodies within limits per body, per caller and in total. */
export interface Bodies {
  /**
   * Returns the text of a body, counted against the caller until `isOver` resolves, or the response that refuses it.
   * @throws when the client disconnects midway
   */
  read(request: IncomingMessage, caller: string, isOver: Promise<void>): Promise<string | Response>;
}

export function createBodies(): Bodies {
  const byCaller = new Map<string, number>();
  let total = 0;
  const count = (caller: string, bytes: number): void => {
    total += bytes;
    const ofCaller = (byCaller.get(caller) ?? 0) + bytes;
    if (ofCaller === 0) byCaller.delete(caller);
    else byCaller.set(caller, ofCaller);
  };
  const isFull = (caller: string, more: number): boolean =>
    total + more > MOST_BYTES || (byCaller.get(caller) ?? 0) + more > MOST_BYTES_OF_CALLER;

  return {
    async read(request, caller, isOver) {
      if (Number(request.headers['content-length']) > LARGEST_BODY) return tooLarge();
      // One buffer: a kept chunk of one byte costs hundreds.
      let body: Buffer = Buffer.alloc(0);
      const elements = createElementCount();
      let bytes = 0;
      void isOver.then(() => count(caller, -bytes));
      // A destroyed request would take its connection, and with it the response, along.
      for await (const chunk of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
        if (isFull(caller, chunk.length)) return tooManyBytes();
        count(caller, chunk.length);
        bytes += chunk.length;
        elements.read(chunk);
        if (bytes > LARGEST_BODY || elements.count() > MOST_ELEMENTS) return tooLarge();
        body = append(body, bytes - chunk.length, chunk);
      }
      return utf8.decode(body.subarray(0, bytes));
    },
  };
}
