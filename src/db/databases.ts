import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';

/**
 * PostgreSQL 15, appendix A: 08 failed connection, 40001 and 40P01 serialisation failure and deadlock, 53300 too many
 * connections, 57P01 to 57P03 shutdown or start.
 */
const lost = /^(?:57P0[12]|08...|ECONNRESET|EPIPE|ETIMEDOUT)$/;
const undone = /^(?:40001|40P01)$/;
const without = /^(?:53300|57P03|POOL_BUSY|ECONNREFUSED)$/;

/** Code of an error; empty if it has none. */
export function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : '';
}

/** Whether the connection was lost in use, so the transaction's outcome is unknown. */
export function wasLost(error: unknown): boolean {
  return lost.test(codeOf(error));
}

/** Whether a transaction was rolled back by a conflict and may be retried. */
export function wasUndone(error: unknown): boolean {
  return undone.test(codeOf(error));
}

/** Whether a connection may succeed a moment later. */
export function isPassing(error: unknown): boolean {
  return without.test(codeOf(error));
}

/** Adds a code to errors of the library's own. */
export function withCode(error: unknown): unknown {
  if (!(error instanceof Error) || codeOf(error) !== '') return error;
  if (/^timeout exceeded when trying to connect/.test(error.message)) {
    return Object.assign(new Error('no connection is free'), { code: 'POOL_BUSY' });
  }
  const isLost = /^Connection terminated|connection error and is not queryable|was closed and is not/.test(
    error.message,
  );
  return isLost ? Object.assign(new Error('the connection ended'), { code: 'ECONNRESET' }) : error;
}

export interface RetryPolicy {
  /** Whether a retry may succeed. */
  isPassing(error: unknown): boolean;
  /** First pause; it doubles, with jitter, up to the longest. */
  readonly firstPauseMs: number;
  readonly longestPauseMs?: number;
  /** No attempt starts later than this after the first. */
  readonly forMs: number;
}

/** Retries by a policy. @throws the last attempt's error */
export async function retrying<T>(policy: RetryPolicy, attempt: () => Promise<T>): Promise<T> {
  const { firstPauseMs, longestPauseMs = policy.forMs, forMs } = policy;
  const end = performance.now() + forMs;
  for (let pause = firstPauseMs; ; pause = Math.min(longestPauseMs, pause * 2)) {
    try {
      return await attempt();
    } catch (error) {
      if (!policy.isPassing(error) || performance.now() + pause > end) throw error;
    }
    await sleep(pause / 2 + (Math.random() * pause) / 2);
  }
}

/** Pools by purpose: writes and coordination must not queue behind a question of half a minute. */
export type PoolPurpose = 'documents' | 'writes' | 'agreement';

/** Connections of a process to one database, shared by all tenants. Source: docs/scale.md. */
export const mostConnections: Readonly<Record<PoolPurpose, number>> = {
  documents: 6,
  writes: 2,
  agreement: 2,
};

const connectMilliseconds = 10_000;
const int8 = 20;

/** A reference-counted database. */
export interface Database {
  readonly mostConnections: number;
  /** Checks out a connection, which must be released. @throws an error with a code */
  connect(): Promise<pg.PoolClient>;
  /** Releases the reference; the last one closes the pool. */
  release(): Promise<void>;
}

/** Databases of a process, with pools shared by its tenants. */
export interface Databases {
  /** Returns a database; connects on first use. The URL is a secret. */
  acquire(url: string, purpose: PoolPurpose): Promise<Database>;
}

/** Counts and ids are parsed as numbers; every query casts amounts, which may be larger, to text. */
async function createPool(url: string, purpose: PoolPurpose): Promise<pg.Pool> {
  const { default: library } = await import('pg');
  const pool = new library.Pool({
    connectionString: url,
    max: mostConnections[purpose],
    connectionTimeoutMillis: connectMilliseconds,
    keepAlive: true,
    application_name: 'docfiscal-mcp',
    types: {
      getTypeParser: (type: number, format?: 'text' | 'binary') =>
        type === int8 ? Number : library.types.getTypeParser(type, format),
    },
  });
  // A broken connection is replaced and fails its query; without a listener it would end the process.
  pool.on('error', () => undefined);
  pool.on('connect', (client) => client.on('error', () => undefined));
  return pool;
}

/** Transient: too many connections, or a server that is starting. */
const connecting: RetryPolicy = {
  isPassing: (error) => ['53300', '57P03'].includes(codeOf(error)),
  firstPauseMs: 100,
  forMs: 6_400,
};

export function createDatabases(): Databases {
  const open = new Map<string, { readonly pool: Promise<pg.Pool>; references: number }>();

  return {
    async acquire(url, purpose) {
      const key = `${purpose} ${url}`;
      const held = open.get(key) ?? { pool: createPool(url, purpose), references: 0 };
      open.set(key, held);
      held.references += 1;
      const pool = await held.pool;
      let isOver = false;
      return {
        mostConnections: mostConnections[purpose],
        async connect() {
          try {
            return await retrying(connecting, () => pool.connect());
          } catch (error) {
            throw withCode(error);
          }
        },
        async release() {
          if (isOver) return;
          isOver = true;
          held.references -= 1;
          if (held.references > 0) return;
          open.delete(key);
          await pool.end();
        },
      };
    },
  };
}

