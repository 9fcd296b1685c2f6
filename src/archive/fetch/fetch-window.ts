import { Cancelled, TimedOut } from '../../clients/errors.ts';
import { firstOf } from '../../clients/http/signals.ts';
import type { UnreadableDocument } from '../../clients/tax-documents/replies/results.ts';
import { mayBeTooLarge } from './failures.ts';
import { type FetchWindow, halve } from './windows.ts';

/** What came of a window, in the form that it is handed over in. */
export interface Fetched<Arrived> {
  readonly arrivals: readonly Arrived[];
  /** Documents and events in them. */
  readonly count: number;
  /** What stood among them and could not be read. */
  readonly unreadable: readonly UnreadableDocument[];
}

/**
 * Asks the service for one window; gives what could not be read. A broken connection begins a new attempt, and what
 * came before it is void.
 */
export type FetchDocuments<Arrived> = (
  window: FetchWindow,
  begin: () => (arrival: Arrived, count?: number) => void,
  signal: AbortSignal,
) => Promise<readonly UnreadableDocument[]>;

/** How windows are asked for. */
export interface Asking<Arrived> {
  readonly fetch: FetchDocuments<Arrived>;
  /** Whether times go over the wire, so that a day can be cut into hours. */
  readonly hasTimes: boolean;
}

/** A window that can be cut is given up after this: a tool call as a whole has less than a minute. */
const LONGEST_WINDOW_MS = 20_000;

/** Makes a call with a time limit of its own. @throws TimedOut when the limit is over; what the call throws */
async function within<T>(
  milliseconds: number,
  stop: AbortSignal,
  call: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const limit = new AbortController();
  const timer = setTimeout(() => limit.abort(), milliseconds);
  try {
    return await call(firstOf(stop, limit.signal));
  } catch (error) {
    const isOver = error instanceof Cancelled && limit.signal.aborted && !stop.aborted;
    throw isOver ? new TimedOut(error, milliseconds / 1000, 'window') : error;
  } finally {
    clearTimeout(timer);
  }
}

/** Fetches a window in one call. */
export async function fetchWhole<Arrived>(
  window: FetchWindow,
  { fetch, hasTimes }: Asking<Arrived>,
  stop: AbortSignal,
): Promise<Fetched<Arrived>> {
  let held: { arrivals: Arrived[]; count: number } = { arrivals: [], count: 0 };
  const begin = () => {
    const attempt: typeof held = { arrivals: [], count: 0 };
    held = attempt;
    return (arrival: Arrived, count = 1) => {
      attempt.arrivals.push(arrival);
      attempt.count += count;
    };
  };
  const call = (signal: AbortSignal) => fetch(window, begin, signal);
  const isSmallest = halve(window, hasTimes) === undefined;
  const unreadable = await (isSmallest ? call(stop) : within(LONGEST_WINDOW_MS, stop, call));
  return { ...held, unreadable };
}

/** The halves of a window that failed, where smaller ones may succeed. */
export function halvesAfter(
  error: unknown,
  window: FetchWindow,
  { hasTimes }: Pick<Asking<unknown>, 'hasTimes'>,
  stop: AbortSignal,
): readonly [FetchWindow, FetchWindow] | undefined {
  return mayBeTooLarge(error) && !stop.aborted ? halve(window, hasTimes) : undefined;
}

/** Fetches two windows one after the other, each whole or again in halves. */
export async function fetchInHalves<Arrived>(
  [first, second]: readonly [FetchWindow, FetchWindow],
  asking: Asking<Arrived>,
  stop: AbortSignal,
): Promise<Fetched<Arrived>> {
  const fetchPart = async (window: FetchWindow): Promise<Fetched<Arrived>> => {
    try {
      return await fetchWhole(window, asking, stop);
    } catch (error) {
      const halves = halvesAfter(error, window, asking, stop);
      if (halves === undefined) throw error;
      return fetchInHalves(halves, asking, stop);
    }
  };
  const [earlier, later] = [await fetchPart(first), await fetchPart(second)];
  return {
    arrivals: [...earlier.arrivals, ...later.arrivals],
    count: earlier.count + later.count,
    unreadable: [...earlier.unreadable, ...later.unreadable],
  };
}
