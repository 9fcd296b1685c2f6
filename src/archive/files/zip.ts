import { fstatSync, readFileSync } from 'node:fs';
import { setImmediate as letOthersRun } from 'node:timers/promises';
import { crc32 } from 'node:zlib';
import { type Entry, fromBufferPromise, fromFdPromise, getFileNameLowLevel, type ZipFile } from 'yauzl';
import { cleanText } from '../../documents/untrusted.ts';
import { type FileContents, formOf, LARGEST_FILE, nothing, readContents } from './contents.ts';
import type { LeftOutReason } from './left-out.ts';

const MEBIBYTE = 1024 ** 2;

/** Bounds of a ZIP of the user's. */
const zipLimits = {
  entries: 500_000,
  /** Unpacked bytes of a ZIP and of those in it, together. */
  total: 16 * 1024 * MEBIBYTE,
  /** Unpacked by packed bytes; XML has been seen to shrink to a sixtieth. */
  ratio: 250,
  /** Unpacked bytes that a small ZIP may have whatever its size. */
  small: MEBIBYTE,
  /** Bytes of a ZIP inside a ZIP, which is held whole. */
  nested: 256 * MEBIBYTE,
  /** A smaller ZIP is read into memory, since a call to the system for each entry is slow. */
  held: 64 * MEBIBYTE,
} as const;

const STORED = 0;
const DEFLATED = 8;
const SHOWN_NAME_LENGTH = 200;
/** Files that operating systems put beside others. */
const ofSystems = /(?:^|\/)(?:__MACOSX\/|\._|\.DS_Store$|Thumbs\.db$|desktop\.ini$)/i;

/** Whether a file of this name is an operating system's own and none of the user's. */
export function isOfSystem(name: string): boolean {
  return ofSystems.test(name);
}

/** A ZIP or an entry that can't be used. */
class Unusable extends Error {
  readonly reason: LeftOutReason;

  constructor(reason: LeftOutReason) {
    super(reason);
    this.reason = reason;
  }
}

/** Bytes that may still be unpacked from a ZIP and those in it. */
interface Budget {
  left: number;
}

interface Listed {
  readonly name: string;
  readonly entry: Entry;
}

/** UTF-8 where the entry says so, else code page 437, in which old programs write. */
function nameOf({ generalPurposeBitFlag, fileNameRaw, extraFields }: Entry): string {
  return getFileNameLowLevel(generalPurposeBitFlag, Buffer.from(fileNameRaw), extraFields, false);
}

/** The entries of a ZIP that are files. @throws Unusable where they are too many, too large or share bytes */
async function entriesOf(zip: ZipFile, size: number, budget: Budget): Promise<Listed[]> {
  if (zip.entryCount > zipLimits.entries) throw new Unusable('zip_too_large');
  const listed: Listed[] = [];
  for await (const entry of zip.eachEntry()) {
    const name = nameOf(entry);
    if (!name.endsWith('/') && !isOfSystem(name)) listed.push({ name, entry });
  }
  const total = listed.reduce((sum, { entry }) => sum + entry.uncompressedSize, 0);
  const largest = Math.max(size * zipLimits.ratio, zipLimits.small);
  if (total > Math.min(budget.left, largest)) throw new Unusable('zip_too_large');
  budget.left -= total;
  const places = listed.map(
    ({ entry }) => [entry.relativeOffsetOfLocalHeader, entry.compressedSize] as const,
  );
  let end = 0;
  for (const [start, length] of places.sort(([one], [other]) => one - other)) {
    if (start < end) throw new Unusable('zip_too_large');
    end = start + length;
  }
  return listed;
}

/** The bytes of an entry. @throws Unusable; the library's and zlib's errors */
async function bytesOf(zip: ZipFile, { name, entry }: Listed): Promise<Buffer> {
  if (entry.isEncrypted()) throw new Unusable('encrypted');
  if (![STORED, DEFLATED].includes(entry.compressionMethod)) throw new Unusable('zip_damaged');
  const largest = /\.zip$/i.test(name) ? zipLimits.nested : LARGEST_FILE;
  if (entry.uncompressedSize > largest) throw new Unusable('too_large');
  const chunks: Buffer[] = [];
  for await (const chunk of await zip.openReadStreamPromise(entry)) chunks.push(chunk);
  const bytes = Buffer.concat(chunks);
  if (crc32(bytes) !== entry.crc32) throw new Unusable('zip_damaged');
  return bytes;
}

/** Why something could not be read: the library and zlib have codes of their own for damage. */
function reasonOf(error: unknown): LeftOutReason {
  if (error instanceof Unusable) return error.reason;
  return error instanceof Error && /encrypt/.test(error.message) ? 'encrypted' : 'zip_damaged';
}

/** @param within path of the enclosing ZIP, empty for the outermost */
async function* readEntries(
  open: () => Promise<ZipFile>,
  size: number,
  within: string,
  budget: Budget,
): AsyncGenerator<FileContents> {
  let zip: ZipFile;
  let listed: Listed[];
  try {
    zip = await open();
    listed = await entriesOf(zip, size, budget);
  } catch (error) {
    yield nothing(reasonOf(error), within === '' ? {} : { place: within });
    return;
  }
  for (const one of listed) {
    const name = cleanText(one.name, SHOWN_NAME_LENGTH);
    const place = within === '' ? name : `${within}/${name}`;
    let bytes: Buffer;
    try {
      bytes = await bytesOf(zip, one);
    } catch (error) {
      yield nothing(reasonOf(error), { place });
      continue;
    }
    if (formOf(bytes) === 'zip') {
      if (within === '')
        yield* readEntries(() => fromBufferPromise(bytes, options), bytes.length, place, budget);
      else yield nothing('zip_nested', { place });
    } else if (bytes.length > LARGEST_FILE) yield nothing('too_large', { place });
    else {
      const found = await readContents(bytes);
      yield { ...found, leftOut: found.leftOut.map((part) => ({ ...part, place })) };
    }
    await letOthersRun();
  }
}

const options = { lazyEntries: true, autoClose: false, decodeStrings: false } as const;

/**
 * The files of a ZIP, one after the other, each read and forgotten; of ZIPs in it too, and of none in those. Nothing is
 * written to disk. Bounded in number, size and ratio; entries that share bytes are refused. The descriptor stays open.
 */
export function readZip(descriptor: number): AsyncGenerator<FileContents> {
  const { size } = fstatSync(descriptor);
  const open = () =>
    size <= zipLimits.held
      ? fromBufferPromise(readFileSync(descriptor), options)
      : fromFdPromise(descriptor, options);
  return readEntries(open, size, '', { left: zipLimits.total });
}
