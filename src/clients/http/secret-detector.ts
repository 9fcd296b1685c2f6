/** Secrets of so many characters are looked for anywhere; shorter ones would be found in ordinary words. */
const LONG_ENOUGH = 8;
/** Shorter secrets count as words of their own; those under this only as values. */
const WORD_ENOUGH = 4;
/** A long secret is looked for in parts, so that one that was cut off is found as well. */
const PART_LENGTH = 24;
/** Encodings inside encodings that are undone. */
const ROUNDS = 4;

const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };
const ENTITY = /&(?:#0*(\d{1,7})|#x0*([\da-f]{1,6})|(amp|lt|gt|quot|apos));?/gi;
const ESCAPE = /(?<!\\)\\+(?:u([\da-f]{4})|x([\da-f]{2}))/gi;
const PERCENT = /%([\da-f]{2})/gi;
/** Characters of Latin-1 that are the bytes of one character in UTF-8. */
const UTF8 = /[\xc2-\xdf][\x80-\xbf]|[\xe0-\xef][\x80-\xbf]{2}|[\xf0-\xf4][\x80-\xbf]{3}/g;
const BASE64 = /[A-Za-z0-9+/_-]{8,}/g;
const HEXADECIMAL = /[\da-f]{2}(?:[ :-]?[\da-f]{2}){7,}/gi;

function character(digits: string, base: number): string {
  const code = Number.parseInt(digits, base);
  return code <= 0x10ffff ? String.fromCodePoint(code) : '';
}

const decoders: readonly ((text: string) => string)[] = [
  (text) => text.replace(PERCENT, (_, code) => character(code, 16)),
  (text) =>
    text.replace(ENTITY, (_, decimal, hex, name) =>
      name === undefined
        ? character(decimal ?? hex, decimal ? 10 : 16)
        : (ENTITIES[name.toLowerCase()] ?? ''),
    ),
  (text) => text.replace(ESCAPE, (_, unicode, latin) => character(unicode ?? latin, 16)),
];

/** A text, and each form it takes while percent codes, entities and escapes are undone, one inside the other. */
function decodings(text: string): string[] {
  const all = new Set([text]);
  let last = text;
  for (let round = 0; round < ROUNDS && /[%&\\]/.test(last); round++) {
    for (const decode of decoders) {
      last = decode(last);
      all.add(last);
    }
  }
  return [...all];
}

/** The same for one text in UTF-8 and in Latin-1, and whatever blanks, a form's plus signs and escapes have become. */
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

/** Parts of about equal length, so that none looks like an ordinary word. */
function partsOf(secret: string): string[] {
  const length = Math.ceil(secret.length / Math.ceil(secret.length / PART_LENGTH));
  const count = Math.ceil(secret.length / length);
  return Array.from({ length: count }, (_, index) => secret.slice(index * length, (index + 1) * length));
}

/** Matches a short secret as a word of its own, and not in a number, an address or a longer word. */
function shortPattern(secret: string): RegExp {
  const pattern = secret.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
  const after = '(?![\\p{L}\\p{N}_]|[.,/-][\\p{L}\\p{N}])';
  const before =
    secret.length >= WORD_ENOUGH ? '(?<![\\p{L}\\p{N}_]|[\\p{L}\\p{N}][.,/-])' : `(?<=["'>=]|: ?)`;
  return new RegExp(`${before}${pattern}${after}|^\\s*${pattern}\\s*$`, 'u');
}

/** Finds secrets in texts from outside. */
export interface SecretDetector {
  /** Whether a long secret is in the text, in whatever spelling a service may repeat it. */
  holdsLong(text: string): boolean;
  /** The same for all secrets: a short one counts as a word, one under four characters as a value only. */
  holds(text: string): boolean;
}

/** Detects secrets also percent-encoded, as forms, JSON, scripts and markup write them, in base64 and hexadecimal. */
export function createSecretDetector(secrets: readonly string[]): SecretDetector {
  const short = secrets.filter(({ length }) => length > 0 && length < LONG_ENOUGH).map(shortPattern);
  // Of a secret with a code in it, decoding a text undoes that as well.
  const forms = secrets
    .filter(({ length }) => length >= LONG_ENOUGH)
    .flatMap((secret) => {
      const [own = '', ...decoded] = decodings(secret).map(canonical);
      return [own, ...decoded.filter(({ length }) => length > WORD_ENOUGH)];
    })
    .filter((form) => form !== '');
  const parts = [...new Set(forms.flatMap(partsOf))];

  function isIn(text: string): boolean {
    const bare = canonical(text);
    return parts.some((part) => bare.includes(part));
  }

  function holdsLong(text: string): boolean {
    if (text.length < WORD_ENOUGH) return false;
    const all = decodings(text);
    return all.some(isIn) || unpacked(all.at(-1) ?? text).some((inner) => decodings(inner).some(isIn));
  }

  function holds(text: string): boolean {
    return holdsLong(text) || decodings(text).some((one) => short.some((pattern) => pattern.test(one)));
  }

  return { holdsLong, holds };
}
