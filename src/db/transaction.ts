import type pg from 'pg';
import type { Database } from './databases.ts';
import { wasLost, withCode } from './retry.ts';

/** A call answers within 45 seconds, so no transaction may wait longer than this. Milliseconds. */
const longestLockWait = 10_000;
const longestStatement = 30_000;

/** Sends a statement; values go beside the text. */
export type Query = <Row extends pg.QueryResultRow>(
  text: string,
  values?: readonly unknown[],
) => Promise<readonly Row[]>;

/** Work inside a transaction. */
type Work<T> = (query: Query, client: pg.PoolClient) => Promise<T>;

/** Runs work between `begin` and `commit`. @throws an error with a code; the first one thrown */
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

/** Set by every transaction; row level security shows it the rows of this tenant alone. */
export const tenantSetting = 'docfiscal.tenant';

/** Precedes the tenant's name: an unset setting reads as '', which is also the nameless tenant's name. */
export const tenantMark = '=';

/**
 * Runs work in a tenant's transaction with bounded waits, durable once it commits. Idle connections that had ended before
 * the work began are replaced.
 * @throws an error with a code; the first one thrown
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
