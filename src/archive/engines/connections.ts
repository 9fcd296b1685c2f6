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

/** An open database, the same over every engine. */
export interface Connections {
  readonly mode: ArchivePlace['mode'];
  /** E.g. `libsql`, `node:sqlite`, `pg`. */
  readonly engine: string;
  /** Runs work on a snapshot. */
  read<T>(work: (session: Session) => Promise<T>): Promise<T>;
  /** Runs work in a transaction: one writer at a time of a company, else of the tenant. It may be run twice. */
  write<T>(company: string | undefined, work: (session: Session) => Promise<T>): Promise<T>;
  /** Refreshes the planner's statistics; to be called outside of a transaction. */
  grown(documents: number): Promise<void>;
  /** Bytes on disk or in memory. */
  size(): Promise<number>;
  /** The engine's own check. */
  integrity(): Promise<readonly string[]>;
  /** Frees the room of removed rows, so that nothing of them stays in the file. */
  compact(): Promise<void>;
  /** Undefined where nobody shares the database. */
  readonly leases?: Leases;
  close(): Promise<void>;
}

const firstAnalysis = 100;

/** Gathers the planner's statistics after a hundred new documents, and each time the number has grown fourfold. */
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
