import { cleanText, isObject, longest, oneLine, parseJson } from '../../documents/untrusted.ts';
import { type Refusal, Refused, Unreachable, type UpstreamError } from '../errors.ts';
import type { HttpCall, Redact } from './call.ts';
import { redactCode } from './redact.ts';
import type { Answer } from './transport.ts';

type Words = Partial<Record<'code' | 'message', string | undefined>>;

/** The refusal in a reply other than a 2xx. @param start the beginning of the body */
export function readRefusal(call: HttpCall, answer: Answer, start: Uint8Array, redact: Redact): Refusal {
  const { status, headers } = answer;
  const { code, message } = readWords(decodeText(start, headers['content-type']));
  const now = Date.now();
  const retryAfter = parseRetryAfter(headers['retry-after'], now);
  const { location = '' } = headers;
  const isRedirect = status >= 300 && status <= 399 && location !== '';
  return {
    status,
    code: code && redactCode(code, (text) => cleanMessage(text, redact) ?? ''),
    message: cleanMessage(message, redact),
    retryAfter,
    retryAt: retryAfter === undefined ? undefined : new Date(now + retryAfter * 1000).toISOString(),
    redirectHost:
      isRedirect && URL.canParse(location, call.url) ? new URL(location, call.url).host : undefined,
  };
}

function decodeText(bytes: Uint8Array, contentType: string | undefined): string {
  const charset = /charset="?([\w-]+)/i.exec(contentType ?? '')?.[1] ?? 'utf-8';
  try {
    return new TextDecoder(charset).decode(bytes).trim();
  } catch {
    // Unknown label: a wrong accent in a message for people is acceptable.
    return new TextDecoder().decode(bytes).trim();
  }
}

/** The error body of the storage that shared-access URLs lead to; its words speak of the URL's secrets. */
const storageError = /^(?:<\?xml[^>]*>\s*)?<Error>\s*<Code>([A-Za-z]{1,60})<\/Code>/;

function readWords(body: string): Words {
  const json = parseJson(body);
  if (isObject(json)) return wordsOf(json);
  const text = typeof json === 'string' ? json : body;
  const code = storageError.exec(text)?.[1];
  if (code !== undefined) return { code };
  // Markup and data are not shown to people.
  return /<[a-z!?/]|^[[{]/i.test(text) ? {} : { message: text };
}

/** The shapes known of both services (docs/upstream-services.md) and of token endpoints (RFC 6749, section 5.2). */
function wordsOf(json: Record<string, unknown>): Words {
  const error = isObject(json.error) ? json.error : json;
  const details = Array.isArray(error.details) ? error.details.filter(isObject) : [];
  const messages = [
    ...[error.Message, error.MessageDetail, error.ExceptionMessage, error.message, error.error_description],
    ...details.flatMap(({ message, description }) => [message, description]),
  ];
  const said = [...new Set(messages.map(text).filter((part) => part !== undefined))];
  return {
    code: text(error.error) ?? text(error.code) ?? text(details[0]?.code),
    message: said.length > 0 ? said.join(' ') : undefined,
  };
}

function text(value: unknown): string | undefined {
  if (typeof value === 'number') return String(value);
  return typeof value === 'string' && value.trim() !== '' ? value.trim() : undefined;
}

/** Bounded, on one line, without secrets, control and direction characters, markup and stack traces. */
function cleanMessage(message: string | undefined, redact: Redact): string | undefined {
  if (message === undefined || /<[a-z!?/]/i.test(message)) return undefined;
  const withoutStack = oneLine(message).split(/ (?:at|em) [\w.`<>[\],+]+\(/, 1)[0] ?? '';
  return cleanText(redact(withoutStack), longest.message) || undefined;
}

/** More retries would only lengthen the wait within the minute that hosts allow (docs/hosts.md, F2). */
const maxAttempts = 3;

/** Milliseconds; each back-off lies between half of its bound and the whole, and doubles the one before. */
const firstBackOff = 500;
const longestBackOff = 8_000;

/** Seconds; a longer wait is an error that says when to retry. */
const longestRetryAfter = 30;

const transientStatuses: ReadonlySet<number> = new Set([408, 429, 502, 503, 504]);
const transientCode = /^(?:ECONNREFUSED|ECONNRESET|ECONNABORTED|EPIPE|EAI_AGAIN|PROXY_50[234])$/;

/** Whether a retry may succeed. */
function isTransient(error: UpstreamError): boolean {
  if (error instanceof Unreachable) return transientCode.test(error.code);
  return error instanceof Refused && transientStatuses.has(error.refusal.status ?? 0);
}

/**
 * Milliseconds before the next attempt, or undefined for none: exponential with jitter over the upper half, and no less
 * than the service asked for. A wait that would use up the call's time is not begun.
 *
 * @param attempts made so far, from 1
 * @param remaining milliseconds left of the call's time
 * @param random 0 <= random() < 1
 */
export function waitBeforeRetry(
  error: UpstreamError,
  attempts: number,
  remaining: number,
  random: () => number,
): number | undefined {
  const { retryAfter = 0 } = error instanceof Refused ? error.refusal : {};
  if (!isTransient(error) || attempts >= maxAttempts || retryAfter > longestRetryAfter) return undefined;
  const bound = Math.min(longestBackOff, firstBackOff * 2 ** (attempts - 1));
  const wait = Math.max(((1 + random()) / 2) * bound, retryAfter * 1000);
  return wait < remaining ? wait : undefined;
}

/** Seconds; a longer wait is reported as this. */
const longestReported = 365 * 24 * 3600;

/** Forms of a date in HTTP (RFC 9110, section 5.6.7) and ISO 8601; only `asctime` has no zone. */
const zoned = /^(?:[a-z]{3,9},? .* (?:gmt|utc|[+-]\d{4})|\d{4}-\d{2}-\d{2}T[\d:.]+(?:Z|[+-]\d{2}:?\d{2}))$/i;
const zoneless = /^[a-z]{3} [a-z]{3} [ \d]\d \d{2}:\d{2}:\d{2} \d{4}$/i;

/**
 * Seconds that a `Retry-After` header asks for: a number, the largest of several, or a date; a past one means now.
 * Undefined for any other. Source: RFC 9110, section 10.2.3.
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
