import { cleanText, oneLine } from '../../documents/untrusted.ts';
import { NotUnderstood, OutcomeUnknown, Refused, type ReplySketch, type UpstreamError } from '../errors.ts';
import type { HttpCall, Redact, Redaction } from './call.ts';
import { createSecretDetector, type SecretDetector } from './secret-detector.ts';

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

/** Every pattern is linear on whatever a service sends; `test/patterns.long.test.ts` sees to it. */
const rules: readonly (readonly [pattern: RegExp, replacement: string])[] = [
  // A scheme's credential goes first: in `Authorization: Basic …` the rule for names would take the scheme for it.
  [/\b(bearer|basic)\s+[\w.~+/=-]{6,}/gi, `$1 ${hidden}`],
  // A JSON web token begins with the base64 of `{"`.
  [/(?<![\w-])eyJ[\w-]+\.[\w-]+(?:\.[\w-]*)?/g, hidden],
  [/:\/\/[^\s/?#@"'<>]*@/g, '://'],
  [/(https?:\/\/[^\s"'<>?#]*)[^\s"'<>]*/gi, '$1'],
  [new RegExp(`("(?:${secretNames})"\\s*:\\s*)"(?:[^"\\\\]|\\\\.)*"?`, 'gi'), `$1"${hidden}"`],
  [new RegExp(`(?<![\\w-])((?:${secretNames})\\s*=\\s*)(?!\\*\\*\\*)[^\\s&;,"'<>]+`, 'gi'), `$1${hidden}`],
];

/** Takes out what looks like a secret: named credentials, tokens, query strings and user parts of addresses. */
export function redactSecrets(text: string): string {
  return rules.reduce((cleaned, [pattern, replacement]) => cleaned.replace(pattern, replacement), text);
}

/** The signature of a shared-access address, also where the address is encoded itself. */
const signature =
  /(%[0-9a-f]{2}|\\u[0-9a-f]{4}|(?<![a-z]))(sig(?:=|%(?:25){0,3}3D|&#0{0,6}61;|\\{1,8}u003d))[\w.~%+/=-]+/gi;

/** Withholds texts that hold one of these secrets. */
export function createRedaction(secrets: readonly string[]): Redaction {
  // Made when a text is examined, which most replies have none of.
  let made: SecretDetector | undefined;
  function detector(): SecretDetector {
    made ??= createSecretDetector(secrets);
    return made;
  }
  const withoutSignature = (text: string) => text.replace(signature, `$1$2${hidden}`);
  return {
    redact: (text) => (detector().holds(text) ? hidden : redactSecrets(withoutSignature(text))),
    // Short secrets would erase values that look alike.
    hide: (text) => (detector().holdsLong(text) ? hidden : withoutSignature(text)),
  };
}

/** Keeps a status code, though a password may look the same; redacts any other code. */
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

/** An error without secrets in the service's words. */
export function redactedError(error: unknown, redact: Redact): unknown {
  if (error instanceof NotUnderstood) {
    const reply = { ...error.reply, start: redact(error.reply.start) };
    return new NotUnderstood(error, error.reason, reply, error.model);
  }
  if (error instanceof Refused) {
    const { message, code, ...rest } = error.refusal;
    const words = { message: message && redact(message), code: code && redactCode(code, redact) };
    return new Refused(error, { ...rest, ...words });
  }
  if (error instanceof OutcomeUnknown) {
    return new OutcomeUnknown(redactedError(error.cause, redact) as UpstreamError);
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

/** A piece of a reply for an error or a log, without secrets; of keys and tax ids the ends (`3517…3458`, `58…19`). */
export function redactIdentifiers(text: string): string {
  return redactSecrets(text).replace(eMail, '…@…').replace(maskedTaxId, mask).replace(longIdentifier, mask);
}

/** A secret or an identifier that is cut off stands in the tail of the examined text, which is not shown. */
const tail = 64;
const longTail = 8192;
/** Characters examined, as a multiple of those shown. */
const reachOfShown = 5;

/** The beginning of a text on one clean line, without secrets and whole identifiers. Cleaned first: invisible signs part a secret. */
function clearedStart(text: string, reach: number, redact: Redact): string {
  const clear = redactIdentifiers(redact(oneLine(text.slice(0, reach))));
  return text.length > reach ? clear.slice(0, -tail) : clear;
}

/** A value from outside, cleaned and redacted by `without`, at most `limit` characters. */
export function clearText(text: string, limit: number, without: Redact): string {
  const reach = limit * reachOfShown + 2 * longTail;
  const clear = without(cleanText(text.slice(0, reach), Number.POSITIVE_INFINITY));
  if (text.length <= reach) return cleanText(clear, limit);
  const start = clear.slice(0, -longTail);
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
 * A reply for an error about it: without secrets, e-mail addresses and whole identifiers.
 *
 * @param start its first bytes or characters, `sketchStart` of them where there are as many
 * @param bytes how many were seen in all
 * @param known its kind as a reader found it, e.g. `xml <retFoo>` inside of a JSON string
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
  const clear = wordless.has(kind) ? '' : clearedStart(text, sketchStart - 1, redact);
  return { kind, bytes, start: clear.slice(0, shownCharacters).trim() };
}

function kindOf(text: string, known: string | undefined): string {
  if (text === '') return 'empty';
  if (text.startsWith('%PDF')) return 'pdf';
  if (/^(?:<\?xml[^>]*>\s*)?<(?:!doctype\s+html|html[\s>])/i.test(text)) return 'html';
  if (known !== undefined) return known;
  const root = /^(?:<\?xml[^>]*>\s*)?<([A-Za-z_][\w.:-]{0,60})/.exec(text)?.[1];
  if (root) return `xml <${root}>`;
  const json = { '{': 'object', '[': 'array', '"': 'string' }[text.charAt(0)];
  if (json) return `json ${json}`;
  return /\p{Cc}/u.test(text.replace(/[\t\r\n]/g, '')) || text.includes('\ufffd') ? 'binary' : 'text';
}
