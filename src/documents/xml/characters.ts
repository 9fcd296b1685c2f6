import { END, type Units } from './text.ts';

const TAB = 0x09;
const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;
const SPACE = 0x20;
const FIRST_HIGH_SURROGATE = 0xd800;
const LAST_HIGH_SURROGATE = 0xdbff;

const WIDE_NAME_START =
  '\\xc0-\\xd6\\xd8-\\xf6\\xf8-\\u02ff\\u0370-\\u037d\\u037f-\\u1fff\\u200c\\u200d\\u2070-\\u218f\\u2c00-\\u2fef' +
  '\\u3001-\\ud7ff\\uf900-\\ufdcf\\ufdf0-\\ufffd\\u{10000}-\\u{effff}';
const NAME_START = new RegExp(`[:A-Z_a-z${WIDE_NAME_START}]`, 'uy');
const NAME = new RegExp(`[-:A-Z_a-z.0-9\\xb7\\u0300-\\u036f\\u203f\\u2040${WIDE_NAME_START}]*`, 'uy');

/** What is no XML character: controls, halves of surrogate pairs, U+FFFE and U+FFFF. */
const NO_CHARACTER = /[^\t\n\r\x20-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/u;

/** What may be none: to see that a text has nothing of it takes half of what the above takes, or a fifth. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the ones to find
const DOUBTFUL = /[\0-\x08\x0b\x0c\x0e-\x1f\ud800-\uffff]/;

const ASCII = 0x80;

/** What a unit may be: of ASCII the start of a name, within one; of all units simply itself in element content or a value. */
const NAME_START_KIND = 1;
const NAME_KIND = 2;
const RUN_KIND = 4;
const VALUE_KIND = 8;

const kindsInAscii: readonly (readonly [number, RegExp])[] = [
  [NAME_START_KIND, /[:A-Z_a-z]/],
  [NAME_KIND, /[-:A-Z_a-z.0-9]/],
  [RUN_KIND, /[\t\n\x20-\x25\x27-\x3b=-\\^-\x7f]/],
  [VALUE_KIND, /[\x20-\x25\x27-\x3b\x3d-\x7f]/],
];

function kindsOf(unit: number): number {
  const character = String.fromCharCode(unit);
  return kindsInAscii.reduce((sum, [kind, expression]) => (expression.test(character) ? sum | kind : sum), 0);
}

/** The kinds of each unit there is, so that none has to be asked first whether it is in the table. */
const kinds = new Uint8Array(0x10000).fill(RUN_KIND | VALUE_KIND, ASCII, FIRST_HIGH_SURROGATE);
for (let unit = 0; unit < ASCII; unit++) kinds[unit] = kindsOf(unit);

function isOf(kind: number, unit: number): boolean {
  return ((kinds[unit] ?? 0) & kind) !== 0;
}

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
  if (code < ASCII) return isOf(NAME_START_KIND, code);
  NAME_START.lastIndex = at;
  return NAME_START.test(text);
}

export function isAscii(unit: number): boolean {
  return unit < ASCII;
}

/** The index behind the name in ASCII that begins there, with or without a prefix; the same where none does. */
export function plainNameEnd(units: Units, from: number): number {
  let at = from;
  if (isOf(NAME_START_KIND, units[at] ?? END)) while (isOf(NAME_KIND, units[at] ?? END)) at++;
  return at;
}

/** The index of the first character from there on that does not belong in a name. */
export function nameEnd(text: string, from: number): number {
  let end = from;
  while (end < text.length && isOf(NAME_KIND, text.charCodeAt(end))) end++;
  if (end === text.length || isAscii(text.charCodeAt(end))) return end;
  NAME.lastIndex = end;
  NAME.test(text);
  return NAME.lastIndex;
}

/**
 * The first unit from there on that is markup, a reference, a bracket, a carriage return, END or doubtful.
 */
export function runEnd(units: Units, from: number): number {
  let at = from;
  while (isOf(RUN_KIND, units[at] ?? END)) at++;
  return at;
}

