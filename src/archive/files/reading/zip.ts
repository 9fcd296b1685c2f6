import { fstatSync, readSync } from 'node:fs';
import { setImmediate as letOthersRun } from 'node:timers/promises';
import { promisify } from 'node:util';
import { crc32, inflateRaw, inflateRawSync } from 'node:zlib';
import { type Entry, fromBufferPromise, fromFdPromise, getFileNameLowLevel, type ZipFile } from 'yauzl';
import { cleanText } from '../../../documents/untrusted.ts';
import { formOf, LARGEST_FILE, readContents } from './contents.ts';
import type { FileContents } from './documents-in-text.ts';
import type { LeftOutPart, LeftOutReason } from './left-out.ts';

const MEBIBYTE = 1024 ** 2;

/** What a ZIP of the user's may be at most. */
const zipLimits = {
  entries: 500_000,
  /** Bytes of all entries of a ZIP and of those in it, together. */
  total: 16 * 1024 * MEBIBYTE,
  /** How many times as large as the ZIP its files may be together; XML has been seen to shrink to a sixtieth. */
  ratio: 250,
  /** Bytes that the files of a small ZIP may have whatever its own size. */
  small: MEBIBYTE,
  /** Bytes of a ZIP inside a ZIP, which is held whole. */
  nested: 256 * MEBIBYTE,
} as const;

/** Bytes that are unpacked without letting others run. */
const MOST_AT_ONCE = 4 * MEBIBYTE;

const STORED = 0;
const DEFLATED = 8;
const SHOWN_NAME_LENGTH = 200;
/** What systems put beside files: no documents, and not worth a word each. */
const ofSystems = /(?:^|\/)(?:__MACOSX\/|\._|\.DS_Store$|Thumbs\.db$|desktop\.ini$)/i;

/** Whether a file of this name is a system's own and none of the user's. */
export function isOfSystem(name: string): boolean {
  return ofSystems.test(name);
}

/** One file of a ZIP, read; `place` is its name there, with the names of the ZIPs it is in before it. */
export interface ZippedContents extends FileContents {
  readonly place: string;
}

/** A ZIP that can't be used as a whole. */
class Unusable extends Error {
  readonly reason: LeftOutReason;

  constructor(reason: LeftOutReason) {
    super(reason);
    this.reason = reason;
  }
}

/** Where a ZIP's bytes are. */
interface Packed {
  readonly size: number;
  read(offset: number, length: number): Buffer;
}

interface Listed {
  readonly name: string;
  readonly entry: Entry;
}

/** What may still come out of a ZIP and those in it. */
interface Budget {
  left: number;
}

function nameOf(entry: Entry): string {
  // UTF-8 where the entry says so, else code page 437, in which old programs write.
  return getFileNameLowLevel(
    entry.generalPurposeBitFlag,
    Buffer.from(entry.fileNameRaw),
    entry.extraFields,
    false,
  );
}

/** The entries of a ZIP that are files. @throws Unusable for more than there may be, or entries that share bytes */
async function entriesOf(zip: ZipFile, budget: Budget, size: number): Promise<Listed[]> {
  if (zip.entryCount > zipLimits.entries) throw new Unusable('zip_too_large');
  const listed: Listed[] = [];
  let total = 0;
  for await (const entry of zip.eachEntry()) {
    const name = nameOf(entry);
    if (name.endsWith('/') || isOfSystem(name)) continue;
    total += entry.uncompressedSize;
    listed.push({ name, entry });
  }
  const largest = Math.max(size * zipLimits.ratio, zipLimits.small);
  if (total > Math.min(budget.left, largest)) throw new Unusable('zip_too_large');
  budget.left -= total;
  const byOffset = listed
    .map(({ entry }) => entry)
    .sort((one, other) => one.relativeOffsetOfLocalHeader - other.relativeOffsetOfLocalHeader);
  let end = 0;
  for (const { relativeOffsetOfLocalHeader: start, compressedSize } of byOffset) {
    if (start < end) throw new Unusable('zip_too_large');
    end = start + compressedSize;
  }
  return listed;
}

const nothing = (place: string, reason: LeftOutReason): ZippedContents => ({
  place,
  documents: [],
  givenUp: [],
  leftOut: [{ reason, place: place === '' ? undefined : place }],
});

const inflateLater = promisify(inflateRaw);

