import { setTimeout as sleep } from 'node:timers/promises';
import { isPassing, wasLost, wasUndone, withCode } from '../../database/connection-errors.ts';
import type { Databases } from '../../database/databases.ts';
import { preparedOnce } from '../../database/tables.ts';
import { inTenantTransaction, type Query } from '../../database/transaction.ts';
import { tablesOfWrites } from './tables.ts';
import { explained } from './unusable.ts';

/** What is recorded of a tenant's writes in the database that replicas share. */
export interface SharedRecords {
  /**
   * Runs work in a transaction; where the connection ends or another is in the way it is run again, from its beginning,
   * for some seconds. What an attempt did whose connection ended may be there: work has to be such that it can be done
   * twice.
   * @throws DatabaseUnusable
   */
  transact<T>(work: (query: Query) => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

const firstPauseMs = 50;
/** A database that is started anew is back within this; a call answers within 45 seconds. */
const longestTryingMs = 8_000;

const isWorthAnother = (error: unknown): boolean => wasLost(error) || wasUndone(error) || isPassing(error);

async function persistently<T>(attempt: () => Promise<T>): Promise<T> {
  const end = performance.now() + longestTryingMs;
  for (let pause = firstPauseMs; ; pause *= 2) {
    try {
      return await attempt();
    } catch (thrown) {
      const error = withCode(thrown);
      if (!isWorthAnother(error) || performance.now() + pause > end) throw error;
    }
    await sleep(pause / 2 + (Math.random() * pause) / 2);
  }
}

/** Opens what is recorded of a tenant's writes; connects with the first question. The address is a secret. */
export function openSharedRecords(databases: Databases, url: string, tenant: string): SharedRecords {
  const { opened, close } = preparedOnce(() => databases.lend(url, 'writes'), tablesOfWrites);
  return {
    transact: (work) =>
      explained(() => persistently(async () => inTenantTransaction(await opened(), 'writes', tenant, work))),
    close,
  };
}
