import { constants } from 'node:fs';
import { copyFile, link, mkdir, open, rename, rm } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import { errorCode, syncFolder } from './regular-file.ts';

export interface FileName {
  readonly folder: string;
  /** Without extension. */
  readonly name: string;
  readonly ending: string;
}

export interface SavedFile {
  /** Absolute. */
  readonly path: string;
  readonly bytes: number;
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

/** Saved files and folders made for them are for their owner alone: they hold a company's documents. */
const PRIVATE_FILE = 0o600;
const PRIVATE_FOLDER = 0o700;
/** Names tried when files of that name exist. */
const NAMES_TRIED = 100;
const BLOCK_BYTES = 256 * 1024;

const isTaken = (error: unknown): boolean => errorCode(error) === 'EEXIST';

/** Links a finished file to its name; false if the name is taken. */
async function claim(temporary: string, path: string): Promise<boolean> {
  try {
    await link(temporary, path).catch(async (error: unknown) => {
      if (isTaken(error)) throw error;
      // Without hard links: copying refuses to overwrite as well.
      await copyFile(temporary, path, constants.COPYFILE_EXCL);
    });
    return true;
  } catch (error) {
    if (isTaken(error)) return false;
    throw error;
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
 * @throws FileNotWritten when the system refuses; errors of the chunks as they are
 */
export async function writeNewFile(
  { folder, name, ending }: FileName,
  chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  signal?: AbortSignal,
  isSame: (path: string) => Promise<boolean> = async () => false,
): Promise<SavedFile> {
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

/**
 * Replaces a file atomically.
 * @param mode permissions, e.g. 0o600
 * @throws the system's errors
 */
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
