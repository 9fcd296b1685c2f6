import { mkdir, stat } from 'node:fs/promises';
import { setImmediate as letOthersRun } from 'node:timers/promises';
import { Kysely, sql } from 'kysely';
import { checkOwnFile, openOwnFile } from '../../disk/regular-file.ts';
import { createTables, hasTables, sqliteSpelling } from '../schema/create.ts';
import type { Db, Schema, Session } from '../schema/schema.ts';
import { archiveFile } from './archive-file.ts';
import { type Connections, closing, createStatistics } from './connections.ts';
import { createSqliteDialect, openSqlite, patiently, type SqliteConnection } from './sqlite.ts';

/**
 * So many documents are added before what is beside the file is brought into it, apart from what wrote them: with the
 * end of a transaction that would be one long time in which nothing else runs. Where others than documents are written,
 * SQLite does it itself after so many pages, which is ten times what it does of its own accord.
 */
const settledAfter = 500;
const mostPagesBeside = 10_000;

/**
 * What lies beyond is read from the system's own cache. Who writes gains nothing from more, into an archive of a year
 * either; who asks sorts in it.
 */
const cacheKibibytes = { writing: 4 * 1024, asking: 12 * 1024 };

/** Takes the write lock. */
function beginWriting(db: Db): Promise<void> {
  return patiently(async () => void (await sql`begin immediate`.execute(db)));
}

/** Takes the read lock at once, and not with the first question. */
function beginReading(db: Db): Promise<void> {
  return patiently(async () => {
    await sql`begin`.execute(db);
    try {
      await sql`select 1 from sqlite_schema limit 1`.execute(db);
    } catch (error) {
      await rollBack(db);
      throw error;
    }
  });
}

/** After some errors SQLite has rolled back by itself; what the caller must hear is the error that led here. */
async function rollBack(db: Db): Promise<void> {
  try {
    await sql`rollback`.execute(db);
  } catch (error) {
    if (!(error instanceof Error && error.message.includes('no transaction is active'))) throw error;
  }
}

/**
 * Runs work in a transaction on the only connection there is, one user at a time. No statement ever waits for
 * anything, so that somebody who asks without a pause would keep everything else from running; therefore the pause.
 */
function inTransaction<T>(
  db: Db,
  begin: (db: Db) => Promise<void>,
  work: (db: Db) => Promise<T>,
): Promise<T> {
  return db.connection().execute(async (lent) => {
    await letOthersRun();
    await begin(lent);
    try {
      const result = await work(lent);
      await sql`commit`.execute(lent);
      return result;
    } catch (error) {
      await rollBack(lent);
      throw error;
    }
  });
}

function sqliteParts(writer: Db, reader: Db, tenant: string) {
  return {
    read: <T>(work: (session: Session) => Promise<T>) =>
      inTransaction(reader, beginReading, (db) => work({ db, tenant })),
    write: <T>(_: string | undefined, work: (session: Session) => Promise<T>) =>
      inTransaction(writer, beginWriting, (db) => work({ db, tenant })),
    async integrity() {
      const check = sql<{ integrity_check: string }>`pragma integrity_check`;
      const { rows } = await patiently(() => check.execute(reader));
      return rows.map((row) => row.integrity_check).filter((line) => line !== 'ok');
    },
    grown: createStatistics(() => analyse(writer, reader)),
    compact: async () => void (await patiently(() => sql`vacuum`.execute(writer))),
  };
}

/** Rows of an index that `analyze` looks at: far fewer, and a tenant's items seem as few as a document's. */
const analysedRows = 4_000;

/** Gathers the planner's statistics; another connection is told to read them again. */
async function analyse(writer: Db, reader: Db): Promise<void> {
  await patiently(async () => {
    await sql`pragma analysis_limit = ${sql.lit(analysedRows)}`.execute(writer);
    await sql`analyze`.execute(writer);
  });
  if (reader !== writer) await sql`analyze sqlite_schema`.execute(reader);
}

/** Gathers them where an archive has documents and none have been gathered yet. */
async function analyseWhereMissing(writer: Db, reader: Db): Promise<void> {
  const { rows } = await sql<{ missing: number }>`
    select exists (select 1 from documents) and not exists (
      select 1 from pragma_table_list('sqlite_stat1')) as missing`.execute(writer);
  if (rows[0]?.missing === 1) await analyse(writer, reader);
}

