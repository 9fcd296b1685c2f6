import { promisify } from 'node:util';
import { deflateRaw, inflateRawSync } from 'node:zlib';

const deflateBeside = promisify(deflateRaw);

/** What was deflated together, and where each begins and ends when inflated. */
interface Box {
  readonly deflated: Uint8Array;
  readonly ends: readonly number[];
}

/** The box that was looked into last: who looks into one goes from text to text. */
let opened: { readonly box: Box; readonly bytes: Buffer } | undefined;

function opening(box: Box): Buffer {
  if (opened?.box !== box) {
    // In one piece; without room to spare it would look for more.
    const chunkSize = (box.ends.at(-1) ?? 0) + 64;
    opened = { box, bytes: inflateRawSync(box.deflated, { chunkSize }) };
  }
  return opened.bytes;
}

/** A text that is kept with others. */
export class BoxedText {
  readonly #box: Box;
  readonly #place: number;

  constructor(box: Box, place: number) {
    this.#box = box;
    this.#place = place;
  }

  /** In UTF-8. */
  bytes(): Buffer {
    const { ends } = this.#box;
    return opening(this.#box).subarray(ends[this.#place - 1] ?? 0, ends[this.#place]);
  }
}

/**
 * Puts texts away in as little room as they take, deflated together and by another thread: one by one, and by the one
 * that reads, that would take a fifth of the time that it takes to read the documents they are made of.
 */
export async function boxUp(texts: readonly string[]): Promise<BoxedText[]> {
  const parts = texts.map((text) => Buffer.from(text));
  let end = 0;
  const ends = parts.map(({ length }) => {
    end += length;
    return end;
  });
  const deflated = await deflateBeside(Buffer.concat(parts), { level: 1 });
  // A copy: what zlib gives may be a view of a larger buffer, which it would keep alive.
  const box = { deflated: new Uint8Array(deflated), ends };
  return texts.map((_, place) => new BoxedText(box, place));
}
