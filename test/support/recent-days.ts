/**
 * The day so many days ago in São Paulo, which has had UTC-3 all year round since 2019: for programs that go by the
 * system's clock, as the demo does.
 */
export function daysAgo(days: number): string {
  return new Date(Date.now() - 3 * 3_600_000 - days * 86_400_000).toISOString().slice(0, 10);
}
