import { NotUnderstood } from '../../errors.ts';
import { sketchReply } from '../../http/sketch.ts';
import type { ReplyKind } from '../operations.ts';
import { createForms, type Forms, reasonOf } from '../pieces/forms.ts';
import { limitsOf } from '../pieces/limits.ts';
import type { Piece, Reading, Takes } from '../pieces/piece.ts';
import { piecesOf } from '../pieces/pieces.ts';
import { unlessElsewhere } from './elsewhere.ts';
import type { ReplyBody } from './results.ts';

/** A reply on its way through the decoder. */
export interface Arrival {
  /** What was read of each part of the reply, in order. To be iterated once and to its end. */
  readonly pieces: AsyncIterable<readonly Piece[]>;
  readonly forms: Forms;
}

/** Kinds whose answer may be in a file, of which the reply has the address. A PDF's reader gives the address itself. */
const mayBeElsewhere: ReadonlySet<ReplyKind> = new Set([
  'document',
  'documents',
  'service_document',
  'access_keys',
  'service_keys',
  'undocumented',
]);

/** The decoding of one reply. */
interface Decoding {
  readonly arrival: Arrival;
  /** The decoder's own errors become a `NotUnderstood` that shows what arrived; others pass unchanged. */
  explained(error: unknown): unknown;
  /** Closes the body. */
  close(): Promise<unknown>;
}

function begin(reply: ReplyBody, kind: ReplyKind, takes: Takes): Decoding {
  const source = reply.body[Symbol.asyncIterator]();
  const forms = createForms();
  const reading: Reading = {
    limits: limitsOf[kind],
    takes,
    forms,
    documents: 0,
    isInDocument: false,
    start: '',
  };
  let bytes = 0;

  async function* counted(): AsyncGenerator<Uint8Array> {
    for (let next = await source.next(); next.done !== true; next = await source.next()) {
      bytes += next.value.length;
      yield next.value;
    }
  }

  const pieces = piecesOf(counted(), reply.contentType, reading);
  return {
    arrival: { pieces: mayBeElsewhere.has(kind) ? unlessElsewhere(pieces) : pieces, forms },
    explained(error) {
      const reason = reasonOf(error);
      if (reason === undefined) return error;
      const sketch = sketchReply(reading.start, bytes, reply.redact, forms.kind);
      return new NotUnderstood(reply.call, reason, sketch);
    },
    close: async () => await source.return?.(),
  };
}

/**
 * Reads a reply as it arrives and hands on what `read` yields.
 *
 * @throws NotUnderstood for what the decoder can't read; what `read` and the connection throw
 */
export async function* decode<T, R>(
  reply: ReplyBody,
  kind: ReplyKind,
  takes: Takes,
  read: (arrival: Arrival) => AsyncGenerator<T, R>,
): AsyncGenerator<T, R> {
  const { arrival, explained, close } = begin(reply, kind, takes);
  try {
    return yield* read(arrival);
  } catch (error) {
    throw explained(error);
  } finally {
    await close();
  }
}

/** Reads a reply that is needed whole. @throws as `decode` does */
export async function decodeWhole<T>(
  reply: ReplyBody,
  kind: ReplyKind,
  takes: Takes,
  read: (arrival: Arrival) => Promise<T>,
): Promise<T> {
  const { arrival, explained, close } = begin(reply, kind, takes);
  try {
    return await read(arrival);
  } catch (error) {
    throw explained(error);
  } finally {
    await close();
  }
}
