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

let before: Promise<void> = Promise.resolve();

/** Resolves in a turn of the event loop that nobody else who waits here has: several would compute in one. */
function ownTurn(): Promise<void> {
  before = before.then(() => letOthersRun());
  return before;
}

/** Units of work for which several share a turn: a turn costs more than reading what few bytes say. */
const SHARED = STRETCH / 4;

/** How many take turns at the moment. */
let paced = 0;
/** Units of work that share this turn of the event loop. */
let shared = 0;

/** Takes its part of this turn, where there is room. */
function findsRoom(units: number): boolean {
  if (shared + units > SHARED) return false;
  if (shared === 0) {
    setImmediate(() => {
      shared = 0;
    });
  }
  shared += units;
  return true;
}

/**
 * Takes turns with others of whom each computes for some milliseconds when its data has come, such as replies that are
 * read at the same time: what has come for all of them at once would be worked on in one turn of the event loop.
 */
export function takingTurns() {
  paced += 1;
  return {
    /** What to wait for before so much work: nothing for the only one, and for so little that this turn has room. */
    next: (units: number): Promise<void> | undefined =>
      paced === 1 || findsRoom(units) ? undefined : ownTurn(),
    end(): void {
      paced -= 1;
    },
  };
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
      await ownTurn();
    },
  };
}
