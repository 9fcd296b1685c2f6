import type { Databases } from '../../db/databases.ts';
import {
  codeOf,
  isPassing,
  type RetryPolicy,
  retrying,
  wasLost,
  wasUndone,
  withCode,
} from '../../db/retry.ts';
import { preparedOnce, type Tables } from '../../db/tables.ts';
import { inTenantTransaction, type Query } from '../../db/transaction.ts';
import { DatabaseUnusable, RecordUnusable } from '../unusable.ts';

/** The records of a tenant's writes in the database that replicas share. */
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

/** The tenant is the first column of every key; text is compared byte by byte, so that order is the same everywhere. */
const tablesOfWrites: Tables = {
  name: 'writes',
  version: 1,
  create: [
    // How many lines a tenant's journal has: whoever appends holds this row, so that lines are seen in their order.
    `create table journal_ends (tenant text collate "C" not null, place bigint not null,
    constraint journal_ends_primary primary key (tenant))`,
    // One line as the file would have it, JSON; kept for good.
    `create table journal_lines (tenant text collate "C" not null, place bigint not null, id text collate "C" not null,
    line text collate "C" not null, constraint journal_lines_primary primary key (tenant, place))`,
    'create index journal_lines_by_id on journal_lines (tenant, id)',
    // What a write is about: an access key, or the subject of a write without keys.
    `create table journal_subjects (tenant text collate "C" not null, subject text collate "C" not null,
    id text collate "C" not null, constraint journal_subjects_primary primary key (tenant, subject, id))`,
    // Writes whose outcome is not known.
    `create table journal_open (tenant text collate "C" not null, id text collate "C" not null,
    constraint journal_open_primary primary key (tenant, id))`,
    `create table spent_tokens (tenant text collate "C" not null, minted_at bigint not null,
    nonce text collate "C" not null, spender text collate "C" not null,
    constraint spent_tokens_primary primary key (tenant, minted_at, nonce))`,
    `create table spent_forgotten (tenant text collate "C" not null, minted_at bigint not null,
    constraint spent_forgotten_primary primary key (tenant))`,
  ],
};

/** Runs work on the database, whose errors keep their code alone. A mistake of the program stays as it is. */
async function explained<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const code = codeOf(error);
    throw error instanceof RecordUnusable || code === '' ? error : new DatabaseUnusable(code);
  }
}

/** Opens the records of a tenant's writes; connects with the first question. The address is a secret. */
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
