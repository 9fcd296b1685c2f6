import { mkdir } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { syncFolder } from '../disk/regular-file.ts';
import { DataFolderUnusable } from './unusable.ts';

/** The folder named by `DFE_DATA_DIR`. Nothing is touched until something is written. */
export interface DataFolder {
  /** Absolute path of the folder; it need not exist yet. */
  readonly path: string;
  /**
   * Runs work that writes, in the folder or in a folder inside it, which exists by then (mode 0700). A system error
   * of the work becomes a `DataFolderUnusable`.
   */
  write<T>(work: (path: string) => Promise<T>, inside?: string): Promise<T>;
  /** Runs work that reads: undefined where there is no such file, a `DataFolderUnusable` for other system errors. */
  read<T>(work: (path: string) => Promise<T>): Promise<T | undefined>;
  /** The error to throw for a fault that the system has no code for. */
  unusable(code: string): DataFolderUnusable;
}

/** The code of a system error, undefined for every other error. */
export function systemCode(error: unknown): string | undefined {
  if (!(error instanceof Error) || !('code' in error)) return undefined;
  return typeof error.code === 'string' && 'syscall' in error ? error.code : undefined;
}

async function make(path: string): Promise<void> {
  const first = await mkdir(path, { recursive: true, mode: 0o700 });
  if (first !== undefined) await syncFolder(dirname(first));
}

export function createDataFolder(path: string): DataFolder {
  const unusable = (code: string) => new DataFolderUnusable(basename(path), code);

  const explain = (error: unknown): unknown => {
    const code = systemCode(error);
    return code === undefined ? error : unusable(code);
  };

  return {
    path,
    unusable,
    async write(work, inside = '') {
      try {
        const target = join(path, inside);
        await make(target);
        return await work(target);
      } catch (error) {
        throw explain(error);
      }
    },
    async read(work) {
      try {
        return await work(path);
      } catch (error) {
        if (systemCode(error) === 'ENOENT') return undefined;
        throw explain(error);
      }
    },
  };
}
