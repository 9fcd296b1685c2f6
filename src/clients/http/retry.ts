import { Refused, Unreachable, type UpstreamError } from '../errors.ts';

/** More repeats would only lengthen the wait inside the minute that hosts allow a call (docs/hosts.md, F2). */
const maxAttempts = 3;

/** Milliseconds; each back-off lies between half of its bound and the whole, and doubles the one before. */
const firstBackOff = 500;
const longestBackOff = 8_000;

/** Seconds; for longer the person gets to know when to come back. */
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

/** A read that failed. */
export interface Failed {
  /** Attempts made, from 1. */
  readonly attempts: number;
  /** Seconds the service asked to wait. */
  readonly retryAfter?: number | undefined;
  /** Milliseconds left of the call's time. */
  readonly remaining: number;
}

/**
 * Milliseconds before the next attempt, or undefined for none: exponential with jitter over the upper half, and no less
 * than the service asked for. A wait that would use up the call's time is not begun.
 *
 * @param random 0 <= random() < 1
 */
export function waitBeforeRetry(
  { attempts, retryAfter = 0, remaining }: Failed,
  random: () => number,
): number | undefined {
  if (attempts >= maxAttempts || retryAfter > longestRetryAfter) return undefined;
  const bound = Math.min(longestBackOff, firstBackOff * 2 ** (attempts - 1));
  const wait = Math.max(((1 + random()) / 2) * bound, retryAfter * 1000);
  return wait < remaining ? wait : undefined;
}

/** Seconds; a longer wait is reported as this. */
const longestReported = 365 * 24 * 3600;

/** The forms of a date in HTTP (RFC 9110, section 5.6.7), of which the last has no zone, and of everywhere else. */
const zoned = /^(?:[a-z]{3,9},? .* (?:gmt|utc|[+-]\d{4})|\d{4}-\d{2}-\d{2}T[\d:.]+(?:Z|[+-]\d{2}:?\d{2}))$/i;
const zoneless = /^[a-z]{3} [a-z]{3} [ \d]\d \d{2}:\d{2}:\d{2} \d{4}$/i;

/**
 * Seconds that a `Retry-After` header asks for: a number, the largest of several, or a date, of which a past one means
 * now. Undefined for any other. Source: RFC 9110, section 10.2.3.
 *
 * @param now milliseconds since the epoch
 */
export function parseRetryAfter(header: string | undefined, now: number): number | undefined {
  const value = header?.trim() ?? '';
  const isNumber = /^\d+(?: *, *\d+)*$/.test(value);
  if (!isNumber && (value.length > 64 || !(zoned.test(value) || zoneless.test(value)))) return undefined;
  const seconds = isNumber
    ? Math.max(...value.split(',').map(Number))
    : Math.ceil((Date.parse(zoned.test(value) ? value : `${value} GMT`) - now) / 1000);
  return Number.isNaN(seconds) ? undefined : Math.min(longestReported, Math.max(0, seconds));
}
