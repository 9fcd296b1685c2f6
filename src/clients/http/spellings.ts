/** From so many characters on a secret is taken out wherever it stands; a shorter one would eat ordinary words. */
const LONG_ENOUGH = 8;
/** From so many characters on a short secret counts as a word of its own; a shorter one only as somebody's value. */
const WORD_ENOUGH = 4;
/** A long secret is looked for in parts of about this length, so that one that was cut off is found as well. */
const PART_LENGTH = 32;
/** So many characters of a secret in a row stand in hardly any text that does not hold it. */
const HEAD_LENGTH = 4;

const entityNames: Readonly<Record<string, string>> = {
  '&': 'amp',
  '<': 'lt',
  '>': 'gt',
  '"': 'quot',
  "'": 'apos',
};

function literal(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
}

/** Hexadecimal digits, capital or small. */
function digits(code: string): string {
  return code.replace(/[a-f]/g, (digit) => `[${digit}${digit.toUpperCase()}]`);
}

const hexOf = (code: number, length: number): string => code.toString(16).padStart(length, '0');

/** Percent codes of the bytes of a character, also encoded again. */
function percent(bytes: Uint8Array): string {
  return [...bytes].map((byte) => `%(?:25){0,3}${digits(hexOf(byte, 2))}`).join('');
}

/** Escapes of a character in JSON and in scripts; a text in a text in a text has its backslashes doubled. */
function escapes(character: string): string[] {
  const units = character.split('').map((unit) => unit.charCodeAt(0));
  const unicode = units.map((unit) => `\\\\{1,8}u${digits(hexOf(unit, 4))}`).join('');
  const [code = 0] = units;
  return [unicode, ...(code < 0x100 && units.length === 1 ? [`\\\\{1,8}x${digits(hexOf(code, 2))}`] : [])];
}

function entities(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  const name = entityNames[character];
  const numbers = [`#0{0,6}${code};?`, `#[xX]0{0,6}${digits(code.toString(16))};?`];
  return `&(?:amp;){0,3}(?:${[...(name === undefined ? [] : [`${name};?`]), ...numbers].join('|')})`;
}

