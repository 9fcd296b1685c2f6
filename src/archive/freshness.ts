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
}

const dayLength = 86_400_000;
/** A day ends last in the west of the country, at UTC-5. */
const westernDelay = 5 * 3_600_000;
/** Clocks of several programs differ by less, and no call lasts longer. */
const clockTolerance = 10 * 60_000;

/** The latest date, ISO 8601 in UTC, that is believed at a moment; later ones are of a clock that was ahead. */
export function latestBelievable(now: Date): string {
  return new Date(now.getTime() + clockTolerance).toISOString();
}

/**
 * Whether what was fetched then still holds for a day, `YYYY-MM-DD`. What was fetched before the day was over doesn't
 * hold for it whole, however old the day is by now.
 */
export function isFresh(day: string, fetchedAt: string, { now, rules, refresh }: Freshness): boolean {
  if (fetchedAt > latestBelievable(now)) return false;
  const fetched = Date.parse(fetchedAt);
  const ended = Date.parse(day) + dayLength + westernDelay;
  const age = now.getTime() - fetched;
  if (refresh) return age <= 0;
  const limits = rules.filter(({ days }) => now.getTime() < ended + days * dayLength);
  const isYoungEnough = limits.every(({ olderThanMs }) => age < olderThanMs);
  return isYoungEnough && (fetched >= ended || limits.length > 0);
}
