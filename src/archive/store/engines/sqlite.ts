import { ArchiveEngineMissing } from '../../errors.ts';
import { openLibsql } from './libsql.ts';
import { openNodeSqlite } from './node-sqlite.ts';
import type { SqliteConnection } from './sqlite-connection.ts';

/**
 * Opens a database file or `:memory:` with the runtime's own SQLite (Node 22.13 and later), else with libsql.
 * Throws `ArchiveEngineMissing` where there is neither.
 */
export async function openSqlite(path: string): Promise<SqliteConnection> {
  const connection = openNodeSqlite(path) ?? (await openLibsql(path));
  if (connection === undefined) throw new ArchiveEngineMissing(process.versions.node);
  return connection;
}
