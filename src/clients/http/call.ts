import { setTimeout as sleep } from 'node:timers/promises';
import { type Call, Cancelled, type Service, TimedOut } from '../errors.ts';

/** Redacts secrets in a text. */
export type Redact = (text: string) => string;

/** Redaction of a reply's texts. */
export interface Redaction {
  /** For the service's own words: redacts secrets and anything that looks like one. */
  readonly redact: Redact;
  /** For values that are passed on: redacts known secrets only. */
  readonly hide: Redact;
}

export interface HttpCall {
  readonly service: Service;
  /** Named in errors, e.g. `Mercadoria/RetornaChaves`. */
  readonly operation: string;
  /** Company that the call names, if any: CNPJ. */
  readonly company?: string | undefined;
  readonly method: 'GET' | 'POST' | 'PUT';
  /** May hold credentials in its query: never shown or logged. */
  readonly url: string;
  /** Lower-case names replace the client's own headers. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  /** A `read` is retried after a transient failure; a `write` is sent at most once. */
  readonly kind: 'read' | 'write';
  /** `public`: only to public addresses, checked at each connection. */
  readonly network?: 'any' | 'public';
  /** Passes redirects to the reader like a 2xx. */
  readonly takesRedirects?: boolean;
  readonly signal?: AbortSignal | undefined;
  /** Once aborted, the call is no longer started; a started one continues. */
  readonly startBy?: AbortSignal | undefined;
  /** Limit of the decoded body in bytes; 32 MiB by default. */
  readonly maxBytes?: number;
}

/** A 2xx reply. */
export interface HttpReply extends Redaction {
  /** The answered call, for errors. */
  readonly call: Call;
  readonly status: number;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** The decoded body, to be iterated once. */
  readonly body: AsyncIterable<Uint8Array>;
}

/** The `Authorization` of HTTP Basic. */
export function basic(user: string, password: string): string {
  return `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`;
}

/** Runs something once a signal aborts, at once if it has; the returned function calls that off. */
export function whenAborted(signal: AbortSignal | undefined, run: () => void): () => void {
  if (signal?.aborted) run();
  else signal?.addEventListener('abort', run, { once: true });
  return () => signal?.removeEventListener('abort', run);
}

/** Races work against a signal and throws the signal's reason. The work itself continues. */
export async function abortable<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  let stopListening = (): void => {};
  const aborted = new Promise<never>((_, reject) => {
    stopListening = whenAborted(signal, () => reject(signal.reason));
  });
  return await Promise.race([work, aborted]).finally(stopListening);
}

/** Sleeps. @throws the signal's reason when it aborts, where Node's timer would throw its own error */
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
