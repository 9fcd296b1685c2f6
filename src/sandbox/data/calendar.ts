/** Whole seconds since 2026-01-01T00:00:00-03:00, which is also the wall clock of São Paulo. */
export type Moment = number;

/** A day: 0 is 2026-01-01, 365 is 2027-01-01, and the days before 2026 are negative. */
export type Day = number;

/** The sandbox holds the documents of so many days, of which today is the last. */
const DAYS_HELD = 365;
export const SECONDS_IN_HOUR = 3_600;
export const SECONDS_IN_DAY = 86_400;

/** From this day NF-e of issuers under the normal regime carry IBS and CBS. Source: docs/fiscal/reform.md. */
export const IBS_CBS_FROM: Day = dayOfDate(2026, 8, 3);

/** From this day goods have IBS and CBS in their price. Source: docs/fiscal/reform.md. */
export const TAXES_IN_PRICE_FROM: Day = dayOfDate(2027, 1, 1);

const OFFSET_IN_SECONDS = 3 * SECONDS_IN_HOUR;
const START_IN_SECONDS = Date.UTC(2026, 0, 1) / 1000;

/** Months begin with 1. */
export function dayOfDate(year: number, month: number, dayOfMonth: number): Day {
  return (Date.UTC(year, month - 1, dayOfMonth) - Date.UTC(2026, 0, 1)) / (SECONDS_IN_DAY * 1000);
}

function wallClock(moment: Moment): string {
  return new Date((START_IN_SECONDS + moment) * 1000).toISOString().slice(0, 19);
}

/** The moment of an instant of the real clock. */
export function momentOf(instant: Date): Moment {
  return Math.floor(instant.getTime() / 1000) - START_IN_SECONDS - OFFSET_IN_SECONDS;
}

/** The moment of a wall-clock time in São Paulo, `YYYY-MM-DDTHH:mm:ss`; NaN where there is no such time. */
export function momentOfWallClock(text: string): Moment {
  const milliseconds = Date.parse(`${text}Z`);
  const moment = milliseconds / 1000 - START_IN_SECONDS;
  return Number.isNaN(moment) || wallClock(moment) === text ? moment : Number.NaN;
}

/** `YYYY-MM-DDTHH:mm:ss-03:00`, as documents write it. */
export function isoMoment(moment: Moment): string {
  return `${wallClock(moment)}-03:00`;
}

/** `YYYY-MM-DDTHH:mm:ss`, as the service's envelopes write it. */
export function isoWallClock(moment: Moment): string {
  return wallClock(moment);
}

/** `YYYY-MM-DD`. */
export function isoDate(moment: Moment): string {
  return wallClock(moment).slice(0, 10);
}

/** `dd/MM/yyyy`, as people write it. */
export function brazilianDate(moment: Moment): string {
  const [year, month, day] = isoDate(moment).split('-');
  return `${day}/${month}/${year}`;
}

/** `AAMM`, positions 3 to 6 of an access key. */
export function keyMonth(moment: Moment): string {
  return wallClock(moment).slice(2, 7).replace('-', '');
}

/** The days of an access key's month, `AAMM`; none for what is no month. */
export function daysOfKeyMonth(text: string): readonly Day[] {
  const [, year, month] = /^(\d{2})(0[1-9]|1[0-2])$/.exec(text) ?? [];
  if (year === undefined || month === undefined) return [];
  const first = dayOfDate(2000 + Number(year), Number(month), 1);
  const next = dayOfDate(2000 + Number(year), Number(month) + 1, 1);
  return Array.from({ length: next - first }, (_, i) => first + i);
}

/** The two last digits of a moment's year, as protocols have them. */
export function yearDigits(moment: Moment): string {
  return wallClock(moment).slice(2, 4);
}

/** The first day whose documents are held at a moment. */
export function firstDayHeld(now: Moment): Day {
  return dayOf(now) - (DAYS_HELD - 1);
}

export function dayOf(moment: Moment): Day {
  return Math.floor(moment / SECONDS_IN_DAY);
}

export function startOf(day: Day): Moment {
  return day * SECONDS_IN_DAY;
}

export function isWeekend(day: Day): boolean {
  const weekday = new Date((START_IN_SECONDS + startOf(day)) * 1000).getUTCDay();
  return weekday === 0 || weekday === 6;
}
