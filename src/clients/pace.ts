import { setImmediate as letOthersRun } from 'node:timers/promises';

/** Units of work between two turns: some milliseconds, whatever the units are. */
const STRETCH = 4096;

/**
 * Lets everything else have its turn in the middle of long work: progress, cancellation, other calls. It goes by what
 * was done and not by the clock, so that the same work has the same turns everywhere.
 */
export interface Pace {
  /** Notes what was done, an element or some hundred characters a unit. True where it is time for `rest`. */
  did(units: number): boolean;
  /** Resolves once everything else has had its turn. */
  rest(): Promise<void>;
}

export function createPace(): Pace {
  let done = 0;
  return {
    did(units) {
      done += units;
      return done >= STRETCH;
    },
    async rest() {
      done = 0;
      await letOthersRun();
    },
  };
}
