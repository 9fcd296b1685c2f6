/** Microseconds of CPU time of this process so far; other processes don't count. */
export function cpuTime(): number {
  const { user, system } = process.cpuUsage();
  return user + system;
}

/** CPU time of some work: the least of three rounds, or of the first ones if that is `enough`. */
export async function leastCpuTime(work: () => Promise<unknown>, enough = 0): Promise<number> {
  let least = Number.POSITIVE_INFINITY;
  for (let round = 0; round < 3 && least > enough; round++) {
    const start = cpuTime();
    await work();
    least = Math.min(least, cpuTime() - start);
  }
  return least;
}
