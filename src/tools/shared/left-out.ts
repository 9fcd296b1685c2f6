import type { LeftOut } from '../../archive/ask/question.ts';
import type { CallContext } from '../../company/call-context.ts';

/** Merges counts by reason. */
export function added(leftOut: readonly LeftOut[]): LeftOut[] {
  const counts = new Map<LeftOut['reason'], number>();
  for (const { reason, count } of leftOut) counts.set(reason, (counts.get(reason) ?? 0) + count);
  return [...counts].filter(([, count]) => count > 0).map(([reason, count]) => ({ reason, count }));
}

/** Describes left-out documents by reason. */
export function leftOutSentences(
  leftOut: readonly LeftOut[],
  { translator: { say } }: CallContext,
): string[] {
  const words = added(leftOut).map(({ reason, count }) => say(`left_out.${reason}`, { count }));
  return words.length === 0 ? [] : [say('analysis.left_out', { words: words.join(', ') })];
}
