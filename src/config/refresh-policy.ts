/** Days younger than so many days are fetched again when what is known of them is older than so long. */
export interface RefreshStep {
  readonly days: number;
  readonly olderThanMs: number;
}

const minute = 60_000;
const units: Readonly<Record<string, number>> = { m: minute, h: 60 * minute, d: 24 * 60 * minute };

/**
 * Reads `7:5m,35:1d,100:7d` (minutes, hours, days): the first step whose days a day is younger than holds for it, and
 * a day older than all of them is fetched again only when asked for.
 * @returns undefined for anything but steps of rising days, none of which is fetched again sooner than the one before
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

/** The same as text, each age in the largest unit that fits. */
export function refreshPolicyText(steps: readonly RefreshStep[]): string {
  return steps
    .map(({ days, olderThanMs }) => {
      const [unit = 'm', length = minute] =
        Object.entries(units).findLast(([, one]) => olderThanMs % one === 0) ?? [];
      return `${days}:${olderThanMs / length}${unit}`;
    })
    .join(',');
}
