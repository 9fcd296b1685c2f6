import { addDays } from '../archive/days.ts';
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

/**
 * The days asked for; without an end they go to today in the configured zone, without a beginning they are so many.
 * @throws BadArguments for a period that ends before it begins
 */
export function recentDays(
  given: { from?: string | undefined; to?: string | undefined },
  count: number,
  context: CallContext,
): { from: string; to: string } {
  const { now, settings } = context.services;
  const format = new Intl.DateTimeFormat('en-CA', { timeZone: settings.timeZone, dateStyle: 'short' });
  const to = given.to ?? format.format(now());
  return daysFrom({ from: given.from ?? addDays(to, 1 - count), to }, context);
}
