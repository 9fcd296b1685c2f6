import type { Units } from './units.ts';

/** Units below are ASCII. */
export const ASCII = 0x80;
const FIRST_SURROGATE = 0xd800;
const FIRST_LOW_SURROGATE = 0xdc00;

const WIDE_NAME_START =
  '\\xc0-\\xd6\\xd8-\\xf6\\xf8-\\u02ff\\u0370-\\u037d\\u037f-\\u1fff\\u200c\\u200d\\u2070-\\u218f\\u2c00-\\u2fef' +
  '\\u3001-\\ud7ff\\uf900-\\ufdcf\\ufdf0-\\ufffd\\u{10000}-\\u{effff}';
const NAME = new RegExp(
  `[:A-Z_a-z${WIDE_NAME_START}][-:A-Z_a-z.0-9\\xb7\\u0300-\\u036f\\u203f\\u2040${WIDE_NAME_START}]*`,
  'uy',
);

/** Not an XML character: controls, halves of surrogate pairs, U+FFFE and U+FFFF. */
const NO_CHARACTER = /[^\t\n\r\x20-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/u;

/** A cheap superset of the above: most texts have nothing of it. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the ones to find
const DOUBTFUL = /[\0-\x08\x0b\x0c\x0e-\x1f\ud800-\uffff]/;

const NAME_START_KIND = 1;
const NAME_KIND = 2;
const TEXT_KIND = 4;
const VALUE_KIND = 8;

const asciiKinds: readonly (readonly [number, RegExp])[] = [
  [NAME_START_KIND, /[:A-Z_a-z]/],
  [NAME_KIND, /[-:A-Z_a-z.0-9]/],
  [TEXT_KIND, /[\t\n\x20-\x25\x27-\x3b=-\\^-\x7f]/],
  [VALUE_KIND, /[\x20-\x25\x27-\x3b\x3d-\x7f]/],
];

/** The kinds of each UTF-16 unit: of ASCII also where in a name it may be. */
const kinds = new Uint8Array(0x10000).fill(TEXT_KIND | VALUE_KIND, ASCII, FIRST_SURROGATE);
for (let unit = 0; unit < ASCII; unit++) {
  for (const [kind, characters] of asciiKinds) {
    if (characters.test(String.fromCharCode(unit))) kinds[unit] = (kinds[unit] ?? 0) | kind;
  }
}

function isOf(kind: number, unit: number): boolean {
  return ((kinds[unit] ?? 0) & kind) !== 0;
}

export function isHighSurrogate(unit: number): boolean {
  return unit >= FIRST_SURROGATE && unit < FIRST_LOW_SURROGATE;
}

export function isSpace(unit: number): boolean {
  return unit === 0x20 || unit === 0x0a || unit === 0x09 || unit === 0x0d;
}

/** The index of the first character from there on that is no blank, or the length of the text. */
export function skipSpaces(text: string, from: number): number {
  let at = from;
  while (at < text.length && isSpace(text.charCodeAt(at))) at++;
  return at;
}

export function isNameStart(unit: number): boolean {
  return isOf(NAME_START_KIND, unit);
}

export function isInName(unit: number): boolean {
  return isOf(NAME_KIND, unit);
}

/** The index behind the name of any script that begins there; the same index where none does. */
export function nameEnd(text: string, from: number): number {
  NAME.lastIndex = from;
  return NAME.test(text) ? NAME.lastIndex : from;
}

/** The index behind text that means itself: up to markup, a reference, `]`, a carriage return or a surrogate. */
export function plainTextEnd(units: Units, from: number): number {
  let at = from;
  while (isOf(TEXT_KIND, units[at] ?? 0)) at++;
  return at;
}

/** The same in an attribute's value, up to its quote. */
export function plainValueEnd(text: string, from: number, quote: number): number {
  let at = from;
  while (at < text.length && text.charCodeAt(at) !== quote && isOf(VALUE_KIND, text.charCodeAt(at))) at++;
  return at;
}

/** The length in units of the one character at this place; 0 where XML has no such character. */
export function characterLength(text: string, at: number): 0 | 1 | 2 {
  const code = text.codePointAt(at) ?? 0;
  if (NO_CHARACTER.test(String.fromCodePoint(code))) return 0;
  return code > 0xffff ? 2 : 1;
}

/** The index of the first character that XML does not have, or -1. */
export function foreignCharacter(text: string): number {
  return DOUBTFUL.test(text) ? text.search(NO_CHARACTER) : -1;
}

const entities = new Map([
  ['amp', '&'],
  ['lt', '<'],
  ['gt', '>'],
  ['quot', '"'],
  ['apos', "'"],
]);

/** A reference up to its semicolon. Any other `&` should have been escaped. */
const REFERENCE = /&(?:#(?:x[\da-f]{0,64}|\d{0,64})|[a-z]{0,4})/iy;

/** The index behind the reference that begins there, its semicolon excluded. */
export function referenceEnd(text: string, at: number): number {
  REFERENCE.lastIndex = at;
  REFERENCE.test(text);
  return REFERENCE.lastIndex;
}

/** The character of a reference without `&` and `;`; undefined where XML without a DOCTYPE has no such thing. */
export function resolveReference(reference: string): string | undefined {
  if (!reference.startsWith('#')) return entities.get(reference);
  const [, hexadecimal, decimal] = /^#(?:x([0-9a-fA-F]+)|([0-9]+))$/.exec(reference) ?? [];
  const code = hexadecimal === undefined ? Number(decimal) : Number.parseInt(hexadecimal, 16);
  if (!(code <= 0x10ffff)) return undefined;
  const character = String.fromCodePoint(code);
  return NO_CHARACTER.test(character) ? undefined : character;
}
