const dayMilliseconds = 86_400_000;

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
