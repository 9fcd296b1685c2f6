/** Making one takes a hundred times as long as using it. */
const formats = new Map<string, Intl.DateTimeFormat>();

/** The day (`YYYY-MM-DD`) that it is at a moment in a zone, by its IANA name. */
export function dayInZone(timeZone: string, moment: Date | number): string {
  const format = formats.get(timeZone) ?? new Intl.DateTimeFormat('en-CA', { timeZone, dateStyle: 'short' });
  formats.set(timeZone, format);
  return format.format(moment);
}

/** The service's families of documents, each fetched by itself. */
export type Family = 'nfe' | 'cte' | 'nfse';

/** Days that follow each other, `YYYY-MM-DD`, both ends included. */
export interface Stretch {
  readonly from: string;
  readonly to: string;
}

/** Days with complete data, by day of issue: rules about missing documents need them. */
export interface Covered {
  /** Days that are over and of which every document of the family was looked at, in stretches as long as can be. */
  readonly days: Readonly<Record<Family, readonly Stretch[]>>;
  /** The first day that is not over: documents of it and of later days are still to come. */
  readonly openFrom: string;
}

const dayLength = 86_400_000;

/** The day so many days later. */
export function addDays(day: string, days: number): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) + days * dayLength).toISOString().slice(0, 10);
}

/** How many days later the second is; negative where it is earlier. */
export function daysBetween(from: string, to: string): number {
  return (Date.parse(`${to}T00:00:00Z`) - Date.parse(`${from}T00:00:00Z`)) / dayLength;
}

/** Whether a text of ten characters is a day that exists. */
export function isDay(day: string): boolean {
  return !Number.isNaN(Date.parse(`${day}T00:00:00Z`)) && addDays(day, 0) === day;
}

/** The first and the last day of `YYMM`, as an access key has it; undefined where that is no month. */
export function daysOfMonth(yearAndMonth: string): { first: string; last: string } | undefined {
  if (!/^\d\d(0[1-9]|1[0-2])$/.test(yearAndMonth)) return undefined;
  const [year, month] = [2000 + Number(yearAndMonth.slice(0, 2)), Number(yearAndMonth.slice(2))];
  const text = (date: number) => new Date(date).toISOString().slice(0, 10);
  return { first: text(Date.UTC(year, month - 1, 1)), last: text(Date.UTC(year, month, 0)) };
}

/** Whether every day from the first to the last is in the stretches. */
export function areAllWithin(stretches: readonly Stretch[], first: string, last: string): boolean {
  return stretches.some(({ from, to }) => from <= first && last <= to);
}
