import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';

/** Failures by remedy. Source: PostgreSQL 15, appendix A. */
const failures = {
  /** The connection was lost in use: the transaction's outcome is unknown. */
  lost: /^(?:57P0[12]|08...|ECONNRESET|EPIPE|ETIMEDOUT)$/,
  /** A conflict rolled the transaction back. */
  conflict: /^(?:40001|40P01)$/,
  /** No connection now: too many, or a server that is starting. */
  unavailable: /^(?:53300|57P03|POOL_BUSY|ECONNREFUSED)$/,
};

/** Code of an error; empty if it has none. */
export function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : '';
}

/** Whether an error is one of these failures. */
export function failedBy(error: unknown, ...kinds: (keyof typeof failures)[]): boolean {
  return kinds.some((kind) => failures[kind].test(codeOf(error)));
}

/** Adds a code to errors of the library's own. */
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

const connecting: RetryPolicy = {
  isPassing: (error) => ['53300', '57P03'].includes(codeOf(error)),
  firstPauseMs: 100,
  forMs: 6_400,
};

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
async function inTransaction<T>(pool: pg.Pool, begin: string, work: Work<T>): Promise<T> {
  let client: pg.PoolClient | undefined;
  let isBroken = false;
  try {
    const connection = await retrying(connecting, () => pool.connect());
    client = connection;
    const query: Query = async <Row extends pg.QueryResultRow>(text: string, values?: readonly unknown[]) =>
      (await connection.query<Row>(text, values && [...values])).rows;
    await query(begin);
    const result = await work(query, connection);
    await query('commit');
    return result;
  } catch (error) {
    await client?.query('rollback').catch(() => {
      isBroken = true;
    });
    throw withCode(error);
  } finally {
    client?.release(isBroken);
  }
}

/** Session setting that row level security reads. */
const tenantSetting = 'docfiscal.tenant';

/** Prefix of the tenant's name: an unset setting reads as '', which is a valid name. */
const tenantMark = '=';

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
  if (found !== version)
    throw refuse?.(found) ?? Object.assign(new Error('other version'), { code: 'SCHEMA_NEWER' });
  for (const open of await query<{ name: string }>(tablesWithoutPolicy)) await query(policyOf(open.name));
}

/** The databases of a process; their pools are shared by its tenants and end with their last user. */
export function createDatabases() {
  const pools = new Map<string, { readonly pool: Promise<pg.Pool>; users: number }>();

  async function release(key: string): Promise<void> {
    const shared = pools.get(key);
    if (shared === undefined || --shared.users > 0) return;
    pools.delete(key);
    await (await shared.pool).end();
  }

  return {
    /** Opens a tenant's tables, which are connected and created on first use. @param url a secret */
    open(url: string, purpose: PoolPurpose, tenant: string, tables: Tables) {
      const key = `${purpose} ${url}`;
      let opening: Promise<pg.Pool> | undefined;
      let isClosed = false;

      async function prepare(): Promise<pg.Pool> {
        const shared = pools.get(key) ?? { pool: createPool(url, purpose), users: 0 };
        pools.set(key, shared);
        shared.users += 1;
        try {
          const pool = await shared.pool;
          await inTransaction(pool, 'begin', (query) => prepareTables(query, tables));
          return pool;
        } catch (error) {
          opening = undefined;
          await release(key);
          throw error;
        }
      }

      return {
        /**
         * Runs work in the tenant's durable transaction with bounded waits. Replaces idle connections that were closed
         * before.
         * @throws the first error, with a code
         */
        async transact<T>(work: Work<T>, begin = 'begin'): Promise<T> {
          opening ??= prepare();
          const pool = await opening;
          for (let ended = 0; ; ended += 1) {
            let hasBegun = false;
            try {
              return await inTransaction(pool, begin, async (query, client) => {
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
              if (hasBegun || !failedBy(error, 'lost') || ended > mostConnections[purpose]) throw error;
            }
          }
        },

        async close(): Promise<void> {
          const opened = await opening?.catch(() => undefined);
          if (opened === undefined || isClosed) return;
          isClosed = true;
          await release(key);
        },
      };
    },
  };
}

export type Databases = ReturnType<typeof createDatabases>;
