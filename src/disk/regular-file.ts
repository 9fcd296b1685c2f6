import { constants } from 'node:fs';
import { type FileHandle, lstat, open } from 'node:fs/promises';

/** Links are not followed; opening a FIFO or device does not block. Windows has neither flag. */
export const noFollow = (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

const flagsFor = {
  read: constants.O_RDONLY,
  append: constants.O_RDWR | constants.O_APPEND,
  'append-new': constants.O_RDWR | constants.O_APPEND | constants.O_CREAT | constants.O_EXCL,
} as const;

const PRIVATE = 0o600;

interface FileFacts {
  isFile(): boolean;
  readonly uid: number;
  readonly size: number;
}

/** Code of an error of the system or a library; undefined for one without. */
export function errorCode(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error ? String(error.code) : undefined;
}

/** Code of a system error; undefined for any other error. */
export function systemCode(error: unknown): string | undefined {
  return error instanceof Error && 'syscall' in error ? errorCode(error) : undefined;
}

/** An error shaped like the system's, without a path. */
function notOurs(code: 'ENOTREG' | 'ENOTOWN' | 'EFBIG'): Error {
  return Object.assign(new Error(`not a file of ours (${code})`), { code, syscall: 'open' });
}

/** @throws for a link, folder, FIFO or device, a file of another owner, or one above the size limit */
function check(facts: FileFacts, largest: number, owner = process.getuid?.()): void {
  if (!facts.isFile()) throw notOurs('ENOTREG');
  if (owner !== undefined && facts.uid !== owner) throw notOurs('ENOTOWN');
  if (facts.size > largest) throw notOurs('EFBIG');
}

/**
 * Opens a file of the program's own, and refuses anything else at its path.
 * @param largest bytes
 * @throws errors with the code `ENOTREG`, `ENOTOWN` or `EFBIG`; the system's, `ELOOP` for a link
 */
export async function openOwnFile(
  path: string,
  mode: keyof typeof flagsFor,
  largest: number,
): Promise<FileHandle> {
  const handle = await open(path, flagsFor[mode] | noFollow, PRIVATE);
  try {
    check(await handle.stat(), largest);
    return handle;
  } catch (error) {
    await handle.close();
    throw error;
  }
}

/** Reads a file of the program's own. @throws as `openOwnFile` */
export async function readOwnFile(path: string, largest: number): Promise<Buffer> {
  const handle = await openOwnFile(path, 'read', largest);
  try {
    return await handle.readFile();
  } finally {
    await handle.close();
  }
}

/** Checks a file that another library will open, such as SQLite; it may be missing. @throws as `openOwnFile` */
export async function checkOwnFile(path: string, largest: number): Promise<void> {
  try {
    check(await lstat(path), largest);
  } catch (error) {
    if (errorCode(error) !== 'ENOENT') throw error;
  }
}

/**
 * Reads a file named by a setting. Links and other owners are allowed, as container platforms mount secrets; FIFOs,
 * devices and files above the limit are refused, since reading them may never end.
 * @param largest bytes
 * @throws errors with the code `ENOTREG` or `EFBIG`; the system's
 */
export async function readNamedFile(path: string, largest: number): Promise<Buffer> {
  const handle = await open(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  try {
    const facts = await handle.stat();
    check(facts, largest, facts.uid);
    const chunks: Buffer[] = [];
    // Files of /proc report no size.
    for await (const chunk of handle.createReadStream({ end: largest, autoClose: false })) chunks.push(chunk);
    const content = Buffer.concat(chunks);
    if (content.length > largest) throw notOurs('EFBIG');
    return content;
  } finally {
    await handle.close();
  }
}

/** Syncs a folder's entries to disk. Windows has no such call and syncs them with the file. */
export async function syncFolder(path: string): Promise<void> {
  if (process.platform === 'win32') return;
  const handle = await open(path, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
