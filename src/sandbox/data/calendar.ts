/** Whole seconds since 2026-01-01T00:00:00-03:00, which is also the wall clock of São Paulo. */
export type Moment = number;

/** A day: 0 is 2026-01-01, 365 is 2027-01-01, and the days before 2026 are negative. */
export type Day = number;

export const SECONDS_IN_HOUR = 3_600;
export const SECONDS_IN_DAY = 86_400;
const START_IN_SECONDS = Date.UTC(2026, 0, 1) / 1000;

/** Months count from 1; 0 and 13 are months of the adjacent years. */
export function dayOfDate(year: number, month: number, dayOfMonth: number): Day {
  return dayOf(Date.UTC(year, month - 1, dayOfMonth) / 1000 - START_IN_SECONDS);
}

export const dayOf = (moment: Moment): Day => Math.floor(moment / SECONDS_IN_DAY);
export const startOf = (day: Day): Moment => day * SECONDS_IN_DAY;

/** Converts a date to a moment. */
export function momentOf(instant: Date): Moment {
  return Math.floor(instant.getTime() / 1000) - START_IN_SECONDS - 3 * SECONDS_IN_HOUR;
}

/** Parses a wall-clock time in São Paulo, `YYYY-MM-DDTHH:mm:ss`; NaN if invalid. */
export function momentOfWallClock(text: string): Moment {
  const moment = Date.parse(`${text}Z`) / 1000 - START_IN_SECONDS;
  return !Number.isNaN(moment) && isoWallClock(moment) === text ? moment : Number.NaN;
}

const atUtc = (moment: Moment) => new Date((START_IN_SECONDS + moment) * 1000);

/** `YYYY-MM-DDTHH:mm:ss`, as in the service's envelopes. */
export const isoWallClock = (moment: Moment): string => atUtc(moment).toISOString().slice(0, 19);
/** `YYYY-MM-DDTHH:mm:ss-03:00`, as in documents. */
export const isoMoment = (moment: Moment): string => `${isoWallClock(moment)}-03:00`;
/** `YYYY-MM-DD`. */
export const isoDate = (moment: Moment): string => isoWallClock(moment).slice(0, 10);
/** `AAMM`, positions 3 to 6 of an access key. */
export const keyMonth = (moment: Moment): string => isoWallClock(moment).slice(2, 7).replace('-', '');
/** The last two digits of the year, as in protocols. */
export const yearDigits = (moment: Moment): string => keyMonth(moment).slice(0, 2);

export const isWeekend = (day: Day): boolean => [0, 6].includes(atUtc(startOf(day)).getUTCDay());
