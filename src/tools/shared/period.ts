import { addDays, addMonths, type Period as Days, firstDay, lastDay, monthOf } from '../../archive/days.ts';
import type { DocumentArea } from '../../archive/references.ts';
import type { WallClock } from '../../clients/documents/operations.ts';
import type { CallContext } from '../../company/call-context.ts';
import { BadArguments } from '../../company/failures.ts';
import { dayInZone } from '../../documents/days.ts';
import { TAXES_IN_PRICE_FROM } from '../../documents/rules/rule.ts';

/** Words for periods relative to today. */
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

const MONTH = /^\d{4}-(?:0[1-9]|1[0-2])$/;
const YEAR = /^20\d\d$/;

/** A day or a month as people write it, the day before the month, and what may follow. */
const DAY_FIRST = /^(?:(\d{1,2})[/.-])?(\d{1,2})[/.-](\d{4})(?![\d/.-])/;

/**
 * Writes a day as `YYYY-MM-DD` and a month as `YYYY-MM`, a time of the day after a `T`; other texts stay. `5/10/2026` is
 * in October. Nothing is checked.
 */
export function isoDay(text: string): string {
  const day = text
    .trim()
    .replace(DAY_FIRST, (_, ...[date, month, year]: (string | undefined)[]) =>
      [year, month, date].flatMap((part) => (part === undefined ? [] : [part.padStart(2, '0')])).join('-'),
    );
  return day.replace(/^(\d{4}-\d{2}-\d{2}) (?=\d)/, '$1T');
}

/** A year, a month (`YYYY-MM`, `MM/YYYY`) or a period word, with blanks or dashes for underscores. */
export function periodNameIn(text: string): string | undefined {
  const name = isoDay(text).toLowerCase();
  if (MONTH.test(name) || YEAR.test(name)) return name;
  const word = name.replace(/[\s-]+/g, '_');
  return periodWords.find((one) => one === word);
}

/** A whole month; the current one ends today. */
function daysOfMonth(month: string, today: string): Days {
  return { from: firstDay(month), to: month === monthOf(today) ? today : lastDay(month) };
}

/** Days of a year, month or period word; a current period ends today, so that the answer states how far it reaches. */
export function daysOfName(name: string, today: string): Days {
  if (MONTH.test(name)) return daysOfMonth(name, today);
  if (YEAR.test(name)) {
    return { from: `${name}-01-01`, to: today.startsWith(name) ? today : `${name}-12-31` };
  }
  const lastYear = String(Number(today.slice(0, 4)) - 1);
  const monthOfQuarter = (Number(today.slice(5, 7)) - 1) % 3;
  const month = monthOf(today);
  const [before, quarter] = [addMonths(month, -1), addMonths(month, -monthOfQuarter - 3)];
  const meanings: Readonly<Record<PeriodWord, () => Days>> = {
    today: () => ({ from: today, to: today }),
    yesterday: () => ({ from: addDays(today, -1), to: addDays(today, -1) }),
    this_month: () => ({ from: firstDay(month), to: today }),
    last_month: () => ({ from: firstDay(before), to: lastDay(before) }),
    last_7_days: () => ({ from: addDays(today, -6), to: today }),
    last_30_days: () => ({ from: addDays(today, -29), to: today }),
    this_quarter: () => ({ from: firstDay(addMonths(month, -monthOfQuarter)), to: today }),
    last_quarter: () => ({ from: firstDay(quarter), to: lastDay(addMonths(quarter, 2)) }),
    this_year: () => ({ from: `${today.slice(0, 4)}-01-01`, to: today }),
    last_year: () => ({ from: `${lastYear}-01-01`, to: `${lastYear}-12-31` }),
  };
  return meanings[name as PeriodWord]();
}

/** An end of a period as given: a moment, or a day, month or word. */
export type GivenMoment = WallClock | string;

interface Given<End> {
  readonly from: End;
  /** Optional after a word or month. */
  readonly to?: End | undefined;
}

/** A period in the service's local time. */
export interface Period {
  readonly from: WallClock;
  readonly to: WallClock;
}

/** `YYYY-MM-DDTHH:mm:ss`. */
export function writeMoment({ date, time }: WallClock): string {
  return `${date}T${time}`;
}

/** Today in the configured zone. */
export function todayOf({ company: { now, settings } }: CallContext): string {
  return dayInZone(settings.timeZone, now());
}

/** Warns of a period, in days or moments, that goes beyond today: its days to come are no empty days. */
export function daysToComeSentences(
  { from = '', to = '' }: { readonly from?: string | undefined; readonly to?: string | undefined },
  context: CallContext,
): string[] {
  const { say, day } = context.translator;
  const today = todayOf(context);
  if (to.slice(0, 10) <= today) return [];
  return [
    `⚠ ${say(from.slice(0, 10) > today ? 'analysis.not_begun' : 'analysis.days_to_come', { today: day(today) })}`,
  ];
}

/** Says that prices changed their meaning within the days of an answer, for goods. */
export function turnOfYearSentences(
  { area, from, to }: { readonly area: DocumentArea; readonly from: string; readonly to: string },
  { translator: { say } }: CallContext,
): string[] {
  const spansYears = from < TAXES_IN_PRICE_FROM && to >= TAXES_IN_PRICE_FROM;
  return area === 'nfe' && spansYears ? [say('analysis.turn_of_year')] : [];
}

const times = { from: '00:00:00', to: '23:59:59' } as const;

function momentOf(end: GivenMoment, side: keyof typeof times, today: string): WallClock {
  if (typeof end !== 'string') return end;
  const name = periodNameIn(end);
  return { date: name === undefined ? end : daysOfName(name, today)[side], time: times[side] };
}

const isNamed = (end: GivenMoment) => typeof end === 'string' && periodNameIn(end) !== undefined;

/** @throws BadArguments for a period without an end, or one that ends before it begins */
export function periodOf(given: Given<GivenMoment>, context: CallContext): Period {
  const { translator } = context;
  const end = given.to ?? (isNamed(given.from) ? given.from : undefined);
  if (end === undefined) throw new BadArguments([translator.say('argument.missing', { argument: 'to' })]);
  const today = todayOf(context);
  const [from, to] = [momentOf(given.from, 'from', today), momentOf(end, 'to', today)];
  if (writeMoment(from) <= writeMoment(to)) return { from, to };
  const write = typeof given.from === 'string' ? ({ date }: WallClock) => date : writeMoment;
  const words = translator.say('argument.period_reversed', { from: write(from), to: write(to) });
  throw new BadArguments([words]);
}

/** Days of a period, inclusive. @throws BadArguments as `periodOf` does */
export function daysFrom(given: Given<string>, context: CallContext): Days {
  const { from, to } = periodOf(given, context);
  return { from: from.date, to: to.date };
}

/**
 * The given days, by default the last `count` up to today. @throws BadArguments for a period that ends before it
 * begins
 */
export function recentDays({ from, to }: Partial<Given<string>>, count: number, context: CallContext): Days {
  const today = todayOf(context);
  if (from !== undefined) return daysFrom({ from, to: to ?? (isNamed(from) ? from : today) }, context);
  const last = to === undefined ? today : daysFrom({ from: to, to }, context).to;
  return { from: addDays(last, 1 - count), to: last };
}
