import type { Databases } from '../../db/databases.ts';
import { isPassing, type RetryPolicy, retrying, wasLost, wasUndone, withCode } from '../../db/retry.ts';
import { preparedOnce } from '../../db/tables.ts';
import { inTenantTransaction, type Query } from '../../db/transaction.ts';
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

/** A database that is started anew is back within this; a call answers within 45 seconds. */
const persistent: RetryPolicy = {
  isPassing: (error) => wasLost(error) || wasUndone(error) || isPassing(error),
  firstPauseMs: 50,
  forMs: 8_000,
};

/** Opens what is recorded of a tenant's writes; connects with the first question. The address is a secret. */
export function openSharedRecords(databases: Databases, url: string, tenant: string): SharedRecords {
  const { opened, close } = preparedOnce(() => databases.lend(url, 'writes'), tablesOfWrites);
  return {
    transact: (work) =>
      explained(() =>
        retrying(persistent, async () => {
          const database = await opened().catch((error: unknown) => {
            throw withCode(error);
          });
          return inTenantTransaction(database, tenant, work);
        }),
      ),
    close,
  };
}
