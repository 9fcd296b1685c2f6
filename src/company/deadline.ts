import { abortable } from '../clients/http/signals.ts';
import type { Translator } from '../messages/index.ts';
import { reportUnexpected, Unfulfilled } from './failures.ts';

/** Hosts give a call 60 seconds; it answers within 45, with two left for the answer itself. Source: docs/hosts.md, F2. */
export const LONGEST_CALL_MS = 43_000;

/** Fetching stops here, so that what came can be computed; computing stops here, so that it can be answered. */
const LONGEST_FETCH_MS = 38_000;
const LONGEST_WORK_MS = 41_000;

/** When a call has to answer. */
export interface Deadline {
  /** Until when it may fetch: milliseconds since 1970. */
  readonly fetchBy: number;
  /** When all other work stops, and it answers with what it has. */
  readonly workBy: number;
  /** Aborted some seconds later: a call that has not answered by then fails. */
  readonly over: AbortSignal;
  /** Waits for a person: meanwhile no time passes, and afterwards the deadline begins anew. */
  pause<T>(prompt: Promise<T>): Promise<T>;
  /** Clears the timer. */
  end(): void;
}

/** Begins a call's time. */
export function startDeadline(): Deadline {
  const over = new AbortController();
  const start = () => setTimeout(() => over.abort(), LONGEST_CALL_MS).unref();
  let timer = start();
  let began = Date.now();
  return {
    get fetchBy() {
      return began + LONGEST_FETCH_MS;
    },
    get workBy() {
      return began + LONGEST_WORK_MS;
    },
    over: over.signal,
    async pause(prompt) {
      clearTimeout(timer);
      try {
        return await prompt;
      } finally {
        timer = start();
        began = Date.now();
      }
    },
    end: () => clearTimeout(timer),
  };
}

/** For work that nobody waits for. */
export function noDeadline(): Deadline {
  return {
    fetchBy: Number.POSITIVE_INFINITY,
    workBy: Number.POSITIVE_INFINITY,
    over: new AbortController().signal,
    pause: (prompt) => prompt,
    end: () => undefined,
  };
}

/**
 * Work that may be given up when the call has to answer.
 * @throws Unfulfilled when the time is over; what the work throws
 */
export async function withinCall<T>(
  work: Promise<T>,
  { deadline, caller }: { readonly deadline: Deadline; readonly caller: AbortSignal },
): Promise<T> {
  try {
    return await abortable(work, deadline.over);
  } catch (error) {
    // What was under way ends as cancelled then, and by nobody's wish.
    if (!deadline.over.aborted || caller.aborted) throw error;
    throw new Unfulfilled('failure.time_over', { seconds: LONGEST_CALL_MS / 1000 });
  }
}

/** A write that was not begun in time says so a moment after the deadline. */
const LAST_WORDS_MS = 1_000;

/**
 * Work that goes on after the deadline, such as waiting for the reply to a write; undefined then.
 * @throws what the work throws while the call lasts; later it is reported on standard error
 */
export async function whileCallLasts<T>(
  work: Promise<T>,
  { deadline, translator }: { readonly deadline: Deadline; readonly translator: Translator },
): Promise<T | undefined> {
  try {
    return await abortable(work, deadline.over);
  } catch (error) {
    if (error !== deadline.over.reason) throw error;
  }
  const lastWords = new Promise<undefined>((resolve) => setTimeout(resolve, LAST_WORDS_MS, undefined));
  const outcome = await Promise.race([work, lastWords]);
  if (outcome === undefined) work.catch((error: unknown) => reportUnexpected(error, translator));
  return outcome;
}
