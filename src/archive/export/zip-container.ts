import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { promisify } from 'node:util';
import { crc32, createDeflateRaw, deflateRaw } from 'node:zlib';
import type { Sink } from '../../disk/new-file.ts';
import {
  dataDescriptor,
  directoryRecord,
  endRecords,
  largestEntry,
  localHeader,
  type ZipContent,
  type ZipEntry,
} from './zip-records.ts';

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
