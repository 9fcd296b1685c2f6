import { randomUUID } from 'node:crypto';
import { mkdir, open, readdir, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import { LRUCache } from 'lru-cache';
import type { MadeFile } from '../../../company/call-context.ts';

/** A file opened for sending. */
export interface OpenFile {
  readonly size: number;
  readonly body: Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array>;
}

/** Files of one tenant until their links expire. */
export interface FileCache {
  /** Creates a folder for a new file. @throws the system's error */
  folder(): Promise<string>;
  keep(id: string, file: MadeFile): void;
  /** Undefined when unknown or expired. */
  take(id: string): Promise<OpenFile | undefined>;
}

const MOST_FILES = 200;
const MOST_BYTES_IN_MEMORY = 64 * 1024 ** 2;
/** Age of files that a killed process left behind, after which they are removed. */
const LEFT_BEHIND_MS = 3_600_000;

export async function openFile(file: MadeFile): Promise<OpenFile | undefined> {
  if ('bytes' in file) return { size: file.bytes.length, body: Uint8Array.from(file.bytes) };
  const handle = await open(file.path).catch(() => undefined);
  if (handle === undefined) return undefined;
  const { size } = await handle.stat();
  return { size, body: Readable.toWeb(handle.createReadStream()) as ReadableStream<Uint8Array> };
}

async function removeLeftBehind(parent: string): Promise<void> {
  for (const name of await readdir(parent)) {
    const path = join(parent, name);
    const { mtimeMs } = await stat(path);
    if (Date.now() - mtimeMs > LEFT_BEHIND_MS) await rm(path, { recursive: true, force: true });
  }
}

/**
 * Keeps written files in folders of their own, others in memory.
 * @param parent where the folders are created, with the first file
 */
export function createFileCache(parent: string, lifetimeMs: number): FileCache {
  const kept = new LRUCache<string, MadeFile>({
    max: MOST_FILES,
    maxSize: MOST_BYTES_IN_MEMORY,
    sizeCalculation: (file) => ('bytes' in file ? file.bytes.length + 1 : 1),
    ttl: lifetimeMs,
    ttlAutopurge: true,
    dispose(file) {
      if ('path' in file)
        void rm(dirname(file.path), { recursive: true, force: true }).catch(() => undefined);
    },
  });
  return {
    async folder() {
      const path = join(parent, randomUUID());
      await mkdir(path, { recursive: true, mode: 0o700 });
      void removeLeftBehind(parent).catch(() => undefined);
      return path;
    },
    keep: (id, file) => void kept.set(id, file),
    async take(id) {
      const file = kept.get(id);
      return file === undefined ? undefined : openFile(file);
    },
  };
}
