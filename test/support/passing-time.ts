import { setImmediate as nextTurn } from 'node:timers/promises';
import { vi } from 'vitest';

/** Waits until something is so, on no clock: the test's own time limit ends it. */
export async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await nextTurn();
}

/** A time for everything in this process that waits with `setTimeout`, which only the test lets go by. */
export interface StandingTime {
  pass(milliseconds: number): Promise<void>;
  [Symbol.dispose](): void;
}

export function standStill(): StandingTime {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance', 'Date'] });
  return {
    pass: async (milliseconds) => void (await vi.advanceTimersByTimeAsync(milliseconds)),
    [Symbol.dispose]: () => void vi.useRealTimers(),
  };
}

/** A time limit made with `AbortSignal.timeout`, which ends when the test says so and not before. */
export function holdTimeLimit(milliseconds: number): { isSet(): boolean; end(): void } {
  const limit = new AbortController();
  const make = AbortSignal.timeout.bind(AbortSignal);
  let isSet = false;
  vi.spyOn(AbortSignal, 'timeout').mockImplementation((given) => {
    if (given !== milliseconds) return make(given);
    isSet = true;
    return limit.signal;
  });
  return { isSet: () => isSet, end: () => limit.abort(new DOMException('time is over', 'TimeoutError')) };
}
