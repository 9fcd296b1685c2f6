import { promisify } from 'node:util';
import { constants, gunzip } from 'node:zlib';
import { cleanText } from '../../../documents/untrusted.ts';
import { decodeText } from '../../../documents/xml/encoding.ts';
import {
  type FileContents,
  type FiledDocument,
  type Reading,
  readText,
  reasonOfError,
} from './documents-in-text.ts';
import type { LeftOutReason } from './left-out.ts';

/** Bytes of one file, or of one entry of a ZIP. */
export const LARGEST_FILE = 32 * 1024 ** 2;
/** As many bytes are enough to tell what a file is. */
export const enoughToTell = 512;

const SHOWN_NAME_LENGTH = 60;

function startsWith(bytes: Uint8Array, ...start: number[]): boolean {
  return start.every((byte, i) => bytes[i] === byte);
}

/** What a file is by its first bytes. `other` is nothing that could hold documents. */
export function formOf(first: Uint8Array): 'empty' | 'zip' | 'gzip' | 'text' | 'other' {
  if (first.length === 0) return 'empty';
  if (startsWith(first, 0x50, 0x4b, 3, 4) || startsWith(first, 0x50, 0x4b, 5, 6)) return 'zip';
  if (startsWith(first, 0x1f, 0x8b)) return 'gzip';
  const isUtf16 = startsWith(first, 0xff, 0xfe) || startsWith(first, 0xfe, 0xff);
  if (isUtf16) return 'text';
  if (startsWith(first, 0x25, 0x50, 0x44, 0x46)) return 'other';
  return first.subarray(0, enoughToTell).includes(0) ? 'other' : 'text';
}

function nothing(reason: LeftOutReason, root?: string): FileContents {
  return { documents: [], givenUp: [], leftOut: [{ reason, root }] };
}

/** Documents in quotes: escaped or in CDATA within an envelope, or strings of JSON, as services send and people save. */
async function readAsReply(shared: Uint8Array, root: string | undefined): Promise<FileContents> {
  // A copy: the caller may read the next file into the same place.
  const bytes = Uint8Array.from(shared);
  const [{ readDocuments }, { UpstreamError }] = await Promise.all([
    import('../../../clients/documents/replies/documents.ts'),
    import('../../../clients/errors.ts'),
  ]);
  const documents: FiledDocument[] = [];
  async function* body() {
    yield bytes;
  }
  const call = { service: 'documents', operation: 'file' } as const;
  // What stands in a file of the user's own is shown nowhere but as a document.
  const list = readDocuments({ call, body: body(), redact: asItIs, hide: asItIs });
  try {
    for await (const { summary, xml } of list) documents.push({ summary, xml });
  } catch (error) {
    if (!(error instanceof UpstreamError)) throw error;
  }
  return documents.length === 0 ? nothing('no_document', root) : { documents, givenUp: [], leftOut: [] };
}

const asItIs = (text: string): string => text;

const inQuotes = /&lt;|<!\[CDATA\[/;

/**
 * What is in the bytes of one file that is no ZIP. What kind a document is, is decided by its root element, never by
 * the file's name.
 */
export function readContents(bytes: Uint8Array, depth = 0): FileContents | Promise<FileContents> {
  const form = formOf(bytes);
  if (form === 'empty') return nothing('empty');
  if (form === 'gzip' && depth === 0) return readGzip(bytes);
  if (form !== 'text') return nothing('not_xml');
  let text: string;
  try {
    text = decodeText(bytes);
  } catch (error) {
    const reason = reasonOfError(error);
    if (reason === undefined) throw error;
    return nothing(reason);
  }
  const start = /[^\s\uFEFF]/.exec(text)?.[0];
  if (start === undefined) return nothing('empty');
  if (start === '{' || start === '[' || start === '"') return readAsReply(bytes, undefined);
  if (start !== '<') return nothing('not_xml');
  const reading = readText(text);
  if (!(reading instanceof Promise)) return contentsOf(reading, text, bytes);
  // A copy: the caller may read the next file into the same place.
  const own = Uint8Array.from(bytes);
  return reading.then((whole) => contentsOf(whole, text, own));
}

function contentsOf(
  { root, hasPacked, documents, givenUp, leftOut }: Reading,
  text: string,
  bytes: Uint8Array,
): FileContents | Promise<FileContents> {
  const found = { documents, givenUp, leftOut };
  const name = root === undefined ? undefined : cleanText(root, SHOWN_NAME_LENGTH);
  const count = found.documents.length + found.givenUp.length + found.leftOut.length;
  if (count > 0) return found;
  if (!hasPacked && inQuotes.test(text)) return readAsReply(bytes, name);
  return nothing('no_document', name);
}

const unpack = promisify(gunzip);

async function readGzip(bytes: Uint8Array): Promise<FileContents> {
  let unpacked: Buffer;
  try {
    unpacked = await unpack(bytes, { maxOutputLength: LARGEST_FILE, finishFlush: constants.Z_FINISH });
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : '';
    return nothing(code === 'ERR_BUFFER_TOO_LARGE' ? 'too_large' : 'truncated');
  }
  return readContents(unpacked, 1);
}
