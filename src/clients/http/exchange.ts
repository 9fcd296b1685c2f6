import type { Readable } from 'node:stream';
import { OutcomeUnknown, Refused, type UpstreamError } from '../errors.ts';
import { type Incoming, receive } from './body.ts';
import type { HttpCall, HttpReply, Redact } from './call.ts';
import { readRefusal } from './refusal.ts';
import { abortable, type Lifetime } from './signals.ts';
import { type Answer, type Transport, transportError } from './transport.ts';

export type Reader<T> = (reply: HttpReply) => Promise<T>;

/** An attempt that did not end in a reply that `read` could consume. */
export interface Failure {
  readonly done: false;
  readonly error: UpstreamError;
  /** Whether a byte of the request may have left this machine. */
  readonly mayHaveBeenSent: boolean;
}

export type Outcome<T> = { readonly done: true; readonly value: T } | Failure;

/** What an attempt works with. */
export interface CompanyOptions {
  readonly transport: Transport;
  readonly lifetime: Lifetime;
  readonly redact: Redact;
  readonly hide: Redact;
}

const defaultMaxBytes = 32 * 1024 * 1024;

/** Bytes of a refusal's body that are read for its message. */
const refusalBytes = 64 * 1024;

/**
 * One request and its reply.
 *
 * @throws what `read` itself throws, unless the connection or the end of the call's life made it throw.
 */
export async function exchange<T>(
  around: CompanyOptions,
  call: HttpCall,
  read: Reader<T>,
): Promise<Outcome<T>> {
  const { lifetime, transport } = around;
  let mayHaveBeenSent = false;
  const failed = (error: UpstreamError): Failure => ({ done: false, error, mayHaveBeenSent });

  let answer: Answer;
  try {
    const sending = transport.send(call, lifetime.signal, () => {
      mayHaveBeenSent = true;
    });
    answer = await abortable(sending, lifetime.signal);
  } catch (error) {
    return failed(lifetime.ended() ?? transportError(call, error, mayHaveBeenSent));
  }

  try {
    if (!isReply(call, answer)) return failed(await refusal(around, call, answer));
    const incoming = receive(call, answer, call.maxBytes ?? defaultMaxBytes, around.redact);
    return await consume(around, incoming, answer, read, failed);
  } finally {
    discard(answer.body);
  }
}

const redirects: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

/** A part of a reply, which nobody asked for: it would pass for the whole. */
const partial = 206;

function isReply({ takesRedirects }: HttpCall, { status, headers }: Answer): boolean {
  if (status >= 200 && status < 300) return status !== partial;
  return takesRedirects === true && redirects.has(status) && headers.location !== undefined;
}

async function consume<T>(
  { lifetime, redact, hide }: CompanyOptions,
  incoming: Incoming,
  answer: Answer,
  read: Reader<T>,
  failed: (error: UpstreamError) => Failure,
): Promise<Outcome<T>> {
  try {
    const reply = { status: answer.status, headers: answer.headers, body: incoming.bytes, redact, hide };
    const value = await abortable(read(reply), lifetime.signal);
    // A reader that took a broken body for a whole one must not have the last word.
    const fault = incoming.fault();
    return fault ? failed(fault) : { done: true, value };
  } catch (error) {
    const ownFault = lifetime.ended() ?? incoming.fault();
    if (ownFault) return failed(ownFault);
    throw error;
  }
}

/** The status stands also when the call's life ends before the words that follow it. */
async function refusal({ redact }: CompanyOptions, call: HttpCall, answer: Answer): Promise<Refused> {
  const { bytes } = receive(call, answer, Number.POSITIVE_INFINITY, redact);
  return new Refused(call, readRefusal(call, answer, await startOf(bytes), redact));
}

/** The first bytes of a body; what arrived before a break is enough, the status has said what matters. */
async function startOf(bytes: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let count = 0;
  try {
    for await (const chunk of bytes) {
      chunks.push(chunk);
      count += chunk.length;
      if (count >= refusalBytes) break;
    }
  } catch {
    return Buffer.concat(chunks);
  }
  return Buffer.concat(chunks).subarray(0, refusalBytes);
}

/** Closes the connection of a body that was not read to its end; one that was is kept for the next call. */
function discard(body: Readable): void {
  // Destroying an unread body reports an error that nobody waits for any more.
  body.on('error', () => {});
  body.destroy();
}

/** Redirects that ask for the same request elsewhere, so that it was not performed here. The others may follow it. */
const elsewhere: ReadonlySet<number> = new Set([301, 307, 308]);

/**
 * The error a write that failed ends with: what went wrong where it is sure that nothing was performed, else an
 * OutcomeUnknown around it. A status of 500 and above may come after the work was done.
 */
export function failureOfWrite(failure: Failure): UpstreamError {
  const { error, mayHaveBeenSent } = failure;
  return mayHaveBeenSent && !saysNotPerformed(error) ? new OutcomeUnknown(error) : error;
}

function saysNotPerformed(error: UpstreamError): boolean {
  if (!(error instanceof Refused)) return false;
  const status = error.refusal.status ?? 0;
  return elsewhere.has(status) || (status >= 400 && status < 500 && status !== 408);
}
