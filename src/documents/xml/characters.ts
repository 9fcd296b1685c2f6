/** UTF-16 code units: loops over them take half the time of loops over the characters of a string. */
export type Units = Uint16Array;

/** Characters of the longest text whose room is kept for the next one: making a room takes longer than filling it. */
const LONGEST_KEPT = 64 * 1024;
/** Behind the text, so that loops need not look for its end: no XML text has it. */
const END = 0xffff;
const isLittleEndian = new Uint8Array(Uint16Array.of(1).buffer)[0] === 1;
let spare: ReturnType<typeof createRoom> | undefined;

function createRoom(length: number) {
  const units = new Uint16Array(length);
  return { units, bytes: Buffer.from(units.buffer) };
}

/** Calls `read` with the units of a text, followed by U+FFFF. They are valid during the call only. */
export function withUnits(text: string, read: (units: Units) => void): void {
  const isShort = text.length < LONGEST_KEPT;
  const room = isShort ? (spare ?? createRoom(LONGEST_KEPT)) : createRoom(text.length + 1);
  if (room === spare) spare = undefined;
  const { units, bytes } = room;
  if (isLittleEndian) bytes.write(text, 'utf16le');
  else for (let at = 0; at < text.length; at++) units[at] = text.charCodeAt(at);
  units[text.length] = END;
  try {
    read(units);
  } finally {
    if (isShort) spare = room;
  }
}

/** Units below are ASCII. */
export const ASCII = 0x80;
const FIRST_SURROGATE = 0xd800;
const FIRST_LOW_SURROGATE = 0xdc00;

const WIDE_NAME_START =
  '\\xc0-\\xd6\\xd8-\\xf6\\xf8-\\u02ff\\u0370-\\u037d\\u037f-\\u1fff\\u200c\\u200d\\u2070-\\u218f\\u2c00-\\u2fef' +
  '\\u3001-\\ud7ff\\uf900-\\ufdcf\\ufdf0-\\ufffd\\u{10000}-\\u{effff}';
/** Pattern (flag `u`) of a name. */
export const NAME = `[:A-Z_a-z${WIDE_NAME_START}][-:A-Z_a-z.0-9\\xb7\\u0300-\\u036f\\u203f\\u2040${WIDE_NAME_START}]*`;
const NAME_HERE = new RegExp(NAME, 'uy');

const NO_CHARACTER = /[^\t\n\r\x20-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/u;

/** A cheap superset of the above: most texts have nothing of it. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the ones to find
const DOUBTFUL = /[\0-\x08\x0b\x0c\x0e-\x1f\ud800-\uffff]/;

const NAME_START_KIND = 1;
const NAME_KIND = 2;
const TEXT_KIND = 4;

const asciiKinds: readonly (readonly [number, RegExp])[] = [
  [NAME_START_KIND, /[:A-Z_a-z]/],
  [NAME_KIND, /[-:A-Z_a-z.0-9]/],
  [TEXT_KIND, /[\t\n\x20-\x25\x27-\x3b=-\\^-\x7f]/],
];

/** The kinds of each UTF-16 unit: of ASCII also where in a name it may be. */
const kinds = new Uint8Array(0x10000).fill(TEXT_KIND, ASCII, FIRST_SURROGATE);
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

function isSpace(unit: number): boolean {
  return unit === 0x20 || unit === 0x0a || unit === 0x09 || unit === 0x0d;
}

/** The index of the first character from there on that is no blank, or the length of the text. */
export function skipSpaces(text: string, from: number): number {
  let at = from;
  while (at < text.length && isSpace(text.charCodeAt(at))) at++;
  return at;
}

/** The index behind the name of any script that begins there; the same index where none does. */
export function nameEnd(text: string, from: number): number {
  NAME_HERE.lastIndex = from;
  return NAME_HERE.test(text) ? NAME_HERE.lastIndex : from;
}

/** The index behind text that means itself: up to markup, a reference, `]`, a carriage return or a surrogate. */
export function plainTextEnd(units: Units, from: number): number {
  let at = from;
  while (isOf(TEXT_KIND, units[at] ?? 0)) at++;
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

const entities = new Map(Object.entries({ amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }));

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

/** The name of an element, made once for all tags that have it. */
export interface ElementName {
  readonly qualified: string;
  readonly local: string | undefined;
  readonly units: readonly number[];
}

/** The part behind the prefix; undefined where the name is no prefix and local part. */
export function localPart(qualified: string): string | undefined {
  const colon = qualified.indexOf(':');
  if (colon === -1) return qualified;
  const local = qualified.slice(colon + 1);
  return colon === 0 || local === '' || local.includes(':') ? undefined : local;
}

function unitsOf(text: string): number[] {
  return Array.from({ length: text.length }, (_, at) => text.charCodeAt(at));
}

function standsAt(units: Units, at: number, expected: readonly number[]): boolean {
  for (let i = 0; i < expected.length; i++) if (units[at + i] !== expected[i]) return false;
  return true;
}

/** Whether the closing tag of this name, without blanks in it, begins at this index. It is three units longer. */
export function closesAt(units: Units, at: number, { units: name }: ElementName): boolean {
  const isTag = units[at] === LESS && units[at + 1] === SLASH && units[at + name.length + 2] === GREATER;
  return isTag && standsAt(units, at + 2, name);
}

export function createName(qualified: string): ElementName {
  return { qualified, local: localPart(qualified), units: unitsOf(qualified) };
}

const LESS = 0x3c;
const SLASH = 0x2f;
const GREATER = 0x3e;
const SLOTS = 2048;
const NEIGHBOURS = 4;
const LONGEST_CACHED = 48;
const cache: (ElementName | undefined)[] = new Array(SLOTS + NEIGHBOURS).fill(undefined);

/** The ASCII name that begins at this index, mostly from the cache; undefined where none begins. */
export function asciiNameAt(text: string, units: Units, from: number): ElementName | undefined {
  if (!isOf(NAME_START_KIND, units[from] ?? 0)) return undefined;
  let hash = 0;
  let to = from;
  while (isOf(NAME_KIND, units[to] ?? 0)) hash = (31 * hash + (units[to++] ?? 0)) | 0;
  const first = (hash ^ (hash >> 11)) & (SLOTS - 1);
  for (let slot = first; slot < first + NEIGHBOURS; slot++) {
    const name = cache[slot];
    if (name === undefined) return addName(text.slice(from, to), slot);
    if (name.units.length === to - from && standsAt(units, from, name.units)) return name;
  }
  return addName(text.slice(from, to), first);
}

function addName(qualified: string, slot: number): ElementName {
  if (qualified.length > LONGEST_CACHED) return createName(qualified);
  const name = createName(internalized(qualified));
  cache[slot] = name;
  return name;
}

/** The engine's own copy of a property name: it holds on to no other text, and maps find it fastest. */
function internalized(text: string): string {
  const [name = text] = Object.keys({ [text]: true });
  return name;
}
