import type { WallClock } from '../../clients/documents/operations.ts';
import type { UnreadableDocument } from '../../clients/documents/replies/results.ts';
import { NotUnderstood, Refused, TimedOut, Unreachable } from '../../clients/errors.ts';
import { withTimeout } from '../../clients/http/call.ts';
import type { Period } from '../days.ts';

/** The period of one call: both ends included, to the second, on the service's clock. */
export interface FetchWindow {
  readonly from: WallClock;
  readonly to: WallClock;
}

/** The reply to a window. */
export interface Fetched<Arrived> {
  readonly arrivals: readonly Arrived[];
  /** Documents and events in them. */
  readonly count: number;
  /** Parts of the reply that could not be read. */
  readonly unreadable: readonly UnreadableDocument[];
}

export interface Asking<Arrived> {
  /** Asks the service for one window. */
  readonly fetch: (window: FetchWindow, signal: AbortSignal) => Promise<Fetched<Arrived>>;
  /** Whether times go over the wire, so that a day can be cut into hours. */
  readonly hasTimes: boolean;
}

const DAY = 86_400;

/** Seconds since 1970 on a clock without zones and changes: days are equal there, as they are on the wire. */
function secondOf({ date, time }: WallClock): number {
  return Date.parse(`${date}T${time}Z`) / 1000;
}

function momentAt(second: number): WallClock {
  const iso = new Date(second * 1000).toISOString();
  return { date: iso.slice(0, 10), time: iso.slice(11, 19) };
}

/** The whole days of a range as one window. */
export function windowOf({ from, to }: Period): FetchWindow {
  return { from: { date: from, time: '00:00:00' }, to: { date: to, time: '23:59:59' } };
}

/**
 * A window cut in two: between days where it has several, else in the middle of the day, down to an hour.
 * @param hasTimes whether times go over the wire; without them a day cannot be cut
 * @returns undefined for a window that cannot be cut further
 */
export function halve(
  window: FetchWindow,
  hasTimes: boolean,
): readonly [FetchWindow, FetchWindow] | undefined {
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
export function isHopeless(error: unknown): boolean {
  if (error instanceof Unreachable) return !brokenOff.includes(error.code);
  return error instanceof Refused && hopelessStatuses.includes(error.refusal.status);
}

/** Whether a smaller window may succeed: the service took too long, sent too much, broke off or said no to it. */
function mayBeTooLarge(error: unknown): boolean {
  const isOfReply = [TimedOut, Refused, NotUnderstood, Unreachable].some((kind) => error instanceof kind);
  return isOfReply && !isHopeless(error);
}

/** A window that can be cut is given up after this: a tool call as a whole has less than a minute. */
const LONGEST_WINDOW_MS = 20_000;

/** The halves of a window that failed, where smaller ones may succeed. */
export function halvesAfter(
  error: unknown,
  window: FetchWindow,
  hasTimes: boolean,
  stop: AbortSignal,
): readonly [FetchWindow, FetchWindow] | undefined {
  return mayBeTooLarge(error) && !stop.aborted ? halve(window, hasTimes) : undefined;
}

/** Fetches a window; one within a day that fails is fetched in halves, down to an hour. */
export async function fetchWindow<Arrived>(
  window: FetchWindow,
  asking: Asking<Arrived>,
  stop: AbortSignal,
): Promise<Fetched<Arrived>> {
  const { fetch, hasTimes } = asking;
  try {
    if (halve(window, hasTimes) === undefined) return await fetch(window, stop);
    return await withTimeout(LONGEST_WINDOW_MS, stop, (signal) => fetch(window, signal));
  } catch (error) {
    const isWithinDay = window.from.date === window.to.date;
    const halves = isWithinDay ? halvesAfter(error, window, hasTimes, stop) : undefined;
    if (halves === undefined) throw error;
    const [one, other] = halves;
    const first = await fetchWindow(one, asking, stop);
    const second = await fetchWindow(other, asking, stop);
    return {
      arrivals: [...first.arrivals, ...second.arrivals],
      count: first.count + second.count,
      unreadable: [...first.unreadable, ...second.unreadable],
    };
  }
}
