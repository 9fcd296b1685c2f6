import { cleanText, oneLine } from '../../documents/untrusted.ts';
import type { ReplySketch } from '../errors.ts';
import type { HttpCall, Redact, Redaction } from './call.ts';

const hidden = '***';

const secretNames =
  'senha|usuario|user(?:name)?|pass(?:word|wd)?|pwd|(?:client[_-]?)?secret|(?:access|refresh|id)?[_-]?token|' +
  '(?:api|licen[cs]e|account)[_-]?key|sig(?:nature)?|authorization';

/** Every pattern is linear on whatever a service sends; `test/patterns.long.test.ts` sees to it. */
const rules: readonly (readonly [pattern: RegExp, replacement: string])[] = [
  // Schemes first: in `Authorization: Basic …` the rule for names would take the scheme for the credential.
  [/\b(bearer|basic)\s+[\w.~+/=-]{6,}/gi, `$1 ${hidden}`],
  // A JSON web token begins with the base64 of `{"`.
  [/(?<![\w-])eyJ[\w-]+\.[\w-]+(?:\.[\w-]*)?/g, hidden],
  [/:\/\/[^\s/?#@"'<>]*@/g, '://'],
  [/(https?:\/\/[^\s"'<>?#]*)[^\s"'<>]*/gi, '$1'],
  [new RegExp(`("(?:${secretNames})"\\s*:\\s*)"(?:[^"\\\\]|\\\\.)*"?`, 'gi'), `$1"${hidden}"`],
  [new RegExp(`(?<![\\w-])((?:${secretNames})\\s*=\\s*)(?!\\*\\*\\*)[^\\s&;,"'<>]+`, 'gi'), `$1${hidden}`],
];

/** Redacts what looks like a secret: named credentials, tokens, query strings and user parts of addresses. */
export function redactSecrets(text: string): string {
  return rules.reduce((cleaned, [pattern, replacement]) => cleaned.replace(pattern, replacement), text);
}

/** Signature of a shared-access URL, also of an encoded one. */
const signature =
  /(%[0-9a-f]{2}|\\u[0-9a-f]{4}|(?<![a-z]))(sig(?:=|%(?:25){0,3}3D|&#0{0,6}61;|\\{1,8}u003d))[\w.~%+/=-]+/gi;

/** Secrets of this length are searched anywhere; shorter ones occur in ordinary words. */
const LONG_ENOUGH = 8;
/** Secrets of this length match as whole words; shorter ones only as values. */
const WORD_ENOUGH = 4;
/** Long secrets are searched in parts, so that truncated ones are found. */
const PART_LENGTH = 24;
/** Nested encodings that are decoded. */
const ROUNDS = 12;

const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };
/** A character's percent code, escape or entity. */
const CODE =
  /%([\da-f]{2})|(?<!\\)\\+(?:u([\da-f]{4})|x([\da-f]{2}))|&(?:#x0*([\da-f]{1,6})|#0*(\d{1,7})|(amp|lt|gt|quot|apos));?/gi;
/** Latin-1 characters that are the bytes of one UTF-8 character. */
const UTF8 = /[\xc2-\xdf][\x80-\xbf]|[\xe0-\xef][\x80-\xbf]{2}|[\xf0-\xf4][\x80-\xbf]{3}/g;
const BASE64 = /[A-Za-z0-9+/_-]{8,}/g;
const HEXADECIMAL = /[\da-f]{2}(?:[ :-]?[\da-f]{2}){7,}/gi;

function decodeOnce(text: string): string {
  return text.replace(CODE, (_, percent, unicode, latin, hex, decimal, name) => {
    if (name !== undefined) return ENTITIES[name.toLowerCase()] ?? '';
    const code =
      decimal === undefined ? Number.parseInt(percent ?? unicode ?? latin ?? hex, 16) : Number(decimal);
    return code <= 0x10ffff ? String.fromCodePoint(code) : '';
  });
}

/** A text, and its forms as nested encodings are decoded. */
function decodings(text: string): string[] {
  const all = [text];
  for (let round = 0, last = text; round < ROUNDS; round++) {
    const decoded = decodeOnce(last);
    if (decoded === last) break;
    all.push(decoded);
    last = decoded;
  }
  return all;
}

/** Canonical form, independent of UTF-8 or Latin-1, blanks, plus signs and backslashes. */
function canonical(text: string): string {
  const characters = text.replace(UTF8, (bytes) => Buffer.from(bytes, 'latin1').toString('utf8'));
  return characters.replace(/[\s+\\]/g, '');
}

/** Decodes runs of base64 and hexadecimal digits from each possible offset. */
function unpacked(text: string): string[] {
  const base64 = (text.match(BASE64) ?? []).flatMap((run) =>
    [0, 1, 2, 3].map((from) => Buffer.from(run.slice(from), 'base64')),
  );
  const hexadecimal = (text.match(HEXADECIMAL) ?? []).flatMap((run) =>
    [0, 1].map((from) => Buffer.from(run.replace(/[ :-]/g, '').slice(from), 'hex')),
  );
  return [...base64, ...hexadecimal].map((bytes) => bytes.toString('latin1'));
}

/** Searched parts of long secrets, of about equal length, so that none looks like an ordinary word. */
function longParts(secrets: readonly string[]): string[] {
  // A secret may contain a code, which decoding a text decodes as well.
  const forms = secrets.flatMap((secret) => {
    const [own = '', ...decoded] = decodings(secret).map(canonical);
    return [own, ...decoded.filter(({ length }) => length > WORD_ENOUGH)];
  });
  const parts = forms.flatMap((form) => {
    const length = Math.ceil(form.length / Math.ceil(form.length / PART_LENGTH));
    return form === '' ? [] : (form.match(new RegExp(`.{1,${length}}`, 'gs')) ?? []);
  });
  return [...new Set(parts)];
}

/** Matches a short secret as a word of its own, and not in a number, an address or a longer word. */
function shortPattern(secret: string): RegExp {
  const pattern = secret.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
  const after = '(?![\\p{L}\\p{N}_]|[.,/-][\\p{L}\\p{N}])';
  const before =
    secret.length >= WORD_ENOUGH ? '(?<![\\p{L}\\p{N}_]|[\\p{L}\\p{N}][.,/-])' : `(?<=["'>=]|: ?)`;
  return new RegExp(`${before}${pattern}${after}|^\\s*${pattern}\\s*$`, 'u');
}

/** Withholds texts that hold one of these secrets, in whatever spelling a service may repeat it. */
export function createRedaction(secrets: readonly string[]): Redaction {
  const parts = longParts(secrets.filter(({ length }) => length >= LONG_ENOUGH));
  const short = secrets.filter(({ length }) => length > 0 && length < LONG_ENOUGH).map(shortPattern);
  const isIn = (text: string) => {
    const bare = canonical(text);
    return parts.some((part) => bare.includes(part));
  };
  const holdsLong = (all: readonly string[]) =>
    parts.length > 0 &&
    (all[0] ?? '').length >= WORD_ENOUGH &&
    (all.some(isIn) || unpacked(all.at(-1) ?? '').some((inner) => decodings(inner).some(isIn)));
  const holdsShort = (all: readonly string[]) =>
    all.some((one) => short.some((pattern) => pattern.test(one)));
  const withoutSignature = (text: string) => text.replace(signature, `$1$2${hidden}`);
  return {
    redact(text) {
      const all = decodings(text);
      return holdsLong(all) || holdsShort(all) ? hidden : redactSecrets(withoutSignature(text));
    },
    // Short secrets would erase values that look alike.
    hide: (text) => (holdsLong(decodings(text)) ? hidden : withoutSignature(text)),
  };
}

/** Keeps a status code, though a password may look the same; redacts any other code. */
export function redactCode(code: string, redact: Redact): string {
  return /^\d{1,4}$/.test(code) ? code : redact(code);
}

const secretName = /^(?:senha|sig|signature|.*(?:password|secret|token))$/i;

/** Secrets in a URL's query, also in nested URLs. */
function inAddress(address: string): string[] {
  // Without a scheme it is no URL, as most values.
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

/** Secrets of a call, which must not appear in anything reported about it. */
export function secretsOf({ url, headers = {} }: HttpCall): string[] {
  const authorizations = Object.entries(headers).filter(([name]) => name.toLowerCase() === 'authorization');
  return [...inAddress(url), ...authorizations.flatMap(([, value]) => inAuthorization(value))];
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
 * Excerpt of a reply for an error or log: without secrets, and with keys and tax ids cut to their ends (`3517…3458`,
 * `58…19`).
 */
export function redactIdentifiers(text: string): string {
  return redactSecrets(text).replace(eMail, '…@…').replace(maskedTaxId, mask).replace(longIdentifier, mask);
}

/** The tail of the examined text is not shown: it may hold a truncated secret or identifier. */
const tail = 64;
const longTail = 8192;
/** Characters examined, as a multiple of those shown. */
const reachOfShown = 5;

/**
 * Start of a text on one clean line, without secrets and whole identifiers. Cleaned first: invisible characters may
 * split a secret.
 */
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

/** Bytes or characters of a reply that a sketch examines. */
export const sketchStart = 512;

const shownCharacters = 80;
const wordless: ReadonlySet<string> = new Set(['html', 'pdf', 'binary', 'empty']);

/**
 * Sketch of a reply for an error: without secrets, e-mail addresses and whole identifiers.
 *
 * @param start its first bytes or characters, up to `sketchStart`
 * @param bytes received in total
 * @param known its kind, as detected by a reader, e.g. `xml <retFoo>` inside of a JSON string
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
