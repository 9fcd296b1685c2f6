import { setTimeout as sleep } from 'node:timers/promises';
import { vi } from 'vitest';

/** Waits until something is so, however long that takes: the test's own time limit ends it. */
export async function until(isSo: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await isSo())) await sleep(2);
}

/** A promise that the test resolves. */
export function signalOf(): { promise: Promise<void>; fire: () => void } {
  let fire = (): void => {};
  const promise = new Promise<void>((resolve) => {
    fire = resolve;
  });
  return { promise, fire };
}

/** Stops the time of everything in this process that waits with a timer; only the test lets it go by. */
export function standStill() {
  vi.useFakeTimers({
    toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'performance', 'Date'],
  });
  return {
    pass: async (milliseconds: number) => void (await vi.advanceTimersByTimeAsync(milliseconds)),
    [Symbol.dispose]: () => void vi.useRealTimers(),
  };
}

/**
 * A time limit made with `AbortSignal.timeout`, which the test ends by hand.
 * @param least the shortest matching limit, if the limit is the rest of a longer one
 */
export function holdTimeLimit(milliseconds: number, least = milliseconds): { isSet(): boolean; end(): void } {
  const limit = new AbortController();
  const make = AbortSignal.timeout.bind(AbortSignal);
  let isSet = false;
  vi.spyOn(AbortSignal, 'timeout').mockImplementation((given) => {
    if (given < least || given > milliseconds) return make(given);
    isSet = true;
    return limit.signal;
  });
  return { isSet: () => isSet, end: () => limit.abort(new DOMException('time is over', 'TimeoutError')) };
}

/** Makes it this moment for everything in this process, until `vi.useRealTimers()`. Only dates are stopped. */
export function setToday(moment: string): void {
  vi.useFakeTimers({ toFake: ['Date'], now: new Date(moment) });
}
