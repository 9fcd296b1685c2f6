import { EncodingError, enoughToChooseEncoding } from '../../../documents/xml/encoding.ts';
import { XmlError } from '../../../documents/xml/xml.ts';
import { NotUnderstood } from '../../errors.ts';
import { createForms, type Forms } from './content.ts';
import { shownText } from './redaction.ts';
import type { ReplyBody } from './results.ts';
import { Unreadable } from './unreadable.ts';

/** Characters shown of a reply that was not understood. */
const SHOWN_START = 80;

/** A reply on its way through the decoder: what is to come, and what was seen of it. */
export interface Arrival {
  /** What is still to be read. */
  body: AsyncIterable<Uint8Array>;
  readonly contentType: string | undefined;
  readonly forms: Forms;
  /** Bytes at most, and characters of the text they unpack to. */
  readonly limit: number;
  /** Bytes received. */
  bytes: number;
  /** The first characters. */
  start: string;
  /** Where in the reply the decoder is, to begin the reason of an error with; e.g. `document 3: `. */
  place: string;
}

/** An error of who takes the documents: it passes the decoder unchanged, whatever it is. */
export class CallerError extends Error {
  override readonly name = 'CallerError';
}

function concat(chunks: readonly Uint8Array[]): Uint8Array {
  return chunks.length === 1 && chunks[0] !== undefined ? chunks[0] : Buffer.concat(chunks);
}

async function* replay(
  first: readonly Uint8Array[],
  rest: AsyncIterator<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  yield* first;
  for (let next = await rest.next(); next.done !== true; next = await rest.next()) yield next.value;
}

/** The first bytes of a body, enough to tell what they are, and the body with them put back. */
export async function peek(
  body: AsyncIterable<Uint8Array>,
): Promise<{ first: Uint8Array; body: AsyncIterable<Uint8Array> }> {
  const iterator = body[Symbol.asyncIterator]();
  const chunks: Uint8Array[] = [];
  let length = 0;
  while (length < enoughToChooseEncoding) {
    const next = await iterator.next();
    if (next.done === true) break;
    chunks.push(next.value);
    length += next.value.length;
  }
  return { first: concat(chunks), body: replay(chunks, iterator) };
}

/** A body that consists of these bytes. */
export async function* bodyOf(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}

/** All bytes of a body of at most `limit` bytes. */
export async function gather(body: AsyncIterable<Uint8Array>, limit: number): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of body) {
    length += chunk.length;
    if (length > limit) throw new Unreadable('too large');
    chunks.push(chunk);
  }
  return concat(chunks);
}

function reasonOf(error: unknown): string | undefined {
  if (error instanceof Unreadable) return error.reason;
  if (error instanceof XmlError)
    return error.reason === 'empty' ? 'truncated' : error.reason.replace('_', ' ');
  if (error instanceof EncodingError) return error.message;
  return undefined;
}

function kindOf({ forms, bytes, start }: Arrival): string {
  if (bytes === 0 || (start !== '' && start.trim() === '')) return 'empty';
  if (/<!doctype\s+html|<html[\s>]/i.test(start)) return 'html';
  if (start.startsWith('%PDF')) return 'pdf';
  return forms.kind ?? (start === '' ? 'binary' : 'text');
}

function upstreamError(error: unknown, reply: ReplyBody, arrival: Arrival): unknown {
  if (error instanceof CallerError) return error.cause;
  const reason = reasonOf(error);
  if (reason === undefined) return error;
  const kind = kindOf(arrival);
  const start = kind === 'html' || kind === 'pdf' ? '' : shownText(arrival.start, SHOWN_START);
  return new NotUnderstood(reply.call, arrival.place + reason, { kind, bytes: arrival.bytes, start });
}

/**
 * Reads a reply of at most `limit` bytes. The decoder's own errors become a `NotUnderstood` that shows what arrived;
 * errors of the connection and of the caller pass unchanged. Closes the body in any case.
 */
export async function decodeReply<T>(
  reply: ReplyBody,
  limit: number,
  read: (arrival: Arrival) => Promise<T>,
): Promise<T> {
  const source = reply.body[Symbol.asyncIterator]();

  async function* counted(): AsyncGenerator<Uint8Array> {
    for (let next = await source.next(); next.done !== true; next = await source.next()) {
      arrival.bytes += next.value.length;
      if (arrival.bytes > limit) throw new Unreadable('too large');
      yield next.value;
    }
  }

  const { contentType } = reply;
  const arrival: Arrival = {
    body: counted(),
    contentType,
    forms: createForms(),
    limit,
    bytes: 0,
    start: '',
    place: '',
  };
  try {
    return await read(arrival);
  } catch (error) {
    throw upstreamError(error, reply, arrival);
  } finally {
    await source.return?.();
  }
}
