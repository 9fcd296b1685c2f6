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
  /** @param window both ends as moments, inclusive, on the service's clock */
  readonly fetch: (window: Period, signal: AbortSignal) => Promise<Fetched<Arrived>>;
  /** Stores the reply for some days, and marks them complete. */
  readonly store: (days: Period, fetched: Fetched<Arrived>) => Promise<void>;
  /** True if requests include times, so that a day can be split into hours. */
  readonly hasTimes: boolean;
  readonly concurrency: number;
  /** Longest window, days; 1 if the day of the listing matters. */
  readonly longestWindow: number;
  /** Deadline, milliseconds since 1970: no window starts after it, and running ones are aborted. */
  readonly deadline: number;
  readonly signal: AbortSignal;
  readonly onProgress: (progress: { daysDone: number; days: number; documents: number }) => void;
}

export interface MissingDays extends Period {
  readonly error: UpstreamError;
}

export interface CollectionResult {
  /** Newly completed days. */
  readonly daysDone: number;
  readonly missing: readonly MissingDays[];
  /** Days not requested before the deadline. */
  readonly pending: readonly Period[];
  readonly documents: number;
}

const DAY = 86_400;

/** Seconds since 1970 on a clock without zone or daylight saving: all days are equally long, as in requests. */
function secondOf(moment: string): number {
  return Date.parse(`${moment}Z`) / 1000;
}

function momentAt(second: number): string {
  return new Date(second * 1000).toISOString().slice(0, 19);
}

/** A window split in two, between days or, with times, within a day; undefined if it can't be split further. */
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

/** Statuses that all other windows would get too. */
const hopelessStatuses: readonly (number | undefined)[] = [401, 403, 404, 405, 407];

/** Broken connections: a reply's size can cause that, and the next window may succeed. */
const brokenOff: readonly string[] = ['ECONNRESET', 'ECONNABORTED', 'EPIPE', 'PROXY_502', 'PROXY_504'];

/** True if the whole service fails, so that no other window is worth a request. */
function isHopeless(error: unknown): boolean {
  if (error instanceof Unreachable) return !brokenOff.includes(error.code);
  return error instanceof Refused && hopelessStatuses.includes(error.refusal.status);
}

/** Timeout of a window that can be split: a whole tool call has less than a minute. */
const LONGEST_WINDOW_MS = 20_000;

/** Interval of progress reports: hosts give up on a silent call after a minute, people earlier. */
const PROGRESS_EVERY_MS = 3_000;

/** Windows grow below FEW_DOCUMENTS and shrink above this, since their documents are held until stored. */
const MANY_DOCUMENTS = 300;
const FEW_DOCUMENTS = 60;

/** Failed days without a success before the rest is skipped: the service is down. */
const FAILURES_BEFORE_GIVING_UP = 5;

/** A service that completes nothing within this time is unresponsive; retries would never end. */
const LONG_MS = 20_000;

/**
 * Fetches days in concurrent windows, and stores each window when it is complete. A failed window is split until it
 * succeeds or can't be split; then its day is reported as missing and the others continue.
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

  /** The halves of a failed window if smaller ones may succeed: the service was slow, sent too much or refused. */
  const halvesAfter = (error: unknown, window: Period) => {
    const isOfReply = [TimedOut, Refused, NotUnderstood, Unreachable].some((kind) => error instanceof kind);
    return isOfReply && !isHopeless(error) && !stop.aborted ? halve(window, hasTimes) : undefined;
  };

  /** Fetches a window; a failed one within a day is retried in halves, down to an hour. */
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

  /** Reports days as missing. @throws the error, if it concerns more than these days */
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
