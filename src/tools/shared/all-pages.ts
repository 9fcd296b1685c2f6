import type { CallContext } from '../../company/call-context.ts';
import type { ReadTool } from './definition.ts';

/** All pages of another tool's answer. */
export interface AllPages<Row> {
  /** The first page, without its rows. */
  readonly first: Readonly<Record<string, unknown>>;
  readonly rows: readonly Row[];
  /** Its warnings. */
  readonly warnings: readonly string[];
  /** Whether fetching or reading is unfinished, so that the question must be repeated. */
  readonly isWaiting: boolean;
}

/** Rows of the first page, as a client may ask for; the others follow at once, as far as an answer holds them. */
const FIRST_PAGE = 200;

/** Offset in a cursor of this server; an unfinished page's cursor repeats the page. */
function offsetOf(cursor: string): number {
  return JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8'))[0];
}

/**
 * Calls a tool page by page as a client would, so that a file and an answer never differ.
 * @param list the answer's field with the rows
 * @throws what the tool throws
 */
export async function askAllPages<Row>(
  tool: ReadTool,
  args: Readonly<Record<string, unknown>>,
  list: string,
  context: CallContext,
): Promise<AllPages<Row>> {
  const rows: Row[] = [];
  const warnings: string[] = [];
  let first: Readonly<Record<string, unknown>> | undefined;
  let cursor: string | undefined;
  let offset = 0;
  for (;;) {
    const asked = { ...args, limit: FIRST_PAGE, ...(cursor !== undefined && { cursor }) };
    const page = tool.input().parse(asked);
    const limit = cursor === undefined ? FIRST_PAGE : Number.MAX_SAFE_INTEGER;
    const { structured, text } = await tool.run({ ...page, limit }, { ...context, hasViews: false });
    const answer = structured as Readonly<Record<string, unknown>>;
    const part = answer[list] as readonly Row[];
    rows.push(...part);
    if (first === undefined) warnings.push(...text.filter((line) => line.startsWith('⚠')));
    first ??= answer;
    cursor = answer.next_cursor as string | undefined;
    if (cursor === undefined) return { first, rows, warnings, isWaiting: false };
    const isSamePage = offsetOf(cursor) <= offset;
    offset = offsetOf(cursor);
    if (isSamePage || Date.now() > context.deadline.workBy) return { first, rows, warnings, isWaiting: true };
  }
}
