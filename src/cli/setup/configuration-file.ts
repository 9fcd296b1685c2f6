import { constants } from 'node:fs';
import { copyFile, mkdir, open, readFile, realpath, rm, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { replaceFile } from '../../disk/new-file.ts';

/** Larger than any host's configuration. */
const LARGEST_BYTES = 64 * 1024 * 1024;
/** Mode of a new file, which may name a person's folders. */
const PRIVATE = 0o600;
const OWNER_WRITES = 0o200;

/** A host's configuration is unreadable or unwritable. */
export class ConfigurationUnusable extends Error {
  readonly path: string;
  /**
   * The system's code, `ENOTREG`, `EFBIG`, `NOT_UTF8`, `READ_ONLY`, or `CHANGED` after somebody else wrote it.
   */
  readonly code: string;

  constructor(path: string, code: string) {
    super(`${path} (${code})`);
    this.name = 'ConfigurationUnusable';
    this.path = path;
    this.code = code;
  }
}

/** A host's configuration as read. */
export interface ConfigurationFile {
  /** Links resolved, so that a link is kept. */
  readonly path: string;
  /** Empty for a missing file. */
  readonly text: string;
  readonly isThere: boolean;
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : 'unknown';
}

async function attempt<T>(path: string, call: () => Promise<T>): Promise<T> {
  try {
    return await call();
  } catch (error) {
    throw error instanceof ConfigurationUnusable ? error : new ConfigurationUnusable(path, codeOf(error));
  }
}

/** Reads a host's configuration; a missing file is empty. @throws ConfigurationUnusable */
export async function readConfiguration(path: string): Promise<ConfigurationFile> {
  return attempt(path, async () => {
    const target = await realpath(path).catch((error: unknown) => {
      if (codeOf(error) === 'ENOENT') return undefined;
      throw error;
    });
    if (target === undefined) return { path, text: '', isThere: false };
    const facts = await stat(target);
    if (!facts.isFile()) throw new ConfigurationUnusable(path, 'ENOTREG');
    // Replacing would work, but whoever made it read-only meant it.
    if ((facts.mode & OWNER_WRITES) === 0) throw new ConfigurationUnusable(path, 'READ_ONLY');
    if (facts.size > LARGEST_BYTES) throw new ConfigurationUnusable(path, 'EFBIG');
    const bytes = await readFile(target);
    try {
      const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
      return { path: target, text, isThere: true };
    } catch {
      throw new ConfigurationUnusable(path, 'NOT_UTF8');
    }
  });
}

/** Path of the backup: `mcp.json.2026-11-22T10-15-00.backup`. */
function backupPath(path: string, now: Date): string {
  return `${path}.${now.toISOString().slice(0, 19).replaceAll(':', '-')}.backup`;
}

/** Age after which a lock is stale. */
const LONGEST_WRITE_MS = 60_000;

/** Runs work under a lock file. @throws ConfigurationUnusable, `CHANGED` while another holds it */
async function locked<T>(path: string, work: () => Promise<T>): Promise<T> {
  const lock = `${path}.docfiscal-lock`;
  const facts = await stat(lock).catch(() => undefined);
  if (facts !== undefined && Date.now() - facts.mtimeMs > LONGEST_WRITE_MS) await rm(lock, { force: true });
  const handle = await open(lock, 'wx').catch((error: unknown) => {
    throw codeOf(error) === 'EEXIST' ? new ConfigurationUnusable(path, 'CHANGED') : error;
  });
  try {
    return await work();
  } finally {
    await handle.close();
    await rm(lock, { force: true });
  }
}

/**
 * Replaces a host's configuration atomically after a backup, unless it changed since it was read.
 * @returns the backup's path; undefined for a new file
 * @throws ConfigurationUnusable
 */
export async function writeConfiguration(
  { path, text, isThere }: ConfigurationFile,
  after: string,
  now: Date = new Date(),
): Promise<string | undefined> {
  return attempt(path, async () => {
    await mkdir(dirname(path), { recursive: true });
    return locked(path, async () => {
      const current = await readConfiguration(path);
      if (current.text !== text || current.isThere !== isThere) {
        throw new ConfigurationUnusable(path, 'CHANGED');
      }
      const backup = isThere ? backupPath(path, now) : undefined;
      if (backup !== undefined) await copyFile(path, backup, constants.COPYFILE_EXCL);
      await replaceFile(path, after, isThere ? (await stat(path)).mode & 0o777 : PRIVATE);
      return backup;
    });
  });
}
