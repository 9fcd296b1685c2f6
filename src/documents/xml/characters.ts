import { END, type Units } from './window.ts';

const TAB = 0x09;
const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;
const SPACE = 0x20;
const COLON = 0x3a;
const FIRST_HIGH_SURROGATE = 0xd800;
const LAST_HIGH_SURROGATE = 0xdbff;

const WIDE_NAME_START =
  '\\xc0-\\xd6\\xd8-\\xf6\\xf8-\\u02ff\\u0370-\\u037d\\u037f-\\u1fff\\u200c\\u200d\\u2070-\\u218f\\u2c00-\\u2fef' +
  '\\u3001-\\ud7ff\\uf900-\\ufdcf\\ufdf0-\\ufffd\\u{10000}-\\u{effff}';
const NAME_START = new RegExp(`[:A-Z_a-z${WIDE_NAME_START}]`, 'uy');
const NAME = new RegExp(`[-:A-Z_a-z.0-9\\xb7\\u0300-\\u036f\\u203f\\u2040${WIDE_NAME_START}]*`, 'uy');

/** What is no XML character: controls, halves of surrogate pairs, U+FFFE and U+FFFF. */
const NO_CHARACTER = /[^\t\n\r\x20-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/u;

const ASCII = 0x80;

/** 1 at the code of each ASCII character that the expression matches. */
function asciiTable(expression: RegExp): Uint8Array {
  return Uint8Array.from({ length: ASCII }, (_, code) => Number(expression.test(String.fromCharCode(code))));
}

const asciiNameStarts = asciiTable(/[:A-Z_a-z]/);
const asciiNames = asciiTable(/[-A-Z_a-z.0-9]/);
const asciiNameParts = asciiTable(/[-:A-Z_a-z.0-9]/);
const asciiRuns = asciiTable(/[\t\n\x20-\x25\x27-\x3b=-\\^-\x7f]/);

export function isSpace(code: number): boolean {
  return code === SPACE || code === LINE_FEED || code === TAB || code === CARRIAGE_RETURN;
}

/** The index of the first character from there on that is no blank, or the length of the text. */
export function skipSpaces(text: string, from: number): number {
  let at = from;
  while (isSpace(text.charCodeAt(at))) at++;
  return at;
}

export function isHighSurrogate(code: number): boolean {
  return code >= FIRST_HIGH_SURROGATE && code <= LAST_HIGH_SURROGATE;
}

/** The text must not end within a surrogate pair; so in all that follows. */
export function startsName(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  if (code < ASCII) return asciiNameStarts[code] === 1;
  NAME_START.lastIndex = at;
  return NAME_START.test(text);
}

export function isAscii(unit: number): boolean {
  return unit < ASCII;
}

/** Whether a name in ASCII may begin with it. */
export function isPlainNameStart(unit: number): boolean {
  return unit < ASCII && asciiNameStarts[unit] === 1;
}

/** Whether it may stand in a name in ASCII, with or without a prefix. */
export function isPlainNamePart(unit: number): boolean {
  return unit < ASCII && asciiNameParts[unit] === 1;
}

/** The index of the first character from there on that does not belong in a name of ASCII without a prefix. */
function plainNameEnd(text: string, from: number): number {
  for (let at = from; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code >= ASCII || asciiNames[code] === 0) return at;
  }
  return text.length;
}

/** The index of the first character from there on that does not belong in a name. */
export function nameEnd(text: string, from: number): number {
  const end = plainNameEnd(text, from);
  const code = text.charCodeAt(end);
  if (code !== COLON && !(code >= ASCII)) return end;
  NAME.lastIndex = end;
  NAME.test(text);
  return NAME.lastIndex;
}

/**
 * The index of the first unit from there on that is not simply itself in element content: markup, a reference, a
 * bracket that may end a CDATA section, a carriage return, or one that needs a closer look. `to` where there is none.
 */
export function runEnd(units: Units, from: number, to: number): number {
  let at = from;
  for (; at < to; at++) {
    const unit = units[at] ?? END;
    if (unit < ASCII ? asciiRuns[unit] === 0 : unit >= FIRST_HIGH_SURROGATE) break;
  }
  return at;
}

/** How many units the one character at this place takes: 1 or 2, or 0 where XML has no such character. */
export function characterLength(text: string, at: number): 0 | 1 | 2 {
  const code = text.codePointAt(at) ?? 0;
  if (NO_CHARACTER.test(String.fromCodePoint(code))) return 0;
  return code > 0xffff ? 2 : 1;
}

/** The index of the first character that XML does not have, or -1. */
export function foreignCharacter(text: string): number {
  return text.search(NO_CHARACTER);
}

/** Every line end as one line feed, as XML has it. */
export function withLineFeeds(text: string): string {
  return text.includes('\r') ? text.replace(/\r\n?/g, '\n') : text;
}

const entities = new Map([
  ['amp', '&'],
  ['lt', '<'],
  ['gt', '>'],
  ['quot', '"'],
  ['apos', "'"],
]);

function characterByNumber(reference: string): string | undefined {
  const [, hexadecimal, decimal] = /^#(?:x([0-9a-f]+)|([0-9]+))$/i.exec(reference) ?? [];
  const code = hexadecimal === undefined ? Number(decimal) : Number.parseInt(hexadecimal, 16);
  if (!(code <= 0x10ffff)) return undefined;
  const character = String.fromCodePoint(code);
  return NO_CHARACTER.test(character) ? undefined : character;
}

/** What stands between `&` and `;` resolved, or undefined where XML without a DOCTYPE has no such thing. */
export function resolveReference(reference: string): string | undefined {
  if (reference.startsWith('#X')) return undefined;
  return reference.startsWith('#') ? characterByNumber(reference) : entities.get(reference);
}
