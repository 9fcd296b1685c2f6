import { InvalidQuestion } from './errors.ts';

/** A range of days, `YYYY-MM-DD`, inclusive. */
export interface Period {
  readonly from: string;
  readonly to: string;
}

const dayMilliseconds = 86_400_000;

const timeOf = (day: string): number => Date.parse(`${day}T00:00:00Z`);

const dayAt = (time: number): string => new Date(time).toISOString().slice(0, 10);

/** Whether a text is a calendar day, `YYYY-MM-DD`. */
export function isDay(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return false;
  const time = timeOf(text);
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(text);
}

/** Adds days, also negative ones. */
export const addDays = (day: string, days: number): string => dayAt(timeOf(day) + days * dayMilliseconds);

/** The earlier of two days or moments. */
export const earlier = (first: string, second: string): string => (first < second ? first : second);

/** The later of two days or moments. */
export const later = (first: string, second: string): string => (first > second ? first : second);

/** `YYYY-MM` of a day. */
export const monthOf = (day: string): string => day.slice(0, 7);

/** Adds months to `YYYY-MM`, also negative ones. */
export function addMonths(month: string, months: number): string {
  const [year = 0, number = 0] = month.split('-').map(Number);
  return new Date(Date.UTC(year, number - 1 + months)).toISOString().slice(0, 7);
}

/** The Monday of a day's week. */
export const weekOf = (day: string): string => addDays(day, -((new Date(timeOf(day)).getUTCDay() + 6) % 7));

/** The first day of a month `YYYY-MM`. */
export const firstDay = (month: string): string => `${month}-01`;

/** The last day of a month `YYYY-MM`. */
export function lastDay(month: string): string {
  const [year = 0, number = 0] = month.split('-').map(Number);
  return dayAt(Date.UTC(year, number, 0));
}

/** The months from one day's to the other's, `YYYY-MM`, none if `from` is later; undefined if more than so many. */
export function monthsBetween(from: string, to: string, most: number): string[] | undefined {
  const months: string[] = [];
  for (let month = monthOf(from); month <= monthOf(to); month = addMonths(month, 1)) {
    if (months.length === most) return undefined;
    months.push(month);
  }
  return months;
}

/** Distance of two periods. */
export type Shift = { readonly months: number } | { readonly days: number };

/** The period before: as many whole months before whole months, else as many days before. */
export function periodBefore({ from, to }: Period): Period & { readonly shift: Shift } {
  if (from === firstDay(monthOf(from)) && to === lastDay(monthOf(to))) {
    const number = (day: string) => Number(day.slice(0, 4)) * 12 + Number(day.slice(5, 7));
    const months = number(to) - number(from) + 1;
    return { from: firstDay(addMonths(monthOf(from), -months)), to: addDays(from, -1), shift: { months } };
  }
  const days = (timeOf(to) - timeOf(from)) / dayMilliseconds + 1;
  return { from: addDays(from, -days), to: addDays(from, -1), shift: { days } };
}

/** Days of a period in order. */
export function daysOf({ from, to }: Period): string[] {
  const days: string[] = [];
  for (let day = from; day <= to; day = addDays(day, 1)) days.push(day);
  return days;
}

/** Merges days into the fewest periods. */
export function periodsOf(days: readonly string[]): Period[] {
  const periods: { from: string; to: string }[] = [];
  for (const day of [...new Set(days)].sort()) {
    const last = periods.at(-1);
    if (last !== undefined && addDays(last.to, 1) === day) last.to = day;
    else periods.push({ from: day, to: day });
  }
  return periods;
}

/** @throws InvalidQuestion unless both are days and in order */
export function checkPeriod({ from, to }: Period): void {
  for (const day of [from, to]) if (!isDay(day)) throw new InvalidQuestion('day', day);
  if (from > to) throw new InvalidQuestion('period', `${from}..${to}`);
}
/**
 * Days younger than `days` are fetched again when their data is older than `olderThanMs`. Events come late: most
 * within days, returns and court-ordered cancellations within weeks, manifestations within ninety days. Source:
 * docs/fiscal/events.md.
 */
export interface RefreshRule {
  readonly days: number;
  readonly olderThanMs: number;
}

export interface Freshness {
  readonly now: Date;
  /** In any order; older days are fetched again on request only. */
  readonly rules: readonly RefreshRule[];
  readonly refresh?: boolean | undefined;
}

/** A day ends last in the west of Brazil, at UTC-5. */
const westernDelay = 5 * 3_600_000;
/** Bounds clock differences and the length of a call. */
const clockTolerance = 10 * 60_000;

/** The latest credible time, ISO 8601 in UTC; a later one is from a fast clock. */
export function latestBelievable(now: Date): string {
  return new Date(now.getTime() + clockTolerance).toISOString();
}

/** Whether a day's (`YYYY-MM-DD`) data is fresh. Data fetched before the day was over is never complete. */
export function isFresh(day: string, fetchedAt: string, { now, rules, refresh }: Freshness): boolean {
  if (fetchedAt > latestBelievable(now)) return false;
  const fetched = Date.parse(fetchedAt);
  const ended = Date.parse(day) + dayMilliseconds + westernDelay;
  const age = now.getTime() - fetched;
  if (refresh) return age <= 0;
  const limits = rules.filter(({ days }) => now.getTime() < ended + days * dayMilliseconds);
  const isYoungEnough = limits.every(({ olderThanMs }) => age < olderThanMs);
  return isYoungEnough && (fetched >= ended || limits.length > 0);
}
