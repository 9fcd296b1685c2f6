import { BadArguments } from '../arguments.ts';
import type { ToolContext } from '../definition.ts';

async function digest(query: unknown): Promise<string> {
  const { canonicalJson, sha256 } = await import('../../writes/canonical-json.ts');
  return sha256(canonicalJson(query)).slice(0, 16);
}

/** A cursor to an offset of the answer to a question; it works for that question only. */
export async function offsetCursor(offset: number, query: unknown): Promise<string> {
  return Buffer.from(JSON.stringify([offset, await digest(query)])).toString('base64url');
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
  if (isPartial) return offsetCursor(offset, query);
  return offset + shown < total ? offsetCursor(offset + shown, query) : undefined;
}

/** @throws BadArguments for a cursor of another question */
export async function readOffset(
  cursor: string | undefined,
  query: unknown,
  { translator }: ToolContext,
): Promise<number> {
  if (cursor === undefined) return 0;
  try {
    const [offset, ofQuery] = JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8'));
    if (Number.isSafeInteger(offset) && offset >= 0 && ofQuery === (await digest(query))) return offset;
  } catch (error) {
    if (!(error instanceof SyntaxError || error instanceof TypeError)) throw error;
  }
  const words = translator.say('argument.cursor');
  throw new BadArguments([translator.say('argument.problem', { argument: 'cursor', words })]);
}
