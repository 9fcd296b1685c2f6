import {
  bound,
  lockPatience,
  type SqliteConnection,
  type SqliteRow,
  type SqliteValue,
} from './sqlite-connection.ts';
import { createStatements } from './statements.ts';

/** The part of `node:sqlite` that is used; the oldest Node supported has no types for it. */
interface NodeSqlite {
  readonly DatabaseSync: new (
    path: string,
  ) => {
    exec(sql: string): void;
    prepare(sql: string): { all(...parameters: SqliteValue[]): SqliteRow[] };
    close(): void;
  };
}

function isNodeSqlite(value: unknown): value is NodeSqlite {
  return typeof value === 'object' && value !== null && 'DatabaseSync' in value;
}

const builtIns: { getBuiltinModule?: (name: string) => unknown } = process;

/** Undefined where the runtime has no SQLite. */
export function openNodeSqlite(path: string): SqliteConnection | undefined {
  const found = builtIns.getBuiltinModule?.('node:sqlite');
  if (!isNodeSqlite(found)) return undefined;
  const database = new found.DatabaseSync(path);
  database.exec(`pragma busy_timeout = ${lockPatience}`);
  const statement = createStatements((sql) => database.prepare(sql));
  return {
    engine: 'node:sqlite',
    run: (sql, parameters) => statement(sql).all(...parameters.map(bound)),
    close: () => database.close(),
  };
}
