import { crc32 } from 'node:zlib';
import { type Entry, fromBufferPromise, type ZipFile } from 'yauzl';
import { limits, requireWithin, Unreadable } from './limits.ts';

/** A file in a zip. */
export interface ZippedFile {
  readonly name: string;
  /** To be read before the next file is asked for. */
  readonly bytes: AsyncIterable<Uint8Array>;
}

const FOLDER_END = '/'.charCodeAt(0);

/** Maps the library's errors, which differ by their messages only. */
function unreadable(error: unknown): unknown {
  if (!(error instanceof Error) || error instanceof Unreadable) return error;
  if (
    /central directory record signature not found|unexpected EOF|overflows file bounds/.test(error.message)
  ) {
    return new Unreadable('truncated');
  }
  const isUnknown = /^(?:unsupported|strong encryption|entry is encrypted)/.test(error.message);
  return new Unreadable(isUnknown ? 'unknown compression' : 'broken compression');
}

async function opened(packed: Uint8Array): Promise<ZipFile> {
  const bytes = Buffer.from(packed.buffer, packed.byteOffset, packed.byteLength);
  try {
    // Names are not checked as paths, since nothing is written under them.
    return await fromBufferPromise(bytes, { lazyEntries: true, autoClose: false, decodeStrings: false });
  } catch (error) {
    throw unreadable(error);
  }
}

async function* contentOf(zip: ZipFile, entry: Entry): AsyncGenerator<Uint8Array> {
  let sum = 0;
  try {
    const stream = await zip.openReadStreamPromise(entry);
    try {
      const chunks: AsyncIterable<Uint8Array> = stream;
      for await (const chunk of chunks) {
        sum = crc32(chunk, sum);
        yield chunk;
      }
    } finally {
      stream.destroy();
    }
  } catch (error) {
    throw unreadable(error);
  }
  if (sum !== entry.crc32) throw new Unreadable('broken compression');
}

/** The files of a zip, bounded in number, size and ratio; folders are skipped. @throws Unreadable */
export async function* unzipped(packed: Uint8Array, most: number): AsyncGenerator<ZippedFile> {
  const zip = await opened(packed);
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
    throw unreadable(error);
  } finally {
    zip.close();
  }
  if (count === 0) throw new Unreadable('empty zip');
}
