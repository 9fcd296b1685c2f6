import { pipeline } from 'node:stream';
import { crc32, createGunzip, type Gunzip } from 'node:zlib';
import type { Entry, ZipFile } from 'yauzl';
import { enoughToChooseEncoding } from '../../../documents/xml/encoding.ts';
import { collect } from '../../http/exchange.ts';
import { formOfBytes } from './forms.ts';
import { bounded, limits, type Reading, requireWithin, Unreadable } from './reading.ts';

type Bytes = AsyncIterable<Uint8Array>;

/** A reply's content: itself, or a file of the ZIP that it is. */
export interface ReplyFile {
  /** Name in the ZIP; undefined for a reply that is no ZIP. */
  readonly name: string | undefined;
  /** The first bytes, enough to detect their form. */
  readonly first: Uint8Array;
  /** All bytes, including the first. */
  readonly bytes: Bytes;
}

/** Unpacks gzip and ZIP, also nested. @param most unpacked bytes. @throws Unreadable */
export async function* filesOf(
  packed: Bytes,
  most: number,
  reading: Pick<Reading, 'note'>,
  depth = 0,
): AsyncGenerator<ReplyFile> {
  const file = await peek(packed);
  const form = formOfBytes(file.first);
  if (form !== 'gzip' && form !== 'zip') {
    yield file;
    return;
  }
  if (depth === limits.packings) throw new Unreadable('nested too deeply');
  reading.note(form, form);
  if (form === 'gzip') {
    yield* filesOf(bounded(gunzipped(file.bytes), most), most, reading, depth + 1);
    return;
  }
  const zip = await collect(bounded(file.bytes, limits.packedFile));
  for await (const { name, bytes } of unzipped(zip, most)) {
    try {
      for await (const inner of filesOf(bytes, most, reading, depth + 1)) yield { ...inner, name };
    } catch (error) {
      yield { name, first: new Uint8Array(), bytes: failing(error) };
    }
  }
}

async function peek(body: Bytes): Promise<ReplyFile> {
  const iterator = body[Symbol.asyncIterator]();
  let first: Uint8Array = new Uint8Array();
  while (first.length < enoughToChooseEncoding) {
    const next = await iterator.next();
    if (next.done === true) break;
    first = first.length === 0 ? next.value : Buffer.concat([first, next.value]);
  }
  async function* whole(): AsyncGenerator<Uint8Array> {
    if (first.length > 0) yield first;
    for (let next = await iterator.next(); next.done !== true; next = await iterator.next()) yield next.value;
  }
  return { name: undefined, first, bytes: whole() };
}

/** A file that can't be read fails when it is read, so that the others can be. */
async function* failing(error: unknown): AsyncGenerator<Uint8Array> {
  yield* [];
  throw error;
}

async function* gunzipped(body: Bytes): AsyncGenerator<Uint8Array> {
  let received = 0;
  async function* counted(): AsyncGenerator<Uint8Array> {
    for await (const chunk of body) {
      received += chunk.length;
      yield chunk;
    }
  }
  // Iterating throws every error of the pipeline.
  const gunzip: Gunzip = pipeline(counted, createGunzip(), () => {});
  try {
    const chunks: Bytes = gunzip;
    yield* chunks;
    if (gunzip.bytesWritten !== received) throw new Unreadable('content after the end');
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : '';
    if (!code.startsWith('Z_')) throw error;
    throw new Unreadable(code === 'Z_BUF_ERROR' ? 'truncated' : 'broken compression');
  }
}

const FOLDER_END = '/'.charCodeAt(0);

/** The files of a zip, bounded in number, size and ratio; each is to be read before the next one. @throws Unreadable */
async function* unzipped(
  packed: Uint8Array,
  most: number,
): AsyncGenerator<{ readonly name: string; readonly bytes: Bytes }> {
  const { default: yauzl } = await import('yauzl');
  const buffer = Buffer.from(packed.buffer, packed.byteOffset, packed.byteLength);
  // Names are not checked as paths, since nothing is written under them.
  const options = { lazyEntries: true, autoClose: false, decodeStrings: false } as const;
  const zip = await yauzl.fromBufferPromise(buffer, options).catch(throwUnreadable);
  requireWithin(zip.entryCount, limits.zipFiles);
  const largest = Math.min(most, Math.max(packed.length * limits.zipRatio, limits.smallZip));
  let size = 0;
  let count = 0;
  try {
    for await (const entry of zip.eachEntry()) {
      const name = Buffer.from(entry.fileNameRaw);
      if (name.at(-1) === FOLDER_END) continue;
      count++;
      size += entry.uncompressedSize;
      requireWithin(size, largest);
      yield { name: name.toString(), bytes: contentOf(zip, entry) };
    }
  } catch (error) {
    throwUnreadable(error);
  } finally {
    zip.close();
  }
  if (count === 0) throw new Unreadable('empty zip');
}

async function* contentOf(zip: ZipFile, entry: Entry): AsyncGenerator<Uint8Array> {
  let sum = 0;
  try {
    // Iterating destroys the stream at its end and where it is left.
    const chunks: Bytes = await zip.openReadStreamPromise(entry);
    for await (const chunk of chunks) {
      sum = crc32(chunk, sum);
      yield chunk;
    }
  } catch (error) {
    throwUnreadable(error);
  }
  if (sum !== entry.crc32) throw new Unreadable('broken compression');
}

/** Maps the zip library's errors, which differ by their messages only. */
function throwUnreadable(error: unknown): never {
  if (!(error instanceof Error) || error instanceof Unreadable) throw error;
  const isCut = /central directory record signature not found|unexpected EOF|overflows file bounds/;
  throw new Unreadable(isCut.test(error.message) ? 'truncated' : 'broken compression');
}
