import type { CallContext } from '../services/call-context.ts';

/**
 * What the view of a period needs beside the answer: the sentences it rests on, without the first, which says what was
 * asked, and what columns and their values are called. Undefined for clients that show no views.
 */
export async function periodView([, ...lines]: readonly string[], { hasViews }: CallContext) {
  if (!hasViews) return undefined;
  const { columnMessages } = await import('../messages/apart/views/columns.ts');
  return { lines, words: columnMessages };
}
