import { Readable } from 'node:stream';
import { createGunzip, inflateRawSync } from 'node:zlib';
import { enoughToChooseEncoding } from '../../../documents/xml/encoding.ts';
import { collect } from '../../http/body.ts';
import { type Forms, formOfBytes, Unreadable } from './forms.ts';
import { bounded, limits, requireWithin } from './limits.ts';

type Bytes = AsyncIterable<Uint8Array>;

/** The first bytes of a body, enough to tell what they are, and the body with them put back. */
export async function peek(body: Bytes): Promise<{ first: Uint8Array; body: Bytes }> {
  const iterator = body[Symbol.asyncIterator]();
  const chunks: Uint8Array[] = [];
  let length = 0;
  while (length < enoughToChooseEncoding) {
    const next = await iterator.next();
    if (next.done === true) break;
    chunks.push(next.value);
    length += next.value.length;
  }
  const [only, ...others] = chunks;
  const first = only !== undefined && others.length === 0 ? only : Buffer.concat(chunks);
  return { first, body: startingWith(first, iterator) };
}

async function* startingWith(first: Uint8Array, rest: AsyncIterator<Uint8Array>): AsyncGenerator<Uint8Array> {
  if (first.length > 0) yield first;
  for (let next = await rest.next(); next.done !== true; next = await rest.next()) yield next.value;
}

async function* bodyOf(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}

/**
 * Takes off gzip, or a zip with one file in it, also one inside the other.
 *
 * @param most bytes that may come out of it
 * @throws Unreadable for what is cut, broken or too large; an error of `packed` itself passes unchanged
 */
export async function* unpacked(packed: Bytes, most: number, forms: Forms): AsyncGenerator<Uint8Array> {
  let { first, body } = await peek(packed);
  for (
    let form = formOfBytes(first), count = 0;
    form === 'gzip' || form === 'zip';
    form = formOfBytes(first)
  ) {
    if (++count > limits.packings) throw new Unreadable('nested too deeply');
    forms.note(form, form);
    const inner = form === 'gzip' ? gunzipped(body) : bodyOf(unzipped(await collectPacked(body)));
    ({ first, body } = await peek(bounded(inner, most)));
  }
  yield* body;
}

function collectPacked(body: Bytes): Promise<Uint8Array> {
  return collect(bounded(body, limits.packedFile));
}

function isZlibError(error: unknown): error is NodeJS.ErrnoException {
  return error instanceof Error && 'code' in error && /^(Z_|ERR_BUFFER_TOO_LARGE)/.test(String(error.code));
}

function unreadable(error: unknown): unknown {
  if (error instanceof RangeError && !isZlibError(error)) return new Unreadable('broken compression');
  if (!isZlibError(error)) return error;
  if (error.code === 'ERR_BUFFER_TOO_LARGE') return new Unreadable('too large');
  return new Unreadable(error.code === 'Z_BUF_ERROR' ? 'truncated' : 'broken compression');
}

async function* gunzipped(body: Bytes): AsyncGenerator<Uint8Array> {
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
    const chunks: Bytes = gunzip;
    for await (const chunk of chunks) yield chunk;
    if (gunzip.bytesWritten !== received) throw new Unreadable('content after the end');
  } catch (error) {
    throw unreadable(error);
  } finally {
    source.destroy();
    gunzip.destroy();
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

function unpackEntry(bytes: Uint8Array, view: DataView, entry: ZipEntry): Uint8Array {
  requireWithin(entry.size, limits.packedFile);
  const nameLength = view.getUint16(entry.offset + 26, true);
  const start = entry.offset + LOCAL_ENTRY_LENGTH + nameLength + view.getUint16(entry.offset + 28, true);
  const packed = bytes.subarray(start, start + entry.packedSize);
  if (packed.length !== entry.packedSize) throw new Unreadable('truncated');
  if (entry.method !== STORED && entry.method !== DEFLATED) throw new Unreadable('unknown compression');
  const maxOutputLength = limits.packedFile;
  const content = entry.method === STORED ? packed : inflateRawSync(packed, { maxOutputLength });
  if (content.length !== entry.size) throw new Unreadable('broken compression');
  return content;
}

/** The one file in a zip. */
function unzipped(bytes: Uint8Array): Uint8Array {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  try {
    const [entry, ...others] = zipEntries(view);
    if (entry === undefined) throw new Unreadable('empty zip');
    if (others.length > 0) throw new Unreadable('several files in one zip');
    return unpackEntry(bytes, view, entry);
  } catch (error) {
    throw unreadable(error);
  }
}
