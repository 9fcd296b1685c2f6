import { mkdir } from 'node:fs/promises';
import { setImmediate as letOthersRun } from 'node:timers/promises';
import { Kysely, SqliteDialect, sql } from 'kysely';
import { type RetryPolicy, retrying } from '../../db/databases.ts';
import { checkOwnFile, openOwnFile } from '../../disk/files.ts';
import { ArchiveError, errorCodeOf, unusable } from '../errors.ts';
import type { Db, Schema } from '../schema/schema.ts';
import { creationOf, schemaVersion } from '../schema/schema.ts';
import { archiveFile, type Connections, createStatistics } from './connections.ts';

type SqliteValue = string | number | bigint | null | Uint8Array;

export type SqliteRow = Record<string, unknown>;

export interface SqliteConnection {
  readonly engine: string;
  /** Runs a statement and returns its rows. @param parameters of type `SqliteValue` */
  run(sql: string, parameters: readonly unknown[]): SqliteRow[];
  close(): void;
}

/** Whether another connection holds the lock. */
export function isBusy(error: unknown): boolean {
  return error instanceof Error && errorCodeOf(error).startsWith('SQLITE_BUSY');
}

const untilFree: RetryPolicy = { isPassing: isBusy, firstPauseMs: 20, longestPauseMs: 40, forMs: 8_000 };

/** Retries while the file is locked. SQLite's own waiting, off in both libraries, would block the event loop. */
const patiently = <T>(step: () => Promise<T>): Promise<T> => retrying(untilFree, step);

/** Drivers bind every number as a real; integers must stay integers. */
function bound(value: unknown): SqliteValue {
  if (typeof value === 'number') return Number.isSafeInteger(value) ? BigInt(value) : value;
  if (typeof value === 'string' || value === null || typeof value === 'bigint') return value;
  if (value instanceof Uint8Array) return value;
  throw new TypeError(`a ${typeof value} cannot be stored`);
}

/** Statement cache: a large insert takes a hundred kilobytes. */
const statementsKept = 100;

/** The used part of both libraries. The oldest supported Node has no types for its own. */
interface Library {
  exec(sql: string): unknown;
  prepare(sql: string): { all(...parameters: unknown[]): unknown };
  close(): unknown;
}

/** Statements without rows that need a lock. */
const locking = /^(?:begin|commit|rollback|analyze|vacuum)\b/;

function connectionOf(engine: 'node:sqlite' | 'libsql', library: Library): SqliteConnection {
  const statements = new Map<string, ReturnType<Library['prepare']>>();
  return {
    engine,
    run(text, parameters) {
      // A prepared statement of libsql that met a lock stays in progress, and fails others' commits; `exec` ends it.
      if (locking.test(text)) {
        library.exec(text);
        return [];
      }
      const statement = statements.get(text) ?? library.prepare(text);
      if (statements.size >= statementsKept) statements.clear();
      statements.set(text, statement);
      const values = parameters.map(bound);
      return (engine === 'libsql' ? statement.all(values) : statement.all(...values)) as SqliteRow[];
    },
    close: () => void library.close(),
  };
}

const builtIns: { getBuiltinModule?: (name: string) => unknown } = process;

/** Undefined if the runtime has no SQLite. */
export function openNodeSqlite(path: string): SqliteConnection | undefined {
  const { emitWarning } = process;
  // It warns of being experimental.
  process.emitWarning = () => undefined;
  const found = builtIns.getBuiltinModule?.('node:sqlite') as
    | { readonly DatabaseSync: new (path: string) => Library }
    | undefined;
  process.emitWarning = emitWarning;
  if (found === undefined) return undefined;
  return connectionOf('node:sqlite', new found.DatabaseSync(path));
}

/** Undefined if the optional package is missing or has no build for this platform. */
export async function openLibsql(path: string): Promise<SqliteConnection | undefined> {
  const found = await import('libsql').catch(() => undefined);
  if (found === undefined) return undefined;
  try {
    return connectionOf('libsql', new found.default(path));
  } catch (error) {
    // Its error for a file that can't be opened has the path in its message and no code.
    const number = error instanceof Error ? / (\d+)"?\)?$/.exec(error.message)?.[1] : undefined;
    throw unusable(number === undefined ? 'UNKNOWN' : `SQLITE_${number}`);
  }
}

/**
 * Opens a file or `:memory:` with Node's SQLite (22.13 and later), otherwise with libsql.
 * @throws ArchiveError
 */
export async function openSqlite(path: string): Promise<SqliteConnection> {
  const connection = openNodeSqlite(path) ?? (await openLibsql(path));
  if (connection === undefined) throw new ArchiveError('engine_missing', { node: process.versions.node });
  return connection;
}

function kyselyOver(sqlite: SqliteConnection): Db {
  const prepare = (text: string) => {
    const all = (parameters: readonly unknown[]) => sqlite.run(text, parameters);
    // Works for statements without rows too.
    return {
      reader: true,
      all,
      iterate: (parameters: readonly unknown[]) => all(parameters).values(),
      run: (parameters: readonly unknown[]) => ({ changes: all(parameters).length, lastInsertRowid: 0 }),
    };
  };
  const database = { prepare, close: () => sqlite.close() };
  return new Kysely<Schema>({ dialect: new SqliteDialect({ database }) });
}

/** SQLite rolls back by itself after some errors. */
async function rollBack(db: Db): Promise<void> {
  await sql`rollback`.execute(db).catch((error: unknown) => {
    if (!(error instanceof Error && error.message.includes('no transaction is active'))) throw error;
  });
}

