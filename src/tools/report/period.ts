import { addDays, firstDay, lastDay, monthOf, monthsBetween, type Period } from '../../archive/days.ts';
import type { CallContext } from '../../company/call-context.ts';
import { dayInZone } from '../../documents/days.ts';
import type { Translator } from '../../messages/index.ts';

/** Months of one report at most, when it comes to comparing it with as many before. */
const MOST_MONTHS = 24;

/** The period of a report, and what it may be compared with. */
export interface ReportPeriod extends Period {
  readonly isUnderWay: boolean;
  /** As many whole months before; undefined for other periods and for one that is not over. */
  readonly before: Period | undefined;
}

/** Today counts as under way: its documents are still coming. */
export function reportPeriod({ from, to }: Period, { company }: CallContext): ReportPeriod {
  const isUnderWay = to >= dayInZone(company.settings.timeZone, company.now());
  const isWhole = from === firstDay(monthOf(from)) && to === lastDay(monthOf(to));
  const months = monthsBetween(monthOf(from), monthOf(to), MOST_MONTHS);
  if (isUnderWay || !isWhole || months === undefined) return { from, to, isUnderWay, before: undefined };
  const end = addDays(from, -1);
  let first = monthOf(end);
  for (let left = months.length - 1; left > 0; left--) first = monthOf(addDays(firstDay(first), -1));
  return { from, to, isUnderWay, before: { from: firstDay(first), to: end } };
}

/** A single month, whole or up to today, by its name; undefined for other periods. */
export function monthName(
  { from, to }: Period,
  { language }: Translator,
  withYear = true,
): string | undefined {
  if (from !== firstDay(monthOf(from)) || monthOf(from) !== monthOf(to)) return undefined;
  const options: Intl.DateTimeFormatOptions = { month: 'long', timeZone: 'UTC' };
  if (withYear) options.year = 'numeric';
  return new Intl.DateTimeFormat(language, options).format(new Date(`${from}T00:00:00Z`));
}
