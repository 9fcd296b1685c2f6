import { setMaxListeners } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { Cancelled, TimedOut, type UpstreamError } from '../errors.ts';
import type { HttpCall } from './call.ts';

/** Waits for work until a signal aborts, whose reason it throws. The work itself is not stopped. */
export async function abortable<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  let stopListening = (): void => {};
  const aborted = new Promise<never>((_, reject) => {
    const onAbort = (): void => reject(signal.reason);
    if (signal.aborted) onAbort();
    else signal.addEventListener('abort', onAbort, { once: true });
    stopListening = () => signal.removeEventListener('abort', onAbort);
  });
  try {
    return await Promise.race([work, aborted]);
  } finally {
    stopListening();
  }
}

/** Waits so long. @throws the signal's reason as soon as it is aborted; Node's timer throws an error of its own */
export async function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  try {
    await sleep(milliseconds, undefined, { signal });
  } catch (error) {
    signal.throwIfAborted();
    throw error;
  }
}

/** Makes a call with a timeout of its own. @throws TimedOut; what the call throws */
export async function withTimeout<T>(
  milliseconds: number,
  stop: AbortSignal,
  call: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const limit = new AbortController();
  const timer = setTimeout(() => limit.abort(), milliseconds);
  try {
    return await call(AbortSignal.any([stop, limit.signal]));
  } catch (error) {
    const isOver = error instanceof Cancelled && limit.signal.aborted && !stop.aborted;
    throw isOver ? new TimedOut(error, milliseconds / 1000, 'own') : error;
  } finally {
    clearTimeout(timer);
  }
}

/** How long one call may go on. */
export interface Lifetime {
  /** Aborted when the call must end before its time; the reason is what `ended` answers. */
  readonly signal: AbortSignal;
  /** Why the call must end, or undefined while it may go on. */
  ended(): UpstreamError | undefined;
  /** From here on the call's time runs. */
  startClock(): void;
  /** Milliseconds of the call's time left. */
  remaining(): number;
  /** Lets go of timer and listeners. */
  end(): void;
}

/** A call's life: over when its caller cancels, when the client is closed, or when its time is used up. */
export function beginLifetime(call: HttpCall, seconds: number, closing: AbortSignal): Lifetime {
  const controller = new AbortController();
  const cancelling = call.signal ? [call.signal, closing] : [closing];
  let reason: UpstreamError | undefined;
  let timer: NodeJS.Timeout | undefined;
  let deadline = Number.POSITIVE_INFINITY;

  const endWith = (error: UpstreamError): void => {
    reason ??= error;
    controller.abort(reason);
  };
  const cancel = (): void => endWith(new Cancelled(call));

  for (const signal of cancelling) {
    // Many calls may share a signal, which Node would report as a leak from the eleventh on.
    setMaxListeners(0, signal);
    if (signal.aborted) cancel();
    else signal.addEventListener('abort', cancel, { once: true });
  }

  return {
    signal: controller.signal,
    ended: () => reason,
    startClock() {
      deadline = performance.now() + seconds * 1000;
      timer = setTimeout(() => endWith(new TimedOut(call, seconds)), seconds * 1000);
    },
    remaining: () => deadline - performance.now(),
    end() {
      clearTimeout(timer);
      for (const signal of cancelling) signal.removeEventListener('abort', cancel);
    },
  };
}
