/** UTF-16 code units: loops over them take half the time of loops over the characters of a string. */
export type Units = Uint16Array;

/** Length limit of texts whose buffer is kept for the next: allocating a buffer takes longer than filling it. */
const LONGEST_KEPT = 64 * 1024;
/** Sentinel after the text, so that loops need no length check: no XML text contains it. */
const END = 0xffff;
const isLittleEndian = new Uint8Array(Uint16Array.of(1).buffer)[0] === 1;
let spareBuffer: ReturnType<typeof createBuffer> | undefined;

function createBuffer(length: number) {
  const units = new Uint16Array(length);
  return { units, bytes: Buffer.from(units.buffer) };
}

/** Calls `read` with the units of a text, followed by U+FFFF. They are valid during the call only. */
export function withUnits(text: string, read: (units: Units) => void): void {
  const isShort = text.length < LONGEST_KEPT;
  const target = isShort ? (spareBuffer ?? createBuffer(LONGEST_KEPT)) : createBuffer(text.length + 1);
  if (target === spareBuffer) spareBuffer = undefined;
  const { units, bytes } = target;
  if (isLittleEndian) bytes.write(text, 'utf16le');
  else for (let at = 0; at < text.length; at++) units[at] = text.charCodeAt(at);
  units[text.length] = END;
  try {
    read(units);
  } finally {
    if (isShort) spareBuffer = target;
  }
}

/** Units below this are ASCII. */
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

/** A cheap superset of the above that most texts don't match. */
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

/** Character kinds of each UTF-16 unit; for ASCII also its permitted position in a name. */
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

/** Index of the first non-blank character, or the length of the text. */
export function skipSpaces(text: string, from: number): number {
  let at = from;
  while (at < text.length && isSpace(text.charCodeAt(at))) at++;
  return at;
}

/** Index after the name, in any script, that starts at `from`; `from` itself if there is none. */
export function nameEnd(text: string, from: number): number {
  NAME_HERE.lastIndex = from;
  return NAME_HERE.test(text) ? NAME_HERE.lastIndex : from;
}

/** Index after literal text: up to markup, a reference, `]`, a carriage return or a surrogate. */
export function plainTextEnd(units: Units, from: number): number {
  let at = from;
  while (isOf(TEXT_KIND, units[at] ?? 0)) at++;
  return at;
}

/** Length in units of the character at an index; 0 if XML does not allow it. */
export function characterLength(text: string, at: number): 0 | 1 | 2 {
  const code = text.codePointAt(at) ?? 0;
  if (NO_CHARACTER.test(String.fromCodePoint(code))) return 0;
  return code > 0xffff ? 2 : 1;
}

/** Index of the first character not allowed in XML, or -1. */
export function foreignCharacter(text: string): number {
  return DOUBTFUL.test(text) ? text.search(NO_CHARACTER) : -1;
}

const entities = new Map(Object.entries({ amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }));

/** A reference up to its semicolon. Any other `&` should have been escaped. */
const REFERENCE = /&(?:#(?:x[\da-f]{0,64}|\d{0,64})|[a-z]{0,4})/iy;

/** Index after the reference at `at`, excluding its semicolon. */
export function referenceEnd(text: string, at: number): number {
  REFERENCE.lastIndex = at;
  REFERENCE.test(text);
  return REFERENCE.lastIndex;
}

/** Character of a reference without `&` and `;`; undefined if invalid in XML without a DOCTYPE. */
export function resolveReference(reference: string): string | undefined {
  if (!reference.startsWith('#')) return entities.get(reference);
  const [, hexadecimal, decimal] = /^#(?:x([0-9a-fA-F]+)|([0-9]+))$/.exec(reference) ?? [];
  const code = hexadecimal === undefined ? Number(decimal) : Number.parseInt(hexadecimal, 16);
  if (!(code <= 0x10ffff)) return undefined;
  const character = String.fromCodePoint(code);
  return NO_CHARACTER.test(character) ? undefined : character;
}

/** Cached name of an element, shared by all its tags. */
export interface ElementName {
  readonly qualified: string;
  readonly local: string | undefined;
  readonly units: readonly number[];
}

/** The part after the prefix; undefined if the name is no valid qualified name. */
export function localPart(qualified: string): string | undefined {
  const colon = qualified.indexOf(':');
  if (colon === -1) return qualified;
  const local = qualified.slice(colon + 1);
  return colon === 0 || local === '' || local.includes(':') ? undefined : local;
}

function unitsOf(text: string): number[] {
  return Array.from({ length: text.length }, (_, at) => text.charCodeAt(at));
}

function matchesAt(units: Units, at: number, expected: readonly number[]): boolean {
  for (let i = 0; i < expected.length; i++) if (units[at + i] !== expected[i]) return false;
  return true;
}

/**
 * True if the closing tag of this name, without blanks, starts at this index. The tag is three units longer than the
 * name.
 */
export function closesAt(units: Units, at: number, { units: name }: ElementName): boolean {
  const isTag = units[at] === LESS && units[at + 1] === SLASH && units[at + name.length + 2] === GREATER;
  return isTag && matchesAt(units, at + 2, name);
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

/** ASCII name that starts at this index, usually from the cache; undefined if there is none. */
export function asciiNameAt(text: string, units: Units, from: number): ElementName | undefined {
  if (!isOf(NAME_START_KIND, units[from] ?? 0)) return undefined;
  let hash = 0;
  let to = from;
  while (isOf(NAME_KIND, units[to] ?? 0)) hash = (31 * hash + (units[to++] ?? 0)) | 0;
  const first = (hash ^ (hash >> 11)) & (SLOTS - 1);
  for (let slot = first; slot < first + NEIGHBOURS; slot++) {
    const name = cache[slot];
    if (name === undefined) return addName(text.slice(from, to), slot);
    if (name.units.length === to - from && matchesAt(units, from, name.units)) return name;
  }
  return addName(text.slice(from, to), first);
}

function addName(qualified: string, slot: number): ElementName {
  if (qualified.length > LONGEST_CACHED) return createName(qualified);
  const name = createName(internalized(qualified));
  cache[slot] = name;
  return name;
}

/** The engine's internalised copy of a property name: it references no other text and is fastest in maps. */
function internalized(text: string): string {
  const [name = text] = Object.keys({ [text]: true });
  return name;
}
