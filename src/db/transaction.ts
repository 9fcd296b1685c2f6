import type pg from 'pg';
import { type Database, type Lane, mostConnections } from './databases.ts';
import { wasLost, withCode } from './retry.ts';
import { tenantSetting } from './tenant-policies.ts';

/** A call answers within 45 seconds: what a transaction waits for has to end before. Milliseconds. */
export const longestLockWait = 10_000;
export const longestStatement = 30_000;

/** Asks the database something; values go beside the text. */
export type Query = <Row extends pg.QueryResultRow>(
  text: string,
  values?: readonly unknown[],
) => Promise<readonly Row[]>;

/**
 * Tries again where the connection had ended before the work began: all that are idle may have, and one more.
 * @param attempt tells when its work begins
 */
export async function replacingEnded<T>(lane: Lane, attempt: (begins: () => void) => Promise<T>): Promise<T> {
  let hasBegun = false;
  for (let ended = 0; ; ended += 1) {
    try {
      return await attempt(() => {
        hasBegun = true;
      });
    } catch (error) {
      if (hasBegun || !wasLost(error) || ended > mostConnections[lane]) throw error;
    }
  }
}

/**
 * Runs work in a transaction of a tenant that waits for nothing for too long, and whose end is on the database's disk.
 * A connection that had ended before the work began is replaced.
 * @throws an error with a code; what was thrown first
 */
export function inTenantTransaction<T>(
  database: Database,
  lane: Lane,
  tenant: string,
  work: (query: Query) => Promise<T>,
): Promise<T> {
  return replacingEnded(lane, (begins) => inOneTransaction(database, tenant, work, begins));
}

async function inOneTransaction<T>(
  database: Database,
  tenant: string,
  work: (query: Query) => Promise<T>,
  begins: () => void,
): Promise<T> {
  const client = await database.connect();
  let isBroken = false;
  const query: Query = async <Row extends pg.QueryResultRow>(text: string, values?: readonly unknown[]) =>
    (await client.query<Row>(text, values && [...values])).rows;
  try {
    await query('begin');
    const { name, value } = tenantSetting(tenant);
    await query(
      `select set_config($1, $2, true), set_config('lock_timeout', $3, true),
        set_config('statement_timeout', $4, true),
        case when current_setting('synchronous_commit') in ('off', 'local')
          then set_config('synchronous_commit', 'on', true) end`,
      [name, value, String(longestLockWait), String(longestStatement)],
    );
    begins();
    const result = await work(query);
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