/** Milliseconds; below the 45 seconds of a call. */
const longestLockWait = 10_000;
const longestStatement = 30_000;

/** Runs a statement with parameters. */
export type Query = <Row extends pg.QueryResultRow>(
  text: string,
  values?: readonly unknown[],
) => Promise<readonly Row[]>;

/** Work in a transaction. */
type Work<T> = (query: Query, client: pg.PoolClient) => Promise<T>;

/** Runs work between `begin` and `commit`. @throws the first error, with a code */
async function inTransaction<T>(database: Database, begin: string, work: Work<T>): Promise<T> {
  const client = await database.connect();
  let isBroken = false;
  const query: Query = async <Row extends pg.QueryResultRow>(text: string, values?: readonly unknown[]) =>
    (await client.query<Row>(text, values && [...values])).rows;
  try {
    await query(begin);
    const result = await work(query, client);
    await query('commit');
    return result;
  } catch (error) {
    await query('rollback').catch(() => {
      isBroken = true;
    });
    throw withCode(error);
  } finally {
    client.release(isBroken);
  }
}

/** Session setting that row level security reads. */
const tenantSetting = 'docfiscal.tenant';

/** Prefix of the tenant's name: an unset setting reads as '', which is a valid name. */
const tenantMark = '=';

/**
 * Runs work in a tenant's durable transaction with bounded waits. Replaces idle connections that were closed before.
 * @throws the first error, with a code
 */
export async function inTenantTransaction<T>(
  database: Database,
  tenant: string,
  work: Work<T>,
  begin = 'begin',
): Promise<T> {
  for (let ended = 0; ; ended += 1) {
    let hasBegun = false;
    try {
      return await inTransaction(database, begin, async (query, client) => {
        await query(
          `select set_config($1, $2, true), set_config('lock_timeout', $3, true),
            set_config('statement_timeout', $4, true),
            case when current_setting('synchronous_commit') in ('off', 'local')
              then set_config('synchronous_commit', 'on', true) end`,
          [tenantSetting, tenantMark + tenant, String(longestLockWait), String(longestStatement)],
        );
        hasBegun = true;
        return work(query, client);
      });
    } catch (error) {
      if (hasBegun || !wasLost(error) || ended > database.mostConnections) throw error;
    }
  }
}

/** Tables with a common version. */
export interface Tables {
  /** The table `<name>_version` holds their version. */
  readonly name: string;
  /** The only version this program reads and writes. */
  readonly version: number;
  /** Statements that create them. */
  readonly create: readonly string[];
  /** Builds the error for tables of another version, which stay untouched. */
  readonly refuse?: (found: number) => Error;
}

/** The tables have another version. */
class OtherVersion extends Error {
  override readonly name = 'OtherVersion';
  readonly code = 'SCHEMA_NEWER';
}

/** Tenants' tables without row level security; partitions inherit it. */
const tablesWithoutPolicy = `
  select c.relname as name
  from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attname = 'tenant' and not a.attisdropped
  where c.relnamespace = quote_ident(current_schema())::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
    and not (c.relrowsecurity and c.relforcerowsecurity)
  order by c.relname`;

/**
 * Row level security, besides the tenant in every query: a transaction sees its own tenant's rows, and none without a
 * tenant. It applies to the owner too; only superusers and roles with BYPASSRLS bypass it. Source:
 * docs/decisions/tenants.md.
 */
const policyOf = (table: string): string => `
  alter table "${table}" enable row level security;
  alter table "${table}" force row level security;
  drop policy if exists of_tenant on "${table}";
  create policy of_tenant on "${table}" using (tenant =
    (select substr(nullif(current_setting('${tenantSetting}', true), ''), ${tenantMark.length + 1})))`;

/** Any constant shared by all processes. */
const creationLock = '5735102001';

/** Creates missing tables and policies, one process at a time. */
async function prepareTables(query: Query, { name, version, create, refuse }: Tables): Promise<void> {
  await query(`select pg_advisory_xact_lock(${creationLock})`);
  const table = `${name}_version`;
  const [kept] = await query(
    'select 1 from pg_tables where tablename = $1 and schemaname = current_schema()',
    [table],
  );
  if (kept === undefined) {
    await query(`create table ${table} (version bigint not null)`);
    await query(`insert into ${table} values (${version})`);
    for (const statement of create) await query(statement);
  }
  const [row] = await query<{ version: string }>(`select version::text as version from ${table}`);
  const found = Number(row?.version);
  if (found !== version) throw refuse?.(found) ?? new OtherVersion();
  for (const open of await query<{ name: string }>(tablesWithoutPolicy)) await query(policyOf(open.name));
}

/** Creates the tables on first use, then returns the pool; retried after a failure. */
export function preparedOnce(acquire: () => Promise<Database>, tables: Tables) {
  let opening: Promise<Database> | undefined;
  const open = async (): Promise<Database> => {
    const database = await acquire();
    try {
      await inTransaction(database, 'begin', (query) => prepareTables(query, tables));
      return database;
    } catch (error) {
      await database.release();
      throw error;
    }
  };
  return {
    opened(): Promise<Database> {
      opening ??= open().catch((error: unknown) => {
        opening = undefined;
        throw error;
      });
      return opening;
    },
    async close(): Promise<void> {
      const database = await opening?.catch(() => undefined);
      await database?.release();
    },
  };
}
