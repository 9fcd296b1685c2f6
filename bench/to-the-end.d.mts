/** Runs a benchmark; the process fails, and says why, where it ends before the benchmark is done. */
export function toTheEnd(measure: () => Promise<unknown>): Promise<void>;
