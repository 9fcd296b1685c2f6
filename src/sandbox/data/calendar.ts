/**
 * Time in the sandbox: whole seconds since 2026-01-01T00:00:00-03:00. Brazil has no daylight saving time, so a
 * moment is also a wall-clock time in São Paulo and needs no time zone data.
 */
export type Moment = number;

/** A day of the year: 0 is 2026-01-01, 364 is 2026-12-31. */
export type Day = number;

export const DAYS_IN_YEAR = 365;
export const SECONDS_IN_HOUR = 3_600;
export const SECONDS_IN_DAY = 86_400;

/** What the sandbox's clock shows unless it is given another. */
export const SANDBOX_NOW = '2026-11-20T12:00:00-03:00';

/** From this day NF-e of issuers under the normal regime carry IBS and CBS. Source: docs/fiscal/reform.md. */
export const IBS_CBS_FROM: Day = dayOfDate(2026, 8, 3);

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
