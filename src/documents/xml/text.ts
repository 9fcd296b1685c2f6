import { flatten, LONGEST_COPIED } from '../plain.ts';

/** UTF-16 code units: the numbers of a string's characters. */
export type Units = Uint16Array;

/** A part of a text, and its units beside it, which are looked at in half the time that the string takes. */
export interface TextWindow {
  readonly text: string;
  /** Behind the text's own stands END, and anything behind that. */
  readonly units: Units;
  /** The same as bytes. */
  readonly bytes: Buffer;
}

/** No XML text has it, so that whoever goes from unit to unit need not look for the end. */
export const END = 0xffff;

/** Characters of a text that are looked at through one window. */
export const WINDOW = 32 * 1024;

interface Room extends TextWindow {
  text: string;
}

const ROOM = 2 * WINDOW;
const isLittleEndian = new Uint8Array(Uint16Array.of(1).buffer)[0] === 1;
/** Kept for the next window: to make one takes longer than to read a document through it. */
let spare: Room | undefined;

function createRoom(length: number): Room {
  const units = new Uint16Array(length);
  return { text: '', units, bytes: Buffer.from(units.buffer) };
}

function fill({ units, bytes }: Room, text: string): void {
  if (isLittleEndian) bytes.write(text, 'utf16le');
  else for (let at = 0; at < text.length; at++) units[at] = text.charCodeAt(at);
  units[text.length] = END;
}

/** A copy of what stands between two places, as `flatten` makes it, without a string in between. */
export function copyBetween({ text, bytes }: TextWindow, from: number, to: number): string {
  if (to - from <= LONGEST_COPIED || !isLittleEndian) return flatten(text.slice(from, to));
  return bytes.toString('utf16le', 2 * from, 2 * to);
}

/** Shows `look` a text through a window that is there for no longer. */
export function through<T>(text: string, look: (window: TextWindow) => T): T {
  const isLong = text.length >= ROOM;
  const room = isLong ? createRoom(text.length + 1) : (spare ?? createRoom(ROOM));
  if (room === spare) spare = undefined;
  room.text = text;
  fill(room, text);
  try {
    return look(room);
  } finally {
    room.text = '';
    if (!isLong) spare = room;
  }
}

/** Gives the one copy of a short text that is kept; a long one as it is. */
export type TextPool = (text: string) => string;

const SLOTS = 128;
const LONGEST_POOLED = 12;

/** A place for each text; those that share one take turns. */
function slotFor(text: string): number {
  const last = text.length - 1;
  const ends = 31 * text.charCodeAt(0) + 7 * text.charCodeAt(last);
  return (ends + 131 * text.charCodeAt(last >> 1) + text.length) & (SLOTS - 1);
}

/** Pools short texts: codes, units and amounts repeat, and once each they take a third of the memory. */
export function createTextPool(): TextPool {
  const pooled: (string | undefined)[] = new Array(SLOTS);
  return (text) => {
    if (text.length > LONGEST_POOLED) return text;
    const slot = slotFor(text);
    const known = pooled[slot];
    if (known === text) return known;
    pooled[slot] = text;
    return text;
  };
}
