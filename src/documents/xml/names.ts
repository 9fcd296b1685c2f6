import { isInName, isNameStart } from './characters.ts';
import type { Units } from './units.ts';

/** The name of an element, made once for all tags that have it. */
export interface ElementName {
  readonly qualified: string;
  /** Behind the prefix; undefined where the name is no prefix and local part. */
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

/** A name that is not cached. */
export function createName(qualified: string): ElementName {
  return { qualified, local: localPart(qualified), units: unitsOf(qualified) };
}

const LESS = 0x3c;
const SLASH = 0x2f;
const GREATER = 0x3e;
const SLOTS = 2048;
/** Neighbouring slots that a name may take. */
const NEIGHBOURS = 4;
const LONGEST_CACHED = 48;
const cache: (ElementName | undefined)[] = new Array(SLOTS + NEIGHBOURS).fill(undefined);

/** The ASCII name that begins at this index, mostly from the cache; undefined where none begins. */
export function asciiNameAt(text: string, units: Units, from: number): ElementName | undefined {
  if (!isNameStart(units[from] ?? 0)) return undefined;
  let hash = 0;
  let to = from;
  while (isInName(units[to] ?? 0)) hash = (31 * hash + (units[to++] ?? 0)) | 0;
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
