import { type Dialect, Kysely, PostgresDialect, sql, type Transaction } from 'kysely';
import { postgresSpelling } from '../migrations/migrations.ts';
import type { Db, Schema } from '../schema/schema.ts';
import { bringUpToDate, type Connections, closing } from './connections.ts';

const connections = 4;
const connectMilliseconds = 15_000;
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
    application_name: 'docfiscal-mcp',
    types: {
      getTypeParser: (type: number, format?: 'text' | 'binary') =>
        type === int8 ? Number : pg.types.getTypeParser(type, format),
    },
  });
  // A connection that breaks while idle is replaced; without a listener it would end the program.
  pool.on('error', () => undefined);
  return new PostgresDialect({ pool });
}

/** Any number, the same for everyone who writes to an archive. */
const writersLock = 5_735_102_001;

function takeWritersLock(transaction: Transaction<Schema>): Promise<unknown> {
  return sql`select pg_advisory_xact_lock(${sql.lit(writersLock)})`.execute(transaction);
}

/** Opens an archive in a PostgreSQL database. The address carries credentials and is a secret. */
export async function connectPostgres(url: string): Promise<Connections> {
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
