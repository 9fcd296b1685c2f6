import { NotUnderstood } from '../../errors.ts';
import { sketchReply } from '../../http/redact.ts';
import { readParts } from '../decoding/layers.ts';
import { limitsOf, type Piece, Reading, reasonOf, type Takes, Unreadable } from '../decoding/reading.ts';
import type { ReplyKind } from '../operations.ts';
import { EnvelopeReader } from './envelope.ts';
import type { ReplyBody } from './results.ts';

/** Kinds whose reply may be just the address of a file. The reader of PDFs handles addresses itself. */
const mayBeUrl: ReadonlySet<ReplyKind> = new Set([
  'document',
  'documents',
  'service_document',
  'access_keys',
  'service_keys',
  'undocumented',
]);

/** A reply that is being read. */
export type Decoded = ReturnType<typeof beginDecoding>;

/** Decodes a reply as it arrives. */
export function beginDecoding(reply: ReplyBody, kind: ReplyKind, takes: Takes) {
  const source = reply.body[Symbol.asyncIterator]();
  const reading = new Reading(limitsOf[kind], takes);
  const envelope = new EnvelopeReader(reply);
  let bytes = 0;

  async function* counted(): AsyncGenerator<Uint8Array> {
    for (let next = await source.next(); next.done !== true; next = await source.next()) {
      bytes += next.value.length;
      yield next.value;
    }
  }

  function* taken(): Generator<Piece> {
    for (const piece of reading.taken()) {
      envelope.follow(piece);
      yield piece;
    }
  }

  async function* pieces(): AsyncGenerator<Piece> {
    try {
      for await (const _ of readParts(counted(), reply.headers['content-type'], reading)) yield* taken();
    } catch (error) {
      // Take the pieces before the damage first.
      yield* taken();
      throw error;
    }
    if (mayBeUrl.has(kind) && reading.url !== undefined) throw new RepliedWithUrl(reading.url);
    envelope.end();
  }

  return {
    envelope,
    reading,
    /** The content in order; ends once the reply has been read to its end. */
    pieces: pieces(),
    /** NotUnderstood with the start of the reply for an error of the decoder or a reader; any other error itself. */
    failure(error: unknown): unknown {
      const reason = reasonOf(error);
      if (reason === undefined) return error;
      const sketch = sketchReply(reading.start, bytes, reply.redact, reading.kind);
      const model = error instanceof Unreadable ? error.model : undefined;
      return new NotUnderstood(reply.call, reason, sketch, model);
    },
    close: async () => void (await source.return?.()),
  };
}

/** Reads a reply completely. @throws NotUnderstood; RepliedWithUrl; errors of the reader and the connection */
export async function decodeWhole<R>(
  reply: ReplyBody,
  kind: ReplyKind,
  takes: Takes,
  read: (decoded: Decoded) => Promise<R>,
): Promise<R> {
  const decoded = beginDecoding(reply, kind, takes);
  try {
    return await read(decoded);
  } catch (error) {
    throw decoded.failure(error);
  } finally {
    await decoded.close();
  }
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
