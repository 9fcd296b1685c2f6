import { UpstreamError } from '../../clients/errors.ts';
import { firstOf } from '../../clients/http/signals.ts';
import { daysOf, type Period, periodsOf } from '../days.ts';
import { type Asking, type Fetched, fetchInHalves, fetchWhole, halvesAfter } from './fetch-window.ts';
import { type CollectionResult, createTally } from './tally.ts';
import { createPace, windowOf } from './windows.ts';

export type { CollectionResult, MissingDays } from './tally.ts';

export interface CollectionProgress {
  readonly daysDone: number;
  readonly days: number;
  readonly documents: number;
}

export interface CollectionOptions<Arrived> extends Asking<Arrived> {
  /** Stores all that came of some days, and that these days are complete now. */
  readonly store: (days: Period, fetched: Fetched<Arrived>) => Promise<void>;
  /** Calls at once. */
  readonly concurrency: number;
  /** Days a window may have at most; 1 where the day a document was found under matters. */
  readonly longestWindow: number;
  /** No window is begun after this moment, and those under way are given up (milliseconds since 1970). */
  readonly deadline: number;
  readonly signal: AbortSignal;
  readonly onProgress: (progress: CollectionProgress) => void;
}

/** How often progress is told: hosts give up on a silent call after a minute, people earlier. */
const PROGRESS_EVERY_MS = 3_000;

/** Runs workers until all have ended; when one fails, the others are told to stop. @throws what the first one threw */
async function runWorkers(count: number, work: () => Promise<void>, stopOthers: () => void): Promise<void> {
  const workers = Array.from({ length: count }, () =>
    work().catch((error: unknown) => {
      stopOthers();
      throw error;
    }),
  );
  for (const outcome of await Promise.allSettled(workers)) {
    if (outcome.status === 'rejected') throw outcome.reason;
  }
}

/**
 * Fetches days in windows, several at once, and stores each window when it is complete. A window that fails is cut
 * until it succeeds or cannot be cut; then the day is reported as missing and the others go on.
 * @throws Cancelled; what `store` throws
 */
export async function collect<Arrived>(
  ranges: readonly Period[],
  options: CollectionOptions<Arrived>,
): Promise<CollectionResult> {
  const { signal, deadline, longestWindow } = options;
  const waiting = ranges.flatMap(daysOf);
  const days = waiting.length;
  const pace = createPace(longestWindow);
  const tally = createTally();
  const broken = new AbortController();
  const timeOver = AbortSignal.timeout(Math.max(1, deadline - Date.now()));
  const stop = firstOf(signal, timeOver, broken.signal);

  /** The next neighbouring days, as many as the pace allows. */
  const takeDays = (): Period | undefined => {
    const [first] = periodsOf(waiting.slice(0, pace.days));
    if (first !== undefined) waiting.splice(0, daysOf(first).length);
    return first;
  };

  const notFetched = (range: Period, error: unknown): void => {
    if (!stop.aborted || signal.aborted || !(error instanceof UpstreamError)) tally.failed(range, error);
    else tally.leftOver(range, error);
  };

  const fetchDays = async (range: Period): Promise<void> => {
    if (tally.isHopeless || stop.aborted) return tally.leftOver(range);
    const window = windowOf(range);
    let fetched: Fetched<Arrived>;
    try {
      fetched = await fetchWhole(window, options, stop);
    } catch (error) {
      const halves = halvesAfter(error, window, options, stop);
      if (halves === undefined) return notFetched(range, error);
      pace.failed();
      if (range.from !== range.to) {
        for (const { from, to } of halves) await fetchDays({ from: from.date, to: to.date });
        return;
      }
      try {
        fetched = await fetchInHalves(halves, options, stop);
      } catch (cause) {
        return notFetched(range, cause);
      }
    }
    const { count } = fetched;
    pace.answered(count, daysOf(range).length);
    await options.store(range, fetched);
    tally.kept(range, count);
  };

  let underWay = 0;
  const waiters: (() => void)[] = [];

  const work = async (): Promise<void> => {
    while (!tally.isHopeless && !stop.aborted) {
      while (underWay >= pace.atOnce) await new Promise<void>((resolve) => void waiters.push(resolve));
      const range = takeDays();
      if (range === undefined) return;
      underWay += 1;
      try {
        await fetchDays(range);
      } finally {
        underWay -= 1;
        for (const goOn of waiters.splice(0)) goOn();
      }
    }
  };

  const tell = () => options.onProgress({ daysDone: tally.daysDone, days, documents: tally.documents });
  const ticking = setInterval(tell, PROGRESS_EVERY_MS);
  try {
    await runWorkers(Math.min(options.concurrency, days), work, () => broken.abort());
  } finally {
    clearInterval(ticking);
  }
  for (const range of periodsOf(waiting)) tally.leftOver(range);
  return tally.result();
}
