import { cleanText, oneLine } from '../../documents/untrusted.ts';
import { NotUnderstood, OutcomeUnknown, Refused, type ReplySketch } from '../errors.ts';
import type { HttpCall, Redact } from './call.ts';
import { createSecretDetector } from './secret-detector.ts';

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

type Rule = readonly [pattern: RegExp, replacement: string | ((found: string) => string)];

/** A JSON web token begins with the base64 of `{"`; its parts stand between points. */
const tokenStart = 'eyJ';

/** A run of what tokens are made of, without the token in it. */
function withoutToken(run: string): string {
  const parts = run.split('.');
  const at = parts.findIndex(
    (part, index) =>
      part.slice(part.indexOf(tokenStart)).length > tokenStart.length &&
      part.includes(tokenStart) &&
      parts[index + 1],
  );
  const part = parts[at];
  if (part === undefined) return run;
  const before = [...parts.slice(0, at), part.slice(0, part.indexOf(tokenStart))].join('.');
  return [`${before}${hidden}`, ...parts.slice(at + 3)].join('.');
}

/** Every pattern is linear on whatever a service sends; `test/patterns.test.ts` sees to it. */
const rules: readonly Rule[] = [
  // A scheme's credential goes first: in `Authorization: Basic …` the rule for names would take the scheme for it.
  [/\b(bearer|basic)\s+[\w.~+/=-]{6,}/gi, `$1 ${hidden}`],
  [/[\w.-]{6,}/g, (run) => (run.includes(tokenStart) ? withoutToken(run) : run)],
  [/:\/\/[^\s/?#@"'<>]*@/g, '://'],
  [/https?:\/\/[^\s"'<>]*/gi, (address) => address.split(/[?#]/, 1)[0] ?? ''],
  [new RegExp(`("(?:${secretNames})"\\s*:\\s*)"(?:[^"\\\\]|\\\\.)*"?`, 'gi'), `$1"${hidden}"`],
  [new RegExp(`(?<![\\w-])((?:${secretNames})\\s*=\\s*)(?!\\*\\*\\*)[^\\s&;,"'<>]+`, 'gi'), `$1${hidden}`],
];

/**
 * Takes out what looks like a secret: credentials by their parameter names, `Bearer` and `Basic` values, tokens,
 * the query string and the user part of addresses.
 */
export function redactSecrets(text: string): string {
  return rules.reduce(
    (cleaned, [pattern, replacement]) =>
      typeof replacement === 'string'
        ? cleaned.replace(pattern, replacement)
        : cleaned.replace(pattern, replacement),
    text,
  );
}

/** The signature of a shared-access address, also where the address is encoded itself. */
const signature =
  /(%[0-9a-f]{2}|\\u[0-9a-f]{4}|(?<![a-z]))(sig(?:=|%(?:25){0,3}3D|&#0{0,6}61;|\\{1,8}u003d))[\w.~%+/=-]+/gi;

/**
 * A `Redact` for values that are passed on: one in which a long secret is, in whatever spelling, is withheld whole, and
 * signatures of shared-access addresses are taken out. Short secrets stay: they would erase values that only look alike.
 */
export function createHiding(secrets: readonly string[]): Redact {
  const detector = createSecretDetector(secrets);
  return (text) => (detector.holdsLong(text) ? hidden : text.replace(signature, `$1$2${hidden}`));
}

/** A `Redact` for a service's own words: withheld whole where a secret is in them, else without what looks like one. */
export function createRedactor(secrets: readonly string[]): Redact {
  const detector = createSecretDetector(secrets);
  const hide = createHiding(secrets);
  return (text) => (detector.holds(text) ? hidden : redactSecrets(hide(text)));
}

/** A status code as it is: it is nobody's secret, though a password may look the same. Other codes as words. */
export function redactCode(code: string, redact: Redact): string {
  return /^\d{1,4}$/.test(code) ? code : redact(code);
}

const secretName = /^(?:senha|sig|signature|.*(?:password|secret|token))$/i;

/** Secrets in an address's query, also in that of an address which is itself a value there. */
function inAddress(address: string): string[] {
  // Without a scheme it is none, as most values.
  if (!address.includes(':') || !URL.canParse(address)) return [];
  return [...new URL(address).searchParams].flatMap(([name, value]) =>
    secretName.test(name) ? [value] : inAddress(value),
  );
}

/** The credential with and without its scheme, and of a Basic one the password. */
function inAuthorization(value: string): string[] {
  const [, scheme = '', credential = value] = /^(bearer|basic) (.+)$/i.exec(value) ?? [];
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
    return new NotUnderstood(
      error,
      error.reason,
      { ...error.reply, start: redact(error.reply.start) },
      error.model,
    );
  }
  if (error instanceof Refused) {
    const { message, code } = error.refusal;
    return new Refused(error, {
      ...error.refusal,
      message: message && redact(message),
      code: code && redactCode(code, redact),
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
const eMail = /(?<![\w.+-])[\w.+-]+@[\w-]+(?:\.[\w-]+)+/g;
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

/** What is looked at is cut here; a secret or an identifier that is cut by it stands in the tail, which is not shown. */
const tail = 64;

/**
 * The beginning of a text from outside on one clean line, without secrets and whole identifiers. It is cleaned first:
 * what is invisible would part a secret that shows.
 *
 * @param reach characters that are looked at
 */
function clearedStart(text: string, reach: number, redact: Redact): string {
  const clear = redactIdentifiers(redact(oneLine(text.slice(0, reach))));
  return text.length > reach ? clear.slice(0, -tail) : clear;
}

/** So many times what is shown is looked at. */
const reachOfShown = 5;

/** As `tail`, for secrets of any length that a call can carry. */
const longTail = 8192;

/**
 * A value from outside, cleaned, without what `without` takes out of it, at most `limit` characters. Of a long one no
 * more is looked at than may be shown, and what a secret needs that begins there.
 */
export function clearText(text: string, limit: number, without: Redact): string {
  const reach = limit * reachOfShown + 2 * longTail;
  if (text.length <= reach) return cleanText(without(cleanText(text, Number.POSITIVE_INFINITY)), limit);
  const start = without(cleanText(text.slice(0, reach), Number.POSITIVE_INFINITY)).slice(0, -longTail);
  return start.length > limit ? cleanText(start, limit) : `${start}…`;
}

/** A text from outside fit for a message: redacted, cleaned, on one line, at most `limit` characters. */
export function shownText(text: string, limit: number, redact: Redact): string {
  return cleanText(clearedStart(text, limit * reachOfShown, redact), limit);
}

/** Bytes or characters of a reply's start that a sketch looks at. */
export const sketchStart = 512;

const shownCharacters = 80;
const wordless: ReadonlySet<string> = new Set(['html', 'pdf', 'binary', 'empty']);

/**
 * What a reply looks like, for an error about it: without secrets, e-mail addresses and whole identifiers.
 *
 * @param start the first bytes or characters, at least `sketchStart` of them where there are as many
 * @param bytes how many there are or were seen in all
 * @param known what a reader that got further takes the reply for, e.g. `xml <retFoo>` inside of a JSON string
 */
export function sketchReply(
  start: Uint8Array | string,
  bytes: number,
  redact: Redact,
  known?: string,
): ReplySketch {
  const whole = typeof start === 'string' ? start : new TextDecoder().decode(start.subarray(0, sketchStart));
  const text = whole.slice(0, sketchStart);
  const kind = text === '' && bytes > 0 ? (known ?? 'binary') : kindOf(text.trimStart(), known);
  return {
    kind,
    bytes,
    start: wordless.has(kind)
      ? ''
      : clearedStart(text, sketchStart - 1, redact)
          .slice(0, shownCharacters)
          .trim(),
  };
}

function kindOf(text: string, known: string | undefined): string {
  if (text === '') return 'empty';
  if (text.startsWith('%PDF')) return 'pdf';
  if (/^(?:<\?xml[^>]*>\s*)?<(?:!doctype\s+html|html[\s>])/i.test(text)) return 'html';
  if (known !== undefined) return known;
  const root = /^(?:<\?xml[^>]*>\s*)?<([A-Za-z_][\w.:-]{0,60})/.exec(text)?.[1];
  if (root) return `xml <${root}>`;
  if (text.startsWith('{')) return 'json object';
  if (text.startsWith('[')) return 'json array';
  if (text.startsWith('"')) return 'json string';
  return /\p{Cc}/u.test(text.replace(/[\t\r\n]/g, '')) || text.includes('\ufffd') ? 'binary' : 'text';
}
