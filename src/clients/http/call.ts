import { setTimeout as sleep } from 'node:timers/promises';
import { type Call, Cancelled, type Service, TimedOut, type UpstreamError } from '../errors.ts';

/** Takes secrets out of a text. */
export type Redact = (text: string) => string;

/** How texts of a reply are freed from secrets. */
export interface Redaction {
  /** For the service's own words: takes out secrets and what looks like one. */
  readonly redact: Redact;
  /** For values that are passed on: takes out known secrets alone. */
  readonly hide: Redact;
}

/** One call to a service. */
export interface HttpCall {
  readonly service: Service;
  /** Named in errors, e.g. `Mercadoria/RetornaChaves`. */
  readonly operation: string;
  /** CNPJ of the company that the call is about, where it names one. */
  readonly company?: string | undefined;
  readonly method: 'GET' | 'POST' | 'PUT';
  /** The whole address. May hold credentials in its query: it never leaves this room. */
  readonly url: string;
  /** Those that the client sets itself are named in lower case. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  /** A `read` is repeated after a passing failure; a `write` is sent once at most. */
  readonly kind: 'read' | 'write';
  /** `public`: only to addresses of the public network, whatever the host's name means when it is connected to. */
  readonly network?: 'any' | 'public';
  /** A redirect is a reply like a 2xx. */
  readonly takesRedirects?: boolean;
  readonly signal?: AbortSignal | undefined;
  /** Once this is aborted the call is not begun any more; one under way goes on. */
  readonly startBy?: AbortSignal | undefined;
  /** Bytes of the decoded body that are read at most, 32 MiB by default. */
  readonly maxBytes?: number;
}

/** A 2xx reply. */
export interface HttpReply extends Redaction {
  /** The call that it answers, for errors. */
  readonly call: Call;
  readonly status: number;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** The decoded body, to be iterated once. */
  readonly body: AsyncIterable<Uint8Array>;
}

/** Waits for work until a signal aborts, whose reason it throws. The work itself is not stopped. */
export async function abortable<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  let stopListening = (): void => {};
  const aborted = new Promise<never>((_, reject) => {
    const onAbort = (): void => reject(signal.reason);
    if (signal.aborted) onAbort();
    else signal.addEventListener('abort', onAbort, { once: true });
    stopListening = () => signal.removeEventListener('abort', onAbort);
  });
  return await Promise.race([work, aborted]).finally(stopListening);
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

/** How long one call may go on: until its caller cancels, the client is closed, or its time is used up. */
export type Lifetime = ReturnType<typeof beginLifetime>;

/** @param seconds counted from `startClock` on */
export function beginLifetime(call: HttpCall, seconds: number) {
  const timedOut = new TimedOut(call, seconds);
  const over = new AbortController();
  // Node keeps some bytes of each combination as long as its signals live, so the client's life is none of them.
  const signal = call.signal ? AbortSignal.any([over.signal, call.signal]) : over.signal;
  let timer: NodeJS.Timeout | undefined;
  let deadline = Number.POSITIVE_INFINITY;
  return {
    /** Aborted when the call must end before its time. */
    signal,
    /** Why the call must end, or undefined while it may go on. */
    ended(): UpstreamError | undefined {
      if (!signal.aborted) return undefined;
      return signal.reason === timedOut ? timedOut : new Cancelled(call);
    },
    startClock(): void {
      deadline = performance.now() + seconds * 1000;
      timer = setTimeout(() => over.abort(timedOut), seconds * 1000);
    },
    /** Milliseconds of the call's time left. */
    remaining: () => deadline - performance.now(),
    cancel: () => over.abort(),
    end: () => clearTimeout(timer),
  };
}
