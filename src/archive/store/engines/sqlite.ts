import { ArchiveEngineMissing } from '../errors.ts';
import { openLibsql } from './libsql.ts';
import { openNodeSqlite } from './node-sqlite.ts';

/** What goes into and comes out of a column. */
export type SqliteValue = string | number | bigint | null | Uint8Array;

export type SqliteRow = Record<string, unknown>;

/** One connection to a SQLite database, the same over every engine. */
export interface SqliteConnection {
  /** E.g. `libsql`. */
  readonly engine: string;
  /** Runs one statement to its end and gives its rows, none for a statement that has none. */
  run(sql: string, parameters: readonly SqliteValue[]): SqliteRow[];
  close(): void;
}

/** How long SQLite itself waits for a lock, in milliseconds. It blocks the event loop meanwhile. */
export const lockPatience = 5_000;

const busyCode = 5;

/** Whether somebody else held the lock that was needed. */
export function isBusy(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if ('errcode' in error) return error.errcode === busyCode;
  return 'code' in error && error.code === 'SQLITE_BUSY';
}

/**
 * Opens a database file or `:memory:` with the runtime's own SQLite (Node 22.13 and later), else with libsql.
 * Throws `ArchiveEngineMissing` where there is neither.
 */
export async function openSqlite(path: string): Promise<SqliteConnection> {
  const connection = openNodeSqlite(path) ?? (await openLibsql(path));
  if (connection === undefined) throw new ArchiveEngineMissing(process.versions.node);
  return connection;
}
