/** Whole seconds since 2026-01-01T00:00:00-03:00, which is also the wall clock of São Paulo. */
export type Moment = number;

/** A day: 0 is 2026-01-01, 365 is 2027-01-01, and the days before 2026 are negative. */
export type Day = number;

/** The sandbox holds the documents of so many days, of which today is the last. */
const DAYS_HELD = 365;
export const SECONDS_IN_HOUR = 3_600;
export const SECONDS_IN_DAY = 86_400;

const OFFSET_IN_SECONDS = 3 * SECONDS_IN_HOUR;
const START_IN_SECONDS = Date.UTC(2026, 0, 1) / 1000;

/** Months begin with 1. */
export function dayOfDate(year: number, month: number, dayOfMonth: number): Day {
  return (Date.UTC(year, month - 1, dayOfMonth) / 1000 - START_IN_SECONDS) / SECONDS_IN_DAY;
}

/** The moment of an instant of the real clock. */
export function momentOf(instant: Date): Moment {
  return Math.floor(instant.getTime() / 1000) - START_IN_SECONDS - OFFSET_IN_SECONDS;
}

/** The moment of a wall-clock time in São Paulo, `YYYY-MM-DDTHH:mm:ss`; NaN where there is no such time. */
export function momentOfWallClock(text: string): Moment {
  const moment = Date.parse(`${text}Z`) / 1000 - START_IN_SECONDS;
  return !Number.isNaN(moment) && isoWallClock(moment) === text ? moment : Number.NaN;
}

/** `YYYY-MM-DDTHH:mm:ss`, as the service's envelopes write it. */
export function isoWallClock(moment: Moment): string {
  return new Date((START_IN_SECONDS + moment) * 1000).toISOString().slice(0, 19);
}

/** `YYYY-MM-DDTHH:mm:ss-03:00`, as documents write it. */
export function isoMoment(moment: Moment): string {
  return `${isoWallClock(moment)}-03:00`;
}

/** `YYYY-MM-DD`. */
export function isoDate(moment: Moment): string {
  return isoWallClock(moment).slice(0, 10);
}

/** `AAMM`, positions 3 to 6 of an access key. */
export function keyMonth(moment: Moment): string {
  return isoWallClock(moment).slice(2, 7).replace('-', '');
}

/** The two last digits of a moment's year, as protocols have them. */
export function yearDigits(moment: Moment): string {
  return isoWallClock(moment).slice(2, 4);
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
