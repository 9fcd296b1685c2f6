import { join } from 'node:path';
import type { Databases } from '../../db/databases.ts';
import type { Leases } from '../../db/leases.ts';
import type { Session } from '../schema/schema.ts';

/** Where the archive lives (`DFE_ARCHIVE`). */
export type ArchivePlace =
  | { readonly mode: 'memory' }
  /** In the file `archive.db` of a folder, which is made where it is missing. */
  | { readonly mode: 'file'; readonly folder: string }
  /** The address carries credentials and is a secret; `databases` has the connections that others use too. */
  | { readonly mode: 'postgres'; readonly url: string; readonly databases?: Databases | undefined };

/** The file of an archive of the mode `file`, in its folder. */
export function archiveFile(folder: string): string {
  return join(folder, 'archive.db');
}

export type ArchiveOptions = ArchivePlace & {
  /** Whether documents' own text is kept beside their summaries (`DFE_ARCHIVE_XML`). */
  readonly keepXml: boolean;
  /** Whose archive: nothing of another tenant is read or written. The nameless one where there is only one. */
  readonly tenant?: string;
};

/** Where it lives and whose it is. */
export type TenantPlace = ArchivePlace & { readonly tenant: string };

/** An open database with what the two families of SQL do differently. */
export interface Connections {
  readonly mode: ArchivePlace['mode'];
  /** E.g. `libsql`, `node:sqlite`, `pg`. */
  readonly engine: string;
  /** Runs work that sees one state of the archive and changes nothing. */
  read<T>(work: (session: Session) => Promise<T>): Promise<T>;
  /**
   * Runs work in a transaction, in whatever process: one writer at a time of a company, or of the whole tenant where no
   * company is named. Work that met another's may be run again from its beginning.
   */
  write<T>(company: string | undefined, work: (session: Session) => Promise<T>): Promise<T>;
  /** To be called after documents were added, outside of a transaction: keeps the planner's statistics current. */
  grown(documents: number): Promise<void>;
  /** Bytes on disk or in memory. */
  size(): Promise<number>;
  /** What the engine itself finds wrong. */
  integrity(): Promise<readonly string[]>;
  /** Gives the room of what was removed back, so that nothing of it stays in the file. */
  compact(): Promise<void>;
  /** What others who share the database may be at; undefined where nobody shares it. */
  readonly leases?: Leases;
  close(): Promise<void>;
}

const firstAnalysis = 100;

/**
 * Gathers the planner's statistics after a hundred new documents, and again each time the number has grown fourfold:
 * without them, conditions on items are planned as if every tenant had a handful of documents.
 */
export function createStatistics(analyse: () => Promise<void>): (documents: number) => Promise<void> {
  let unknown = 0;
  let analysedAfter = firstAnalysis;
  return async (documents) => {
    unknown += documents;
    if (unknown < analysedAfter) return;
    analysedAfter = 4 * unknown;
    unknown = 0;
    await analyse();
  };
}
