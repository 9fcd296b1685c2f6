import { join } from 'node:path';
import type { Databases } from '../../db/databases.ts';
import type { Leases } from '../../db/replicas.ts';
import type { Session } from '../schema/schema.ts';

/** Location of the archive (`DFE_ARCHIVE`). */
export type ArchivePlace =
  | { readonly mode: 'memory' }
  /** File `archive.db` in a folder, created if missing. */
  | { readonly mode: 'file'; readonly folder: string }
  /** The URL is a secret; `databases` shares its connections. */
  | { readonly mode: 'postgres'; readonly url: string; readonly databases?: Databases | undefined };

/** The archive's file in its folder. */
export function archiveFile(folder: string): string {
  return join(folder, 'archive.db');
}

export type ArchiveOptions = ArchivePlace & {
  /** Whether XML is stored beside summaries (`DFE_ARCHIVE_XML`). */
  readonly keepXml: boolean;
  /** Tenant; empty if there is only one. */
  readonly tenant?: string;
};

export type TenantPlace = ArchivePlace & { readonly tenant: string };

/** An open archive database, independent of the engine. */
export interface Connections {
  readonly mode: ArchivePlace['mode'];
  /** E.g. `libsql`, `node:sqlite`, `pg`. */
  readonly engine: string;
  read<T>(work: (session: Session) => Promise<T>): Promise<T>;
  /** Runs work in a transaction, one writer per company or per tenant. May run it twice. */
  write<T>(company: string | undefined, work: (session: Session) => Promise<T>): Promise<T>;
  /** Refreshes planner statistics; call outside a transaction. */
  refreshStatistics(documents: number): Promise<void>;
  size(): Promise<number>;
  integrity(): Promise<readonly string[]>;
  /** Compacts the file, so that nothing of removed rows remains. */
  compact(): Promise<void>;
  /** Undefined if no one shares the database. */
  readonly leases?: Leases;
  close(): Promise<void>;
}

const firstAnalysis = 100;

/** Gathers planner statistics after a hundred documents, and whenever their number quadruples. */
export function createStatistics(analyse: () => Promise<unknown>): (documents: number) => Promise<void> {
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
