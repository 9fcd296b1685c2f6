import { Kysely, PostgresDialect, type PostgresPoolClient, sql } from 'kysely';
import type pg from 'pg';
import { createDatabases, failedBy, retrying } from '../../db/databases.ts';
import { openShared } from '../../db/replicas.ts';
import { ArchiveError } from '../errors.ts';
import type { Db, Schema, Session } from '../schema/schema.ts';
import { creationOf, schemaVersion } from '../schema/schema.ts';
import { type Connections, createStatistics } from './connections.ts';

function kyselyOver(client: pg.PoolClient): Db {
  const lent: PostgresPoolClient = { query: client.query.bind(client), release: () => undefined };
  const pool = { connect: async () => lent, end: async () => undefined };
  return new Kysely<Schema>({ dialect: new PostgresDialect({ pool }) });
}

/** Opens an archive in PostgreSQL. The URL is a secret. */
export async function connectPostgres(
  url: string,
  tenant: string,
  databases = createDatabases(),
): Promise<Connections> {
  const tables = databases.open(url, 'documents', tenant, {
    name: 'schema',
    version: schemaVersion,
    create: creationOf('postgres'),
    refuse: (found) => new ArchiveError('other_version', { found, known: schemaVersion }),
  });
  const run = <T>(work: (session: Session) => Promise<T>, begin?: string): Promise<T> =>
    tables.transact((_, client) => work({ db: kyselyOver(client), tenant }), begin);
  const read = <T>(work: (session: Session) => Promise<T>): Promise<T> =>
    run(work, 'begin isolation level repeatable read read only');
  const ofTenant = sql`hashtextextended(${`docfiscal ${tenant}`}, 0)`;
  const isPassing = (error: unknown) => failedBy(error, 'conflict');
  await run(async () => undefined).catch(async (error) => {
    await tables.close();
    throw error;
  });
  const leases = openShared(databases, url, tenant);
  return {
    mode: 'postgres',
    engine: 'pg',
    read,
    write: (company, work) =>
      retrying({ isPassing, firstPauseMs: 10, forMs: 5_000 }, () =>
        run(async (session) => {
          // Locks out other writers of the same company, or of the tenant.
          const lock =
            company === undefined
              ? sql`select pg_advisory_xact_lock(${ofTenant})`
              : sql`select pg_advisory_xact_lock_shared(${ofTenant}),
                  pg_advisory_xact_lock(hashtext(${tenant}), hashtext(${company}))`;
          await lock.execute(session.db);
          return work(session);
        }),
      ),
    size: () =>
      read(async ({ db }) => {
        const { rows } = await sql<{ bytes: number }>`
          select sum(pg_total_relation_size(c.oid))::bigint as bytes
          from pg_class c join pg_namespace n on n.oid = c.relnamespace
          where n.nspname = current_schema() and c.relkind = 'r'`.execute(db);
        return rows[0]?.bytes ?? 0;
      }),
    // Autovacuum analyses new tables after a minute; until then plans assume empty ones.
    refreshStatistics: createStatistics(() =>
      run(({ db }) =>
        sql`analyze documents, contents, items, installments, descriptions, document_texts, placements, events`.execute(
          db,
        ),
      ),
    ),
    integrity: async () => [],
    compact: async () => undefined,
    leases,
    async close() {
      await leases.close();
      await tables.close();
    },
  };
}
