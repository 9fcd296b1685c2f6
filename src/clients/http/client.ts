import { setMaxListeners } from 'node:events';
import { Cancelled, TimedOut } from '../errors.ts';
import { abortable, type HttpCall, pause, type Redaction, whenAborted } from './call.ts';
import { type Exchanged, exchange, type Reader } from './exchange.ts';
import type { Gate } from './gate.ts';
import { createRedaction, secretsOf } from './redact.ts';
import { waitBeforeRetry } from './refusal.ts';
import { createTransport, type TransportOptions } from './transport.ts';

export interface HttpOptions extends TransportOptions {
  /** Timeout of a call in seconds, including retries but not the wait for a slot. */
  readonly timeoutSeconds: number;
  /** Concurrent calls in total; further ones are queued. */
  readonly concurrency: number;
  /** Secrets to redact in a service's texts, besides those sent and anything that looks like one. */
  readonly secrets?: readonly string[];
  /** 0 <= random() < 1, for the jitter of the back-off. */
  readonly random?: () => number;
  readonly sleep?: (milliseconds: number, signal: AbortSignal) => Promise<void>;
  /** Keeps calls fair to the services. */
  readonly gate?: Gate | undefined;
  /** Called after every request, sent or attempted. */
  readonly onExchange?: ((exchanged: Exchanged) => void) | undefined;
}

/** Semaphore of calls, first come first served. */
function createSlots(count: number) {
  let free = count;
  const queue = new Set<() => void>();

  /** Hands the slot over directly: a caller that calls again at once must not overtake those that wait. */
  function release(): void {
    const [enter] = queue;
    if (enter === undefined) free += 1;
    else enter();
  }

  return {
    get waiting() {
      return queue.size;
    },
    /** Takes a slot and returns the function that frees it. */
    async take(signal: AbortSignal): Promise<() => void> {
      signal.throwIfAborted();
      if (free > 0) {
        free -= 1;
        return release;
      }
      await new Promise<void>((resolve, reject) => {
        const enter = (): void => {
          forget();
          queue.delete(enter);
          resolve();
        };
        queue.add(enter);
        const forget = whenAborted(signal, () => {
          queue.delete(enter);
          reject(signal.reason);
        });
      });
      return release;
    },
  };
}

/** A signal that many calls may share: Node would warn of more than ten listeners. */
function shared(signal: AbortSignal | undefined): AbortSignal | undefined {
  if (signal !== undefined) setMaxListeners(0, signal);
  return signal;
}

/** Secrets remembered, those of earlier calls too, latest first: one service may quote the other's token. */
const mostSecrets = 50;

export type HttpClient = ReturnType<typeof createHttpClient>;

/** Creates the client; the first call loads the HTTP library and opens connections. */
export function createHttpClient(options: HttpOptions) {
  const { random = Math.random, sleep = pause, onExchange, gate } = options;
  const slots = createSlots(options.concurrency);
  const transport = createTransport(options);
  const closing = new AbortController();
  setMaxListeners(0, closing.signal);
  let known: readonly string[] = [];
  let redaction = createRedaction(known);

  function redactionOf(call: HttpCall): Redaction {
    const before = known;
    const secrets = [...(options.secrets ?? []), ...secretsOf(call)];
    known = [...new Set([...secrets, ...before])].slice(0, mostSecrets);
    if (known.some((one) => !before.includes(one))) redaction = createRedaction(known);
    return redaction;
  }

  /** @param over the end of the call, with its reason */
  async function attempts<T>(call: HttpCall, read: Reader<T>, over: AbortController): Promise<T> {
    const { signal } = over;
    const milliseconds = options.timeoutSeconds * 1000;
    const deadline = performance.now() + milliseconds;
    const timedOut = () => over.abort(new TimedOut(call, options.timeoutSeconds));
    const timer = setTimeout(timedOut, milliseconds);
    const parts = { transport, call, signal, redaction: redactionOf(call), onEnd: onExchange };
    try {
      for (let count = 1; ; count += 1) {
        const outcome = await exchange(parts, read);
        if ('value' in outcome) return outcome.value;
        const { error } = outcome;
        const remaining = deadline - performance.now();
        const wait = call.kind === 'write' ? undefined : waitBeforeRetry(error, count, remaining, random);
        if (wait === undefined) throw error;
        await abortable(sleep(wait, signal), signal);
      }
    } finally {
      clearTimeout(timer);
    }
  }

  return {
    get waiting() {
      return slots.waiting;
    },

    /**
     * Makes a call and passes its 2xx reply to `read`, which consumes the body as it arrives. When a read's connection
     * breaks, `read` is called again with a fresh reply, so it must keep nothing from an earlier one. Errors of `read`
     * pass through unchanged and are not retried.
     *
     * @throws HeldBack, Unreachable, TimedOut, Refused (any status but 2xx, and 206), NotUnderstood (too large, broken
     * encoding), Cancelled; wrapped in OutcomeUnknown for a write that may have reached the service, except a plain
     * refusal.
     */
    async call<T>(call: HttpCall, read: Reader<T>): Promise<T> {
      // The error of a failed parse would hold the address, credentials included.
      if (!URL.canParse(call.url)) throw new TypeError(`the address of ${call.operation} is not a URL`);
      const over = new AbortController();
      const cancel = () => over.abort(new Cancelled(call));
      const forgetCaller = whenAborted(shared(call.signal), cancel);
      const forgetStart = whenAborted(shared(call.startBy), cancel);
      const forgetClosing = whenAborted(closing.signal, cancel);
      try {
        const release = await slots.take(over.signal);
        forgetStart();
        try {
          const leave = await gate?.enter(call, over.signal);
          try {
            const value = await attempts(call, read, over);
            await leave?.();
            return value;
          } catch (error) {
            await leave?.(error);
            throw error;
          }
        } finally {
          release();
        }
      } finally {
        forgetStart();
        forgetCaller();
        forgetClosing();
      }
    },

    /** Cancels calls under way and closes all connections. */
    async close(): Promise<void> {
      closing.abort();
      await transport.close();
    },
  };
}
