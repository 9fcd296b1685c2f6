import { fstatSync, readFileSync } from 'node:fs';
import { setImmediate as letOthersRun } from 'node:timers/promises';
import { crc32 } from 'node:zlib';
import { type Entry, fromBufferPromise, fromFdPromise, getFileNameLowLevel, type ZipFile } from 'yauzl';
import { cleanText } from '../../documents/untrusted.ts';
import { type FileContents, formOf, LARGEST_FILE, MEBIBYTE, nothing, readContents } from './contents.ts';
import type { LeftOutReason } from './left-out.ts';

const zipLimits = {
  entries: 500_000,
  /** Unpacked bytes of a ZIP and its nested ZIPs. */
  total: 16 * 1024 * MEBIBYTE,
  /** Unpacked by packed bytes; observed XML compresses to a sixtieth. */
  ratio: 250,
  /** Unpacked bytes allowed regardless of the ratio. */
  small: MEBIBYTE,
  /** Bytes of a nested ZIP, which is held in memory. */
  nested: 256 * MEBIBYTE,
  /** Smaller ZIPs are read into memory, since a system call per entry is slow. */
  held: 64 * MEBIBYTE,
} as const;

const STORED = 0;
const DEFLATED = 8;
const SHOWN_NAME_LENGTH = 200;
const ofSystems = /(?:^|\/)(?:__MACOSX\/|\._|\.DS_Store$|Thumbs\.db$|desktop\.ini$)/i;

/** True for names of files created by operating systems, not by the user. */
export function isOfSystem(name: string): boolean {
  return ofSystems.test(name);
}

export const zipOptions = { lazyEntries: true, autoClose: false, decodeStrings: false } as const;

export interface ZipPart {
  /** UTF-8 if flagged in the entry, else code page 437, as in old programs. */
  readonly name: string;
  readonly entry: Entry;
}

/** Bounds of a ZIP: entries, and unpacked by packed bytes beyond a `small` amount. */
export interface ZipBounds {
  readonly entries: number;
  readonly ratio: number;
  readonly small: number;
}

/** The entries of a ZIP without empty folders; undefined for a bomb: too many, too large, or overlapping. */
export async function entriesOf(
  zip: ZipFile,
  size: number,
  { entries, ratio, small }: ZipBounds,
): Promise<ZipPart[] | undefined> {
  if (zip.entryCount > entries) return undefined;
  const listed: ZipPart[] = [];
  let total = 0;
  for await (const entry of zip.eachEntry()) {
    const { generalPurposeBitFlag, fileNameRaw, extraFields, uncompressedSize } = entry;
    const name = getFileNameLowLevel(generalPurposeBitFlag, Buffer.from(fileNameRaw), extraFields, false);
    if (name.endsWith('/') && uncompressedSize === 0) continue;
    listed.push({ name, entry });
    total += uncompressedSize;
  }
  if (total > Math.max(size * ratio, small)) return undefined;
  let end = 0;
  const places = listed.map(
    ({ entry }) => [entry.relativeOffsetOfLocalHeader, entry.compressedSize] as const,
  );
  for (const [start, length] of places.sort(([one], [other]) => one - other)) {
    if (start < end) return undefined;
    end = start + length;
  }
  return listed;
}

/** The bytes of an entry. @throws the library's and zlib's errors */
export async function contentOf(zip: ZipFile, entry: Entry): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of await zip.openReadStreamPromise(entry)) chunks.push(chunk);
  return Buffer.concat(chunks);
}

/** Reason of a read error: encryption by the library's message, else damage. */
function damageOf(error: unknown): LeftOutReason {
  return error instanceof Error && /encrypt/.test(error.message) ? 'encrypted' : 'zip_damaged';
}

/** The bytes of an entry, or the reason why they can't be read. */
async function bytesOf(zip: ZipFile, { name, entry }: ZipPart): Promise<Buffer | LeftOutReason> {
  if (entry.isEncrypted()) return 'encrypted';
  if (![STORED, DEFLATED].includes(entry.compressionMethod)) return 'zip_damaged';
  const largest = /\.zip$/i.test(name) ? zipLimits.nested : LARGEST_FILE;
  if (entry.uncompressedSize > largest) return 'too_large';
  try {
    const bytes = await contentOf(zip, entry);
    return crc32(bytes) === entry.crc32 ? bytes : 'zip_damaged';
  } catch (error) {
    return damageOf(error);
  }
}

/** @param within path of the enclosing ZIP, empty for the outermost. @param budget bytes left to unpack, of all ZIPs */
async function* readEntries(
  open: () => Promise<ZipFile>,
  size: number,
  within: string,
  budget: { left: number },
): AsyncGenerator<FileContents> {
  const where = within === '' ? {} : { place: within };
  let zip: ZipFile;
  let listed: ZipPart[] | undefined;
  try {
    zip = await open();
    listed = await entriesOf(zip, size, zipLimits);
  } catch (error) {
    yield nothing(damageOf(error), where);
    return;
  }
  const files = listed?.filter(({ name }) => !name.endsWith('/') && !isOfSystem(name));
  budget.left -= files?.reduce((sum, { entry }) => sum + entry.uncompressedSize, 0) ?? 0;
  if (files === undefined || budget.left < 0) {
    yield nothing('zip_too_large', where);
    return;
  }
  for (const file of files) {
    const name = cleanText(file.name, SHOWN_NAME_LENGTH);
    const place = within === '' ? name : `${within}/${name}`;
    const bytes = await bytesOf(zip, file);
    if (typeof bytes === 'string') yield nothing(bytes, { place });
    else if (formOf(bytes) !== 'zip') {
      const found = bytes.length > LARGEST_FILE ? nothing('too_large') : await readContents(bytes);
      yield { ...found, leftOut: found.leftOut.map((part) => ({ ...part, place })) };
    } else if (within !== '') yield nothing('zip_nested', { place });
    else yield* readEntries(() => fromBufferPromise(bytes, zipOptions), bytes.length, place, budget);
    await letOthersRun();
  }
}

/**
 * Streams the files of a ZIP and of ZIPs directly inside it, without writing to disk. Number, size and ratio are
 * bounded; overlapping entries are refused. The descriptor stays open.
 */
export function readZip(descriptor: number): AsyncGenerator<FileContents> {
  const { size } = fstatSync(descriptor);
  const open = () =>
    size <= zipLimits.held
      ? fromBufferPromise(readFileSync(descriptor), zipOptions)
      : fromFdPromise(descriptor, zipOptions);
  return readEntries(open, size, '', { left: zipLimits.total });
}
