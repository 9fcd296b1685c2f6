import { abortable } from '../clients/http/call.ts';
import type { Translator } from '../messages/index.ts';
import { reportUnexpected, Unfulfilled } from './failures.ts';

/**
 * Hosts time out after 60 seconds; a call answers within 45, two of them for the answer itself. Source:
 * docs/hosts.md, F2.
 */
export const LONGEST_CALL_MS = 43_000;

/** Fetching ends first, so that what arrived can be computed; computing ends next, so that it can be answered. */
const LONGEST_FETCH_MS = 38_000;
const LONGEST_WORK_MS = 41_000;

export interface Deadline {
  /** End of fetching: milliseconds since 1970. */
  readonly fetchBy: number;
  /** End of all other work: milliseconds since 1970. */
  readonly workBy: number;
  /** Aborted when a call has still not answered; the call fails. */
  readonly over: AbortSignal;
  /** Waits for a person; the deadline restarts afterwards. */
  pause<T>(prompt: Promise<T>): Promise<T>;
  end(): void;
}

/** Starts a call's deadline. */
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

/** A deadline for background work, which never ends. */
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
 * Races work against the deadline.
 * @throws Unfulfilled at the deadline; what the work throws
 */
export async function withinCall<T>(
  work: Promise<T>,
  { deadline, caller }: { readonly deadline: Deadline; readonly caller: AbortSignal },
): Promise<T> {
  try {
    return await abortable(work, deadline.over);
  } catch (error) {
    // At the deadline, cancelled work reports `Cancelled`, though nobody cancelled it.
    if (!deadline.over.aborted || caller.aborted) throw error;
    throw new Unfulfilled('failure.time_over', { seconds: LONGEST_CALL_MS / 1000 });
  }
}

/** Grace after the deadline in which a write that was not begun reports so. */
const LAST_WORDS_MS = 1_000;

/**
 * Waits for work that continues after the deadline, such as the reply to a write; undefined at the deadline.
 * @throws what the work throws before it; later errors go to standard error
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
