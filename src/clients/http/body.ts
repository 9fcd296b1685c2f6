import { pipeline, type Readable, type Transform } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import { NotUnderstood, UpstreamError } from '../errors.ts';
import type { HttpCall, Redact } from './call.ts';
import { sketchReply, sketchStart } from './redact.ts';
import { type Answer, transportError } from './transport.ts';

/** A body as it arrives. */
export interface Incoming {
  /** Decoded; iterating throws the fault. */
  readonly bytes: AsyncIterable<Uint8Array>;
  /** What broke the body off, once it has: the connection, the bound, the encoding. */
  fault(): UpstreamError | undefined;
}

const decoders: Readonly<Record<string, () => Transform>> = {
  gzip: createGunzip,
  'x-gzip': createGunzip,
  deflate: createInflate,
  br: createBrotliDecompress,
};

/** Undoes the content encoding of a body and bounds it. @param maxBytes decoded bytes; one more is a fault */
export function receive(call: HttpCall, answer: Answer, maxBytes: number, redact: Redact): Incoming {
  let fault: UpstreamError | undefined;

  async function* bytes(): AsyncGenerator<Uint8Array> {
    let count = 0;
    let start: Uint8Array = new Uint8Array();
    try {
      for await (const chunk of decoded(call, answer)) {
        if (count === 0) start = Buffer.from(chunk.subarray(0, sketchStart));
        count += chunk.length;
        if (count > maxBytes) throw new NotUnderstood(call, 'too large', sketchReply(start, count, redact));
        yield chunk;
      }
    } catch (error) {
      fault = bodyError(call, error, () => sketchReply(start, count, redact));
      throw fault;
    }
  }

  return { bytes: bytes(), fault: () => fault };
}

function decoded(call: HttpCall, { headers, body }: Answer): AsyncIterable<Uint8Array> {
  const encodings = (headers['content-encoding'] ?? '')
    .split(',')
    .map((encoding) => encoding.trim().toLowerCase())
    .filter((encoding) => encoding !== '' && encoding !== 'identity');
  return encodings.reduceRight<Readable>((stream, encoding) => {
    const create = decoders[encoding];
    if (!create) {
      const reply = { kind: 'unknown content encoding', bytes: 0, start: '' };
      throw new NotUnderstood(call, 'unknown content encoding', reply);
    }
    // Whoever iterates the decoder meets every error of the pipeline there.
    return pipeline(stream, create(), () => {});
  }, body);
}

function bodyError(call: HttpCall, error: unknown, sketch: () => NotUnderstood['reply']): UpstreamError {
  if (error instanceof UpstreamError) return error;
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  if (code === 'Z_BUF_ERROR') return new NotUnderstood(call, 'truncated', sketch());
  if (/^Z_|BROTLI|^ERR__/.test(code)) return new NotUnderstood(call, 'broken content encoding', sketch());
  return transportError(call, error, true);
}

/** The whole of a body, for replies that are small or are needed whole. */
export async function collect(body: AsyncIterable<Uint8Array>): Promise<Uint8Array<ArrayBuffer>> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of body) chunks.push(chunk);
  return Buffer.concat(chunks);
}
