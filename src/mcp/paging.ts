import type { CallContext } from '../services/call-context.ts';
import { BadArguments, Unfulfilled } from '../services/failures.ts';
import { LONGEST_CONTENT } from './text-room.ts';

/** A part of a list, and how to go on. */
export interface Page<T> {
  readonly items: readonly T[];
  /** The items as they stand in the text, one line each. */
  readonly lines: readonly string[];
  /** Present when there is more. */
  readonly nextCursor?: string;
}

/** Where a page begins, and of which question. */
export interface Position {
  readonly offset: number;
  /** Digest of the question. */
  readonly query: string;
  /** Digest of everything before the offset, as it was then. */
  readonly before: string;
}

export interface PageRequest<T> {
  readonly items: readonly T[];
  /** What makes an item this item, so that a changed list is noticed. */
  readonly identify: (item: T) => string;
  readonly write: (item: T) => string;
  readonly limit: number;
  readonly position: Position;
}

async function digest(text: string): Promise<string> {
  const { sha256 } = await import('../writes/canonical-json.ts');
  return sha256(text).slice(0, 16);
}

function readCursor(cursor: string): Position | undefined {
  try {
    const [offset, query, before] = JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8'));
    const isWhole = Number.isSafeInteger(offset) && offset >= 0;
    return isWhole && typeof query === 'string' && typeof before === 'string'
      ? { offset, query, before }
      : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Where a listing goes on, read before anything is asked upstream.
 *
 * @param query what was asked, without limit and cursor: a cursor works only for the same question
 * @throws BadArguments for a cursor of another question
 */
export async function positionOf(
  cursor: string | undefined,
  query: unknown,
  { translator }: CallContext,
): Promise<Position> {
  const { canonicalJson } = await import('../writes/canonical-json.ts');
  const asked = await digest(canonicalJson(query));
  if (cursor === undefined) return { offset: 0, query: asked, before: await digest('') };
  const position = readCursor(cursor);
  if (position?.query === asked) return position;
  const words = translator.say('argument.cursor');
  throw new BadArguments([translator.say('argument.problem', { argument: 'cursor', words })]);
}

/**
 * Cuts a page out of a list that was fetched again. A position knows what came before it: where that changed upstream,
 * going on would lose or repeat entries, so it is refused.
 * @throws Unfulfilled for a list that has changed
 */
export async function takePage<T>({
  items,
  identify,
  write,
  limit,
  position,
}: PageRequest<T>): Promise<Page<T>> {
  const { offset: first, query, before } = position;
  const digestBefore = (offset: number) => digest(items.slice(0, offset).map(identify).join('\n'));
  if (first > items.length || before !== (await digestBefore(first))) {
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
  const cursor = JSON.stringify([next, query, await digestBefore(next)]);
  return { items: items.slice(first, next), lines, nextCursor: Buffer.from(cursor).toString('base64url') };
}
