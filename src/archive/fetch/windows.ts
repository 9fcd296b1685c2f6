import type { WallClock } from '../../clients/tax-documents/wire-formats.ts';
import type { Period } from '../days.ts';

/** What one call asks for: both ends included, to the second, on the service's clock. */
export interface FetchWindow {
  readonly from: WallClock;
  readonly to: WallClock;
}

const DAY = 86_400;

/** Seconds since 1970 on a clock without zones and changes: days are equal there, as they are on the wire. */
function secondOf(date: string, time: string): number {
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
  const start = secondOf(window.from.date, window.from.time);
  const end = secondOf(window.to.date, window.to.time);
  const length = end - start + 1;
  const unit = length >= 2 * DAY ? DAY : 3600;
  if (unit === 3600 && (!hasTimes || length < 2 * 3600)) return undefined;
  const middle = start + Math.floor(length / unit / 2) * unit;
  return [
    { from: window.from, to: momentAt(middle - 1) },
    { from: momentAt(middle), to: window.to },
  ];
}

/** Days per window while a collection goes on: grows while windows are small, shrinks when one is not. */
export interface Pace {
  readonly days: number;
  /** Windows that may be under way at once, so that what they hold together stays little. */
  readonly atOnce: number;
  /** A window of so many days that was answered with so many documents. */
  answered(documents: number, days: number): void;
  /** A window that was refused or took too long. */
  failed(): void;
}

/** A window's documents are held until they are stored; windows are sized so that these stay few. */
const MANY_DOCUMENTS = 300;
const FEW_DOCUMENTS = 60;
/** Documents of all windows under way together; two windows are let in however large they are. */
const MOST_HELD = 600;

/** @param longest days a window may have at most */
export function createPace(longest: number): Pace {
  let days = 1;
  let lately = 0;
  /** Documents of a day, of the fullest lately. */
  let ofADay = 0;
  return {
    get days() {
      return days;
    },
    get atOnce() {
      return Math.max(2, Math.floor(MOST_HELD / Math.max(1, lately)));
    },
    answered(documents, answeredDays) {
      // A quiet day, as at a weekend, says little about the next ones.
      lately = Math.max(documents, lately * 0.9);
      ofADay = Math.max(documents / answeredDays, ofADay * 0.8);
      const isFewAgain = documents < FEW_DOCUMENTS && 2 * days * ofADay <= MANY_DOCUMENTS;
      if (documents > MANY_DOCUMENTS) days = Math.max(1, Math.floor(days / 2));
      else if (isFewAgain) days = Math.min(longest, days * 2);
    },
    failed() {
      days = Math.max(1, Math.floor(days / 2));
    },
  };
}
