import { chmod, mkdir, open, stat } from 'node:fs/promises';
import { setTimeout } from 'node:timers/promises';
import { Kysely, sql, type Transaction } from 'kysely';
import { ArchiveNewer, explained } from '../../errors.ts';
import {
  migrate,
  postgresSpelling,
  type Spelling,
  schemaVersion,
  sqliteSpelling,
  versionOf,
} from '../migrations/migrations.ts';
import type { Db, Schema } from '../schema/schema.ts';
import { archiveFile } from './archive-file.ts';
import { createPostgresDialect } from './postgres.ts';
import { openSqlite } from './sqlite.ts';
import { isBusy, type SqliteConnection } from './sqlite-connection.ts';
import { createSqliteDialect } from './sqlite-dialect.ts';

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

/** Of each connection; the roll-ups of a busy month fit in it. */
const cacheKibibytes = 32 * 1024;

/** Opens the archive and brings its schema up to date. */
export async function connect(place: ArchivePlace): Promise<Connections> {
  return explained(async () => {
    const connections = await connectTo(place);
    return {
      ...connections,
      read: (work) => explained(() => connections.read(work)),
      write: (work) => explained(() => connections.write(work)),
      integrity: () => explained(connections.integrity),
      compact: () => explained(connections.compact),
    };
  });
}

function connectTo(place: ArchivePlace): Promise<Connections> {
  if (place.mode === 'postgres') return connectPostgres(place.url);
  return place.mode === 'memory' ? connectMemory() : connectFile(place.folder);
}

function sqliteParts(writer: Db, reader: Db) {
  return {
    read: <T>(work: (db: Db) => Promise<T>) => reader.transaction().setAccessMode('read only').execute(work),
    write: <T>(work: (db: Db) => Promise<T>) => writer.transaction().execute(work),
    async integrity() {
      const { rows } = await sql<{ integrity_check: string }>`pragma integrity_check`.execute(reader);
      return rows.map((row) => row.integrity_check).filter((line) => line !== 'ok');
    },
    compact: async () => void (await sql`vacuum`.execute(writer)),
  };
}

function kyselyOver(sqlite: SqliteConnection): Db {
  return new Kysely<Schema>({ dialect: createSqliteDialect(sqlite) });
}

async function closing<T>(db: Db, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    await db.destroy();
    throw error;
  }
}

type Write = Connections['write'];

/** Locks nothing where there is nothing to do. */
async function bringUpToDate(db: Db, spelling: Spelling, write: Write): Promise<void> {
  if ((await versionOf(db, spelling)) !== schemaVersion)
    await write((transaction) => migrate(transaction, spelling));
}

async function connectMemory(): Promise<Connections> {
  const sqlite = await openSqlite(':memory:');
  const db = kyselyOver(sqlite);
  const parts = sqliteParts(db, db);
  await bringUpToDate(db, sqliteSpelling, parts.write);
  return {
    mode: 'memory',
    engine: sqlite.engine,
    ...parts,
    async size() {
      const { rows } = await sql<{ bytes: number }>`
        select page_count * page_size as bytes from pragma_page_count(), pragma_page_size()`.execute(db);
      return rows[0]?.bytes ?? 0;
    },
    close: () => db.destroy(),
  };
}

/** Before anything is changed, be it only how the file is written. */
async function refuseNewer(db: Db): Promise<void> {
  const found = await versionOf(db, sqliteSpelling);
  if (found > schemaVersion) throw new ArchiveNewer(found, schemaVersion);
}

/** A file that only its owner may read; what SQLite puts beside it takes its mode. */
async function createPrivately(path: string): Promise<void> {
  const handle = await open(path, 'a', 0o600);
  await handle.close();
  if (process.platform !== 'win32') await chmod(path, 0o600);
}

/** Where two processes make a new file at once, the second is told that it is busy without any waiting. */
const WAL_ATTEMPTS = 100;
const WAL_PAUSE_MS = 50;

async function switchToWal(db: Db): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      await sql`pragma journal_mode = wal`.execute(db);
      return;
    } catch (error) {
      if (!isBusy(error) || attempt === WAL_ATTEMPTS) throw error;
      await setTimeout(WAL_PAUSE_MS);
    }
  }
}

async function connectFile(folder: string): Promise<Connections> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const path = archiveFile(folder);
  await createPrivately(path);
  const sqlite = await openSqlite(path);
  const writer = kyselyOver(sqlite);
  const reader = await closing(writer, async () => {
    await refuseNewer(writer);
    await switchToWal(writer);
    await sql`pragma synchronous = normal`.execute(writer);
    await bringUpToDate(writer, sqliteSpelling, sqliteParts(writer, writer).write);
    const other = kyselyOver(await openSqlite(path));
    for (const db of [writer, other]) await sql`pragma cache_size = ${sql.lit(-cacheKibibytes)}`.execute(db);
    return other;
  });
  return {
    mode: 'file',
    engine: sqlite.engine,
    ...sqliteParts(writer, reader),
    async size() {
      const sizes = await Promise.all(['', '-wal'].map((ending) => sizeOf(path + ending)));
      return sizes.reduce((sum, size) => sum + size, 0);
    },
    async close() {
      await reader.destroy();
      await settle(writer);
      await writer.destroy();
    },
  };
}

/** Brings what is beside the file into it, unless another process is using it: an engine may leave that undone. */
async function settle(writer: Db): Promise<void> {
  await sql`pragma busy_timeout = 0`.execute(writer);
  await sql`pragma wal_checkpoint(truncate)`.execute(writer);
}

async function sizeOf(path: string): Promise<number> {
  try {
    return (await stat(path)).size;
  } catch {
    return 0;
  }
}

/** Any number, the same for everyone who writes to an archive. */
const writersLock = 5_735_102_001;

function takeWritersLock(transaction: Transaction<Schema>): Promise<unknown> {
  return sql`select pg_advisory_xact_lock(${sql.lit(writersLock)})`.execute(transaction);
}

async function connectPostgres(url: string): Promise<Connections> {
  const db: Db = new Kysely<Schema>({ dialect: await createPostgresDialect(url) });
  const write = <T>(work: (db: Db) => Promise<T>) =>
    db.transaction().execute(async (transaction) => {
      await takeWritersLock(transaction);
      return work(transaction);
    });
  await closing(db, () => bringUpToDate(db, postgresSpelling, write));
  return {
    mode: 'postgres',
    engine: 'pg',
    read: (work) =>
      db.transaction().setIsolationLevel('repeatable read').setAccessMode('read only').execute(work),
    write,
    async size() {
      const { rows } = await sql<{ bytes: number }>`
        select sum(pg_total_relation_size(c.oid))::bigint as bytes
        from pg_class c join pg_namespace n on n.oid = c.relnamespace
        where n.nspname = current_schema() and c.relkind = 'r'`.execute(db);
      return rows[0]?.bytes ?? 0;
    },
    integrity: async () => [],
    compact: async () => undefined,
    close: () => db.destroy(),
  };
}
