import type { CallContext } from '../../company/call-context.ts';
import type { ReadTool } from './definition.ts';

/** What another tool answers, all its pages together. */
export interface AllPages<Row> {
  /** The first page's other fields. */
  readonly first: Readonly<Record<string, unknown>>;
  readonly rows: readonly Row[];
  /** Its sentences that warn. */
  readonly warnings: readonly string[];
  /** Whether it is still fetching or reading, so that the same question must be asked again. */
  readonly isWaiting: boolean;
}

const LARGEST_PAGE = 200;

/** Where a cursor of this server goes on; that of a page whose question is still being worked on is its own beginning. */
function offsetOf(cursor: string): number {
  return JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8'))[0];
}

/**
 * Asks what a call from outside would ask, page by page, so that a file never says anything else.
 * @param list the field of the answer that holds its rows
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
  for (;;) {
    const page = tool
      .input()
      .parse({ ...args, limit: LARGEST_PAGE, ...(cursor !== undefined && { cursor }) });
    const { structured, text } = await tool.run(page, { ...context, hasViews: false });
    const answer = structured as Readonly<Record<string, unknown>>;
    const part = answer[list] as readonly Row[];
    rows.push(...part);
    if (first === undefined) warnings.push(...text.filter((line) => line.startsWith('⚠')));
    first ??= answer;
    cursor = answer.next_cursor as string | undefined;
    if (cursor === undefined) return { first, rows, warnings, isWaiting: false };
    const isSamePage = offsetOf(cursor) < rows.length || part.length === 0;
    if (isSamePage || Date.now() > context.deadline.workBy) return { first, rows, warnings, isWaiting: true };
  }
}