async function inflate(
  packed: Buffer,
  { uncompressedSize, crc32: expected, compressionMethod }: Entry,
): Promise<Buffer> {
  const most = { maxOutputLength: Math.max(1, uncompressedSize) };
  let bytes = packed;
  // Asking another thread takes longer than unpacking what most entries are.
  if (compressionMethod !== STORED)
    bytes = uncompressedSize > MOST_AT_ONCE ? await inflateLater(packed, most) : inflateRawSync(packed, most);
  if (bytes.length !== uncompressedSize || crc32(bytes) !== expected) throw new Unusable('zip_damaged');
  return bytes;
}

async function bytesOf(zip: ZipFile, packed: Packed, entry: Entry): Promise<Buffer> {
  const { fileDataStart } = await zip.readLocalFileHeaderPromise(entry, { minimal: true });
  return await inflate(packed.read(fileDataStart, entry.compressedSize), entry);
}

/** Why an entry is not read, as far as that can be told without reading it. */
function objectionTo({ name, entry }: Listed): LeftOutReason | undefined {
  if (entry.isEncrypted()) return 'encrypted';
  if (![STORED, DEFLATED].includes(entry.compressionMethod)) return 'zip_damaged';
  const largest = /\.zip$/i.test(name) ? zipLimits.nested : LARGEST_FILE;
  return entry.uncompressedSize > largest ? 'too_large' : undefined;
}

function reasonOf(error: unknown): LeftOutReason {
  if (error instanceof Unusable) return error.reason;
  if (error instanceof Error && /encrypt/.test(error.message)) return 'encrypted';
  // The library and zlib tell everything else by words or codes of their own: cut, or not what it says it is.
  return 'zip_damaged';
}

async function* readEntries(
  zip: ZipFile,
  packed: Packed,
  within: string,
  budget: Budget,
): AsyncGenerator<ZippedContents> {
  for (const listed of await entriesOf(zip, budget, packed.size)) {
    const { name, entry } = listed;
    const place = `${within}${cleanText(name, SHOWN_NAME_LENGTH)}`;
    const objection = objectionTo(listed);
    if (objection !== undefined) {
      yield nothing(place, objection);
      continue;
    }
    let bytes: Buffer;
    try {
      bytes = await bytesOf(zip, packed, entry);
    } catch (error) {
      yield nothing(place, reasonOf(error));
      continue;
    }
    if (formOf(bytes) === 'zip') {
      if (within === '') yield* unzipped(fromBuffer(bytes), `${place}/`, budget);
      else yield nothing(place, 'zip_nested');
      continue;
    }
    if (bytes.length > LARGEST_FILE) {
      yield nothing(place, 'too_large');
      continue;
    }
    const found = await readContents(bytes);
    const leftOut = found.leftOut.map((part): LeftOutPart => ({ ...part, place }));
    yield { ...found, leftOut, place };
  }
}

interface Opened {
  readonly packed: Packed;
  open(): Promise<ZipFile>;
}

const options = { lazyEntries: true, autoClose: false, decodeStrings: false } as const;

function fromBuffer(bytes: Buffer): Opened {
  return {
    packed: { size: bytes.length, read: (offset, length) => bytes.subarray(offset, offset + length) },
    open: () => fromBufferPromise(bytes, options),
  };
}

/** A ZIP that is held whole is listed much faster than one whose every entry is a question to the disk. */
const HELD = 64 * MEBIBYTE;

function fromFile(descriptor: number): Opened {
  const { size } = fstatSync(descriptor);
  const read = (offset: number, length: number) => {
    const bytes = Buffer.allocUnsafe(length);
    let done = 0;
    while (done < length) {
      const count = readSync(descriptor, bytes, done, length - done, offset + done);
      if (count === 0) throw new Unusable('zip_damaged');
      done += count;
    }
    return bytes;
  };
  if (size <= HELD) return fromBuffer(read(0, size));
  return { packed: { size, read }, open: () => fromFdPromise(descriptor, options) };
}

async function* unzipped(
  { packed, open }: Opened,
  within: string,
  budget: Budget,
): AsyncGenerator<ZippedContents> {
  const place = within.replace(/\/$/, '');
  try {
    const zip = await open();
    yield* readEntries(zip, packed, within, budget);
  } catch (error) {
    yield nothing(place, reasonOf(error));
  }
}

/**
 * The files of a ZIP, one after the other, each read and forgotten; ZIPs in it too, and none in those. Nothing is
 * written to disk. Bounded in number, size and ratio; entries that share bytes are refused. The descriptor stays open.
 */
export async function* readZip(descriptor: number): AsyncGenerator<ZippedContents> {
  const budget = { left: zipLimits.total };
  for await (const contents of unzipped(fromFile(descriptor), '', budget)) {
    yield contents;
    await letOthersRun();
  }
}
