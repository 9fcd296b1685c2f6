/** What the records of a ZIP file say of one entry. Sizes and offset in bytes. */
export interface ZipEntry {
  readonly name: Buffer;
  /** In the format's own clock, see `zipTime`. */
  readonly modified: number;
  /** Where its local header begins. */
  readonly offset: number;
  /** Sizes and checksum stand behind the data, because they are not known before it. */
  readonly streamed: boolean;
}

export interface ZipContent {
  readonly checksum: number;
  readonly packedBytes: number;
  readonly bytes: number;
}

/** The largest size or offset without the 64-bit records, and the largest count of entries. */
const LARGEST_32_BIT = 0xffffffff;
const MOST_ENTRIES = 0xffff;

/** Sizes of single entries stay below this; only offsets and counts may need the 64-bit records. */
export const largestEntry = LARGEST_32_BIT - 1;

const VERSION_DEFLATE = 20;
const VERSION_64_BIT = 45;
const FLAG_UTF8 = 1 << 11;
const FLAG_SIZES_BEHIND = 1 << 3;
const DEFLATED = 8;

type Field = readonly [bytes: 2 | 4 | 8, value: number];

function record(...fields: readonly Field[]): Buffer {
  const buffer = Buffer.alloc(fields.reduce((sum, [bytes]) => sum + bytes, 0));
  let offset = 0;
  for (const [bytes, value] of fields) {
    if (bytes === 8) buffer.writeBigUInt64LE(BigInt(value), offset);
    else buffer.writeUIntLE(value, offset, bytes);
    offset += bytes;
  }
  return buffer;
}

/**
 * Date and time as ZIP has them, from an ISO text by the clock of the text itself, so that the same document gives the
 * same bytes everywhere; the beginning of 1980, the earliest there is, for anything else.
 */
export function zipTime(text: string | undefined): number {
  const found = /^(\d{4})-(\d\d)-(\d\d)(?:T(\d\d):(\d\d):(\d\d))?/.exec(text ?? '');
  const [year = 1980, month = 1, day = 1, hour = 0, minute = 0, second = 0] = (found ?? [])
    .slice(1)
    .map((part) => Number(part ?? 0));
  const isKnown = year >= 1980 && year <= 2107;
  const date = isKnown ? ((year - 1980) << 9) | (month << 5) | day : (1 << 5) | 1;
  const time = isKnown ? (hour << 11) | (minute << 5) | (second >> 1) : 0;
  return date * 0x10000 + time;
}

function flagsOf({ streamed }: ZipEntry): number {
  return FLAG_UTF8 | (streamed ? FLAG_SIZES_BEHIND : 0);
}

const nothing: ZipContent = { checksum: 0, packedBytes: 0, bytes: 0 };

/** Goes before the data; `content` is known for an entry that is not streamed. */
export function localHeader(entry: ZipEntry, content: ZipContent = nothing): Buffer {
  const { checksum, packedBytes, bytes } = content;
  const header = record(
    [4, 0x04034b50],
    [2, VERSION_DEFLATE],
    [2, flagsOf(entry)],
    [2, DEFLATED],
    [4, entry.modified],
    [4, checksum],
    [4, packedBytes],
    [4, bytes],
    [2, entry.name.length],
    [2, 0],
  );
  return Buffer.concat([header, entry.name]);
}

/** Goes behind the data of a streamed entry. */
export function dataDescriptor({ checksum, packedBytes, bytes }: ZipContent): Buffer {
  return record([4, 0x08074b50], [4, checksum], [4, packedBytes], [4, bytes]);
}

/** The entry's line in the directory at the end of the file. */
export function directoryRecord(entry: ZipEntry, { checksum, packedBytes, bytes }: ZipContent): Buffer {
  const isFar = entry.offset >= LARGEST_32_BIT;
  const extra = isFar ? record([2, 1], [2, 8], [8, entry.offset]) : Buffer.alloc(0);
  const header = record(
    [4, 0x02014b50],
    [2, VERSION_64_BIT],
    [2, isFar ? VERSION_64_BIT : VERSION_DEFLATE],
    [2, flagsOf(entry)],
    [2, DEFLATED],
    [4, entry.modified],
    [4, checksum],
    [4, packedBytes],
    [4, bytes],
    [2, entry.name.length],
    [2, extra.length],
    [2, 0],
    [2, 0],
    [2, 0],
    [4, 0],
    [4, isFar ? LARGEST_32_BIT : entry.offset],
  );
  return Buffer.concat([header, entry.name, extra]);
}

/** Ends the file: how many entries, and where their directory is. */
export function endRecords(entries: number, directoryBytes: number, directoryOffset: number): Buffer {
  const end = record(
    [4, 0x06054b50],
    [2, 0],
    [2, 0],
    [2, Math.min(entries, MOST_ENTRIES)],
    [2, Math.min(entries, MOST_ENTRIES)],
    [4, Math.min(directoryBytes, LARGEST_32_BIT)],
    [4, Math.min(directoryOffset, LARGEST_32_BIT)],
    [2, 0],
  );
  if (entries < MOST_ENTRIES && directoryOffset + directoryBytes < LARGEST_32_BIT) return end;
  const end64 = record(
    [4, 0x06064b50],
    [8, 44],
    [2, VERSION_64_BIT],
    [2, VERSION_64_BIT],
    [4, 0],
    [4, 0],
    [8, entries],
    [8, entries],
    [8, directoryBytes],
    [8, directoryOffset],
  );
  const locator = record([4, 0x07064b50], [4, 0], [8, directoryOffset + directoryBytes], [4, 1]);
  return Buffer.concat([end64, locator, end]);
}
