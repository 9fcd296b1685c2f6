import { type Dialect, Kysely, PostgresDialect, sql, type TransactionBuilder } from 'kysely';
import { createDatabases, type Databases } from '../../db/databases.ts';
import { openLeases } from '../../db/leases.ts';
import { type RetryPolicy, retrying, wasUndone, withCode } from '../../db/retry.ts';
import { hasPolicies, tenantSetting, updateSchema } from '../../db/tenant-policies.ts';
import { longestLockWait, longestStatement, replacingEnded } from '../../db/transaction.ts';
import { createTables, hasTables, postgresSpelling } from '../schema/create.ts';
import type { Db, Schema, Session } from '../schema/schema.ts';
import { type Connections, closing, createStatistics } from './connections.ts';

/** Kysely over the connections that a process has to a database. */
async function createPostgresDialect(databases: Databases, url: string): Promise<Dialect> {
  const database = await databases.lend(url, 'documents');
  return new PostgresDialect({ pool: { connect: () => database.connect(), end: () => database.giveBack() } });
}

/**
 * Runs work in a transaction of a tenant that waits for nothing for too long. What is thrown is what went wrong first. A
 * connection that had ended before the work began is replaced.
 */
function inTransaction<T>(
  builder: TransactionBuilder<Schema>,
  tenant: string,
  work: (session: Session) => Promise<T>,
): Promise<T> {
  return replacingEnded('documents', async (begins) => {
    const thrown: unknown[] = [];
    try {
      return await builder.execute(async (db) => {
        try {
          const { name, value } = tenantSetting(tenant);
          await sql`select set_config('lock_timeout', ${String(longestLockWait)}, true),
            set_config('statement_timeout', ${String(longestStatement)}, true),
            set_config(${name}, ${value}, true)`.execute(db);
          begins();
          return await work({ db, tenant });
        } catch (error) {
          thrown.push(error);
          throw error;
        }
      });
    } catch (error) {
      // On a connection that has ended nothing can be rolled back either, which is not what the caller must hear.
      throw withCode(thrown.length > 0 ? thrown[0] : error);
    }
  });
}

/** Waits for all who write for the tenant: for one company, together with those who write for others. */
function takeLocks({ db, tenant }: Session, company: string | undefined): Promise<unknown> {
  const ofTenant = sql`hashtextextended(${`docfiscal ${tenant}`}, 0)`;
  return company === undefined
    ? sql`select pg_advisory_xact_lock(${ofTenant})`.execute(db)
    : sql`select pg_advisory_xact_lock_shared(${ofTenant}),
        pg_advisory_xact_lock(hashtext(${tenant}), hashtext(${company}))`.execute(db);
}

/** Work that met another's is run again from its beginning. */
const afterConflict: RetryPolicy = { isPassing: wasUndone, firstPauseMs: 10, forMs: 5_000 };

/** Makes the tables where they are missing, and the wall between tenants; locks nothing where there is nothing to do. */
async function prepareTables(db: Db): Promise<void> {
  const ask = (of: Db) => async (text: string) => (await sql.raw<{ name?: string }>(text).execute(of)).rows;
  const isDone = async (of: Db) => (await hasTables(of, postgresSpelling)) && hasPolicies(ask(of));
  if (await isDone(db)) return;
  await db.transaction().execute((transaction) =>
    updateSchema(
      ask(transaction),
      () => isDone(transaction),
      false,
      async () => {
        if (!(await hasTables(transaction, postgresSpelling)))
          await createTables(transaction, postgresSpelling);
      },
    ),
  );
}

/** Opens an archive in a PostgreSQL database. The address carries credentials and is a secret. */
export async function connectPostgres(
  url: string,
  tenant: string,
  databases: Databases = createDatabases(),
): Promise<Connections> {
  const db: Db = new Kysely<Schema>({ dialect: await createPostgresDialect(databases, url) });
  await closing(db, () => prepareTables(db));
  const leases = openLeases(databases, url, tenant);
  return {
    mode: 'postgres',
    engine: 'pg',
    read: (work) =>
      inTransaction(
        db.transaction().setIsolationLevel('repeatable read').setAccessMode('read only'),
        tenant,
        work,
      ),
    write: (company, work) =>
      retrying(afterConflict, () =>
        inTransaction(db.transaction(), tenant, async (session) => {
          await takeLocks(session, company);
          return work(session);
        }),
      ),
    async size() {
      const { rows } = await sql<{ bytes: number }>`
        select sum(pg_total_relation_size(c.oid))::bigint as bytes
        from pg_class c join pg_namespace n on n.oid = c.relnamespace
        where n.nspname = current_schema() and c.relkind = 'r'`.execute(db);
      return rows[0]?.bytes ?? 0;
    },
    // Autovacuum looks at new tables after a minute; until then plans would be made for empty ones.
    grown: createStatistics(async () => {
      await sql`analyze documents, contents, items, descriptions, heads, placements, events`.execute(db);
    }),
    integrity: async () => [],
    compact: async () => undefined,
    leases,
    async close() {
      await leases.close();
      await db.destroy();
    },
  };
}
