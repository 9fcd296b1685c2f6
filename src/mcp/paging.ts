import { createPace } from '../clients/pace.ts';
import { Unfulfilled } from '../services/failures.ts';
import { cursorTo, type Place } from './offset-cursor.ts';
import { LONGEST_CONTENT } from './text-room.ts';

/** A part of a list, and how to go on. */
export interface Page<T> {
  readonly items: readonly T[];
  /** The items as they stand in the text, one line each. */
  readonly lines: readonly string[];
  /** Present when there is more. */
  readonly nextCursor?: string;
}

export interface PageRequest<T> {
  readonly items: readonly T[];
  /** What makes an item this item, so that a changed list is noticed. */
  readonly identify: (item: T) => string;
  readonly write: (item: T) => string;
  readonly limit: number;
  readonly place: Place;
  /** What was asked, without limit and cursor. */
  readonly query: unknown;
}

/** Tells what a list begins with, up to one place after the other. A list may be as long as a service makes it. */
async function createBeginnings(names: (at: number) => string) {
  const { createHash } = await import('node:crypto');
  const pace = createPace();
  const hash = createHash('sha256');
  let at = 0;
  return async (offset: number): Promise<string> => {
    for (; at < offset; at++) {
      hash.update(`${JSON.stringify(names(at))},`);
      if (pace.did(1)) await pace.rest();
    }
    return hash.copy().digest('hex').slice(0, 16);
  };
}

/**
 * Cuts a page out of a list that was fetched again. A cursor knows what came before it: where that changed upstream,
 * going on would lose or repeat entries, so it is refused.
 * @throws Unfulfilled for a list that has changed
 */
export async function takePage<T>(request: PageRequest<T>): Promise<Page<T>> {
  const { items, identify, write, limit, place, query } = request;
  const { offset: first, before } = place;
  const digestBefore = await createBeginnings((at) => identify(items[at] as T));
  if (first > items.length || (first > 0 && before !== (await digestBefore(first)))) {
    throw new Unfulfilled('failure.list_changed');
  }
  const lines: string[] = [];
  let characters = 0;
  for (const item of items.slice(first, first + limit)) {
    const line = write(item);
    characters += line.length + 1;
    if (characters > LONGEST_CONTENT && lines.length > 0) break;
    lines.push(line);
  }
  const next = first + lines.length;
  if (next >= items.length) return { items: items.slice(first), lines };
  const nextCursor = await cursorTo({ offset: next, before: await digestBefore(next) }, query);
  return { items: items.slice(first, next), lines, nextCursor };
}
