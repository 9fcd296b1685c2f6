import { Cancelled, UpstreamError } from '../errors.ts';
import { abortable, beginLifetime, type HttpCall, type Lifetime, pause, type Redaction } from './call.ts';
import { type Exchanged, exchange, failureOfWrite, type Reader } from './exchange.ts';
import type { Gate } from './gate.ts';
import { createRedaction, secretsOf } from './redact.ts';
import { waitBeforeRetry } from './refusal.ts';
import { createTransport, type TransportOptions } from './transport.ts';

/** Options of the HTTP client of both services. */
export interface HttpOptions extends TransportOptions {
  /** Timeout of a call in seconds, including retries but not the wait for a slot. */
  readonly timeoutSeconds: number;
  /** Concurrent calls in total; further ones are queued. */
  readonly concurrency: number;
  /** Redacted in a service's words, besides what was sent and anything that looks like a secret. */
  readonly secrets?: () => Iterable<string>;
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
    const [next] = queue;
    if (next === undefined) free += 1;
    else {
      queue.delete(next);
      next();
    }
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
      let enter = (): void => {};
      const turn = new Promise<void>((resolve) => {
        enter = resolve;
        queue.add(resolve);
      });
      try {
        await abortable(turn, signal);
        return release;
      } catch (error) {
        // The slot may have been handed over in the same moment as the abort.
        if (!queue.delete(enter)) release();
        throw error;
      }
    },
  };
}

export interface HttpClient {
  /**
   * Makes a call and passes its 2xx reply to `read`, which consumes the body as it arrives. When a read's connection
   * breaks, `read` is called again with a fresh reply, so it must keep nothing from an earlier one. Errors of `read`
   * pass through unchanged and are not retried.
   *
   * @throws HeldBack, Unreachable, TimedOut, Refused (any status but 2xx, and 206), NotUnderstood (too large, broken
   * encoding), Cancelled; wrapped in OutcomeUnknown for a write that may have reached the service, except a plain
   * refusal.
   */
  call<T>(call: HttpCall, read: Reader<T>): Promise<T>;
  /** Queued calls. */
  readonly waiting: number;
  /** Cancels calls under way and closes all connections. */
  close(): Promise<void>;
}

/** Secrets remembered of earlier calls: one service may quote the other's token. */
const mostSent = 50;

/** Creates the client; the first call loads the HTTP library and opens connections. */
export function createHttpClient(options: HttpOptions): HttpClient {
  const { random = Math.random, sleep = pause, onExchange, gate } = options;
  const slots = createSlots(options.concurrency);
  const transport = createTransport(options);
  const underWay = new Set<Lifetime>();
  let isClosed = false;
  let sent: readonly string[] = [];

  function redactionOf(call: HttpCall): Redaction {
    sent = [...new Set([...secretsOf(call), ...sent])].slice(0, mostSent);
    return createRedaction([...sent, ...(options.secrets?.() ?? [])]);
  }

  async function attempts<T>(
    call: HttpCall,
    read: Reader<T>,
    lifetime: Lifetime,
    redaction: Redaction,
  ): Promise<T> {
    for (let count = 1; ; count += 1) {
      const outcome = await exchange({ transport, call, lifetime, redaction, onEnd: onExchange }, read);
      if (outcome.done) return outcome.value;
      if (call.kind === 'write') throw failureOfWrite(outcome);
      const wait = waitBeforeRetry(outcome.error, count, lifetime.remaining(), random);
      if (wait === undefined) throw outcome.error;
      await abortable(sleep(wait, lifetime.signal), lifetime.signal);
    }
  }

  async function slotFor(call: HttpCall, { signal }: Lifetime): Promise<() => void> {
    if (call.startBy === undefined) return await slots.take(signal);
    return await slots.take(AbortSignal.any([signal, call.startBy])).catch((error: unknown) => {
      throw signal.aborted ? error : new Cancelled(call);
    });
  }

  return {
    get waiting() {
      return slots.waiting;
    },

    async call(call, read) {
      // The error of a failed parse would hold the address, credentials included.
      if (!URL.canParse(call.url)) throw new TypeError(`the address of ${call.operation} is not a URL`);
      const lifetime = beginLifetime(call, options.timeoutSeconds);
      underWay.add(lifetime);
      if (isClosed) lifetime.cancel();
      const redaction = redactionOf(call);
      try {
        const release = await slotFor(call, lifetime);
        try {
          const leave = await gate?.enter(call, lifetime.signal);
          try {
            lifetime.startClock();
            const value = await attempts(call, read, lifetime, redaction);
            await leave?.();
            return value;
          } catch (error) {
            await leave?.(error);
            throw error;
          }
        } finally {
          release();
        }
      } catch (error) {
        // An aborted wait throws the signal's reason; callers expect the call's error.
        const ended = error instanceof UpstreamError ? undefined : lifetime.ended();
        throw ended ?? error;
      } finally {
        lifetime.end();
        underWay.delete(lifetime);
      }
    },

    async close() {
      isClosed = true;
      for (const lifetime of underWay) lifetime.cancel();
      await transport.close();
    },
  };
}
