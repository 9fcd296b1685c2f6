import { Kysely, PostgresDialect, type PostgresPoolClient, sql } from 'kysely';
import type pg from 'pg';
import { createDatabases, failedBy, type RetryPolicy, retrying } from '../../db/databases.ts';
import { openShared } from '../../db/replicas.ts';
import { ArchiveOtherVersion } from '../errors.ts';
import type { Db, Schema, Session } from '../schema/schema.ts';
import { creationOf, schemaVersion } from '../schema/schema.ts';
import { type Connections, createStatistics } from './connections.ts';

const archiveTables = {
  name: 'schema',
  version: schemaVersion,
  create: creationOf('postgres'),
  refuse: (found: number) => new ArchiveOtherVersion(found, schemaVersion),
};

function kyselyOver(client: pg.PoolClient): Db {
  const lent: PostgresPoolClient = { query: client.query.bind(client), release: () => undefined };
  const pool = { connect: async () => lent, end: async () => undefined };
  return new Kysely<Schema>({ dialect: new PostgresDialect({ pool }) });
}

/** Locks out other writers of the same company, or of the tenant. */
function takeLocks({ db, tenant }: Session, company: string | undefined): Promise<unknown> {
  const ofTenant = sql`hashtextextended(${`docfiscal ${tenant}`}, 0)`;
  return company === undefined
    ? sql`select pg_advisory_xact_lock(${ofTenant})`.execute(db)
    : sql`select pg_advisory_xact_lock_shared(${ofTenant}),
        pg_advisory_xact_lock(hashtext(${tenant}), hashtext(${company}))`.execute(db);
}

const afterConflict: RetryPolicy = {
  isPassing: (error) => failedBy(error, 'conflict'),
  firstPauseMs: 10,
  forMs: 5_000,
};

/** Opens an archive in PostgreSQL. The URL is a secret. */
export async function connectPostgres(
  url: string,
  tenant: string,
  databases = createDatabases(),
): Promise<Connections> {
  const tables = databases.open(url, 'documents', tenant, archiveTables);
  const run = <T>(work: (session: Session) => Promise<T>, begin: string): Promise<T> =>
    tables.transact((_, client) => work({ db: kyselyOver(client), tenant }), begin);
  const read = <T>(work: (session: Session) => Promise<T>): Promise<T> =>
    run(work, 'begin isolation level repeatable read read only');
  await run(async () => undefined, 'begin');
  const leases = openShared(databases, url, tenant);
  return {
    mode: 'postgres',
    engine: 'pg',
    read,
    write: (company, work) =>
      retrying(afterConflict, () =>
        run(async (session) => {
          await takeLocks(session, company);
          return work(session);
        }, 'begin'),
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
      run(async ({ db }) => {
        await sql`analyze documents, contents, items, installments, descriptions, document_texts, placements, events`.execute(
          db,
        );
      }, 'begin'),
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
