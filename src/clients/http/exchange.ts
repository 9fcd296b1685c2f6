import type { Readable } from 'node:stream';
import { OutcomeUnknown, Refused, type UpstreamError } from '../errors.ts';
import { type Incoming, receive } from './body.ts';
import type { HttpCall, HttpReply, Redaction } from './call.ts';
import { readRefusal } from './refusal.ts';
import { abortable, type Lifetime } from './signals.ts';
import { type Answer, type Transport, transportError } from './transport.ts';

export type Reader<T> = (reply: HttpReply) => Promise<T>;

/** An attempt without a reply that `read` could consume. */
interface Failure {
  readonly done: false;
  readonly error: UpstreamError;
  /** Whether a byte of the request may have left this machine. */
  readonly mayHaveBeenSent: boolean;
}

export type Outcome<T> = { readonly done: true; readonly value: T } | Failure;

const defaultMaxBytes = 32 * 1024 * 1024;
/** Bytes of a refusal's body that are read for its message. */
const refusalBytes = 64 * 1024;

/** A request and its outcome, without its contents. */
export interface Exchanged {
  readonly operation: string;
  /** Undefined where no answer came. */
  readonly status: number | undefined;
  readonly ms: number;
}

/** What an exchange is made with. */
interface Exchange {
  readonly transport: Transport;
  readonly call: HttpCall;
  readonly lifetime: Lifetime;
  readonly redaction: Redaction;
  readonly onEnd?: ((exchanged: Exchanged) => void) | undefined;
}

/** One request and its reply. @throws what `read` throws, unless the connection or the call's end made it throw */
export async function exchange<T>(
  { transport, call, lifetime, redaction, onEnd }: Exchange,
  read: Reader<T>,
): Promise<Outcome<T>> {
  const began = performance.now();
  const { redact } = redaction;
  let mayHaveBeenSent = false;
  let answer: Answer | undefined;
  let incoming: Incoming | undefined;
  const failed = (error: UpstreamError): Failure => ({ done: false, error, mayHaveBeenSent });

  try {
    const sending = transport.send(call, lifetime.signal, () => {
      mayHaveBeenSent = true;
    });
    answer = await abortable(sending, lifetime.signal);
    if (!isReply(call, answer)) {
      // The status stands also when the call's life ends before the words that follow it.
      const { bytes } = receive(call, answer, Number.POSITIVE_INFINITY, redact);
      return failed(new Refused(call, readRefusal(call, answer, await startOf(bytes), redact)));
    }
    incoming = receive(call, answer, call.maxBytes ?? defaultMaxBytes, redact);
    const { status, headers } = answer;
    const reply = { call, status, headers, body: incoming.bytes, ...redaction };
    const value = await abortable(read(reply), lifetime.signal);
    // A reader that took a broken body for a whole one must not have the last word.
    const fault = incoming.fault();
    return fault ? failed(fault) : { done: true, value };
  } catch (error) {
    if (answer === undefined) {
      return failed(lifetime.ended() ?? transportError(call, error, mayHaveBeenSent));
    }
    const fault = lifetime.ended() ?? incoming?.fault();
    if (fault) return failed(fault);
    throw error;
  } finally {
    if (answer !== undefined) discard(answer.body);
    onEnd?.({ operation: call.operation, status: answer?.status, ms: performance.now() - began });
  }
}

const redirects: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);
/** A partial reply would pass for the whole. */
const partial = 206;

function isReply({ takesRedirects }: HttpCall, { status, headers }: Answer): boolean {
  if (status >= 200 && status < 300) return status !== partial;
  return takesRedirects === true && redirects.has(status) && headers.location !== undefined;
}

/** The first bytes of a body; those that arrived before a break are enough. */
async function startOf(bytes: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let count = 0;
  try {
    for await (const chunk of bytes) {
      chunks.push(chunk);
      count += chunk.length;
      if (count >= refusalBytes) break;
    }
  } catch {}
  return Buffer.concat(chunks).subarray(0, refusalBytes);
}

/** Closes the connection of a body that was not read to its end; one that was is kept for the next call. */
function discard(body: Readable): void {
  // Destroying an unread body emits an error.
  body.on('error', () => {});
  body.destroy();
}

/** Redirects that ask for the same request elsewhere, so that it was not performed here. The others may follow it. */
const notPerformed: ReadonlySet<number> = new Set([301, 307, 308]);

/** The error of a write that failed: an OutcomeUnknown unless it is sure that nothing was performed. */
export function failureOfWrite({ error, mayHaveBeenSent }: Failure): UpstreamError {
  const status = error instanceof Refused ? (error.refusal.status ?? 0) : 0;
  // From 500 on a status may come after the work was done.
  const isRefused = notPerformed.has(status) || (status >= 400 && status < 500 && status !== 408);
  return mayHaveBeenSent && !isRefused ? new OutcomeUnknown(error) : error;
}
