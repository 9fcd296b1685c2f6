import { abortable } from '../clients/http/abortable.ts';
import type { CallContext, CallTime } from './call-context.ts';
import { reportUnexpected, Unfulfilled } from './failures.ts';

/** Hosts give a call 60 seconds; it answers within 45, with two left for the answer itself. Source: docs/hosts.md, F2. */
export const LONGEST_CALL_MS = 43_000;

/** Begins a call's time. */
export function beginCallTime(): CallTime {
  const over = new AbortController();
  const start = () => setTimeout(() => over.abort(), LONGEST_CALL_MS).unref();
  let timer = start();
  return {
    over: over.signal,
    async standStill(person) {
      clearTimeout(timer);
      try {
        return await person;
      } finally {
        timer = start();
      }
    },
    end: () => clearTimeout(timer),
  };
}

/** The time of work that nobody waits for: it is never over. */
export function endlessTime(): CallTime {
  return { over: new AbortController().signal, standStill: (person) => person, end: () => undefined };
}

type Timed = Pick<CallContext, 'time' | 'caller'>;

/**
 * Work that may be given up when the call has to answer.
 * @throws Unfulfilled when the time is over; what the work throws
 */
export async function withinCall<T>(work: Promise<T>, { time, caller }: Timed): Promise<T> {
  try {
    return await abortable(work, time.over);
  } catch (error) {
    // What was under way ends as cancelled then, and by nobody's wish.
    if (!time.over.aborted || caller.aborted) throw error;
    throw new Unfulfilled('failure.time_over', { seconds: LONGEST_CALL_MS / 1000 });
  }
}

/** A write that was not begun in time tells so a moment after the time is over. */
const LAST_WORDS_MS = 1_000;

/**
 * Work that goes on when the call has to answer, such as waiting for the reply to a write; undefined then.
 * @throws what the work throws while the call lasts; later it is told on standard error
 */
export async function whileCallLasts<T>(
  work: Promise<T>,
  { time, translator }: Pick<CallContext, 'time' | 'translator'>,
): Promise<T | undefined> {
  try {
    return await abortable(work, time.over);
  } catch (error) {
    if (error !== time.over.reason) throw error;
  }
  const lastWords = new Promise<undefined>((resolve) => setTimeout(resolve, LAST_WORDS_MS, undefined));
  const told = await Promise.race([work, lastWords]);
  if (told === undefined) work.catch((error: unknown) => reportUnexpected(error, translator));
  return told;
}
