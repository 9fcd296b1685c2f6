import type { CallContext } from '../services/call-context.ts';
import { BadArguments } from '../services/failures.ts';

async function digest(query: unknown): Promise<string> {
  const { canonicalJson, sha256 } = await import('../writes/canonical-json.ts');
  return sha256(canonicalJson(query)).slice(0, 16);
}

/** A place in the answer to a question. */
export interface Place {
  readonly offset: number;
  /** How long the answer was, where going on in another one would skip or repeat something. */
  readonly total?: number | undefined;
}

/** A cursor to a place in the answer to a question; it works for that question only. */
export async function cursorTo({ offset, total }: Place, query: unknown): Promise<string> {
  return Buffer.from(JSON.stringify([offset, await digest(query), total])).toString('base64url');
}

/** What was shown of an answer, and whether more of its basis is still to be fetched. */
export interface Shown {
  readonly offset: number;
  readonly shown: number;
  readonly total: number;
  readonly isPartial: boolean;
}

/** How the answer goes on: at the next page, or at the same one again while days are still to be fetched. */
export async function cursorAfter(
  { offset, shown, total, isPartial }: Shown,
  query: unknown,
): Promise<string | undefined> {
  if (isPartial) return cursorTo({ offset }, query);
  return offset + shown < total ? cursorTo({ offset: offset + shown }, query) : undefined;
}

/** @throws BadArguments for a cursor of another question */
export async function readPlace(
  cursor: string | undefined,
  query: unknown,
  { translator }: CallContext,
): Promise<Place> {
  if (cursor === undefined) return { offset: 0 };
  try {
    const [offset, ofQuery, total] = JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8'));
    if (Number.isSafeInteger(offset) && offset >= 0 && ofQuery === (await digest(query))) {
      return { offset, total: total ?? undefined };
    }
  } catch (error) {
    if (!(error instanceof SyntaxError || error instanceof TypeError)) throw error;
  }
  const words = translator.say('argument.cursor');
  throw new BadArguments([translator.say('argument.problem', { argument: 'cursor', words })]);
}

/** The offset alone, for answers that may change between pages. @throws BadArguments for a cursor of another question */
export async function readOffset(
  cursor: string | undefined,
  query: unknown,
  context: CallContext,
): Promise<number> {
  return (await readPlace(cursor, query, context)).offset;
}
