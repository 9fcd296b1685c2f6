import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Reply } from './reply.ts';

/** The first bytes of a body, and the rest where there is more. */
export interface Beginning {
  readonly bytes: Buffer;
  /** Undefined where the first bytes are the whole body. */
  readonly rest: Iterator<Buffer> | undefined;
}

const CHUNK_LENGTH = 65_536;

/** Pieces of text are put together, so that a body of many small ones is not sent in as many packets. */
function* chunksOf(pieces: Iterable<string>): Generator<Buffer> {
  let text = '';
  for (const piece of pieces) {
    text += piece;
    if (text.length < CHUNK_LENGTH) continue;
    yield Buffer.from(text);
    text = '';
  }
  yield Buffer.from(text);
}

/**
 * Makes no more of a body than it takes to have `wanted` bytes, or to know that there are fewer. Bytes that are there
 * already are given whole.
 */
export function beginningOf(body: Reply['body'], wanted: number): Beginning {
  if (Buffer.isBuffer(body)) return { bytes: body, rest: undefined };
  const rest = chunksOf(body);
  const made: Buffer[] = [];
  let length = 0;
  while (length <= wanted) {
    const { value, done } = rest.next();
    if (done) return { bytes: Buffer.concat(made), rest: undefined };
    made.push(value);
    length += value.length;
  }
  return { bytes: Buffer.concat(made), rest };
}

/** The rest of a body at the pace of whoever reads it; other requests have their turn between two chunks. */
export async function* paced({ bytes, rest }: Beginning): AsyncGenerator<Buffer> {
  yield bytes;
  for (let next = rest?.next(); next && !next.done; next = rest?.next()) {
    yield next.value;
    await nextTurn();
  }
}
