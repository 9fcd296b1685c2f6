import { addDays } from '../archive/days.ts';
import type { WallClock } from '../clients/tax-documents/wire-formats.ts';
import { dayInZone } from '../documents/day-in-zone.ts';
import type { CallContext } from '../services/call-context.ts';
import { BadArguments } from '../services/failures.ts';
import { daysOfWord, type PeriodWord, periodWordIn } from './period-words.ts';

/** Today in the configured zone. */
function todayOf({ services: { now, settings } }: CallContext): string {
  return dayInZone(settings.timeZone, now());
}

/** A period as a call names it: days or words; a word at its beginning needs no end. */
interface Given<End> {
  readonly from: End;
  readonly to?: End | undefined;
}

/** The end that a call gives, or that of the word it begins with. @throws BadArguments where there is neither */
function endOf<End>(
  { from, to }: Given<End>,
  isWord: (end: End) => boolean,
  { translator }: CallContext,
): End {
  if (to !== undefined) return to;
  if (isWord(from)) return from;
  throw new BadArguments([translator.say('argument.missing', { argument: 'to' })]);
}

function reversed(from: string, to: string, { translator }: CallContext): BadArguments {
  return new BadArguments([translator.say('argument.period_reversed', { from, to })]);
}

/**
 * Days from `from` to `to`, both included.
 * @throws BadArguments for a period that has no end, or that ends before it begins
 */
export function daysFrom(given: Given<string>, context: CallContext): { from: string; to: string } {
  const end = endOf(given, (day) => periodWordIn(day) !== undefined, context);
  const today = todayOf(context);
  const day = (text: string, side: 'from' | 'to') => {
    const word = periodWordIn(text);
    return word === undefined ? text : daysOfWord(word, today)[side];
  };
  const [from, to] = [day(given.from, 'from'), day(end, 'to')];
  if (from > to) throw reversed(from, to, context);
  return { from, to };
}

/**
 * The days asked for; without an end they go to today in the configured zone, without a beginning they are so many.
 * @throws BadArguments for a period that ends before it begins
 */
export function recentDays(
  { from, to }: { from?: string | undefined; to?: string | undefined },
  count: number,
  context: CallContext,
): { from: string; to: string } {
  const isWord = from !== undefined && periodWordIn(from) !== undefined;
  if (from !== undefined) return daysFrom({ from, to: to ?? (isWord ? from : todayOf(context)) }, context);
  const last = to === undefined ? todayOf(context) : daysFrom({ from: to, to }, context).to;
  return { from: addDays(last, 1 - count), to: last };
}

/** A moment as a call names it. */
export type GivenMoment = WallClock | PeriodWord;

/** From one moment to another, on the wall clock of the service's zone. */
export interface Period {
  readonly from: WallClock;
  readonly to: WallClock;
}

export function writeMoment({ date, time }: WallClock): string {
  return `${date}T${time}`;
}

/** @throws BadArguments for a period that has no end, or that ends before it begins */
export function periodOf(given: Given<GivenMoment>, context: CallContext): Period {
  const end = endOf(given, (moment) => typeof moment === 'string', context);
  const today = todayOf(context);
  const from =
    typeof given.from === 'string'
      ? { date: daysOfWord(given.from, today).from, time: '00:00:00' }
      : given.from;
  const to = typeof end === 'string' ? { date: daysOfWord(end, today).to, time: '23:59:59' } : end;
  const [first, last] = [writeMoment(from), writeMoment(to)];
  if (first > last) throw reversed(first, last, context);
  return { from, to };
}
