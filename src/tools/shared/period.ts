import { addDays, type Period as Days, firstDay, lastDay, monthOf } from '../../archive/days.ts';
import type { WallClock } from '../../clients/documents/parameters.ts';
import type { CallContext } from '../../company/call-context.ts';
import { BadArguments } from '../../company/failures.ts';
import { dayInZone } from '../../documents/days.ts';

/** Words that stand for days in the place of dates; what they mean depends on today. */
export const periodWords = [
  'today',
  'yesterday',
  'this_month',
  'last_month',
  'last_7_days',
  'last_30_days',
  'this_quarter',
  'last_quarter',
  'this_year',
  'last_year',
] as const;

export type PeriodWord = (typeof periodWords)[number];

/** The word that a text is, with any blanks or dashes for its underscores. */
export function periodWordIn(text: string): PeriodWord | undefined {
  const word = text
    .trim()
    .toLowerCase()
    .replace(/[\s-]+/g, '_');
  return periodWords.find((one) => one === word);
}

/** `YYYY-MM` of a day's month, so many months earlier. */
function monthBefore(day: string, months: number): string {
  const [year = 0, month = 0] = monthOf(day).split('-').map(Number);
  return new Date(Date.UTC(year, month - 1 - months)).toISOString().slice(0, 7);
}

/** The days that a word means. What is under way ends today, so that an answer says up to when it reaches. */
export function daysOfWord(word: PeriodWord, today: string): Days {
  const lastYear = String(Number(today.slice(0, 4)) - 1);
  const monthOfQuarter = (Number(today.slice(5, 7)) - 1) % 3;
  const [before, quarter] = [monthBefore(today, 1), monthBefore(today, monthOfQuarter + 3)];
  const meanings: Readonly<Record<PeriodWord, () => Days>> = {
    today: () => ({ from: today, to: today }),
    yesterday: () => ({ from: addDays(today, -1), to: addDays(today, -1) }),
    this_month: () => ({ from: firstDay(monthOf(today)), to: today }),
    last_month: () => ({ from: firstDay(before), to: lastDay(before) }),
    last_7_days: () => ({ from: addDays(today, -6), to: today }),
    last_30_days: () => ({ from: addDays(today, -29), to: today }),
    this_quarter: () => ({ from: firstDay(monthBefore(today, monthOfQuarter)), to: today }),
    last_quarter: () => ({ from: firstDay(quarter), to: lastDay(monthBefore(today, monthOfQuarter + 1)) }),
    this_year: () => ({ from: `${today.slice(0, 4)}-01-01`, to: today }),
    last_year: () => ({ from: `${lastYear}-01-01`, to: `${lastYear}-12-31` }),
  };
  return meanings[word]();
}

/** One end of a period as a call names it: a day or a word as text, or a moment of a day. */
export type GivenMoment = WallClock | string;

interface Given<End> {
  readonly from: End;
  /** Not needed after a word. */
  readonly to?: End | undefined;
}

/** From one moment to another, on the wall clock of the service's zone. */
export interface Period {
  readonly from: WallClock;
  readonly to: WallClock;
}

/** As the service and answers have it: `YYYY-MM-DDTHH:mm:ss`. */
export function writeMoment({ date, time }: WallClock): string {
  return `${date}T${time}`;
}

function todayOf({ company: { now, settings } }: CallContext): string {
  return dayInZone(settings.timeZone, now());
}

const times = { from: '00:00:00', to: '23:59:59' } as const;

function momentOf(end: GivenMoment, side: keyof typeof times, today: string): WallClock {
  if (typeof end !== 'string') return end;
  const word = periodWordIn(end);
  return { date: word === undefined ? end : daysOfWord(word, today)[side], time: times[side] };
}

const isWord = (end: GivenMoment) => typeof end === 'string' && periodWordIn(end) !== undefined;

/** @throws BadArguments for a period that has no end, or that ends before it begins */
export function periodOf(given: Given<GivenMoment>, context: CallContext): Period {
  const { translator } = context;
  const end = given.to ?? (isWord(given.from) ? given.from : undefined);
  if (end === undefined) throw new BadArguments([translator.say('argument.missing', { argument: 'to' })]);
  const today = todayOf(context);
  const [from, to] = [momentOf(given.from, 'from', today), momentOf(end, 'to', today)];
  if (writeMoment(from) <= writeMoment(to)) return { from, to };
  const write = typeof given.from === 'string' ? ({ date }: WallClock) => date : writeMoment;
  const words = translator.say('argument.period_reversed', { from: write(from), to: write(to) });
  throw new BadArguments([words]);
}

/** The days of a period, both included. @throws BadArguments as `periodOf` does */
export function daysFrom(given: Given<string>, context: CallContext): Days {
  const { from, to } = periodOf(given, context);
  return { from: from.date, to: to.date };
}

/**
 * The days asked for; without an end they go to today in the configured zone, without a beginning they are so many.
 * @throws BadArguments for a period that ends before it begins
 */
export function recentDays({ from, to }: Partial<Given<string>>, count: number, context: CallContext): Days {
  const today = todayOf(context);
  if (from !== undefined) return daysFrom({ from, to: to ?? (isWord(from) ? from : today) }, context);
  const last = to === undefined ? today : daysFrom({ from: to, to }, context).to;
  return { from: addDays(last, 1 - count), to: last };
}
