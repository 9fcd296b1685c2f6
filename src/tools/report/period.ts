import { firstDay, monthOf, type Period } from '../../archive/days.ts';
import type { CallContext } from '../../company/call-context.ts';
import type { Translator } from '../../messages/index.ts';
import { todayOf } from '../shared/period.ts';

/** The period of a report. */
export interface ReportPeriod extends Period {
  readonly isUnderWay: boolean;
  /** `YYYY-MM-DD`, where the company is. */
  readonly today: string;
}

/** Today counts as under way: its documents are still coming. */
export function reportPeriod({ from, to }: Period, context: CallContext): ReportPeriod {
  const today = todayOf(context);
  return { from, to, today, isUnderWay: to >= today };
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
