import { migrate, type Spelling, schemaVersion, versionOf } from '../migrations/migrations.ts';
import type { Db } from '../schema/schema.ts';

/** Where the archive lives (`DFE_ARCHIVE`). */
export type ArchivePlace =
  | { readonly mode: 'memory' }
  /** In the file `archive.db` of a folder, which is made where it is missing. */
  | { readonly mode: 'file'; readonly folder: string }
  /** The address carries credentials and is a secret. */
  | { readonly mode: 'postgres'; readonly url: string };

export type ArchiveOptions = ArchivePlace & {
  /** Whether documents' own text is kept beside their summaries (`DFE_ARCHIVE_XML`). */
  readonly keepXml: boolean;
};

/** An open database with what the two families of SQL do differently. */
export interface Connections {
  readonly mode: ArchivePlace['mode'];
  /** E.g. `libsql`, `node:sqlite`, `pg`. */
  readonly engine: string;
  /** Runs work that sees one state of the archive and changes nothing. */
  read<T>(work: (db: Db) => Promise<T>): Promise<T>;
  /** Runs work in a transaction; one writer at a time, in whatever process. */
  write<T>(work: (db: Db) => Promise<T>): Promise<T>;
  /** Bytes on disk or in memory. */
  size(): Promise<number>;
  /** What the engine itself finds wrong. */
  integrity(): Promise<readonly string[]>;
  /** Gives the room of what was removed back, so that nothing of it stays in the file. */
  compact(): Promise<void>;
  close(): Promise<void>;
}

/** Runs what needs an open database, which is closed again where that fails. */
export async function closing<T>(db: Db, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    await db.destroy();
    throw error;
  }
}

/** Brings the schema up to date; locks nothing where there is nothing to do. */
export async function bringUpToDate(db: Db, spelling: Spelling, write: Connections['write']): Promise<void> {
  if ((await versionOf(db, spelling)) !== schemaVersion)
    await write((transaction) => migrate(transaction, spelling));
}
