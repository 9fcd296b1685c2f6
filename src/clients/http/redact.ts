import { cleanText } from '../../documents/untrusted.ts';
import { NotUnderstood, OutcomeUnknown, Refused } from '../errors.ts';
import type { HttpCall, Redact } from './call.ts';

const hidden = '***';

const secretNames = [
  'senha',
  'usuario',
  'user(?:name)?',
  'pass(?:word|wd)?',
  'pwd',
  '(?:client[_-]?)?secret',
  '(?:access|refresh|id)?[_-]?token',
  'api[_-]?key',
  'licen[cs]e[_-]?key',
  'account[_-]?key',
  'sig(?:nature)?',
  'authorization',
].join('|');

const rules: readonly (readonly [pattern: RegExp, replacement: string])[] = [
  // A scheme's credential goes first: in `Authorization: Basic …` the rule for names would take the scheme for it.
  [/\b(bearer|basic)\s+[\w.~+/=-]{6,}/gi, `$1 ${hidden}`],
  [/\beyJ[\w-]+\.[\w-]+(?:\.[\w-]*)?/g, hidden],
  [/\b([a-z][a-z\d+.-]{0,20}:\/\/)[^\s/?#@"'<>]*@/gi, '$1'],
  [/\b(https?:\/\/[^\s?#"'<>]*)[?#][^\s"'<>]*/gi, '$1'],
  [new RegExp(`("(?:${secretNames})"\\s*:\\s*)"(?:[^"\\\\]|\\\\.)*"?`, 'gi'), `$1"${hidden}"`],
  [new RegExp(`(?<![\\w-])((?:${secretNames})\\s*=\\s*)(?!\\*\\*\\*)[^\\s&;,"'<>]+`, 'gi'), `$1${hidden}`],
];

/**
 * Takes out what looks like a secret: credentials by their parameter names, `Bearer` and `Basic` values, tokens,
 * the query string and the user part of addresses.
 */
export function redactSecrets(text: string): string {
  return rules.reduce((cleaned, [pattern, replacement]) => cleaned.replace(pattern, replacement), text);
}

/** A secret as it is, and as addresses, forms, JSON, markup and headers write it. */
function spellings(secret: string): string[] {
  const encoded = encodeURIComponent(secret);
  const base64 = Buffer.from(secret).toString('base64').replace(/=+$/, '');
  return [
    secret,
    encoded,
    encoded.replace(/%../g, (code) => code.toLowerCase()),
    encodeURIComponent(encoded),
    new URLSearchParams({ '': secret }).toString().slice(1),
    JSON.stringify(secret).slice(1, -1),
    secret.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;'),
    base64,
    base64.replaceAll('+', '-').replaceAll('/', '_'),
  ];
}

/**
 * A `Redact` that also takes out secrets that are known, in whatever spelling.
 * Secrets shorter than four characters are left to the names around them: they would eat ordinary words.
 */
export function createRedactor(secrets: readonly string[]): Redact {
  const known = secrets
    .filter((secret) => secret.length >= 4)
    .flatMap(spellings)
    .sort((one, other) => other.length - one.length);
  const all = [...new Set(known)];
  return (text) => redactSecrets(all.reduce((cleaned, secret) => cleaned.replaceAll(secret, hidden), text));
}

const secretName = /^(?:senha|sig|signature|.*(?:password|secret|token))$/i;

/** Secrets in an address's query, also in that of an address which is itself a value there. */
function inAddress(address: string): string[] {
  if (!URL.canParse(address)) return [];
  return [...new URL(address).searchParams].flatMap(([name, value]) =>
    secretName.test(name) ? [value] : inAddress(value),
  );
}

/** The credential with and without its scheme, and of a Basic one the password. */
function inAuthorization(value: string): string[] {
  const [, scheme = '', credential = value] = /^(bearer|basic)\s+(.+)$/i.exec(value) ?? [];
  if (scheme.toLowerCase() !== 'basic') return [credential];
  const pair = Buffer.from(credential, 'base64').toString();
  return [credential, pair, pair.slice(pair.indexOf(':') + 1)];
}

/** What a call carries that must not show in anything that is said about it, whatever the service answers. */
export function secretsOf({ url, headers = {} }: HttpCall): string[] {
  const authorizations = Object.entries(headers).filter(([name]) => name.toLowerCase() === 'authorization');
  return [...inAddress(url), ...authorizations.flatMap(([, value]) => inAuthorization(value))];
}

/** An error without secrets in the service's words: those a reader passes on are not looked at elsewhere. */
export function redactedError(error: unknown, redact: Redact): unknown {
  if (error instanceof NotUnderstood) {
    return new NotUnderstood(error, error.reason, { ...error.reply, start: redact(error.reply.start) });
  }
  if (error instanceof Refused) {
    const { message, code } = error.refusal;
    return new Refused(error, {
      ...error.refusal,
      message: message && redact(message),
      code: code && redact(code),
    });
  }
  if (error instanceof OutcomeUnknown) {
    const cause = redactedError(error.cause, redact);
    return cause instanceof NotUnderstood || cause instanceof Refused ? new OutcomeUnknown(cause) : error;
  }
  return error;
}

const maskedTaxId = /[0-9A-Z]{2,3}\.?[0-9A-Z]{3}\.[0-9A-Z]{3}[/-][0-9A-Z]{2,4}(?:-\d{2})?/g;
const longIdentifier = /[0-9A-Z]{11,}/g;
const eMail = /[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63})+/g;
const accessKeyLength = 44;

function mask(identifier: string): string {
  if (!/\d{3}/.test(identifier)) return identifier;
  const shown = identifier.length >= accessKeyLength ? 4 : 2;
  return `${identifier.slice(0, shown)}…${identifier.slice(-shown)}`;
}

/**
 * A piece of a reply fit for an error or a log: without secrets (the `sig` of a shared-access URL, passwords) and
 * e-mail addresses; of access keys and tax ids the ends only (`3517…3458`, `58…19`).
 */
export function redactIdentifiers(text: string): string {
  return redactSecrets(text).replace(eMail, '…@…').replace(maskedTaxId, mask).replace(longIdentifier, mask);
}

/** So many times what is shown is looked at: an identifier cut by the limit is masked as a whole. */
const reach = 5;

/** A text from outside fit for a message: redacted, cleaned, on one line, at most `limit` characters. */
export function shownText(text: string, limit: number): string {
  return cleanText(redactIdentifiers(text.slice(0, limit * reach)), limit).replace(/\s+/g, ' ');
}
