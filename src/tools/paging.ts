import { BadArguments } from './arguments.ts';
import type { ToolContext } from './definition.ts';

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
  /** What was asked, without limit and cursor: a cursor works only for the same question. */
  readonly query: unknown;
  readonly limit: number;
  readonly cursor: string | undefined;
}

/** Characters that a page's lines may take; the whole text of an answer stays under 50,000. */
const LONGEST_PAGE = 40_000;

interface Position {
  readonly offset: number;
  readonly query: string;
  /** Of everything before the offset. */
  readonly before: string;
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
 * Cuts a page out of a list that was fetched anew. A cursor knows what came before it: where that changed upstream,
 * going on would lose or repeat entries, so it is refused.
 * @throws BadArguments for a cursor of another question or of a list that has changed
 */
export async function takePage<T>(request: PageRequest<T>, { translator }: ToolContext): Promise<Page<T>> {
  const { items, identify, write, limit, cursor } = request;
  const { canonicalJson, sha256 } = await import('../writes/canonical-json.ts');
  const digest = (text: string) => sha256(text).slice(0, 16);
  const query = digest(canonicalJson(request.query));
  const digestBefore = (offset: number) => digest(items.slice(0, offset).map(identify).join('\n'));
  const start = cursor === undefined ? undefined : readCursor(cursor);
  if (cursor !== undefined && (start === undefined || start.query !== query)) {
    const words = translator.say('argument.cursor');
    throw new BadArguments([translator.say('argument.problem', { argument: 'cursor', words })]);
  }
  if (start !== undefined && (start.offset > items.length || start.before !== digestBefore(start.offset))) {
    const words = translator.say('argument.cursor_stale');
    throw new BadArguments([translator.say('argument.problem', { argument: 'cursor', words })]);
  }
  const first = start?.offset ?? 0;
  const lines: string[] = [];
  let characters = 0;
  for (const item of items.slice(first, first + limit)) {
    const line = write(item);
    characters += line.length + 1;
    if (characters > LONGEST_PAGE && lines.length > 0) break;
    lines.push(line);
  }
  const next = first + lines.length;
  return {
    items: items.slice(first, next),
    lines,
    ...(next < items.length && {
      nextCursor: Buffer.from(JSON.stringify([next, query, digestBefore(next)])).toString('base64url'),
    }),
  };
}
