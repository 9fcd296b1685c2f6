import { constants, type Stats } from 'node:fs';
import { copyFile, type FileHandle, link, lstat, mkdir, open, rename, rm } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';

/** Links are not followed; opening a FIFO or device does not block. Windows has neither flag. */
export const noFollow = (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

/** Appending creates a missing file. */
const flagsFor = {
  read: constants.O_RDONLY,
  append: constants.O_RDWR | constants.O_APPEND | constants.O_CREAT,
} as const;

/** Our files and folders are for their owner alone: they hold a company's documents. */
const PRIVATE_FILE = 0o600;
const PRIVATE_FOLDER = 0o700;

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
function check(facts: Stats, largest: number, owner = process.getuid?.()): void {
  if (!facts.isFile()) throw notOurs('ENOTREG');
  if (owner !== undefined && facts.uid !== owner) throw notOurs('ENOTOWN');
  if (facts.size > largest) throw notOurs('EFBIG');
}

/**
 * Opens a file of the program's own of so many bytes at most, and refuses anything else at its path.
 * @throws `ENOTREG`, `ENOTOWN`, `EFBIG`; the system's errors, `ELOOP` for a link
 */
export async function openOwnFile(
  path: string,
  mode: keyof typeof flagsFor,
  largest: number,
): Promise<FileHandle> {
  const handle = await open(path, flagsFor[mode] | noFollow, PRIVATE_FILE);
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
 * devices and files above the limit, in bytes, are refused. @throws `ENOTREG`, `EFBIG`; the system's errors
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

export interface FileName {
  readonly folder: string;
  /** Without extension. */
  readonly name: string;
  readonly ending: string;
}

/** The system refused to write a file. Names the file, never the folder. */
export class FileNotWritten extends Error {
  readonly kind = 'file_not_written';
  readonly file: string;
  /** The system's code, e.g. `EACCES`, `ENOSPC`, `ENOTDIR`; `EEXIST` when every name tried is taken. */
  readonly code: string;

  constructor(file: string, code: string) {
    super(`the file "${file}" cannot be written (${code})`);
    this.name = 'FileNotWritten';
    this.file = file;
    this.code = code;
  }
}

/** Names tried when files of that name exist. */
const NAMES_TRIED = 100;
const BLOCK_BYTES = 256 * 1024;

/** Links a finished file to its name; false if the name is taken. */
async function claim(temporary: string, path: string): Promise<boolean> {
  try {
    await link(temporary, path).catch((error: unknown) => {
      if (errorCode(error) === 'EEXIST') throw error;
      // Without hard links: copying refuses to overwrite as well.
      return copyFile(temporary, path, constants.COPYFILE_EXCL);
    });
    return true;
  } catch (error) {
    if (errorCode(error) !== 'EEXIST') throw error;
    return false;
  }
}

/** Buffers small chunks, to save system calls. */
async function* inBlocks(chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>): AsyncGenerator<Buffer> {
  let waiting: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of chunks) {
    waiting.push(chunk);
    bytes += chunk.length;
    if (bytes < BLOCK_BYTES) continue;
    yield Buffer.concat(waiting);
    [waiting, bytes] = [[], 0];
  }
  yield Buffer.concat(waiting);
}

/**
 * Writes a private file under a temporary name, syncs it and links it to its name, or `name (2)` and so on; never
 * overwrites. Leaves nothing behind on failure or abort.
 * @param isSame whether an existing file has the same content; it is returned then
 * @returns its absolute path and length
 * @throws FileNotWritten when the system refuses; errors of the chunks as they are
 */
export async function writeNewFile(
  { folder, name, ending }: FileName,
  chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  signal?: AbortSignal,
  isSame: (path: string) => Promise<boolean> = async () => false,
) {
  const file = `${name}.${ending}`;
  if (basename(file) !== file) throw new FileNotWritten(basename(file), 'EINVAL');
  const target = resolve(folder);
  const temporary = join(target, `.${name}.${process.pid}.${crypto.randomUUID()}.part`);
  async function onDisk<T>(call: () => Promise<T>): Promise<T> {
    signal?.throwIfAborted();
    try {
      return await call();
    } catch (error) {
      const code = errorCode(error);
      if (code === undefined) throw error;
      throw new FileNotWritten(file, code);
    }
  }
  await onDisk(() => mkdir(target, { recursive: true, mode: PRIVATE_FOLDER }));
  const handle = await onDisk(() => open(temporary, 'wx', PRIVATE_FILE));
  try {
    let bytes = 0;
    try {
      for await (const block of inBlocks(chunks)) {
        await onDisk(() => handle.writeFile(block));
        bytes += block.length;
      }
      await onDisk(() => handle.sync());
    } finally {
      await handle.close();
    }
    for (let attempt = 1; attempt <= NAMES_TRIED; attempt++) {
      const path = join(target, attempt === 1 ? file : `${name} (${attempt}).${ending}`);
      if (!(await onDisk(() => claim(temporary, path))) && !(await isSame(path))) continue;
      await onDisk(() => syncFolder(target));
      return { path, bytes };
    }
    throw new FileNotWritten(file, 'EEXIST');
  } finally {
    await rm(temporary, { force: true });
  }
}

/** Replaces a file atomically, with permissions such as 0o600. @throws the system's errors */
export async function replaceFile(path: string, text: string, mode: number): Promise<void> {
  const temporary = `${path}.${process.pid}.${crypto.randomUUID()}.part`;
  try {
    const handle = await open(temporary, 'wx', mode);
    try {
      await handle.writeFile(text);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(temporary, path);
  } finally {
    await rm(temporary, { force: true });
  }
}
