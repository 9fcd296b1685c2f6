import { cleanText, longest, oneLine, parseJson } from '../../documents/untrusted.ts';
import type { Refusal } from '../errors.ts';
import type { HttpCall, Redact } from './call.ts';
import { redactCode } from './redact.ts';
import { parseRetryAfter } from './retry.ts';
import type { Answer } from './transport.ts';

interface Words {
  readonly code?: string | undefined;
  readonly message?: string | undefined;
}

/** The refusal in a reply other than a 2xx. @param start the beginning of the body */
export function readRefusal(call: HttpCall, answer: Answer, start: Uint8Array, redact: Redact): Refusal {
  const { code, message } = readWords(decodeText(start, answer.headers['content-type']));
  const now = Date.now();
  const retryAfter = parseRetryAfter(answer.headers['retry-after'], now);
  return {
    status: answer.status,
    code: code && redactCode(code, (text) => cleanMessage(text, redact) ?? ''),
    message: cleanMessage(message, redact),
    retryAfter,
    retryAt: retryAfter === undefined ? undefined : new Date(now + retryAfter * 1000).toISOString(),
    redirectHost: redirectOf(call, answer),
  };
}

function redirectOf(call: HttpCall, { status, headers }: Answer): string | undefined {
  if (status < 300 || status > 399 || !headers.location) return undefined;
  return URL.canParse(headers.location, call.url) ? new URL(headers.location, call.url).host : undefined;
}

function decodeText(bytes: Uint8Array, contentType: string | undefined): string {
  const charset = /charset="?([\w-]+)/i.exec(contentType ?? '')?.[1] ?? 'utf-8';
  try {
    return new TextDecoder(charset).decode(bytes).trim();
  } catch {
    // An unknown label: the message is for a person, who can do with a wrong accent.
    return new TextDecoder().decode(bytes).trim();
  }
}

function readWords(text: string): Words {
  const json = parseJson(text);
  if (typeof json === 'string') return plainText(json);
  return isObject(json) ? wordsOf(json) : plainText(text);
}

/** The error body of the storage that shared-access URLs lead to; its words speak of the URL's secrets. */
const storageError = /^(?:<\?xml[^>]*>\s*)?<Error>\s*<Code>([A-Za-z]{1,60})<\/Code>/;

/** Text with markup, or that is data rather than words, says nothing to a person, but for a code. */
function plainText(text: string): Words {
  const code = storageError.exec(text)?.[1];
  if (code !== undefined) return { code };
  return /<[a-z!?/]|^[[{]/i.test(text) ? {} : { message: text };
}

/** The shapes known of both services (docs/upstream-services.md) and of token endpoints (RFC 6749, section 5.2). */
function wordsOf(json: Record<string, unknown>): Words {
  const { error } = json;
  if (isObject(error)) return accountWords(error);
  if (typeof error === 'string') return { code: error, message: text(json.error_description) };
  const aspNet = joined([json.Message, json.MessageDetail, json.ExceptionMessage]);
  return aspNet === undefined ? accountWords(json) : { message: aspNet };
}

function accountWords(error: Record<string, unknown>): Words {
  const details = Array.isArray(error.details) ? error.details.filter(isObject) : [];
  const messages = [error.message, ...details.flatMap((detail) => [detail.message, detail.description])];
  return { code: text(error.code) ?? text(details[0]?.code), message: joined(messages) };
}

function joined(parts: readonly unknown[]): string | undefined {
  const said = [...new Set(parts.map(text).filter((part) => part !== undefined))];
  return said.length > 0 ? said.join(' ') : undefined;
}

function text(value: unknown): string | undefined {
  if (typeof value === 'number') return String(value);
  return typeof value === 'string' && value.trim() !== '' ? value.trim() : undefined;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Bounded, on one line, without secrets, control and direction characters, markup and stack traces. */
function cleanMessage(message: string | undefined, redact: Redact): string | undefined {
  if (message === undefined || /<[a-z!?/]/i.test(message)) return undefined;
  const withoutStack = oneLine(message).split(/ (?:at|em) [\w.`<>[\],+]+\(/, 1)[0] ?? '';
  return cleanText(redact(withoutStack), longest.message) || undefined;
}
