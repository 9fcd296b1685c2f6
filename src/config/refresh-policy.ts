/** Days younger than `days` are fetched again when their data is older than `olderThanMs`. */
export interface RefreshStep {
  readonly days: number;
  readonly olderThanMs: number;
}

const minute = 60_000;
const units: Readonly<Record<string, number>> = { m: minute, h: 60 * minute, d: 24 * 60 * minute };

/**
 * Parses `7:5m,35:1d,100:7d` (minutes, hours, days). The first step that a day is younger than applies; older days
 * are fetched again on request only.
 * @returns undefined unless both the days and the ages rise
 */
export function readRefreshPolicy(text: string): readonly RefreshStep[] | undefined {
  const steps: RefreshStep[] = [];
  for (const part of text.split(',')) {
    const [, days, count, unit = ''] = /^([1-9]\d{0,3}):([1-9]\d{0,3})([mhd])$/.exec(part) ?? [];
    if (days === undefined) return undefined;
    const step = { days: Number(days), olderThanMs: Number(count) * (units[unit] ?? 0) };
    const before = steps.at(-1);
    const isInOrder =
      before === undefined || (step.days > before.days && step.olderThanMs >= before.olderThanMs);
    if (!isInOrder) return undefined;
    steps.push(step);
  }
  return steps;
}

/** Formats a policy, each age in the largest unit that fits. */
export function refreshPolicyText(steps: readonly RefreshStep[]): string {
  return steps
    .map(({ days, olderThanMs }) => {
      const [unit = 'm', length = minute] =
        Object.entries(units).findLast(([, one]) => olderThanMs % one === 0) ?? [];
      return `${days}:${olderThanMs / length}${unit}`;
    })
    .join(',');
}
