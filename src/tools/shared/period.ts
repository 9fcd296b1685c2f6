import type { DocumentArea } from '../../archive/references.ts';
import type { CallContext } from '../../company/call-context.ts';
import { BadArguments } from '../../company/failures.ts';
import {
  addDays,
  addMonths,
  dayInZone,
  daysBetween,
  daysWith,
  firstDay,
  lastDay,
  monthOf,
  type Period,
  wholeDays,
} from '../../documents/days.ts';
import { TAXES_IN_PRICE_FROM } from '../../documents/rules/rule.ts';
import { missing } from './arguments.ts';

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

export const MONTH = /^\d{4}-(?:0[1-9]|1[0-2])$/;
const YEAR = /^20\d\d$/;

/** A day or month in Brazilian order (`5/10/2026`, `10/2026`), possibly followed by a time. */
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

/** Days of a year, month or period word; a current period ends today, so that the answer states how far it reaches. */
export function daysOfName(name: string, today: string): Period {
  const month = monthOf(today);
  const year = today.slice(0, 4);
  if (MONTH.test(name)) return { from: firstDay(name), to: name === month ? today : lastDay(name) };
  if (YEAR.test(name)) return { from: `${name}-01-01`, to: name === year ? today : `${name}-12-31` };
  const before = addMonths(month, -1);
  const quarter = addMonths(month, -((Number(today.slice(5, 7)) - 1) % 3));
  const lastYear = Number(year) - 1;
  const meanings: Readonly<Record<(typeof periodWords)[number], readonly [from: string, to: string]>> = {
    today: [today, today],
    yesterday: [addDays(today, -1), addDays(today, -1)],
    this_month: [firstDay(month), today],
    last_month: [firstDay(before), lastDay(before)],
    last_7_days: [addDays(today, -6), today],
    last_30_days: [addDays(today, -29), today],
    this_quarter: [firstDay(quarter), today],
    last_quarter: [firstDay(addMonths(quarter, -3)), lastDay(addMonths(quarter, -1))],
    this_year: [`${year}-01-01`, today],
    last_year: [`${lastYear}-01-01`, `${lastYear}-12-31`],
  };
  const [from, to] = meanings[name as keyof typeof meanings];
  return { from, to };
}

/** Ends of a period as given: a day, a moment (`YYYY-MM-DDTHH:mm:ss`), or a month, year or word. */
interface Given {
  readonly from: string;
  /** Optional after a month, year or word. */
  readonly to?: string | undefined;
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

/** First and last moment of a given end. */
function spanOf(end: string, today: string): Period {
  if (end.includes('T')) return { from: end, to: end };
  return wholeDays(periodNameIn(end) === undefined ? { from: end, to: end } : daysOfName(end, today));
}

/** Bounds the work: periods are processed day by day. */
const MOST_YEARS = 100;

/**
 * A period in moments of the service's zone.
 * @throws BadArguments for a period without an end, one that ends before it begins, or one of more than a century
 */
export function periodOf({ from: begin, to }: Given, context: CallContext): Period {
  const end = to ?? (periodNameIn(begin) === undefined ? undefined : begin);
  if (end === undefined) throw missing('to', context);
  const today = todayOf(context);
  const { from } = spanOf(begin, today);
  const period = { from, to: spanOf(end, today).to };
  const isInOrder = from <= period.to;
  const days = daysWith(period);
  if (isInOrder && daysBetween(days.from, days.to) < MOST_YEARS * 365.25) return period;
  const { say } = context.translator;
  const { from: least, to: most } = begin.includes('T') ? period : days;
  throw new BadArguments([
    isInOrder
      ? say('argument.period_too_long', { from: least, to: most, years: MOST_YEARS })
      : say('argument.reversed', { first: 'from', least, last: 'to', most }),
  ]);
}

/** Days of a period, inclusive. @throws BadArguments as `periodOf` does */
export function daysFrom(given: Given, context: CallContext): Period {
  return daysWith(periodOf(given, context));
}

/** The given days, by default the last `count` up to today. @throws BadArguments as `periodOf` does */
export function recentDays({ from, to }: Partial<Given>, count: number, context: CallContext): Period {
  const today = todayOf(context);
  if (from !== undefined)
    return daysFrom({ from, to: to ?? (periodNameIn(from) === undefined ? today : from) }, context);
  const last = to === undefined ? today : daysFrom({ from: to, to }, context).to;
  return { from: addDays(last, 1 - count), to: last };
}
