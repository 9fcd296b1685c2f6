import { type FileHandle, mkdir, open, rm } from 'node:fs/promises';
import { basename, resolve } from 'node:path';
import { claimFile, type FileName, PRIVATE_FILE, PRIVATE_FOLDER, temporaryPath } from './claim-file.ts';
import { syncFolder } from './regular-file.ts';

/** Takes bytes in order. A write that is awaited is not ahead of the disk by more than a small buffer. */
export interface Sink {
  write(bytes: Uint8Array): Promise<void>;
  /** Bytes taken so far. */
  readonly position: number;
}

export interface SavedFile {
  /** Absolute. */
  readonly path: string;
  readonly bytes: number;
}

/** The system would not write an export. Carries the file's name only, never the folder. */
export class FileNotWritten extends Error {
  readonly kind = 'file_not_written';
  readonly file: string;
  /** The system's code, e.g. `EACCES`, `ENOSPC`, `ENOTDIR`; `EEXIST` where every name tried is taken. */
  readonly code: string;

  constructor(file: string, code: string) {
    super(`the file "${file}" cannot be written (${code})`);
    this.name = 'FileNotWritten';
    this.file = file;
    this.code = code;
  }
}

const BUFFER_BYTES = 256 * 1024;

/** Small writes are gathered, so that a row is not a call to the system. */
function createFileSink(handle: FileHandle, signal: AbortSignal | undefined) {
  let waiting: Uint8Array[] = [];
  let waitingBytes = 0;
  let position = 0;

  async function flush(): Promise<void> {
    signal?.throwIfAborted();
    const bytes = Buffer.concat(waiting);
    waiting = [];
    waitingBytes = 0;
    for (let written = 0; written < bytes.length; ) {
      written += (await handle.write(bytes, written)).bytesWritten;
    }
  }

  return {
    get position() {
      return position;
    },
    async write(bytes: Uint8Array) {
      waiting.push(bytes);
      waitingBytes += bytes.length;
      position += bytes.length;
      if (waitingBytes >= BUFFER_BYTES) await flush();
    },
    flush,
  };
}

/** Runs a call to the file system; what it refuses becomes a `FileNotWritten`, a cancellation stays what it is. */
async function onDisk<T>(file: string, signal: AbortSignal | undefined, call: () => Promise<T>): Promise<T> {
  try {
    return await call();
  } catch (error) {
    signal?.throwIfAborted();
    if (!(error instanceof Error) || !('code' in error)) throw error;
    throw new FileNotWritten(file, String(error.code));
  }
}

/**
 * Writes a file for its owner alone under a temporary name, puts it on the disk and gives it its name, or the next free one. When anything
 * fails, or the signal fires, nothing is left behind.
 * @throws FileNotWritten where the system refuses; whatever `fill` throws, as it is
 */
export async function writeNewFile(
  { folder, name, ending }: FileName,
  fill: (sink: Sink) => Promise<void>,
  signal?: AbortSignal,
): Promise<SavedFile> {
  const file = `${name}.${ending}`;
  if (basename(file) !== file) throw new FileNotWritten(basename(file), 'EINVAL');
  const target = { folder: resolve(folder), name, ending };
  const temporary = temporaryPath(target);
  const attempt = <T>(call: () => Promise<T>) => onDisk(file, signal, call);
  signal?.throwIfAborted();
  await attempt(() => mkdir(target.folder, { recursive: true, mode: PRIVATE_FOLDER }));
  const handle = await attempt(() => open(temporary, 'wx', PRIVATE_FILE));
  try {
    const sink = createFileSink(handle, signal);
    try {
      await fill({
        get position() {
          return sink.position;
        },
        write: (bytes) => attempt(() => sink.write(bytes)),
      });
      await attempt(sink.flush);
      await attempt(() => handle.sync());
    } finally {
      await handle.close();
    }
    signal?.throwIfAborted();
    const path = await attempt(() => claimFile(temporary, target));
    if (path === undefined) throw new FileNotWritten(file, 'EEXIST');
    await attempt(() => syncFolder(target.folder));
    return { path, bytes: sink.position };
  } finally {
    await rm(temporary, { force: true });
  }
}
