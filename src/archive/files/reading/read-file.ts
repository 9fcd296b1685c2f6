import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';
import { crc32 } from 'node:zlib';
import { careful } from '../../../disk/regular-file.ts';
import { enoughToTell, formOf, LARGEST_FILE, readContents } from './contents.ts';
import type { FileContents } from './documents-in-text.ts';
import type { LeftOutReason } from './left-out.ts';

/** What came of a file that is no ZIP. */
export interface FileRead extends FileContents {
  /** Tells whether its bytes are those of before; empty where they were not read. */
  readonly digest: string;
}

/** Most documents fit into it, so that one call reads them. */
const first = Buffer.allocUnsafe(64 * 1024);

function nothing(reason: LeftOutReason, code?: string): FileRead {
  return { documents: [], givenUp: [], leftOut: [{ reason, code }], digest: '' };
}

/** The system's code for what it could not do. */
export function codeOf(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error ? String(error.code) : undefined;
}

/** All bytes from the first ones on; what grows meanwhile is read as far as it had come. */
function wholeOf(descriptor: number, begun: Buffer, size: number): Buffer {
  const bytes = Buffer.allocUnsafe(Math.max(size, begun.length));
  begun.copy(bytes);
  let length = begun.length;
  while (length < bytes.length) {
    const count = readSync(descriptor, bytes, length, bytes.length - length, length);
    if (count === 0) break;
    length += count;
  }
  return bytes.subarray(0, length);
}

/** Opens a file to read it, and nothing else that may stand in its place. @throws the system's errors */
export function openToRead(path: string): number {
  const descriptor = openSync(path, constants.O_RDONLY | careful);
  if (fstatSync(descriptor).isFile()) return descriptor;
  closeSync(descriptor);
  throw Object.assign(new Error('not a file'), { code: 'ENOTREG' });
}

async function readOpened(descriptor: number, size: number): Promise<FileRead | 'zip'> {
  const begun = first.subarray(0, readSync(descriptor, first, 0, first.length, 0));
  const form = formOf(begun.subarray(0, enoughToTell));
  if (form === 'zip') return 'zip';
  if (form === 'empty') return nothing('empty');
  if (form === 'other') return nothing('not_xml');
  if (size > LARGEST_FILE) return nothing('too_large');
  const bytes = begun.length < first.length ? begun : wholeOf(descriptor, begun, size);
  const digest = crc32(bytes).toString(16);
  // The bytes are used up before anything else is read into the same place.
  return { ...(await readContents(form === 'gzip' ? Buffer.from(bytes) : bytes)), digest };
}

/**
 * Reads a file that is no ZIP; of a ZIP it only says that it is one. What can't be read is told, never thrown.
 * @param size bytes, as it was listed
 */
export async function readFile(path: string, size: number): Promise<FileRead | 'zip'> {
  try {
    const descriptor = openToRead(path);
    try {
      return await readOpened(descriptor, size);
    } finally {
      closeSync(descriptor);
    }
  } catch (error) {
    const code = codeOf(error);
    if (code === undefined) throw error;
    return nothing(code === 'ELOOP' ? 'link' : code === 'ENOTREG' ? 'special' : 'unreadable', code);
  }
}
