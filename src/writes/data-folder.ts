import { mkdir } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { syncFolder } from '../disk/regular-file.ts';
import { DataFolderUnusable } from './unusable.ts';

/** The folder of `DFE_DATA_DIR`; created on the first write. */
export interface DataFolder {
  /** Absolute path; may not exist yet. */
  readonly path: string;
  /** Runs work in the folder or a subfolder, creating it (mode 0700). System errors become `DataFolderUnusable`. */
  write<T>(work: (path: string) => Promise<T>, inside?: string): Promise<T>;
  /** Reads; undefined when the file is missing, `DataFolderUnusable` for other system errors. */
  read<T>(work: (path: string) => Promise<T>): Promise<T | undefined>;
  /** An error for faults without a system code. */
  unusable(code: string): DataFolderUnusable;
}

/** Code of a system error; undefined for any other error. */
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
