import { Unfulfilled } from '../../company/failures.ts';
import { cursorTo, digestOf, type Place } from './offset-cursor.ts';
import { linesThatFit } from './text-room.ts';

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
  /** An item as a line of text. */
  readonly write: (item: T) => string;
  readonly limit: number;
  readonly place: Place;
  /** What was asked, without limit and cursor. */
  readonly query: unknown;
}

/**
 * Cuts a page out of a list that was fetched again. A cursor has a digest of everything before it: where that changed
 * upstream, going on would lose or repeat entries, so it is refused.
 * @throws Unfulfilled for a list that has changed
 */
export async function takePage<T>({ items, write, limit, place, query }: PageRequest<T>): Promise<Page<T>> {
  const { offset, before } = place;
  const digestBefore = (end: number) => digestOf(items.slice(0, end));
  if (offset > items.length || (offset > 0 && before !== (await digestBefore(offset)))) {
    throw new Unfulfilled('failure.list_changed');
  }
  const lines = linesThatFit([], items.slice(offset, offset + limit).map(write));
  const next = offset + lines.length;
  if (next >= items.length) return { items: items.slice(offset), lines };
  const nextCursor = await cursorTo({ offset: next, before: await digestBefore(next) }, query);
  return { items: items.slice(offset, next), lines, nextCursor };
}
