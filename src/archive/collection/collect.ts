import {
  Cancelled,
  NotUnderstood,
  Refused,
  TimedOut,
  Unreachable,
  UpstreamError,
} from '../../clients/errors.ts';
import type { Arrival } from '../store/arrival.ts';
import { createPace, type DayRange, daysOf, type FetchWindow, halve, rangesOf, windowOf } from './windows.ts';

/** Asks the service for one window. A broken connection begins a new attempt, and what came before it is void. */
export type FetchDocuments = (
  window: FetchWindow,
  begin: () => (arrival: Arrival) => void,
  signal: AbortSignal,
) => Promise<void>;

/** Days that could not be fetched, and why. */
export interface MissingDays extends DayRange {
  readonly error: UpstreamError;
}

export interface CollectionResult {
  /** Days that failed after every retry. */
  readonly missing: readonly MissingDays[];
  /** Days not asked for yet, because the time was over. */
  readonly pending: readonly DayRange[];
  /** Documents and events fetched now. */
  readonly documents: number;
}

export interface CollectionProgress {
  readonly daysDone: number;
  readonly days: number;
  readonly documents: number;
}

export interface CollectionOptions {
  readonly fetch: FetchDocuments;
  /** Stores all that came of some days, and that these days are complete now. */
  readonly store: (days: DayRange, arrivals: readonly Arrival[]) => Promise<void>;
  /** Calls at once. */
  readonly concurrency: number;
  /** Days a window may have at most; 1 where the day a document was found under matters. */
  readonly longestWindow: number;
  /** Whether times go over the wire, so that a day can be cut into hours. */
  readonly hasTimes: boolean;
  /** No window is begun after this moment, and those under way are given up (milliseconds since 1970). */
  readonly deadline: number;
  readonly signal: AbortSignal;
  readonly onProgress: (progress: CollectionProgress) => void;
}

/** How often progress is told: hosts give up on a silent call after a minute, people earlier. */
const PROGRESS_EVERY_MS = 3_000;

/** Refusals that every other window would meet too. */
const hopelessStatuses: readonly (number | undefined)[] = [401, 403, 404, 405, 407];

function isHopeless(error: unknown): boolean {
  if (error instanceof Unreachable) return true;
  return error instanceof Refused && hopelessStatuses.includes(error.refusal.status);
}

/** A smaller window may succeed: the service took too long, sent too much, or said no to it. */
function mayBeTooLarge(error: unknown): boolean {
  const isSize = error instanceof TimedOut || error instanceof Refused || error instanceof NotUnderstood;
  return isSize && !isHopeless(error);
}

async function fetchWhole(
  window: FetchWindow,
  { fetch }: CollectionOptions,
  stop: AbortSignal,
): Promise<Arrival[]> {
  let held: Arrival[] = [];
  const begin = () => {
    const arrivals: Arrival[] = [];
    held = arrivals;
    return (arrival: Arrival) => void arrivals.push(arrival);
  };
  await fetch(window, begin, stop);
  return held;
}

/** Fetches a window whole, or where it is too large in halves of halves. */
async function fetchWindow(
  window: FetchWindow,
  options: CollectionOptions,
  stop: AbortSignal,
  onTooLarge: () => void,
): Promise<Arrival[]> {
  try {
    return await fetchWhole(window, options, stop);
  } catch (error) {
    const halves = mayBeTooLarge(error) && !stop.aborted ? halve(window, options.hasTimes) : undefined;
    if (halves === undefined) throw error;
    onTooLarge();
    const [first, second] = halves;
    const earlier = await fetchWindow(first, options, stop, onTooLarge);
    return [...earlier, ...(await fetchWindow(second, options, stop, onTooLarge))];
  }
}

/**
 * Fetches days in windows, several at once, and stores each window when it is complete. A window that fails is cut
 * until it succeeds or cannot be cut; then the day is reported as missing and the others go on.
 * @throws what the service answered, where not one day could be fetched; Cancelled
 */
export async function collect(
  ranges: readonly DayRange[],
  options: CollectionOptions,
): Promise<CollectionResult> {
  const { signal } = options;
  const waiting = ranges.flatMap(daysOf);
  const days = waiting.length;
  const pace = createPace(options.longestWindow);
  const missing: MissingDays[] = [];
  const unfinished: string[] = [];
  const stop = AbortSignal.any([signal, AbortSignal.timeout(Math.max(1, options.deadline - Date.now()))]);
  const done = { days: 0, documents: 0 };
  let hopeless: UpstreamError | undefined;

  /** The next neighbouring days, as many as the pace allows. */
  const takeDays = (): DayRange | undefined => {
    const [first] = rangesOf(waiting.slice(0, pace.days));
    if (first !== undefined) waiting.splice(0, daysOf(first).length);
    return first;
  };

  const fetchDays = async (range: DayRange): Promise<void> => {
    const several = daysOf(range);
    try {
      const arrivals = await fetchWindow(windowOf(range), options, stop, () => pace.failed());
      pace.answered(arrivals.length);
      await options.store(range, arrivals);
      done.documents += arrivals.length;
      done.days += several.length;
    } catch (error) {
      if (stop.aborted && !signal.aborted) return void unfinished.push(...several);
      if (!(error instanceof UpstreamError) || error instanceof Cancelled) throw error;
      if (isHopeless(error)) hopeless = error;
      else if (several.length > 1) {
        // One bad day must not hide its good neighbours.
        for (const day of several) await fetchDays({ from: day, to: day });
        return;
      }
      missing.push({ ...range, error });
    }
  };

  const work = async (): Promise<void> => {
    for (let range = takeDays(); range !== undefined; range = takeDays()) {
      if (hopeless !== undefined || stop.aborted) {
        unfinished.push(...daysOf(range));
        break;
      }
      await fetchDays(range);
    }
  };

  const tell = () => options.onProgress({ daysDone: done.days, days, documents: done.documents });
  const ticking = setInterval(tell, PROGRESS_EVERY_MS);
  try {
    await Promise.all(Array.from({ length: Math.min(options.concurrency, days) }, work));
  } finally {
    clearInterval(ticking);
  }
  const left = rangesOf([...unfinished, ...waiting]);
  const error = hopeless ?? missing[0]?.error;
  if (done.days === 0 && error !== undefined) throw error;
  return hopeless === undefined
    ? { missing, pending: left, documents: done.documents }
    : {
        missing: [...missing, ...left.map((range) => ({ ...range, error: hopeless as UpstreamError }))],
        pending: [],
        documents: done.documents,
      };
}
