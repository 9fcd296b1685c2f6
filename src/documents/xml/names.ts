import type { Units } from './window.ts';

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
