/**
 * Days younger than so many days are asked for anew when what is known of them is older than so long: events come late,
 * most within days, returns and cancellations by a judge within weeks, manifestations within ninety days.
 * Source: docs/fiscal/events.md.
 */
export interface RefreshRule {
  readonly days: number;
  readonly olderThanMs: number;
}

/** What of the archive still holds. */
export interface Freshness {
  readonly now: Date;
  /** In any order; days that are too old for all of them are asked for anew only on request. */
  readonly rules: readonly RefreshRule[];
  /** The request: everything is asked for now. */
  readonly refresh?: boolean | undefined;
  /** What the clock says, where `now` is an earlier moment. */
  readonly clock?: Date | undefined;
}

const dayLength = 86_400_000;
/** A day ends last in the west of the country, at UTC-5. */
const westernDelay = 5 * 3_600_000;
/** So much the clocks of several programs may differ. */
const clockTolerance = 10 * 60_000;

/**
 * The latest moment, ISO 8601 in UTC, that anything can have been fetched at when the clock says this. What bears a later
 * one was fetched while the clock was ahead, and must not stand in the way of everything that comes until then. Without
 * a clock everything is believed.
 */
export function latestBelievable(clock: Date | undefined): string {
  return clock === undefined ? '9999' : new Date(clock.getTime() + clockTolerance).toISOString();
}

/**
 * Whether what was fetched then still holds for a day, `YYYY-MM-DD`. What was fetched before the day was over doesn't
 * hold for it whole, however old the day is by now. What
 * seems to have been fetched later than it is holds for nothing: the clock was set back, and nobody knows when that was.
 */
export function isFresh(day: string, fetchedAt: string, freshness: Freshness): boolean {
  const { now, rules, refresh, clock = now } = freshness;
  const fetched = Date.parse(fetchedAt);
  if (fetched > clock.getTime() + clockTolerance) return false;
  const ended = Date.parse(day) + dayLength + westernDelay;
  const age = now.getTime() - fetched;
  if (refresh) return age <= 0;
  const limits = rules.filter(({ days }) => now.getTime() < ended + days * dayLength);
  const isYoungEnough = limits.every(({ olderThanMs }) => age < olderThanMs);
  return isYoungEnough && (fetched >= ended || limits.length > 0);
}