/** Runs a transaction on the only connection, one caller at a time. */
function inTransaction<T>(db: Db, mode: 'read' | 'write', work: (db: Db) => Promise<T>): Promise<T> {
  return db.connection().execute(async (own) => {
    // Statements never wait, so without a pause a caller could starve others.
    await letOthersRun();
    await patiently(async () => {
      await sql.raw(mode === 'write' ? 'begin immediate' : 'begin').execute(own);
      if (mode === 'write') return;
      // Takes the read lock now instead of at the first question.
      await sql`select 1 from sqlite_schema limit 1`.execute(own).catch(async (error: unknown) => {
        await rollBack(own);
        throw error;
      });
    });
    try {
      const result = await work(own);
      await sql`commit`.execute(own);
      return result;
    } catch (error) {
      await rollBack(own);
      throw error;
    }
  });
}

/** Index rows sampled by `analyze`; far fewer misjudge a tenant's items as a document's. */
const analysedRows = 4_000;

/** Gathers planner statistics and reloads them in the other connection. A lock held for long leaves them as they are. */
async function analyse(writer: Db, reader: Db): Promise<void> {
  try {
    await sql`pragma analysis_limit = ${sql.lit(analysedRows)}`.execute(writer);
    await patiently(() => sql`analyze`.execute(writer));
    // Needs the write lock, which another process may hold.
    if (reader !== writer) await patiently(() => sql`analyze sqlite_schema`.execute(reader));
  } catch (error) {
    if (!isBusy(error)) throw error;
  }
}

/** Whether the tables are there. @throws ArchiveError if another version wrote them */
async function hasTables(db: Db): Promise<boolean> {
  const { rows } = await sql`select 1 from sqlite_master where name = 'schema_version'`.execute(db);
  if (rows.length === 0) return false;
  const kept = await sql<{ version: number }>`select version from schema_version`.execute(db);
  const version = kept.rows[0]?.version ?? 0;
  if (version !== schemaVersion)
    throw new ArchiveError('other_version', { found: version, known: schemaVersion });
  return true;
}

/** Creates a file for its owner only, in a folder of the same kind; SQLite's side files inherit the mode. */
async function createPrivately(folder: string, path: string): Promise<void> {
  const anySize = Number.POSITIVE_INFINITY;
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const handle = await openOwnFile(path, 'append', anySize);
  try {
    if (process.platform !== 'win32') await handle.chmod(0o600);
  } finally {
    await handle.close();
  }
  for (const ending of ['-wal', '-shm', '-journal']) await checkOwnFile(path + ending, anySize);
}

const cacheKibibytes = 8 * 1024;

/** Opens the writing and the reading connection; in memory they are the same. */
async function openBoth(path: string | undefined) {
  const sqlite = await openSqlite(path ?? ':memory:');
  const writer = kyselyOver(sqlite);
  try {
    // Another version is refused before any change.
    const isThere = await patiently(() => hasTables(writer));
    await patiently(() => sql`pragma journal_mode = wal`.execute(writer));
    await sql`pragma synchronous = normal`.execute(writer);
    const creation = [
      'create table schema_version (version integer not null) strict',
      ...creationOf('sqlite'),
    ];
    if (!isThere)
      await inTransaction(writer, 'write', async (db) => {
        // Another process may have created them meanwhile.
        if (await hasTables(db)) return;
        for (const text of creation) await sql.raw(text).execute(db);
        await sql`insert into schema_version values (${schemaVersion})`.execute(db);
      });
    const reader = path === undefined ? writer : kyselyOver(await openSqlite(path));
    for (const db of [writer, reader]) {
      await sql`pragma cache_size = ${sql.lit(-cacheKibibytes)}`.execute(db);
      // Sorting in memory takes twice as long; an archive in memory must not touch the disk.
      await sql.raw(`pragma temp_store = ${path === undefined ? 'memory' : 'file'}`).execute(db);
    }
    const { rows } = await sql<{ missing: number }>`
      select exists (select 1 from documents) and not exists (
        select 1 from pragma_table_list('sqlite_stat1')) as missing`.execute(writer);
    if (rows[0]?.missing === 1) await analyse(writer, reader);
    return { engine: sqlite.engine, writer, reader };
  } catch (error) {
    await writer.destroy();
    throw error;
  }
}

/**
 * Opens an archive.
 * @param folder of its file; both are created if missing, for their owner only. Undefined for one in memory
 */
export async function connectSqlite(folder: string | undefined, tenant: string): Promise<Connections> {
  const path = folder && archiveFile(folder);
  if (folder !== undefined && path !== undefined) await createPrivately(folder, path);
  const { engine, writer, reader } = await openBoth(path);
  return {
    mode: path === undefined ? 'memory' : 'file',
    engine,
    read: (work) => inTransaction(reader, 'read', (db) => work({ db, tenant })),
    write: (_, work) => inTransaction(writer, 'write', (db) => work({ db, tenant })),
    refreshStatistics: createStatistics(() => analyse(writer, reader)),
    size: () =>
      inTransaction(reader, 'read', async (db) => {
        const { rows } = await sql<{ bytes: number }>`
          select page_count * page_size as bytes from pragma_page_count(), pragma_page_size()`.execute(db);
        return rows[0]?.bytes ?? 0;
      }),
    async integrity() {
      const check = sql<{ integrity_check: string }>`pragma integrity_check`;
      const { rows } = await patiently(() => check.execute(reader));
      return rows.map((row) => row.integrity_check).filter((line) => line !== 'ok');
    },
    compact: async () => void (await patiently(() => sql`vacuum`.execute(writer))),
    async close() {
      if (reader !== writer) {
        await reader.destroy();
        // Some drivers leave the log behind.
        await sql`pragma wal_checkpoint(truncate)`.execute(writer);
      }
      await writer.destroy();
    },
  };
}
