import { pipeline, type Readable, type Transform } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import { NotUnderstood, OutcomeUnknown, Refused, UpstreamError } from '../errors.ts';
import { abortable, type HttpCall, type HttpReply, type Redact, type Redaction } from './call.ts';
import { sketchReply, sketchStart } from './redact.ts';
import { readRefusal } from './refusal.ts';
import { type Answer, type Transport, transportError } from './transport.ts';

export type Reader<T> = (reply: HttpReply) => Promise<T>;

/** A request and its outcome, without its contents. */
export interface Exchanged {
  readonly operation: string;
  /** Undefined without an answer. */
  readonly status: number | undefined;
  readonly ms: number;
}

interface Exchange {
  readonly transport: Transport;
  readonly call: HttpCall;
  /** Aborted when the call must end, with the call's error as its reason. */
  readonly signal: AbortSignal;
  readonly redaction: Redaction;
  readonly onEnd?: ((exchanged: Exchanged) => void) | undefined;
}

const defaultMaxBytes = 32 * 1024 * 1024;
/** Bytes of a refusal's body that are read for its message. */
const refusalBytes = 64 * 1024;
const redirects: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);
/** Partial content must not pass for the whole reply. */
const partial = 206;

/**
 * One request and its reply: the reader's value, or why there was no reply that it could read.
 *
 * @throws errors of `read`, unless caused by the connection or the call's end
 */
export async function exchange<T>(
  { transport, call, signal, redaction, onEnd }: Exchange,
  read: Reader<T>,
): Promise<{ readonly value: T } | { readonly error: UpstreamError }> {
  const began = performance.now();
  let mayHaveBeenSent = false;
  let answer: Answer | undefined;
  let incoming: Incoming | undefined;
  const failed = (error: UpstreamError) => ({
    error: call.kind === 'write' && mayHaveBeenSent ? failureOfWrite(error) : error,
  });

  try {
    const sending = transport.send(call, signal, () => {
      mayHaveBeenSent = true;
    });
    answer = await abortable(sending, signal);
    const { status, headers } = answer;
    const isRedirect =
      call.takesRedirects === true && redirects.has(status) && headers.location !== undefined;
    if (!isRedirect && (status < 200 || status > 299 || status === partial)) {
      // The status counts even if the call ends before the body arrives.
      const start = await startOf(call, answer);
      return failed(new Refused(call, readRefusal(call, answer, start, redaction.redact)));
    }
    incoming = receive(call, answer, redaction.redact);
    const reply = { call, status, headers, body: incoming.bytes, ...redaction };
    const value = await abortable(read(reply), signal);
    // The reader may have taken a broken body for a complete one.
    const fault = incoming.fault();
    return fault ? failed(fault) : { value };
  } catch (error) {
    if (answer === undefined) return failed(signal.reason ?? transportError(call, error, mayHaveBeenSent));
    const fault: UpstreamError | undefined = signal.reason ?? incoming?.fault();
    if (fault) return failed(fault);
    throw error;
  } finally {
    // Destroying an unread body emits an error; a connection that was read to its end is kept for the next call.
    answer?.body.on('error', () => {}).destroy();
    onEnd?.({ operation: call.operation, status: answer?.status, ms: performance.now() - began });
  }
}

/** The first bytes of a body, decoded; those that arrived before a break are enough. */
async function startOf(call: HttpCall, answer: Answer): Promise<Uint8Array> {
  let start = Buffer.alloc(0);
  try {
    for await (const chunk of decoded(call, answer)) {
      start = Buffer.concat([start, chunk]);
      if (start.length >= refusalBytes) break;
    }
  } catch {}
  return start.subarray(0, refusalBytes);
}

/** Reads a whole body, for replies that are small or needed whole. */
export async function collect(body: AsyncIterable<Uint8Array>): Promise<Uint8Array<ArrayBuffer>> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of body) chunks.push(chunk);
  return Buffer.concat(chunks);
}

/** Redirects that ask for the same request elsewhere: it was not performed. Others may follow a performed one. */
const notPerformed: ReadonlySet<number> = new Set([301, 307, 308]);

/** Error of a write that may have been sent: OutcomeUnknown unless certainly nothing was performed. */
function failureOfWrite(error: UpstreamError): UpstreamError {
  const status = error instanceof Refused ? (error.refusal.status ?? 0) : 0;
  // From 500 on a status may come after the work was done.
  const isRefused = notPerformed.has(status) || (status >= 400 && status < 500 && status !== 408);
  return isRefused ? error : new OutcomeUnknown(error);
}

interface Incoming {
  /** Decoded; iterating throws the fault. */
  readonly bytes: AsyncIterable<Uint8Array>;
  /** Why the body broke off, if it did: the connection, the limit, the encoding. */
  fault(): UpstreamError | undefined;
}

const decoders: Readonly<Record<string, () => Transform>> = {
  gzip: createGunzip,
  'x-gzip': createGunzip,
  deflate: createInflate,
  br: createBrotliDecompress,
};

/** Decodes a body's content encoding and limits its size, decoded. */
function receive(call: HttpCall, answer: Answer, redact: Redact): Incoming {
  const { maxBytes = defaultMaxBytes } = call;
  let fault: UpstreamError | undefined;

  async function* bytes(): AsyncGenerator<Uint8Array> {
    let count = 0;
    let start: Uint8Array = new Uint8Array();
    const problem = (reason: string) => new NotUnderstood(call, reason, sketchReply(start, count, redact));
    try {
      for await (const chunk of decoded(call, answer)) {
        if (count === 0) start = Buffer.from(chunk.subarray(0, sketchStart));
        count += chunk.length;
        if (count > maxBytes) throw problem('too large');
        yield chunk;
      }
    } catch (error) {
      const code = error instanceof Error && 'code' in error ? String(error.code) : '';
      if (error instanceof UpstreamError) fault = error;
      else if (code === 'Z_BUF_ERROR') fault = problem('truncated');
      else if (/^Z_|BROTLI|^ERR__/.test(code)) fault = problem('broken content encoding');
      else fault = transportError(call, error, true);
      throw fault;
    }
  }

  return { bytes: bytes(), fault: () => fault };
}

function decoded(call: HttpCall, { headers, body }: Answer): AsyncIterable<Uint8Array> {
  const encodings = (headers['content-encoding'] ?? '').toLowerCase().match(/[^\s,]+/g) ?? [];
  return encodings.reduceRight<Readable>((stream, encoding) => {
    const create = decoders[encoding];
    // Iterating the decoder throws every error of the pipeline.
    if (create !== undefined) return pipeline(stream, create(), () => {});
    if (encoding === 'identity') return stream;
    const reason = 'unknown content encoding';
    throw new NotUnderstood(call, reason, { kind: reason, bytes: 0, start: '' });
  }, body);
}
