import { flatten } from '../../../documents/plain.ts';
import { limits, requireWithin } from './limits.ts';

/** The text from the start of a tag or document that is not complete yet, and little more. */
export interface RecentText {
  /** Characters that were added in all. */
  readonly end: number;
  add(piece: string): void;
  /** A copy of what lies between two places, in characters from the start of the text; undefined where it is gone. */
  slice(from: number, to: number): string | undefined;
  /** What lies behind a place. */
  rest(from: number): string;
  /** Lets go of what lies before a place, or before the last tag begun where there is none. */
  forget(before: number | undefined): void;
}

/** Pieces are kept as they came: putting them together anew with each one would take time with the square of a text. */
export function createRecentText(): RecentText {
  let pieces: string[] = [];
  let start = 0;
  let end = 0;

  /** Where the last tag begins that may not be complete; the end where none is within reach. */
  function lastTag(): number {
    let at = end;
    for (let i = pieces.length - 1; i >= 0 && end - at <= limits.tag; i--) {
      const piece = pieces[i] ?? '';
      at -= piece.length;
      const tag = piece.lastIndexOf('<');
      if (tag !== -1) return end - (at + tag) <= limits.tag ? at + tag : end;
    }
    return end;
  }

  function slice(from: number, to: number): string | undefined {
    if (from < start) return undefined;
    const parts: string[] = [];
    let at = start;
    for (const piece of pieces) {
      const next = at + piece.length;
      if (next > from && at < to) parts.push(piece.slice(Math.max(0, from - at), to - at));
      at = next;
    }
    const [only = '', ...others] = parts;
    return others.length === 0 ? flatten(only) : parts.join('');
  }

  return {
    get end() {
      return end;
    },
    add(piece) {
      pieces.push(piece);
      end += piece.length;
    },
    slice,
    rest(from) {
      const last = pieces.at(-1) ?? '';
      const lastStart = end - last.length;
      return from >= lastStart ? last.slice(from - lastStart) : (slice(from, end) ?? '');
    },
    forget(before) {
      if (before !== undefined) requireWithin(end - before, limits.document);
      const kept = before ?? lastTag();
      let gone = 0;
      for (const piece of pieces) {
        if (start + piece.length > kept) break;
        start += piece.length;
        gone++;
      }
      if (gone > 0) pieces = pieces.slice(gone);
    },
  };
}