function kyselyOver(sqlite: SqliteConnection): Db {
  return new Kysely<Schema>({ dialect: createSqliteDialect(sqlite) });
}

/** Opens an archive that lives in this process only. */
export async function connectMemory(tenant: string): Promise<Connections> {
  const sqlite = await openSqlite(':memory:');
  const db = kyselyOver(sqlite);
  // Else Node's own SQLite would put what it sorts into files of the system's.
  await sql`pragma temp_store = memory`.execute(db);
  await inTransaction(db, beginWriting, (own) => createTables(own, sqliteSpelling));
  return {
    mode: 'memory',
    engine: sqlite.engine,
    ...sqliteParts(db, db, tenant),
    async size() {
      const { rows } = await sql<{ bytes: number }>`
        select page_count * page_size as bytes from pragma_page_count(), pragma_page_size()`.execute(db);
      return rows[0]?.bytes ?? 0;
    },
    close: () => db.destroy(),
  };
}

/** A file that only its owner may read; what SQLite puts beside it takes its mode. */
async function createPrivately(path: string): Promise<void> {
  const anySize = Number.POSITIVE_INFINITY;
  const handle = await openOwnFile(path, 'append-new', anySize).catch((error: unknown) => {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') {
      return openOwnFile(path, 'append', anySize);
    }
    throw error;
  });
  try {
    if (process.platform !== 'win32') await handle.chmod(0o600);
  } finally {
    await handle.close();
  }
  for (const ending of ['-wal', '-shm', '-journal']) await checkOwnFile(path + ending, anySize);
}

/** Opens the archive in the file of a folder; both are made where they are missing, for their owner alone. */
export async function connectFile(folder: string, tenant: string): Promise<Connections> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const path = archiveFile(folder);
  await createPrivately(path);
  const sqlite = await openSqlite(path);
  const writer = kyselyOver(sqlite);
  const reader = await closing(writer, async () => {
    // Before anything is changed, be it only how the file is written.
    const isThere = await patiently(() => hasTables(writer, sqliteSpelling));
    await patiently(() => sql`pragma journal_mode = wal`.execute(writer));
    await sql`pragma synchronous = normal`.execute(writer);
    await sql`pragma wal_autocheckpoint = ${sql.lit(mostPagesBeside)}`.execute(writer);
    if (!isThere) {
      await inTransaction(writer, beginWriting, async (db) => {
        if (!(await hasTables(db, sqliteSpelling))) await createTables(db, sqliteSpelling);
      });
    }
    const other = kyselyOver(await openSqlite(path));
    const { writing, asking } = cacheKibibytes;
    await sql`pragma cache_size = ${sql.lit(-writing)}`.execute(writer);
    await sql`pragma cache_size = ${sql.lit(-asking)}`.execute(other);
    // What is sorted lies in one piece then, and each row by itself where it must stay in memory, which takes twice the
    // time. What is beyond the cache goes to a file that is removed as it is opened.
    await sql`pragma temp_store = file`.execute(other);
    await analyseWhereMissing(writer, other);
    return other;
  });
  const parts = sqliteParts(writer, reader, tenant);
  let unsettled = 0;
  return {
    mode: 'file',
    engine: sqlite.engine,
    ...parts,
    async grown(documents) {
      await parts.grown(documents);
      unsettled += documents;
      if (unsettled < settledAfter) return;
      unsettled = 0;
      await letOthersRun();
      // What was written is written whether or not it can be brought into the file now: the next time does it all.
      await sql`pragma wal_checkpoint(passive)`.execute(writer).catch(() => undefined);
      // What is asked next finds nothing of use in its cache. Nobody waits for who is asking meanwhile.
      sql`pragma shrink_memory`.execute(reader).catch(() => undefined);
    },
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
  await sql`pragma wal_checkpoint(truncate)`.execute(writer);
}

async function sizeOf(path: string): Promise<number> {
  try {
    return (await stat(path)).size;
  } catch {
    return 0;
  }
}
