import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { promisify } from 'node:util';
import { crc32, createDeflateRaw, deflateRaw } from 'node:zlib';
import type { Sink } from '../../disk/new-file.ts';

/** What the records of a ZIP file say of one entry. Sizes and offset in bytes. */
interface ZipEntry {
  readonly name: Buffer;
  /** In the format's own clock, see `zipTime`. */
  readonly modified: number;
  /** Where its local header begins. */
  readonly offset: number;
  /** Sizes and checksum stand behind the data, because they are not known before it. */
  readonly streamed: boolean;
}

interface ZipContent {
  readonly checksum: number;
  readonly packedBytes: number;
  readonly bytes: number;
}

/** The largest size or offset without the 64-bit records, and the largest count of entries. */
const LARGEST_32_BIT = 0xffffffff;
const MOST_ENTRIES = 0xffff;

/** Sizes of single entries stay below this; only offsets and counts may need the 64-bit records. */
const largestEntry = LARGEST_32_BIT - 1;

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
function localHeader(entry: ZipEntry, content: ZipContent = nothing): Buffer {
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
function dataDescriptor({ checksum, packedBytes, bytes }: ZipContent): Buffer {
  return record([4, 0x08074b50], [4, checksum], [4, packedBytes], [4, bytes]);
}

/** The entry's line in the directory at the end of the file. */
function directoryRecord(entry: ZipEntry, { checksum, packedBytes, bytes }: ZipContent): Buffer {
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
function endRecords(entries: number, directoryBytes: number, directoryOffset: number): Buffer {
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

const deflate = promisify(deflateRaw);

/** One entry is larger than a ZIP without 64-bit sizes, which not every reader knows, can say. */
export class EntryTooLarge extends Error {
  readonly kind = 'entry_too_large';
  readonly entry: string;

  constructor(entry: string) {
    super(`the entry "${entry}" is larger than 4 GiB`);
    this.name = 'EntryTooLarge';
    this.entry = entry;
  }
}

/** A ZIP file being written. One entry after the other; each call must be awaited before the next. */
export interface ZipContainer {
  /** @param modified as `zipTime` gives it */
  add(name: string, bytes: Uint8Array, modified: number): Promise<void>;
  /** The same for what is not known as a whole. */
  addStream(name: string, pieces: AsyncIterable<string>, modified: number): Promise<void>;
  finish(): Promise<void>;
}

/**
 * Writes a ZIP into a sink. What is kept in memory is the directory: about a hundred and fifty bytes per entry. Beyond
 * 65,535 entries or 4 GiB the 64-bit records are used.
 */
export function createZipContainer(sink: Sink): ZipContainer {
  const directory: Buffer[] = [];

  function begin(name: string, modified: number, streamed: boolean): ZipEntry {
    return { name: Buffer.from(name), modified, offset: sink.position, streamed };
  }

  return {
    async add(name, bytes, modified) {
      const packed = await deflate(bytes);
      const entry = begin(name, modified, false);
      const content = { checksum: crc32(bytes), packedBytes: packed.length, bytes: bytes.length };
      await sink.write(localHeader(entry, content));
      await sink.write(packed);
      directory.push(directoryRecord(entry, content));
    },

    async addStream(name, pieces, modified) {
      const entry = begin(name, modified, true);
      await sink.write(localHeader(entry));
      const content = await deflateInto(sink, pieces);
      if (content.bytes > largestEntry) throw new EntryTooLarge(name);
      await sink.write(dataDescriptor(content));
      directory.push(directoryRecord(entry, content));
    },

    async finish() {
      const offset = sink.position;
      for (const line of directory) await sink.write(line);
      await sink.write(endRecords(directory.length, sink.position - offset, offset));
    },
  };
}

async function deflateInto(sink: Sink, pieces: AsyncIterable<string>): Promise<ZipContent> {
  let checksum = 0;
  let bytes = 0;
  const before = sink.position;

  async function* measured() {
    for await (const piece of pieces) {
      const buffer = Buffer.from(piece);
      checksum = crc32(buffer, checksum);
      bytes += buffer.length;
      yield buffer;
    }
  }

  await pipeline(Readable.from(measured()), createDeflateRaw(), async (packed: AsyncIterable<Buffer>) => {
    for await (const chunk of packed) await sink.write(chunk);
  });
  return { checksum, packedBytes: sink.position - before, bytes };
}
