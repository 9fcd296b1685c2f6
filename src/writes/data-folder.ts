import { mkdir } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { syncFolder, systemCode } from '../disk/regular-file.ts';

/** The journal or the spent tokens can't be stored, so no write may be sent. Holds no path or URL. */
export abstract class RecordUnusable extends Error {
  abstract readonly kind: string;
  readonly code: string;

  constructor(message: string, code: string) {
    super(message);
    this.code = code;
  }
}

/** The data folder can't be used. Holds only its last path segment. */
export class DataFolderUnusable extends RecordUnusable {
  override readonly name = 'DataFolderUnusable';
  readonly kind = 'data_folder_unusable';
  readonly folder: string;

  /** @param code the system's, e.g. `EACCES`, `ENOTDIR`, `ENOSPC`; `KEY_DAMAGED` or `SHORT_WRITE` are ours */
  constructor(folder: string, code: string) {
    super(`the data folder "${folder}" cannot be used (${code})`, code);
    this.folder = folder;
  }
}

/** The database of writes can't be used. */
export class DatabaseUnusable extends RecordUnusable {
  override readonly name = 'DatabaseUnusable';
  readonly kind = 'database_unusable';

  /**
   * @param code a SQLSTATE or the system's, e.g. `ECONNREFUSED`, `28P01`; `SCHEMA_NEWER`, `LINE_UNREADABLE` are ours
   */
  constructor(code: string) {
    super(`the database of writes cannot be used (${code})`, code);
  }
}

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
