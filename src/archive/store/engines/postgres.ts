import { setTimeout as sleep } from 'node:timers/promises';
import { type Dialect, Kysely, PostgresDialect, sql, type TransactionBuilder } from 'kysely';
import { postgresSpelling } from '../migrations/spelling.ts';
import type { Db, Schema, Session } from '../schema/schema.ts';
import { bringUpToDate, type Connections, closing } from './connections.ts';

const connections = 4;
const connectMilliseconds = 10_000;

/** A call answers within 45 seconds: what a transaction waits for has to end before. */
const longestLockWait = '10s';
const longestStatement = '30s';
const int8 = 20;

/**
 * Kysely over a pool of connections to PostgreSQL. Counts and ids come as numbers; amounts, which may be larger, are
 * read as text by every query.
 */
async function createPostgresDialect(url: string): Promise<Dialect> {
  const { default: pg } = await import('pg');
  const pool = new pg.Pool({
    connectionString: url,
    max: connections,
    connectionTimeoutMillis: connectMilliseconds,
    keepAlive: true,
    application_name: 'docfiscal-mcp',
    types: {
      getTypeParser: (type: number, format?: 'text' | 'binary') =>
        type === int8 ? Number : pg.types.getTypeParser(type, format),
    },
  });
  // A connection that breaks is replaced, idle or lent; who has it hears of it by his next question. Without listeners
  // it would end the program.
  pool.on('error', () => undefined);
  pool.on('connect', (client) => client.on('error', () => undefined));
  return new PostgresDialect({
    pool: { connect: () => patiently(() => pool.connect()), end: () => pool.end() },
  });
}

/** Too many connections, or a server that starts: both pass. */
const passing = new Set(['53300', '57P03']);
const firstPause = 100;
const longestPause = 3_200;

/** Takes a connection, again and again for some seconds where the database has none to give. */
async function patiently<T>(connect: () => Promise<T>): Promise<T> {
  for (let pause = firstPause; ; pause *= 2) {
    try {
      return await connect();
    } catch (error) {
      if (!passing.has(codeOf(error)) || pause > longestPause) throw withCode(error);
    }
    await sleep(pause / 2 + (Math.random() * pause) / 2);
  }
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : '';
}

/** The library has no codes for what it finds itself. */
function withCode(error: unknown): unknown {
  if (!(error instanceof Error) || codeOf(error) !== '') return error;
  if (/^timeout exceeded when trying to connect/.test(error.message)) {
    return Object.assign(new Error('no connection is free'), { code: 'POOL_BUSY' });
  }
  const isLost = /^Connection terminated|connection error and is not queryable|was closed and is not/.test(
    error.message,
  );
  return isLost ? Object.assign(new Error('the connection ended'), { code: 'ECONNRESET' }) : error;
}

/** How a connection that ended is told: by the library, or by the server that ended it. */
const lost = new Set(['ECONNRESET', '57P01']);

/** Connections that may turn out to have ended while they were idle: all that there are, and one more. */
const mostEnded = connections + 1;

/**
 * Runs work in a transaction that waits for nothing for too long. What is thrown is what went wrong first. A connection
 * that had ended before the work began is replaced.
 */
async function inTransaction<T>(
  builder: TransactionBuilder<Schema>,
  work: (db: Db) => Promise<T>,
): Promise<T> {
  let hasBegun = false;
  const begin = (db: Db): Promise<T> => {
    hasBegun = true;
    return work(db);
  };
  for (let ended = 0; ; ended += 1) {
    try {
      return await inOneTransaction(builder, begin);
    } catch (error) {
      if (hasBegun || !lost.has(codeOf(error)) || ended >= mostEnded) throw error;
    }
  }
}

async function inOneTransaction<T>(
  builder: TransactionBuilder<Schema>,
  work: (db: Db) => Promise<T>,
): Promise<T> {
  const thrown: unknown[] = [];
  try {
    return await builder.execute(async (transaction) => {
      try {
        await sql`select set_config('lock_timeout', ${longestLockWait}, true),
          set_config('statement_timeout', ${longestStatement}, true)`.execute(transaction);
        return await work(transaction);
      } catch (error) {
        thrown.push(error);
        throw error;
      }
    });
  } catch (error) {
    // On a connection that has ended nothing can be rolled back either, which is not what the caller must hear.
    throw withCode(thrown.length > 0 ? thrown[0] : error);
  }
}

/** Any number, the same for everyone who brings an archive up to date, and for every writer of version 2. */
const migrationLock = 5_735_102_001;

/** Waits for all who write for the tenant: for one company, together with those who write for others. */
function takeLocks({ db, tenant }: Session, company: string | undefined): Promise<unknown> {
  const ofTenant = sql`hashtextextended(${`docfiscal ${tenant}`}, 0)`;
  return company === undefined
    ? sql`select pg_advisory_xact_lock(${ofTenant})`.execute(db)
    : sql`select pg_advisory_xact_lock_shared(${ofTenant}),
        pg_advisory_xact_lock(hashtext(${tenant}), hashtext(${company}))`.execute(db);
}

/** A transaction that met another and was undone for it: `serialization_failure`, `deadlock_detected`. */
const undone = new Set(['40001', '40P01']);
const mostAttempts = 5;

function wasUndone(error: unknown): boolean {
  return undone.has(codeOf(error));
}

/** Opens an archive in a PostgreSQL database. The address carries credentials and is a secret. */
export async function connectPostgres(url: string, tenant: string): Promise<Connections> {
  const db: Db = new Kysely<Schema>({ dialect: await createPostgresDialect(url) });
  await closing(db, () =>
    bringUpToDate(db, postgresSpelling, (work) =>
      db.transaction().execute(async (transaction) => {
        await sql`select pg_advisory_xact_lock(${sql.lit(migrationLock)})`.execute(transaction);
        await work(transaction);
      }),
    ),
  );
  // Its own daemon looks at new tables after a minute; until then plans would be made for empty ones.
  let unknown = 0;
  let analysedAfter = 100;
  return {
    mode: 'postgres',
    engine: 'pg',
    read: (work) =>
      inTransaction(
        db.transaction().setIsolationLevel('repeatable read').setAccessMode('read only'),
        (transaction) => work({ db: transaction, tenant }),
      ),
    async write(company, work) {
      for (let attempt = 1; ; attempt++) {
        try {
          return await inTransaction(db.transaction(), async (transaction) => {
            const session = { db: transaction, tenant };
            await takeLocks(session, company);
            return work(session);
          });
        } catch (error) {
          if (!wasUndone(error) || attempt === mostAttempts) throw error;
        }
      }
    },
    async size() {
      const { rows } = await sql<{ bytes: number }>`
        select sum(pg_total_relation_size(c.oid))::bigint as bytes
        from pg_class c join pg_namespace n on n.oid = c.relnamespace
        where n.nspname = current_schema() and c.relkind = 'r'`.execute(db);
      return rows[0]?.bytes ?? 0;
    },
    async grown(documents) {
      unknown += documents;
      if (unknown < analysedAfter) return;
      [unknown, analysedAfter] = [0, analysedAfter * 10];
      await sql`analyze documents, contents, items, descriptions, placements, events`.execute(db);
      await sql`analyze document_rollup, item_rollup`.execute(db);
    },
    integrity: async () => [],
    compact: async () => undefined,
    close: () => db.destroy(),
  };
}
