import { NotUnderstood } from '../../errors.ts';
import { sketchReply } from '../../http/redact.ts';
import { readParts } from '../decoding/layers.ts';
import { limitsOf, type Piece, Reading, reasonOf, type Takes, Unreadable } from '../decoding/reading.ts';
import type { ReplyKind } from '../operations.ts';
import { EnvelopeReader } from './envelope.ts';
import type { ReplyBody } from './results.ts';

/** Builds a result from a reply's pieces. */
export interface PieceReader<T, R> {
  /** Takes the next piece; returns an item that is passed on at once. */
  take(piece: Piece, isEnvelopes: boolean): T | undefined;
  /** The result, once the reply has been read to its end. */
  end(): R | Promise<R>;
}

type CreateReader<T, R> = (envelope: EnvelopeReader, reading: Reading) => PieceReader<T, R>;

/** Kinds whose reply may be just the address of a file. The reader of PDFs handles addresses itself. */
const mayBeUrl: ReadonlySet<ReplyKind> = new Set([
  'document',
  'documents',
  'service_document',
  'access_keys',
  'service_keys',
  'undocumented',
]);

/**
 * Reads a reply as it arrives and yields its reader's items.
 *
 * @throws NotUnderstood with the start of an unreadable reply; RepliedWithUrl; errors of the reader and the
 * connection
 */
export async function* decode<T, R>(
  reply: ReplyBody,
  kind: ReplyKind,
  takes: Takes,
  createReader: CreateReader<T, R>,
): AsyncGenerator<T, R> {
  const source = reply.body[Symbol.asyncIterator]();
  const reading = new Reading(limitsOf[kind], takes);
  const envelope = new EnvelopeReader(reply);
  const reader = createReader(envelope, reading);
  let bytes = 0;

  async function* counted(): AsyncGenerator<Uint8Array> {
    for (let next = await source.next(); next.done !== true; next = await source.next()) {
      bytes += next.value.length;
      yield next.value;
    }
  }

  function* given(): Generator<T> {
    for (const piece of reading.taken()) {
      const one = reader.take(piece, envelope.follow(piece));
      if (one !== undefined) yield one;
    }
  }

  try {
    try {
      for await (const _ of readParts(counted(), reply.headers['content-type'], reading)) yield* given();
    } catch (error) {
      // Take the pieces before the damage first.
      yield* given();
      throw error;
    }
    if (mayBeUrl.has(kind) && reading.url !== undefined) throw new RepliedWithUrl(reading.url);
    envelope.end();
    return await reader.end();
  } catch (error) {
    const reason = reasonOf(error);
    if (reason === undefined) throw error;
    const sketch = sketchReply(reading.start, bytes, reply.redact, reading.kind);
    const model = error instanceof Unreadable ? error.model : undefined;
    throw new NotUnderstood(reply.call, reason, sketch, model);
  } finally {
    await source.return?.();
  }
}

/** Reads a reply completely. @throws as `decode` does */
export async function decodeWhole<R>(
  reply: ReplyBody,
  kind: ReplyKind,
  takes: Takes,
  createReader: CreateReader<never, R>,
): Promise<R> {
  const result = await decode(reply, kind, takes, createReader).next();
  return result.value;
}

/** The reply is just the address of a file, which the caller fetches. */
export class RepliedWithUrl extends Error {
  override readonly name = 'RepliedWithUrl';
  readonly #url: string;

  constructor(url: string) {
    super('the reply is an address');
    this.#url = url;
  }

  /** A secret: it may carry a shared-access signature. Not a property, so that nothing logs it by chance. */
  get url(): string {
    return this.#url;
  }
}
