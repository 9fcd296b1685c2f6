import { Refused, Unreachable, type UpstreamError } from '../errors.ts';

/**
 * How often a read is tried in all. Two repeats get past a restarted server or a dropped connection; more would only
 * lengthen the wait inside the minute that MCP clients allow a tool call (docs/hosts.md, F2).
 */
const maxAttempts = 3;

/**
 * Milliseconds: the first back-off lies between half of this and the whole, each further one between half and the whole
 * of twice the last. The half is a floor that a service which restarts in a quarter of a second is back within.
 */
const firstBackOff = 500;
const longestBackOff = 8_000;

/** Seconds: a service that asks for more than this is not waited for; the person is told when to come back. */
const longestRetryAfter = 30;

const transientStatuses: ReadonlySet<number> = new Set([408, 429, 502, 503, 504]);
const transientCodes: ReadonlySet<string> = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ECONNABORTED',
  'EPIPE',
  'EAI_AGAIN',
  'PROXY_502',
  'PROXY_503',
  'PROXY_504',
]);

/** Whether the same call may well succeed a moment later. */
export function isTransient(error: UpstreamError): boolean {
  if (error instanceof Unreachable) return transientCodes.has(error.code);
  return error instanceof Refused && transientStatuses.has(error.refusal.status ?? 0);
}

/** What the decision about another attempt rests on. */
export interface Failed {
  /** How many attempts were made, from 1. */
  readonly attempts: number;
  /** Seconds the service asked to wait. */
  readonly retryAfter?: number | undefined;
  /** Milliseconds left of the call's time. */
  readonly remaining: number;
}

/**
 * Milliseconds to wait before the next attempt, or undefined when there should be none. Back-off is exponential with
 * jitter over its upper half; what the service asked for is a lower bound, never shortened. A wait that would use up
 * the call's time is not begun: failing at once tells the person more than a time-out.
 *
 * @param random 0 <= random() < 1
 */
export function waitBeforeRetry(failed: Failed, random: () => number): number | undefined {
  if (failed.attempts >= maxAttempts) return undefined;
  if ((failed.retryAfter ?? 0) > longestRetryAfter) return undefined;
  const bound = Math.min(longestBackOff, firstBackOff * 2 ** (failed.attempts - 1));
  const wait = Math.max(((1 + random()) / 2) * bound, (failed.retryAfter ?? 0) * 1000);
  return wait < failed.remaining ? wait : undefined;
}

/** A year: who asks for more is told of as one who asks for this. */
const longestTold = 365 * 24 * 3600;

/** The three forms of a date in HTTP, and the one of everywhere else with its zone. Source: RFC 9110, section 5.6.7. */
const datedForms: readonly RegExp[] = [
  /^[a-z]{3,9},? .* (?:gmt|utc|[+-]\d{4})$/i,
  /^\d{4}-\d{2}-\d{2}T[\d:.]+(?:Z|[+-]\d{2}:?\d{2})$/i,
];
const zonelessForm = /^[a-z]{3} [a-z]{3} [ \d]\d \d{2}:\d{2}:\d{2} \d{4}$/i;

/**
 * Seconds that a `Retry-After` header asks for, rounded up: a number of any length, or a date, of which a past one
 * means now. Of several headers the longest wait counts. Undefined where it is absent or neither. Source: RFC 9110,
 * section 10.2.3.
 *
 * @param now milliseconds since the epoch
 */
export function parseRetryAfter(header: string | undefined, now: number): number | undefined {
  const value = header?.trim() ?? '';
  if (/^\d+(?: *, *\d+)*$/.test(value)) {
    return Math.min(longestTold, Math.max(...value.split(',').map(Number)));
  }
  const at = dateOf(value);
  return at === undefined ? undefined : Math.min(longestTold, Math.max(0, Math.ceil((at - now) / 1000)));
}

function dateOf(value: string): number | undefined {
  if (value.length > 64) return undefined;
  const isDated = datedForms.some((form) => form.test(value));
  if (!isDated && !zonelessForm.test(value)) return undefined;
  const at = Date.parse(isDated ? value : `${value} GMT`);
  return Number.isNaN(at) ? undefined : at;
}
