import { abortable } from './signals.ts';

/** A bound on how many things happen at once. */
export interface Slots {
  /**
   * Waits for a free slot, first come first served, and answers with the function that gives it back (harmless to
   * call twice).
   *
   * @throws the signal's reason when it is aborted while waiting; the place in the queue is given up.
   */
  take(signal: AbortSignal): Promise<() => void>;
  /** How many wait. */
  readonly waiting: number;
}

export function createSlots(count: number): Slots {
  let free = count;
  const waiting: (() => void)[] = [];

  const handOver = (): void => {
    const next = waiting.shift();
    if (next) next();
    else free += 1;
  };

  const slot = (): (() => void) => {
    let held = true;
    return () => {
      if (held) handOver();
      held = false;
    };
  };

  return {
    get waiting() {
      return waiting.length;
    },

    async take(signal) {
      signal.throwIfAborted();
      if (free > 0) {
        free -= 1;
        return slot();
      }
      const { promise, resolve } = turn();
      waiting.push(resolve);
      try {
        await abortable(promise, signal);
      } catch (reason) {
        const place = waiting.indexOf(resolve);
        if (place >= 0) waiting.splice(place, 1);
        // The slot may have been handed over in the same moment as the abort.
        else handOver();
        throw reason;
      }
      return slot();
    },
  };
}

function turn(): { promise: Promise<void>; resolve: () => void } {
  let resolve = (): void => {};
  const promise = new Promise<void>((done) => {
    resolve = done;
  });
  return { promise, resolve };
}
