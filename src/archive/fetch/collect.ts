import type { UnreadableDocument } from '../../clients/documents/replies/results.ts';
import {
  Cancelled,
  NotUnderstood,
  Refused,
  TimedOut,
  Unreachable,
  UpstreamError,
} from '../../clients/errors.ts';
import { withTimeout } from '../../clients/http/call.ts';
import {
  addDays,
  daysBetween,
  daysOf,
  daysWith,
  type Period,
  periodsOf,
  wholeDays,
} from '../../documents/days.ts';

interface Fetched<Arrived> {
  readonly arrivals: readonly Arrived[];
  readonly count: number;
  readonly unreadable: readonly UnreadableDocument[];
}

export interface CollectionOptions<Arrived> {
  /** @param window both ends as moments, included, on the service's clock */
  readonly fetch: (window: Period, signal: AbortSignal) => Promise<Fetched<Arrived>>;
  /** Stores the reply about some days, and that these days are complete now. */
  readonly store: (days: Period, fetched: Fetched<Arrived>) => Promise<void>;
  /** Whether times go over the wire, so that a day can be cut into hours. */
  readonly hasTimes: boolean;
  readonly concurrency: number;
  /** Days a window may have at most; 1 where the day a document was found under matters. */
  readonly longestWindow: number;
  /** Deadline in milliseconds since 1970: no window begins after it, and running ones are aborted. */
  readonly deadline: number;
  readonly signal: AbortSignal;
  readonly onProgress: (progress: { daysDone: number; days: number; documents: number }) => void;
}

export interface MissingDays extends Period {
  readonly error: UpstreamError;
}

export interface CollectionResult {
  /** Days that are complete now and were not before. */
  readonly daysDone: number;
  readonly missing: readonly MissingDays[];
  /** Days not asked for yet, because the time was over. */
  readonly pending: readonly Period[];
  readonly documents: number;
}

const DAY = 86_400;

/** Seconds since 1970 on a clock without zones and changes: days are equal there, as they are on the wire. */
function secondOf(moment: string): number {
  return Date.parse(`${moment}Z`) / 1000;
}

function momentAt(second: number): string {
  return new Date(second * 1000).toISOString().slice(0, 19);
}

/** A window cut in two, between days or, with times, inside a day; undefined where it can't be cut further. */
function halve(window: Period, hasTimes: boolean): readonly [Period, Period] | undefined {
  const start = secondOf(window.from);
  const length = secondOf(window.to) - start + 1;
  const unit = length >= 2 * DAY ? DAY : 3600;
  if (unit === 3600 && (!hasTimes || length < 2 * 3600)) return undefined;
  const middle = start + Math.floor(length / unit / 2) * unit;
  return [
    { from: window.from, to: momentAt(middle - 1) },
    { from: momentAt(middle), to: window.to },
  ];
}

/** Refusals that every other window would meet too. */
const hopelessStatuses: readonly (number | undefined)[] = [401, 403, 404, 405, 407];

/** A connection that stood and broke: the size of one reply can do that, and the next one may come through. */
const brokenOff: readonly string[] = ['ECONNRESET', 'ECONNABORTED', 'EPIPE', 'PROXY_502', 'PROXY_504'];

/** Whether the failure is the service's as a whole, so that no other window is worth asking for. */
function isHopeless(error: unknown): boolean {
  if (error instanceof Unreachable) return !brokenOff.includes(error.code);
  return error instanceof Refused && hopelessStatuses.includes(error.refusal.status);
}

/** A window that can be cut is given up after this: a tool call as a whole has less than a minute. */
const LONGEST_WINDOW_MS = 20_000;

/** How often progress is reported: hosts give up on a silent call after a minute, people earlier. */
const PROGRESS_EVERY_MS = 3_000;

/** Windows grow while they have few documents, which are held until they are stored, and shrink when they have many. */
const MANY_DOCUMENTS = 300;
const FEW_DOCUMENTS = 60;

/** So many days without one that succeeds, and the rest is not asked for: the service is not working. */
const FAILURES_BEFORE_GIVING_UP = 5;

/** A service that completes nothing in so long does not answer; asking it again would never end. */
const LONG_MS = 20_000;

/**
 * Fetches days in windows, several at once, and stores each window when it is complete. A window that fails is cut
 * until it succeeds or cannot be cut; then the day is reported as missing and the others go on.
 * @throws Cancelled; the errors of `store`
 */
