/** UTF-16 code units: loops over them take half the time of loops over the characters of a string. */
export type Units = Uint16Array;

interface Room {
  readonly units: Units;
  readonly bytes: Buffer;
}

/** Characters of the longest text whose room is kept for the next one: making a room takes longer than filling it. */
const LONGEST_KEPT = 64 * 1024;
/** Behind the text, so that loops need not look for its end: no XML text has it. */
const END = 0xffff;
const isLittleEndian = new Uint8Array(Uint16Array.of(1).buffer)[0] === 1;
let spare: Room | undefined;

function createRoom(length: number): Room {
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