/** A character as it stands: a blank may have become another, or a form's plus; a quotation mark may be escaped. */
function ownForm(character: string): string {
  if (character === ' ') return '[\\s+]{1,4}';
  return /["'/\\]/.test(character) ? `\\\\{0,8}${literal(character)}` : literal(character);
}

/** One character in all the ways it is written in addresses, forms, JSON, scripts, markup. */
function characterIn(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  const isLatin = code >= 0x80 && code < 0x100;
  const ways = [
    ownForm(character),
    percent(Buffer.from(character)),
    ...(isLatin ? [percent(Buffer.from(character, 'latin1'))] : []),
    ...escapes(character),
    entities(character),
  ];
  return `(?:${ways.join('|')})`;
}

/** A text in all the ways it is written as characters, one pattern for each; blanks may have been run together. */
function written(text: string): string[] {
  return [...text].map((character, index) => {
    if (!/\s/.test(character)) return characterIn(character);
    const isFirst = index === 0 || !/\s/.test(text[index - 1] ?? '');
    return isFirst ? characterIn(' ') : '';
  });
}

/** The bytes a secret may have been before they were encoded: itself, or what an address or a form has for it. */
function bytesOf(secret: string): Uint8Array[] {
  const escaped = JSON.stringify(secret).slice(1, -1);
  const form = new URLSearchParams({ '': secret }).toString().slice(1);
  const texts = new Set([secret, escaped, encodeURIComponent(secret), form]);
  const isLatin = /^[\u0020-\u00ff]*$/.test(secret) && /[\u0080-\u00ff]/.test(secret);
  return [
    ...[...texts].map((text) => Buffer.from(text)),
    ...(isLatin ? [Buffer.from(secret, 'latin1')] : []),
  ];
}

const BITS = 6;
/** A digit of base64 that a secret shares with what stands beside it. */
const SHARED = '(?:[\\w+/-])?';

/** The digits base64 has for these bytes when others stand before and after them; they share one at either end. */
function inBase64(bytes: Uint8Array, before: number): string[] {
  const text = Buffer.concat([Buffer.alloc(before), bytes]).toString('base64');
  const first = Math.ceil((before * 8) / BITS);
  const whole = Math.floor(((before + bytes.length) * 8) / BITS);
  const core = [...text.slice(first, whole)].map((digit) => {
    if (digit === '+') return `(?:-|${characterIn('+')})`;
    return digit === '/' ? `(?:_|${characterIn('/')})` : digit;
  });
  return [...(first > 0 ? [SHARED] : []), ...core, SHARED];
}

function inHexadecimal(bytes: Uint8Array): string[] {
  return [...bytes].map((byte, index) => `${index > 0 ? '[ :-]?' : ''}${digits(hexOf(byte, 2))}`);
}

/** A code that stands for a sign at either side of a value: `%3D`, `=`, `&quot;`. */
const CODE_BEFORE = '(?<=%[0-9A-Fa-f]{2}|\\\\u[0-9A-Fa-f]{4}|&#?\\w{1,6};)';

/** Where a short secret is a word of its own, and no part of a number, an address or a longer word. */
function asWord(pattern: string): string {
  const before = `(?:${CODE_BEFORE}|(?<![\\p{L}\\p{N}_]|[\\p{L}\\p{N}][.,/-]))`;
  return `${before}${pattern}(?![\\p{L}\\p{N}_]|[.,/-][\\p{L}\\p{N}])`;
}

/** Where it is somebody's value: all there is, in quotes, or after an equals sign or a colon. */
function asValue(pattern: string): string {
  const after = `(?![\\p{L}\\p{N}_]|[.,/-][\\p{L}\\p{N}])`;
  const quotedOrNamed = `(?:${CODE_BEFORE}|(?<=["'>=]|: ?))${pattern}${after}`;
  return `${quotedOrNamed}|^\\s*${pattern}\\s*$`;
}

/** Parts of about equal length, so that none is too short to be told from ordinary words. */
function inParts(patterns: readonly string[]): string[][] {
  const count = Math.ceil(patterns.length / PART_LENGTH);
  const length = Math.ceil(patterns.length / count);
  return Array.from({ length: count }, (_, index) => patterns.slice(index * length, (index + 1) * length));
}

/** How a part begins, in so few characters that a pattern of them is made in a tenth of the time. */
function headOf(part: readonly string[]): string {
  const from = part[0] === SHARED ? 1 : 0;
  return part.slice(from, from + HEAD_LENGTH).join('');
}

/** All ways to write a long secret, and how a part of it begins in any of them. */
function patternsOfLong(secret: string): { readonly whole: string; readonly heads: string } {
  const bytes = bytesOf(secret);
  const encoded = bytes.flatMap((one) => [0, 1, 2].map((before) => inBase64(one, before)));
  const ways = [written(secret), ...encoded, ...bytes.map(inHexadecimal)];
  const parts = ways.flatMap(inParts);
  // As a whole in any way first: a part in one way may end elsewhere than in another.
  const all = [...ways, ...parts].map((patterns) => patterns.join(''));
  return { whole: [...new Set(all)].join('|'), heads: [...new Set(parts.map(headOf))].join('|') };
}

/** Takes a secret out of a text. */
export type TakeOut = (text: string, instead: string) => string;

/**
 * Takes out a secret in whatever spelling a service may repeat it: as it is, percent-encoded (in UTF-8 and Latin-1,
 * once or again), as a form has it, escaped as in JSON or scripts, with entities, in base64 wherever it begins, in
 * hexadecimal. One of less than eight characters is found as a whole value alone. What finds all spellings of a long one
 * takes a tenth of a second to make, and is made for the first text that has the beginning of one.
 */
export function spellingsOf(secret: string): TakeOut {
  const least = leastLength(secret);
  const isLong = secret.length >= LONG_ENOUGH;
  let heads: RegExp | undefined;
  let pattern: RegExp | undefined;

  function patternIn(text: string): RegExp | undefined {
    if (pattern !== undefined) return pattern;
    if (!isLong) {
      const as = secret.length < WORD_ENOUGH ? asValue : asWord;
      pattern = new RegExp(as(written(secret).join('')), 'gu');
      return pattern;
    }
    heads ??= new RegExp(patternsOfLong(secret).heads, 'u');
    if (heads.test(text)) pattern = new RegExp(patternsOfLong(secret).whole, 'gu');
    return pattern;
  }

  return (text, instead) => {
    const found = text.length < least ? undefined : patternIn(text);
    return found === undefined ? text : text.replace(found, instead);
  };
}

/** What has fewer characters than this holds no spelling of the secret, nor a part of it that is looked for. */
function leastLength(secret: string): number {
  const length = secret.replace(/\s+/g, ' ').length;
  return Math.min(length, Math.floor(PART_LENGTH / 2));
}
