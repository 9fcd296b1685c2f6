import type { CallContext } from '../services/call-context.ts';
import { BadArguments } from '../services/failures.ts';

/** Days from `from` to `to`, both included. @throws BadArguments for a period that ends before it begins */
export function daysFrom(
  { from, to }: { from: string; to: string },
  { translator }: CallContext,
): { from: string; to: string } {
  if (from > to) throw new BadArguments([translator.say('argument.period_reversed', { from, to })]);
  return { from, to };
}