export async function collect<Arrived>(
  ranges: readonly Period[],
  options: CollectionOptions<Arrived>,
): Promise<CollectionResult> {
  const { signal, deadline, hasTimes, longestWindow } = options;
  const began = Date.now();
  const waiting = [...ranges];
  const days = ranges.flatMap(daysOf).length;
  const broken = new AbortController();
  const timeIsOver = AbortSignal.timeout(Math.max(1, deadline - Date.now()));
  const stop = AbortSignal.any([signal, timeIsOver, broken.signal]);
  const missing: MissingDays[] = [];
  let daysInWindow = 1;
  let daysDone = 0;
  let documents = 0;
  let hopeless: UpstreamError | undefined;
  let interrupted: UpstreamError | undefined;

  const shrinkWindows = (): void => {
    daysInWindow = Math.max(1, Math.floor(daysInWindow / 2));
  };

  const takeDays = (): Period | undefined => {
    const first = waiting.shift();
    if (first === undefined) return undefined;
    if (daysBetween(first.from, first.to) < daysInWindow) return first;
    const last = addDays(first.from, daysInWindow - 1);
    waiting.unshift({ from: addDays(last, 1), to: first.to });
    return { from: first.from, to: last };
  };

  /** The halves of a window where a smaller one may succeed: the service was slow, sent too much or refused. */
  const halvesAfter = (error: unknown, window: Period) => {
    const isOfReply = [TimedOut, Refused, NotUnderstood, Unreachable].some((kind) => error instanceof kind);
    return isOfReply && !isHopeless(error) && !stop.aborted ? halve(window, hasTimes) : undefined;
  };

  /** Fetches a window; one within a day that fails is fetched in halves, down to an hour. */
  const fetchWindow = async (window: Period): Promise<Fetched<Arrived>> => {
    try {
      if (halve(window, hasTimes) === undefined) return await options.fetch(window, stop);
      return await withTimeout(LONGEST_WINDOW_MS, stop, (ending) => options.fetch(window, ending));
    } catch (error) {
      const isOfOneDay = window.from.slice(0, 10) === window.to.slice(0, 10);
      const halves = isOfOneDay ? halvesAfter(error, window) : undefined;
      if (halves === undefined) throw error;
      const first = await fetchWindow(halves[0]);
      const second = await fetchWindow(halves[1]);
      return {
        arrivals: [...first.arrivals, ...second.arrivals],
        count: first.count + second.count,
        unreadable: [...first.unreadable, ...second.unreadable],
      };
    }
  };

  /** @throws the error itself where it is not about these days alone */
  const notFetched = (range: Period, error: unknown): void => {
    if (stop.aborted && !signal.aborted && error instanceof UpstreamError) {
      waiting.push(range);
      interrupted ??= error;
      return;
    }
    if (!(error instanceof UpstreamError) || error instanceof Cancelled) throw error;
    missing.push({ ...range, error });
    const isDown = daysDone === 0 && missing.length >= FAILURES_BEFORE_GIVING_UP;
    if (isHopeless(error) || isDown) hopeless = error;
  };

  const fetchDays = async (range: Period): Promise<void> => {
    if (hopeless !== undefined || stop.aborted) {
      waiting.push(range);
      return;
    }
    const window = wholeDays(range);
    try {
      const fetched = await fetchWindow(window);
      const { count } = fetched;
      if (count > MANY_DOCUMENTS) shrinkWindows();
      else if (count < FEW_DOCUMENTS) daysInWindow = Math.min(longestWindow, daysInWindow * 2);
      await options.store(range, fetched);
      daysDone += daysOf(range).length;
      documents += count;
    } catch (error) {
      const halves = range.from === range.to ? undefined : halvesAfter(error, window);
      if (halves === undefined) return notFetched(range, error);
      shrinkWindows();
      for (const half of halves) await fetchDays(daysWith(half));
    }
  };

  const work = async (): Promise<void> => {
    try {
      while (hopeless === undefined && !stop.aborted) {
        const range = takeDays();
        if (range === undefined) return;
        await fetchDays(range);
      }
    } catch (error) {
      broken.abort();
      throw error;
    }
  };

  const ticking = setInterval(() => options.onProgress({ daysDone, days, documents }), PROGRESS_EVERY_MS);
  try {
    const workers = Array.from({ length: Math.min(options.concurrency, days) }, work);
    for (const outcome of await Promise.allSettled(workers)) {
      if (outcome.status === 'rejected') throw outcome.reason;
    }
  } finally {
    clearInterval(ticking);
  }
  const spent = Date.now() - began;
  if (interrupted !== undefined && daysDone === 0 && spent >= LONG_MS)
    hopeless ??= new TimedOut(interrupted, Math.round(spent / 1000), 'own');
  const error = hopeless;
  const rest = periodsOf(waiting.flatMap(daysOf));
  if (error === undefined) return { daysDone, missing, pending: rest, documents };
  const unasked = rest.map((range) => ({ ...range, error }));
  return { daysDone, missing: [...missing, ...unasked], pending: [], documents };
}
