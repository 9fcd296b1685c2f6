import { ArchiveUnusable } from '../../errors.ts';
import {
  bound,
  lockPatience,
  type SqliteConnection,
  type SqliteRow,
  type SqliteValue,
} from './sqlite-connection.ts';
import { createStatements } from './statements.ts';

async function load() {
  try {
    return (await import('libsql')).default;
  } catch {
    return undefined;
  }
}

function isRow(value: unknown): value is SqliteRow {
  return typeof value === 'object' && value !== null;
}

/** Undefined where the package, which is optional, is not installed or has no build for this platform. */
export async function openLibsql(path: string): Promise<SqliteConnection | undefined> {
  const Database = await load();
  if (Database === undefined) return undefined;
  const database = openDatabase(() => new Database(path, { timeout: lockPatience }));
  const statement = createStatements((sql) => database.prepare<SqliteValue[][]>(sql));
  return {
    engine: 'libsql',
    run: (sql, parameters) => statement(sql).all(parameters.map(bound)).filter(isRow),
    close: () => void database.close(),
  };
}

/** A file that can't be opened is told with its path in the words and without a code. */
function openDatabase<T>(open: () => T): T {
  try {
    return open();
  } catch (error) {
    const number = error instanceof Error ? / (\d+)"?\)?$/.exec(error.message)?.[1] : undefined;
    throw new ArchiveUnusable(number === undefined ? 'UNKNOWN' : `SQLITE_${number}`);
  }
}
