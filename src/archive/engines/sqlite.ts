import { SqliteDialect } from 'kysely';
import { type RetryPolicy, retrying } from '../../db/retry.ts';
import { ArchiveEngineMissing, ArchiveUnusable } from '../errors.ts';

/** What goes into and comes out of a column. */
export type SqliteValue = string | number | bigint | null | Uint8Array;

export type SqliteRow = Record<string, unknown>;

/** One connection to a SQLite database, the same over every engine. */
export interface SqliteConnection {
  /** E.g. `libsql`. */
  readonly engine: string;
  /**
   * Runs one statement to its end and gives its rows, none for a statement that has none.
   * @param parameters a `SqliteValue` each
   */
  run(sql: string, parameters: readonly unknown[]): SqliteRow[];
  close(): void;
}

/** SQLite itself waits for no lock: it would block the event loop meanwhile. Who needs one waits as `patiently` does. */
const busyTimeout = 0;

const busyCode = 5;

/** Whether somebody else held the lock that was needed. */
export function isBusy(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if ('errcode' in error) return (Number(error.errcode) & 0xff) === busyCode;
  return 'code' in error && String(error.code).startsWith('SQLITE_BUSY');
}

/** How long a lock that somebody else holds is waited for; others run meanwhile. */
const untilFree: RetryPolicy = { isPassing: isBusy, firstPauseMs: 20, longestPauseMs: 40, forMs: 8_000 };

/** Takes a step that needs a lock. */
export const patiently = <T>(step: () => Promise<T>): Promise<T> => retrying(untilFree, step);

/** The engines bind every JavaScript number as a real; whole numbers are to stay whole. */
function bound(value: unknown): SqliteValue {
  if (typeof value === 'number') return Number.isSafeInteger(value) ? BigInt(value) : value;
  if (typeof value === 'string' || value === null || typeof value === 'bigint') return value;
  if (value instanceof Uint8Array) return value;
  throw new TypeError(`a ${typeof value} cannot be stored`);
}

function isRow(value: unknown): value is SqliteRow {
  return typeof value === 'object' && value !== null;
}

/** Checks what is bound as it is. */
function checkBound(values: readonly unknown[]): asserts values is readonly SqliteValue[] {
  for (const value of values) {
    const type = typeof value;
    if (type === 'string' || type === 'number' || type === 'bigint' || value === null) continue;
    if (!(value instanceof Uint8Array)) throw new TypeError(`a ${type} cannot be stored`);
  }
}

/**
 * Whether a statement puts values into columns and does nothing else with them: a whole number that was bound as a real
 * is a whole number again in a column of whole numbers, but a sum with it may not be exact.
 */
const isCopying = (sql: string): boolean => /^insert into [^+]*$/.test(sql) && !/\breturning\b/.test(sql);

/** A prepared statement as every engine has it. */
interface Prepared {
  all(parameters: SqliteValue[]): unknown[];
  run(parameters: readonly SqliteValue[]): unknown;
}

/** Runs statements, and those that only put values into columns without making others of them. */
function runnerOf(prepare: (sql: string) => Prepared): SqliteConnection['run'] {
  const statementOf = createStatements((sql) => ({ copies: isCopying(sql), statement: prepare(sql) }));
  return (sql, parameters) => {
    const { copies, statement } = statementOf(sql);
    if (!copies) return statement.all(parameters.map(bound)).filter(isRow);
    checkBound(parameters);
    statement.run(parameters);
    return [];
  };
}

/** One that inserts many rows takes a hundred kilobytes. */
const statementsKept = 100;

/** Prepared statements by their text, the ones used last. */
function createStatements<Statement>(prepare: (sql: string) => Statement): (sql: string) => Statement {
  const statements = new Map<string, Statement>();
  return (sql) => {
    const statement = statements.get(sql) ?? prepare(sql);
    statements.delete(sql);
    statements.set(sql, statement);
    const [oldest] = statements.keys();
    if (statements.size > statementsKept && oldest !== undefined) statements.delete(oldest);
    return statement;
  };
}

/** The part of `node:sqlite` that is used; the oldest Node supported has no types for it. */
interface NodeSqlite {
  readonly DatabaseSync: new (
    path: string,
  ) => {
    exec(sql: string): void;
    prepare(sql: string): {
      all(...parameters: SqliteValue[]): SqliteRow[];
      run(...parameters: SqliteValue[]): unknown;
    };
    close(): void;
  };
}

function isNodeSqlite(value: unknown): value is NodeSqlite {
  return typeof value === 'object' && value !== null && 'DatabaseSync' in value;
}

const builtIns: { getBuiltinModule?: (name: string) => unknown } = process;

/** Loads it without Node's warning that its interface may still change: nobody who uses the program can act on that. */
function loadNodeSqlite(): unknown {
  const { emitWarning } = process;
  process.emitWarning = () => undefined;
  try {
    return builtIns.getBuiltinModule?.('node:sqlite');
  } finally {
    process.emitWarning = emitWarning;
  }
}

/** Undefined where the runtime has no SQLite. */
export function openNodeSqlite(path: string): SqliteConnection | undefined {
  const found = loadNodeSqlite();
  if (!isNodeSqlite(found)) return undefined;
  const database = new found.DatabaseSync(path);
  database.exec(`pragma busy_timeout = ${busyTimeout}`);
  const prepare = (sql: string): Prepared => {
    const statement = database.prepare(sql);
    return { all: (values) => statement.all(...values), run: (values) => statement.run(...values) };
  };
  return {
    engine: 'node:sqlite',
    run: runnerOf(prepare),
    close: () => database.close(),
  };
}

async function loadLibsql() {
  try {
    return (await import('libsql')).default;
  } catch {
    return undefined;
  }
}

/** Undefined where the package, which is optional, is not installed or has no build for this platform. */
export async function openLibsql(path: string): Promise<SqliteConnection | undefined> {
  const Database = await loadLibsql();
  if (Database === undefined) return undefined;
  const database = explainedByNumber(() => new Database(path, { timeout: busyTimeout }));
  return {
    engine: 'libsql',
    run: runnerOf((sql) => database.prepare(sql)),
    close: () => void database.close(),
  };
}

/** A file that can't be opened is told by libsql with its path in the words and without a code. */
function explainedByNumber<T>(open: () => T): T {
  try {
    return open();
  } catch (error) {
    const number = error instanceof Error ? / (\d+)"?\)?$/.exec(error.message)?.[1] : undefined;
    throw new ArchiveUnusable(number === undefined ? 'UNKNOWN' : `SQLITE_${number}`);
  }
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

/** Kysely over one SQLite connection. How many rows a statement changed is not told. */
export function createSqliteDialect(sqlite: SqliteConnection): SqliteDialect {
  return new SqliteDialect({
    database: {
      prepare(text) {
        const all = (parameters: readonly unknown[]) => sqlite.run(text, parameters);
        // Run for its rows whatever it is: the engines give none for a statement that has none.
        return {
          reader: true,
          all,
          iterate: (parameters) => all(parameters).values(),
          run: (parameters) => ({ changes: all(parameters).length, lastInsertRowid: 0 }),
        };
      },
      close: () => sqlite.close(),
    },
  });
}
