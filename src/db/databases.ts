import type pg from 'pg';
import { codeOf, type RetryPolicy, retrying, wasLost, withCode } from './retry.ts';

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
export async function inTransaction<T>(database: Database, begin: string, work: Work<T>): Promise<T> {
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
export const tenantSetting = 'docfiscal.tenant';

/** Prefix of the tenant's name: an unset setting reads as '', which is a valid name. */
export const tenantMark = '=';

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
