import { mkdir } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import { FileNotWritten, syncFolder, systemCode } from '../disk/files.ts';

/** The journal or the key of confirmations can't be used, so no write may be sent. Holds no path or URL. */
export class RecordUnusable extends Error {
  override readonly name = 'RecordUnusable';
  /**
   * The system's or a SQLSTATE, e.g. `EACCES`, `ENOSPC`, `ECONNREFUSED`, `28P01`; `KEY_DAMAGED`, `SHORT_WRITE`,
   * `LINE_UNREADABLE` and `SCHEMA_NEWER` are ours.
   */
  readonly code: string;
  /** Last path segment of the data folder; undefined if it is the database. */
  readonly folder: string | undefined;

  constructor(code: string, folder?: string) {
    super(
      `the ${folder === undefined ? 'database of writes' : `data folder "${folder}"`} cannot be used (${code})`,
    );
    this.code = code;
    this.folder = folder;
  }
}

export type DataFolder = ReturnType<typeof createDataFolder>;

/** The folder of `DFE_DATA_DIR`; created (mode 0700) on the first write. */
export function createDataFolder(path: string) {
  const unusable = (code: string) => new RecordUnusable(code, basename(path));

  /** Turns system errors into `RecordUnusable`. */
  async function explained<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      const code = error instanceof FileNotWritten ? error.code : systemCode(error);
      throw code === undefined ? error : unusable(code);
    }
  }

  return {
    /** Absolute; may not exist yet. */
    path,
    unusable,

    /** Runs work in the folder, created if missing. @throws RecordUnusable */
    write: <T>(work: () => Promise<T>): Promise<T> =>
      explained(async () => {
        const first = await mkdir(path, { recursive: true, mode: 0o700 });
        if (first !== undefined) await syncFolder(dirname(first));
        return work();
      }),

    /** Reads; undefined when the file is missing. @throws RecordUnusable */
    read: <T>(work: () => Promise<T>): Promise<T | undefined> =>
      explained(() =>
        work().catch((error: unknown) => {
          if (systemCode(error) !== 'ENOENT') throw error;
          return undefined;
        }),
      ),
  };
}
