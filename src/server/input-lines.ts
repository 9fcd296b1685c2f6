import { Transform } from 'node:stream';
import { createTopLevelReader, type RequestId } from './top-level-id.ts';

/** Bytes of one line of input: as much as a message of ours may have. */
export const LONGEST_LINE = 8_000_000;

const LINE_FEED = 0x0a;

/**
 * Passes on lines of at most so many bytes, each whole. A longer one is let go as it comes, so that no more than a line
 * is ever held; at its end `tooLong` is told whose request it was, or undefined where it was none or can't be told.
 */
export function inputLines(longest: number, tooLong: (id: RequestId | undefined) => void): Transform {
  let held: Buffer[] = [];
  let length = 0;
  let passedOver: ReturnType<typeof createTopLevelReader> | undefined;

  const take = (part: Buffer): void => {
    length += part.length;
    if (passedOver !== undefined) passedOver.read(part);
    else if (length <= longest) held.push(part);
    else {
      passedOver = createTopLevelReader();
      for (const one of [...held, part]) passedOver.read(one);
      held = [];
    }
  };

  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      let from = 0;
      for (let at = chunk.indexOf(LINE_FEED); at !== -1; at = chunk.indexOf(LINE_FEED, from)) {
        take(chunk.subarray(from, at));
        if (passedOver === undefined) {
          this.push(Buffer.concat([...held, chunk.subarray(at, at + 1)]));
        } else tooLong(passedOver.requestId());
        held = [];
        length = 0;
        passedOver = undefined;
        from = at + 1;
      }
      // A copy: the chunk it stands in would be kept with it.
      if (from < chunk.length) take(Buffer.from(chunk.subarray(from)));
      done();
    },
  });
}
