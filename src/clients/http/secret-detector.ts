/** From so many characters on a secret is looked for anywhere; a shorter one would be found in ordinary words. */
const LONG_ENOUGH = 8;
/** From so many characters on a short secret counts as a word of its own; a shorter one only as a value. */
const WORD_ENOUGH = 4;
/** A long secret is looked for in parts, so that one that was cut off is found as well. */
const PART_LENGTH = 24;
/** A text of fewer characters holds none of them. */
const SHORTEST_PART = 4;
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
const ENCODED = /[%&\\]/;

function character(code: number): string {
  return code <= 0x10ffff ? String.fromCodePoint(code) : '';
}

/** Percent codes, entities and escapes undone once. */
function decodedOnce(text: string): string {
  return text
    .replace(PERCENT, (_, code) => character(Number.parseInt(code, 16)))
    .replace(ENTITY, (_, decimal, hex, name) =>
      name === undefined
        ? character(decimal === undefined ? Number.parseInt(hex, 16) : Number(decimal))
        : (ENTITIES[name.toLowerCase()] ?? ''),
    )
    .replace(ESCAPE, (_, unicode, latin) => character(Number.parseInt(unicode ?? latin, 16)));
}

/** A text and what it becomes when encodings are undone, one inside the other. */
function decodings(text: string): string[] {
  const all = [text];
  for (let last = text; all.length <= ROUNDS && ENCODED.test(last); all.push(last)) last = decodedOnce(last);
  return all;
}

/** The same for one text in UTF-8 and in Latin-1, and whatever blanks, a form's plus signs and escapes have become. */
function canonical(text: string): string {
  const characters = text.replace(UTF8, (bytes) => Buffer.from(bytes, 'latin1').toString('utf8'));
  return characters.replace(/[\s+\\]/g, '');
}

/** The texts that runs of base64 and hexadecimal digits stand for, wherever in a run they begin. */
function unpacked(text: string): string[] {
  const fromBase64 = (text.match(BASE64) ?? []).flatMap((run) =>
    [0, 1, 2, 3].map((from) => Buffer.from(run.slice(from), 'base64')),
  );
  const fromHex = (text.match(HEXADECIMAL) ?? []).flatMap((run) => {
    const digits = run.replace(/[ :-]/g, '');
    return [0, 1].map((from) => Buffer.from(digits.slice(from), 'hex'));
  });
  return [...fromBase64, ...fromHex].map((bytes) => bytes.toString('latin1'));
}

/** Parts of about equal length, so that none is too short to be told from ordinary words. */
function partsOf(secret: string): string[] {
  if (secret === '') return [];
  const length = Math.ceil(secret.length / Math.ceil(secret.length / PART_LENGTH));
  return Array.from({ length: Math.ceil(secret.length / length) }, (_, index) =>
    secret.slice(index * length, (index + 1) * length),
  );
}

/** A short secret where it is a word of its own, and no part of a number, an address or a longer word. */
function shortPattern(secret: string): RegExp {
  const pattern = secret.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
  const after = '(?![\\p{L}\\p{N}_]|[.,/-][\\p{L}\\p{N}])';
  const before =
    secret.length >= WORD_ENOUGH ? '(?<![\\p{L}\\p{N}_]|[\\p{L}\\p{N}][.,/-])' : `(?<=["'>=]|: ?)`;
  return new RegExp(`${before}${pattern}${after}|^\\s*${pattern}\\s*$`, 'u');
}

/** What is looked for. */
interface Known {
  readonly parts: readonly string[];
  readonly short: readonly RegExp[];
}

function knownOf(secrets: readonly string[]): Known {
  const [long, short] = [new Set<string>(), [] as RegExp[]];
  for (const secret of new Set(secrets)) {
    if (secret.length < LONG_ENOUGH) {
      if (secret !== '') short.push(shortPattern(secret));
      continue;
    }
    // Of a secret with a code in it, decoding a text undoes that as well.
    const [own, ...decoded] = decodings(secret).map(canonical);
    const forms = [own ?? secret, ...decoded.filter(({ length }) => length > SHORTEST_PART)];
    for (const part of forms.flatMap(partsOf)) long.add(part);
  }
  return { parts: [...long], short };
}

/** Finds secrets in texts from outside. */
export interface SecretDetector {
  /** Whether a long secret is in the text, in whatever spelling a service may repeat it. */
  holdsLong(text: string): boolean;
  /** The same for all secrets: a short one counts as a word, one under four characters as a value only. */
  holds(text: string): boolean;
}

/**
 * Detects secrets as they are, percent-encoded (UTF-8 and Latin-1, several times), as forms, JSON, scripts and markup
 * write them, in base64 and hexadecimal.
 */
export function createSecretDetector(secrets: readonly string[]): SecretDetector {
  let known: Known | undefined;

  function isIn(text: string): boolean {
    const bare = canonical(text);
    known ??= knownOf(secrets);
    return known.parts.some((part) => bare.includes(part));
  }

  function holdsLong(text: string): boolean {
    if (text.length < SHORTEST_PART) return false;
    const all = decodings(text);
    return all.some(isIn) || unpacked(all.at(-1) ?? text).some((inner) => decodings(inner).some(isIn));
  }

  function holds(text: string): boolean {
    known ??= knownOf(secrets);
    const { short } = known;
    return holdsLong(text) || decodings(text).some((one) => short.some((pattern) => pattern.test(one)));
  }

  return { holdsLong, holds };
}
