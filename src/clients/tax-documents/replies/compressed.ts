import { Readable } from 'node:stream';
import { createGunzip, gunzipSync, inflateRawSync } from 'node:zlib';
import { Unreadable } from './unreadable.ts';

export function isGzip(bytes: Uint8Array): boolean {
  return bytes[0] === 0x1f && bytes[1] === 0x8b;
}

export function isZip(bytes: Uint8Array): boolean {
  return bytes[0] === 0x50 && bytes[1] === 0x4b && bytes[2] === 3 && bytes[3] === 4;
}

function isZlibError(error: unknown): error is NodeJS.ErrnoException {
  return error instanceof Error && 'code' in error && /^(Z_|ERR_BUFFER_TOO_LARGE)/.test(String(error.code));
}

function unreadable(error: unknown): unknown {
  if (!isZlibError(error)) return error;
  if (error.code === 'ERR_BUFFER_TOO_LARGE') return new Unreadable('too large');
  return new Unreadable(error.code === 'Z_BUF_ERROR' ? 'truncated' : 'broken compression');
}

/** Unpacks a gzip stream as it comes; an error of `body` itself passes unchanged. */
export async function* gunzipped(body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let received = 0;
  async function* counted(): AsyncGenerator<Uint8Array> {
    for await (const chunk of body) {
      received += chunk.length;
      yield chunk;
    }
  }
  const source = Readable.from(counted(), { objectMode: true });
  const gunzip = createGunzip();
  source.on('error', (error) => gunzip.destroy(error));
  source.pipe(gunzip);
  try {
    const chunks: AsyncIterable<Uint8Array> = gunzip;
    for await (const chunk of chunks) yield chunk;
    if (gunzip.bytesWritten !== received) throw new Unreadable('content after the end');
  } catch (error) {
    throw unreadable(error);
  } finally {
    source.destroy();
    gunzip.destroy();
  }
}

/** Unpacks a whole gzip file of at most `limit` bytes of content. */
export function gunzip(bytes: Uint8Array, limit: number): Uint8Array {
  try {
    return gunzipSync(bytes, { maxOutputLength: limit });
  } catch (error) {
    throw unreadable(error);
  }
}

const END_OF_DIRECTORY = 0x06054b50;
const END_OF_DIRECTORY_LENGTH = 22;
const LONGEST_COMMENT = 0xffff;
const DIRECTORY_ENTRY = 0x02014b50;
const DIRECTORY_ENTRY_LENGTH = 46;
const LOCAL_ENTRY_LENGTH = 30;
const STORED = 0;
const DEFLATED = 8;

function findEndOfDirectory(view: DataView): number {
  const last = view.byteLength - END_OF_DIRECTORY_LENGTH;
  for (let at = last; at >= Math.max(0, last - LONGEST_COMMENT); at--) {
    if (view.getUint32(at, true) === END_OF_DIRECTORY) return at;
  }
  throw new Unreadable('truncated');
}

interface ZipEntry {
  readonly method: number;
  readonly packedSize: number;
  readonly size: number;
  readonly offset: number;
}

/** The files of a zip by its central directory; folders are passed over. Source: PKWARE APPNOTE, section 4.3. */
function zipEntries(view: DataView): ZipEntry[] {
  const end = findEndOfDirectory(view);
  const entries: ZipEntry[] = [];
  let at = view.getUint32(end + 16, true);
  for (let left = view.getUint16(end + 10, true); left > 0; left--) {
    if (view.getUint32(at, true) !== DIRECTORY_ENTRY) throw new Unreadable('broken compression');
    const nameLength = view.getUint16(at + 28, true);
    const entry = {
      method: view.getUint16(at + 10, true),
      packedSize: view.getUint32(at + 20, true),
      size: view.getUint32(at + 24, true),
      offset: view.getUint32(at + 42, true),
    };
    const lastOfName = view.getUint8(at + DIRECTORY_ENTRY_LENGTH + nameLength - 1);
    if (lastOfName !== '/'.charCodeAt(0)) entries.push(entry);
    at += DIRECTORY_ENTRY_LENGTH + nameLength + view.getUint16(at + 30, true) + view.getUint16(at + 32, true);
  }
  return entries;
}

function unpack(bytes: Uint8Array, view: DataView, entry: ZipEntry, limit: number): Uint8Array {
  if (entry.size > limit) throw new Unreadable('too large');
  const nameLength = view.getUint16(entry.offset + 26, true);
  const start = entry.offset + LOCAL_ENTRY_LENGTH + nameLength + view.getUint16(entry.offset + 28, true);
  const packed = bytes.subarray(start, start + entry.packedSize);
  if (packed.length !== entry.packedSize) throw new Unreadable('truncated');
  if (entry.method !== STORED && entry.method !== DEFLATED) throw new Unreadable('unknown compression');
  const content = entry.method === STORED ? packed : inflateRawSync(packed, { maxOutputLength: limit });
  if (content.length !== entry.size) throw new Unreadable('broken compression');
  return content;
}

/** The one file in a zip, of at most `limit` bytes. */
export function unzipSingle(bytes: Uint8Array, limit: number): Uint8Array {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  try {
    const [entry, ...others] = zipEntries(view);
    if (entry === undefined) throw new Unreadable('empty zip');
    if (others.length > 0) throw new Unreadable('several files in one zip');
    return unpack(bytes, view, entry, limit);
  } catch (error) {
    if (error instanceof RangeError) throw new Unreadable('broken compression');
    throw unreadable(error);
  }
}
