import { Cancelled, TimedOut, UpstreamError } from '../../clients/errors.ts';
import { daysOf, type Period, periodsOf } from '../days.ts';
import { isHopeless } from './failures.ts';

/** Days that could not be fetched, and why. */
export interface MissingDays extends Period {
  readonly error: UpstreamError;
}

export interface CollectionResult {
  /** Days that are complete now and were not before. */
  readonly daysDone: number;
  /** Days that failed after every retry. */
  readonly missing: readonly MissingDays[];
  /** Days not asked for yet, because the time was over. */
  readonly pending: readonly Period[];
  /** Documents and events fetched now. */
  readonly documents: number;
}

/** What has become of the days of a collection so far. */
export interface Tally {
  readonly daysDone: number;
  readonly documents: number;
  /** Whether nothing more should be asked for, because every call would fail. */
  readonly isHopeless: boolean;
  kept(range: Period, documents: number): void;
  /** @throws the error itself where it is not about these days alone */
  failed(range: Period, error: unknown): void;
  /** Not fetched because the time was over; the error is of a call that was under way. */
  leftOver(range: Period, error?: UpstreamError): void;
  result(): CollectionResult;
}

/** So many days without one that succeeds, and the rest is not asked for: the service is not working. */
const FAILURES_BEFORE_GIVING_UP = 5;

/** A service that completes nothing in so long does not answer; asking it again would never end. */
const LONG_MS = 20_000;

export function createTally(): Tally {
  const began = Date.now();
  const missing: MissingDays[] = [];
  const left: string[] = [];
  let daysDone = 0;
  let documents = 0;
  let hopeless: UpstreamError | undefined;
  let interrupted: UpstreamError | undefined;

  return {
    get daysDone() {
      return daysDone;
    },
    get documents() {
      return documents;
    },
    get isHopeless() {
      return hopeless !== undefined;
    },
    kept(range, count) {
      daysDone += daysOf(range).length;
      documents += count;
    },
    failed(range, error) {
      if (!(error instanceof UpstreamError) || error instanceof Cancelled) throw error;
      missing.push({ ...range, error });
      const isDown = daysDone === 0 && missing.length >= FAILURES_BEFORE_GIVING_UP;
      if (isHopeless(error) || isDown) hopeless = error;
    },
    leftOver(range, error) {
      left.push(...daysOf(range));
      interrupted ??= error;
    },
    result() {
      const spent = Date.now() - began;
      const isStuck = daysDone === 0 && spent >= LONG_MS;
      const stuck =
        isStuck && interrupted ? new TimedOut(interrupted, Math.round(spent / 1000), 'window') : undefined;
      const cause = hopeless ?? stuck;
      const ranges = periodsOf(left);
      const pending = cause === undefined ? ranges : [];
      const unasked = cause === undefined ? [] : ranges.map((range) => ({ ...range, error: cause }));
      return { daysDone, missing: [...missing, ...unasked], pending, documents };
    },
  };
}
