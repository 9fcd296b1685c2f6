import { flatten } from '../../../documents/summary/flatten.ts';
import { Unreadable } from './unreadable.ts';

/** Characters of a tag that stay within reach while it is incomplete. */
const TAG_REACH = 8 * 1024;

/** Remembers the text from the start of a tag or document that is not complete yet, and no more. */
export interface RecentText {
  readonly length: number;
  add(piece: string): void;
  /** A copy of what lies between two places, counted in characters from the start of the text. */
  slice(from: number, to: number): string;
  /** Lets go of all that lies before the last tag begun. */
  forget(): void;
}

export function createRecentText(): RecentText {
  let text = '';
  let start = 0;
  return {
    get length() {
      return text.length;
    },
    add(piece) {
      text += piece;
    },
    slice(from, to) {
      if (from < start) throw new Unreadable('too long a tag');
      return flatten(text.slice(from - start, to - start));
    },
    forget() {
      const tag = text.lastIndexOf('<');
      const kept = tag === -1 || text.length - tag > TAG_REACH ? '' : flatten(text.slice(tag));
      start += text.length - kept.length;
      text = kept;
    },
  };
}
