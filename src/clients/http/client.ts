import { Cancelled, Refused, UpstreamError } from '../errors.ts';
import type { HttpCall, HttpReply } from './call.ts';
import { exchange, failureOfWrite, type Outcome, type Reader } from './exchange.ts';
import type { Gate } from './gate.ts';
import type { Lookup } from './public-address.ts';
import { createHiding, createRedactor, redactedError, secretsOf } from './redact.ts';
import { isTransient, waitBeforeRetry } from './retry.ts';
import { abortable, askerOf, beginLifetime, firstOf, type Lifetime, pause } from './signals.ts';
import { createSlots } from './slots.ts';
import { createTransport } from './transport.ts';

/** How the one client of both services behaves. */
export interface HttpOptions {
  /** Seconds a call may take in all, repeats included; waiting for a free slot is not counted. */
  readonly timeoutSeconds: number;
  /** Seconds to establish one connection, 10 by default. */
  readonly connectTimeoutSeconds?: number;
  /** Calls under way at once, over everything; further ones wait their turn. */
  readonly concurrency: number;
  readonly userAgent: string;
  /**
   * Where `HTTP_PROXY`, `HTTPS_PROXY` and `NO_PROXY` (or their lower-case forms) are read; `process.env` by default.
   */
  readonly env?: NodeJS.ProcessEnv;
  /** How names are looked up for calls to the public network; the system's way by default. */
  readonly lookup?: Lookup;
  /**
   * What must not show in a service's own words; what looks like a secret and what was sent is taken out in any case.
   */
  readonly secrets?: () => Iterable<string>;
  /** 0 <= random() < 1, for the jitter of the back-off. */
  readonly random?: () => number;
  readonly sleep?: (milliseconds: number, signal: AbortSignal) => Promise<void>;
  /** What every call goes through, for its fairness to the services. */
  readonly gate?: Gate | undefined;
  /** Is told of every request that was sent or tried, and for whom it was, where that is known (`askedBy`). */
  readonly onExchange?: ((exchanged: Exchanged, asker: object | undefined) => void) | undefined;
}

/** A request and what became of it, without anything that was in it. */
export interface Exchanged {
  readonly operation: string;
  /** Undefined where no answer came. */
  readonly status: number | undefined;
  readonly ms: number;
}

export interface HttpClient {
  /**
   * Makes a call and gives its 2xx reply to `read`, which consumes the body as it arrives. When a read's connection
   * breaks, `read` is called anew with a fresh reply, so it must not keep anything from an earlier one. What `read`
   * itself throws passes through unchanged and is not repeated.
   *
   * @throws HeldBack, Unreachable, TimedOut, Refused (any status but 2xx, and 206), NotUnderstood (too large, broken
   * encoding), Cancelled; for a write that may have reached the service all of these but a plain refusal are the cause
   * of an OutcomeUnknown.
   */
  call<T>(call: HttpCall, read: (reply: HttpReply) => Promise<T>): Promise<T>;
  /** Calls that wait for their turn. */
  readonly waiting: number;
  /** Ends calls under way as cancelled and closes every connection. */
  close(): Promise<void>;
}

type TakingOut = Pick<HttpReply, 'redact' | 'hide'>;

/** Secrets of earlier calls that are remembered. */
const mostSent = 50;

/** Makes the client; the HTTP library is loaded and connections are opened by the first call. */
export function createHttpClient(options: HttpOptions): HttpClient {
  const slots = createSlots(options.concurrency);
  const transport = createTransport(options);
  const closing = new AbortController();
  const random = options.random ?? Math.random;
  const sleep = options.sleep ?? pause;

  /** The latest that were sent: a token that one service gets may be repeated by the other. */
  const sent = new Set<string>();

  function takingOutOf(call: HttpCall): TakingOut {
    for (const secret of secretsOf(call)) {
      sent.delete(secret);
      sent.add(secret);
    }
    for (const secret of sent) if (sent.size > mostSent) sent.delete(secret);
    const secrets = [...sent, ...(options.secrets?.() ?? [])];
    return { redact: createRedactor(secrets), hide: createHiding(secrets) };
  }

  async function attempts<T>(
    call: HttpCall,
    read: Reader<T>,
    lifetime: Lifetime,
    takingOut: TakingOut,
  ): Promise<T> {
    for (let count = 1; ; count += 1) {
      const outcome = await told(call, (tell) =>
        exchange({ transport, lifetime, ...takingOut }, call, (reply) => {
          tell(reply.status);
          return read(reply);
        }),
      );
      if (outcome.done) return outcome.value;
      if (call.kind === 'write') throw failureOfWrite(outcome);
      const wait = waitAfter(outcome.error, count, lifetime);
      if (wait === undefined) throw outcome.error;
      await abortable(sleep(wait, lifetime.signal), lifetime.signal);
    }
  }

  /** Tells of one request, which is over when its reply was read. */
  async function told<T>(
    { operation, signal }: HttpCall,
    work: (tell: (status: number) => void) => Promise<Outcome<T>>,
  ): Promise<Outcome<T>> {
    if (options.onExchange === undefined) return work(() => undefined);
    const began = performance.now();
    let status: number | undefined;
    try {
      const outcome = await work((one) => {
        status = one;
      });
      if (!outcome.done && outcome.error instanceof Refused) status ??= outcome.error.refusal.status;
      return outcome;
    } finally {
      options.onExchange({ operation, status, ms: performance.now() - began }, askerOf(signal));
    }
  }

  async function turnOf(call: HttpCall, { signal }: Lifetime): Promise<() => void> {
    if (call.startBy === undefined) return await slots.take(signal);
    try {
      return await slots.take(firstOf(signal, call.startBy));
    } catch (error) {
      throw signal.aborted ? error : new Cancelled(call);
    }
  }

  function waitAfter(error: UpstreamError, count: number, lifetime: Lifetime): number | undefined {
    if (!isTransient(error)) return undefined;
    const retryAfter = error instanceof Refused ? error.refusal.retryAfter : undefined;
    return waitBeforeRetry({ attempts: count, retryAfter, remaining: lifetime.remaining() }, random);
  }

  return {
    get waiting() {
      return slots.waiting;
    },

    async call(call, read) {
      // The error of a failed parse would hold the address, credentials included.
      if (!URL.canParse(call.url)) throw new TypeError(`the address of ${call.operation} is not a URL`);
      const lifetime = beginLifetime(call, options.timeoutSeconds, closing.signal);
      const takingOut = takingOutOf(call);
      try {
        const giveBack = await turnOf(call, lifetime);
        try {
          const leave = await options.gate?.enter(call, lifetime.signal);
          try {
            lifetime.startClock();
            const value = await attempts(call, read, lifetime, takingOut);
            await leave?.();
            return value;
          } catch (error) {
            await leave?.(error);
            throw error;
          }
        } finally {
          giveBack();
        }
      } catch (error) {
        // Waiting that was cut short throws in its own way; callers know the call's.
        const ended = error instanceof UpstreamError ? undefined : lifetime.ended();
        throw redactedError(ended ?? error, takingOut.redact);
      } finally {
        lifetime.end();
      }
    },

    async close() {
      closing.abort();
      await transport.close();
    },
  };
}
