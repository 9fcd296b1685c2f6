import { pipeline } from 'node:stream';
import { createGunzip, type Gunzip } from 'node:zlib';
import { enoughToChooseEncoding } from '../../../documents/xml/encoding.ts';
import { collect } from '../../http/exchange.ts';
import { formOfBytes } from './forms.ts';
import { bounded, limits, Unreadable } from './limits.ts';
import type { Reading } from './reading.ts';

type Bytes = AsyncIterable<Uint8Array>;

/** The first bytes of a body, enough to detect its form, and the whole body. */
async function peek(body: Bytes): Promise<{ first: Uint8Array; body: Bytes }> {
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

/** What a reply consists of: itself, or each of the files in a zip. */
export interface ReplyFile {
  /** As the zip has it; undefined for the one file that there is. */
  readonly name: string | undefined;
  readonly first: Uint8Array;
  readonly bytes: Bytes;
}

/** Takes off gzip and zip, also one inside the other. @param most bytes that may come out. @throws Unreadable */
export async function* filesOf(
  packed: Bytes,
  most: number,
  reading: Pick<Reading, 'note'>,
  depth = 0,
): AsyncGenerator<ReplyFile> {
  const { first, body } = await peek(packed);
  const form = formOfBytes(first);
  if (form !== 'gzip' && form !== 'zip') {
    yield { name: undefined, first, bytes: body };
    return;
  }
  if (depth === limits.packings) throw new Unreadable('nested too deeply');
  reading.note(form, form);
  if (form === 'gzip') yield* filesOf(bounded(gunzipped(body), most), most, reading, depth + 1);
  else {
    const { unzipped } = await import('./zip.ts');
    for await (const { name, bytes } of unzipped(await collect(bounded(body, limits.packedFile)), most)) {
      try {
        for await (const file of filesOf(bytes, most, reading, depth + 1)) yield { ...file, name };
      } catch (error) {
        yield { name, first: new Uint8Array(), bytes: failing(error) };
      }
    }
  }
}

/** A file that can't be read fails when it is read, so that the others can be. */
async function* failing(error: unknown): AsyncGenerator<Uint8Array> {
  yield* [];
  throw error;
}

function isZlibError(error: unknown): error is NodeJS.ErrnoException {
  return error instanceof Error && 'code' in error && /^Z_/.test(String(error.code));
}

function unreadable(error: unknown): unknown {
  if (!isZlibError(error)) return error;
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
  // Iterating throws every error of the pipeline.
  const gunzip: Gunzip = pipeline(counted, createGunzip(), () => {});
  try {
    const chunks: Bytes = gunzip;
    yield* chunks;
    if (gunzip.bytesWritten !== received) throw new Unreadable('content after the end');
  } catch (error) {
    throw unreadable(error);
  } finally {
    gunzip.destroy();
  }
}