/** The index of the first unit from there on that is the quote, or not simply itself in the value of an attribute. */
export function plainValueEnd(units: Units, from: number, quote: number): number {
  let at = from;
  while (units[at] !== quote && isOf(VALUE_KIND, units[at] ?? END)) at++;
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
  return DOUBTFUL.test(text) ? text.search(NO_CHARACTER) : -1;
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

/** A reference up to its semicolon. Any other `&` should have been escaped. */
const REFERENCE = /&(?:#(?:x[\da-f]{0,64}|\d{0,64})|[a-z]{0,4})/iy;

/** The index behind the reference that begins there, its semicolon excluded. */
export function referenceEnd(text: string, at: number): number {
  REFERENCE.lastIndex = at;
  REFERENCE.test(text);
  return REFERENCE.lastIndex;
}

/** What stands between `&` and `;` resolved, or undefined where XML without a DOCTYPE has no such thing. */
export function resolveReference(reference: string): string | undefined {
  if (reference.startsWith('#X')) return undefined;
  return reference.startsWith('#') ? characterByNumber(reference) : entities.get(reference);
}

/** The name of an element, made once for all the tags that have it. */
export interface ElementName {
  readonly qualified: string;
  /** The part after the prefix; empty where the name is no prefix and local part. */
  readonly local: string;
  readonly units: Units;
  /** What was found under it last, and where: as a rule it is looked for there again. */
  readonly last: { in: unknown; found: unknown };
}

/** The part after the prefix; undefined where the name is no prefix and local part. */
export function localPart(qualified: string): string | undefined {
  const colon = qualified.indexOf(':');
  if (colon === -1) return qualified;
  const local = qualified.slice(colon + 1);
  return colon === 0 || local === '' || local.includes(':') ? undefined : local;
}

/** Whether these units stand at this place. */
export function standsAt(units: Units, at: number, expected: Units): boolean {
  for (let i = 0; i < expected.length; i++) if (units[at + i] !== expected[i]) return false;
  return true;
}

/** A name that is kept nowhere. */
export function createName(qualified: string): ElementName {
  const units = Uint16Array.from({ length: qualified.length }, (_, at) => qualified.charCodeAt(at));
  return { qualified, local: localPart(qualified) ?? '', units, last: { in: undefined, found: undefined } };
}

const PLACES = 2048;
/** Neighbouring places that a name may be in. */
const NEIGHBOURS = 4;
const LONGEST_KEPT = 48;
/** Names that were met, of any document. Where all its places are taken, a name takes that of the one in the first. */
const met: (ElementName | undefined)[] = new Array(PLACES + NEIGHBOURS).fill(undefined);

/** The first of a name's places, by its length and the characters by which names differ most. */
function placeOf(units: Units, from: number, to: number): number {
  let place = to - from;
  place = 31 * place + (units[from] ?? 0);
  place = 31 * place + (units[from + 1] ?? 0);
  place = 31 * place + (units[(from + to) >> 1] ?? 0);
  place = 31 * place + (units[to - 2] ?? 0);
  place = 31 * place + (units[to - 1] ?? 0);
  return (place ^ (place >> 11)) & (PLACES - 1);
}

/** The name that stands between two places. */
export function nameBetween(units: Units, from: number, to: number): ElementName {
  const first = placeOf(units, from, to);
  for (let place = first; place < first + NEIGHBOURS; place++) {
    const name = met[place];
    if (name === undefined) return meet(units, from, to, place);
    if (name.units.length === to - from && standsAt(units, from, name.units)) return name;
  }
  return meet(units, from, to, first);
}

function meet(units: Units, from: number, to: number, place: number): ElementName {
  if (to - from > LONGEST_KEPT) return createName(textOf(units, from, to));
  const name = createName(asPropertyName(textOf(units, from, to)));
  met[place] = name;
  return name;
}

/** A text that holds on to no other. */
function textOf(units: Units, from: number, to: number): string {
  let text = '';
  for (let at = from; at < to; at++) text += String.fromCharCode(units[at] ?? 0);
  return text;
}

/** The one copy of a text that the engine has for the names of properties: what is looked up by it is found at once. */
function asPropertyName(text: string): string {
  const [name = text] = Object.keys({ [text]: true });
  return name;
}
