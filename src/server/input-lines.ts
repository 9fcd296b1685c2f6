import { Transform } from 'node:stream';
import { createElementCount, MOST_ELEMENTS } from './message-elements.ts';
import { createTopLevelReader, type RequestId, type TopLevelReader } from './top-level-id.ts';

/** Bytes of one line of input: as much as a message of ours may have. */
export const LONGEST_LINE = 8_000_000;

const LINE_FEED = 0x0a;

/** What is more of a line than anyone sends. */
export type Excess = 'bytes' | 'elements';

/**
 * Passes on lines of at most so many bytes and of at most `MOST_ELEMENTS`, each whole. Another is let go as it comes, so
 * that no more than a line is ever held; at its end `refused` is told what was too much and whose request it was, or
 * undefined where it was none or can't be told.
 */
export function inputLines(
  longest: number,
  refused: (excess: Excess, id: RequestId | undefined) => void,
): Transform {
  let held: Buffer[] = [];
  let length = 0;
  let elements = createElementCount();
  let passedOver: { readonly excess: Excess; readonly reader: TopLevelReader } | undefined;

  const take = (part: Buffer): void => {
    length += part.length;
    if (passedOver !== undefined) {
      passedOver.reader.read(part);
      return;
    }
    held.push(part);
    elements.read(part);
    if (length <= longest && elements.count() <= MOST_ELEMENTS) return;
    passedOver = { excess: length > longest ? 'bytes' : 'elements', reader: createTopLevelReader() };
    for (const one of held) passedOver.reader.read(one);
    held = [];
  };

  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      let from = 0;
      for (let at = chunk.indexOf(LINE_FEED); at !== -1; at = chunk.indexOf(LINE_FEED, from)) {
        take(chunk.subarray(from, at));
        if (passedOver === undefined) {
          this.push(Buffer.concat([...held, chunk.subarray(at, at + 1)]));
        } else refused(passedOver.excess, passedOver.reader.requestId());
        held = [];
        length = 0;
        elements = createElementCount();
        passedOver = undefined;
        from = at + 1;
      }
      // A copy: the chunk it stands in would be kept with it.
      if (from < chunk.length) take(Buffer.from(chunk.subarray(from)));
      done();
    },
  });
}
