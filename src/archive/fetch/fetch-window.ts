import { Cancelled, TimedOut } from '../../clients/errors.ts';
import type { Arrival } from '../store/write/arrival.ts';
import { mayBeTooLarge } from './failures.ts';
import { type FetchWindow, halve } from './windows.ts';

/** Asks the service for one window. A broken connection begins a new attempt, and what came before it is void. */
export type FetchDocuments = (
  window: FetchWindow,
  begin: () => (arrival: Arrival) => void,
  signal: AbortSignal,
) => Promise<void>;

/** How windows are asked for. */
export interface Asking {
  readonly fetch: FetchDocuments;
  /** Whether times go over the wire, so that a day can be cut into hours. */
  readonly hasTimes: boolean;
}

/** A window that can be cut is given up after this: a tool call as a whole has less than a minute. */
const LONGEST_WINDOW_MS = 20_000;

/** Makes a call with a time limit of its own. @throws TimedOut when the limit is over; what the call throws */
async function within(
  milliseconds: number,
  stop: AbortSignal,
  call: (signal: AbortSignal) => Promise<void>,
): Promise<void> {
  const limit = new AbortController();
  const timer = setTimeout(() => limit.abort(), milliseconds);
  try {
    await call(AbortSignal.any([stop, limit.signal]));
  } catch (error) {
    const isOver = error instanceof Cancelled && limit.signal.aborted && !stop.aborted;
    throw isOver ? new TimedOut(error, milliseconds / 1000) : error;
  } finally {
    clearTimeout(timer);
  }
}

/** Fetches a window in one call. */
export async function fetchWhole(
  window: FetchWindow,
  { fetch, hasTimes }: Asking,
  stop: AbortSignal,
): Promise<Arrival[]> {
  let held: Arrival[] = [];
  const begin = () => {
    const arrivals: Arrival[] = [];
    held = arrivals;
    return (arrival: Arrival) => void arrivals.push(arrival);
  };
  const call = (signal: AbortSignal) => fetch(window, begin, signal);
  if (halve(window, hasTimes) === undefined) await call(stop);
  else await within(LONGEST_WINDOW_MS, stop, call);
  return held;
}

/** The halves of a window that failed, where smaller ones may succeed. */
export function halvesAfter(
  error: unknown,
  window: FetchWindow,
  { hasTimes }: Asking,
  stop: AbortSignal,
): readonly [FetchWindow, FetchWindow] | undefined {
  return mayBeTooLarge(error) && !stop.aborted ? halve(window, hasTimes) : undefined;
}

/** Fetches two windows one after the other, each whole or again in halves. */
export async function fetchInHalves(
  [first, second]: readonly [FetchWindow, FetchWindow],
  asking: Asking,
  stop: AbortSignal,
): Promise<Arrival[]> {
  const fetchPart = async (window: FetchWindow): Promise<Arrival[]> => {
    try {
      return await fetchWhole(window, asking, stop);
    } catch (error) {
      const halves = halvesAfter(error, window, asking, stop);
      if (halves === undefined) throw error;
      return fetchInHalves(halves, asking, stop);
    }
  };
  const earlier = await fetchPart(first);
  return [...earlier, ...(await fetchPart(second))];
}
