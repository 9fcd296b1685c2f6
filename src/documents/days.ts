/** Creating a format takes a hundred times as long as using it. */
const formats = new Map<string, Intl.DateTimeFormat>();

/** The day (`YYYY-MM-DD`) of a moment in a zone given by its IANA name. */
export function dayInZone(timeZone: string, moment: Date | number): string {
  const format = formats.get(timeZone) ?? new Intl.DateTimeFormat('en-CA', { timeZone, dateStyle: 'short' });
  formats.set(timeZone, format);
  return format.format(moment);
}

/** A range of days, `YYYY-MM-DD`, inclusive. */
export interface Period {
  readonly from: string;
  readonly to: string;
}

/** Start of the first and end of the last day, `YYYY-MM-DDTHH:mm:ss`. */
export const wholeDays = ({ from, to }: Period): Period => ({
  from: `${from}T00:00:00`,
  to: `${to}T23:59:59`,
});

/** Days that a period of moments overlaps. */
export const daysWith = ({ from, to }: Period): Period => ({ from: from.slice(0, 10), to: to.slice(0, 10) });

const dayMilliseconds = 86_400_000;

const timeOf = (day: string): number => Date.parse(`${day}T00:00:00Z`);

const dayAt = (time: number): string => new Date(time).toISOString().slice(0, 10);

/** True for a calendar day, `YYYY-MM-DD`, of year 1 or later. */
export function isDay(text: string): boolean {
  if (!/^(?!0000)\d{4}-\d{2}-\d{2}$/.test(text)) return false;
  const time = timeOf(text);
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(text);
}

/** Adds days; accepts negative numbers. */
export const addDays = (day: string, days: number): string => dayAt(timeOf(day) + days * dayMilliseconds);

/** The earlier of two days or moments. */
export const earlier = (first: string, second: string): string => (first < second ? first : second);

/** The later of two days or moments. */
export const later = (first: string, second: string): string => (first > second ? first : second);

/** `YYYY-MM` of a day. */
export const monthOf = (day: string): string => day.slice(0, 7);

/** Adds months to `YYYY-MM`; accepts negative numbers. */
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

/** Months from one day's to another's, `YYYY-MM`; empty if `from` is later, undefined above the limit `most`. */
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

/** The preceding period of equal length: whole months before whole months, else days. */
export function periodBefore({ from, to }: Period): Period & { readonly shift: Shift } {
  if (from === firstDay(monthOf(from)) && to === lastDay(monthOf(to))) {
    const number = (day: string) => Number(day.slice(0, 4)) * 12 + Number(day.slice(5, 7));
    const months = number(to) - number(from) + 1;
    return { from: firstDay(addMonths(monthOf(from), -months)), to: addDays(from, -1), shift: { months } };
  }
  const days = daysBetween(from, to) + 1;
  return { from: addDays(from, -days), to: addDays(from, -1), shift: { days } };
}

/** Days of a period in order. The loop counts them, because no text sorts after year 9999. */
export function daysOf({ from, to }: Period): string[] {
  const count = Math.max(0, daysBetween(from, to) + 1);
  return Array.from({ length: count }, (_, index) => addDays(from, index));
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

/** Days from the first to the second; negative if the second is earlier. */
export function daysBetween(from: string, to: string): number {
  return (timeOf(to) - timeOf(from)) / dayMilliseconds;
}

export const everyArea = ['nfe', 'nfse', 'cte'] as const;

/** Document kinds that the service separates and that are fetched separately. */
export type DocumentArea = (typeof everyArea)[number];

/** Days with complete data, by day of issue; rules about missing documents require them. */
export interface Covered {
  /** Past days whose documents of the family were all checked, merged into the longest periods. */
  readonly days: Readonly<Record<DocumentArea, readonly Period[]>>;
  /** First day still in progress: its documents and those of later days may still arrive. */
  readonly openFrom: string;
}

/** First and last day of `YYMM` as in an access key; undefined if that is no month. */
export function daysOfMonth(yearAndMonth: string): { first: string; last: string } | undefined {
  if (!/^\d\d(0[1-9]|1[0-2])$/.test(yearAndMonth)) return undefined;
  const month = `20${yearAndMonth.slice(0, 2)}-${yearAndMonth.slice(2)}`;
  return { first: firstDay(month), last: lastDay(month) };
}

/** True if one period covers all days from the first to the last. */
export function areAllWithin(stretches: readonly Period[], first: string, last: string): boolean {
  return stretches.some(({ from, to }) => from <= first && last <= to);
}
