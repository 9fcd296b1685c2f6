import type pg from 'pg';
import type { Database } from './databases.ts';
import { wasLost, withCode } from './retry.ts';

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
