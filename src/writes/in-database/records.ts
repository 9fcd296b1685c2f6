import { randomUUID } from 'node:crypto';
import { type Databases, inTenantTransaction, type Query } from '../../db/databases.ts';
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
import { DatabaseUnusable, RecordUnusable } from '../data-folder.ts';
import { marksForgottenAtOnce, type SpentTokens } from '../spent-tokens.ts';

/** A tenant's records of writes in the replicas' database. */
export interface SharedRecords {
  /**
   * Runs a transaction, retried for some seconds after lost connections and conflicts. An attempt with a lost
   * connection may have been committed, so work must be idempotent.
   * @throws DatabaseUnusable
   */
  transact<T>(work: (query: Query) => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

/** Covers a restart of the database, within the 45 seconds of a call. */
const persistent: RetryPolicy = {
  isPassing: (error) => wasLost(error) || wasUndone(error) || isPassing(error),
  firstPauseMs: 50,
  forMs: 8_000,
};

/** The tenant leads every key. Text is compared bytewise, so order is the same everywhere. */
const tablesOfWrites: Tables = {
  name: 'writes',
  version: 1,
  create: [
    // Lines of a tenant's journal. Appends lock this row, so lines become visible in order.
    `create table journal_ends (tenant text collate "C" not null, place bigint not null,
    constraint journal_ends_primary primary key (tenant))`,
    // Lines as in the file, JSON; never deleted.
    `create table journal_lines (tenant text collate "C" not null, place bigint not null, id text collate "C" not null,
    line text collate "C" not null, constraint journal_lines_primary primary key (tenant, place))`,
    'create index journal_lines_by_id on journal_lines (tenant, id)',
    // Subjects of a write: access keys, or one subject for a write without keys.
    `create table journal_subjects (tenant text collate "C" not null, subject text collate "C" not null,
    id text collate "C" not null, constraint journal_subjects_primary primary key (tenant, subject, id))`,
    // Writes with unknown outcome.
    `create table journal_open (tenant text collate "C" not null, id text collate "C" not null,
    constraint journal_open_primary primary key (tenant, id))`,
    `create table spent_tokens (tenant text collate "C" not null, minted_at bigint not null,
    nonce text collate "C" not null, spender text collate "C" not null,
    constraint spent_tokens_primary primary key (tenant, minted_at, nonce))`,
    `create table spent_forgotten (tenant text collate "C" not null, minted_at bigint not null,
    constraint spent_forgotten_primary primary key (tenant))`,
  ],
};

/** Reduces database errors to their code; other errors pass. */
async function explained<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const code = codeOf(error);
    throw error instanceof RecordUnusable || code === '' ? error : new DatabaseUnusable(code);
  }
}

/** Opens a tenant's records; connects on first use. The URL is a secret. */
export function openSharedRecords(databases: Databases, url: string, tenant: string): SharedRecords {
  const { opened, close } = preparedOnce(() => databases.acquire(url, 'writes'), tablesOfWrites);
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

/** Keeps a tenant's spent tokens in the replicas' database. */
export function spentInDatabase({ transact }: SharedRecords, tenant: string): SpentTokens {
  return {
    lookUp: ({ mintedAt, nonce }) =>
      transact(async (query) => {
        const [row] = await query<{ is_spent: boolean; latest: number; forgotten_until: number }>(
          `select exists (select 1 from spent_tokens where tenant = $1 and minted_at = $2 and nonce = $3) as is_spent,
            coalesce((select minted_at from spent_forgotten where tenant = $1), 0) as forgotten_until,
            greatest(coalesce((select max(minted_at) from spent_tokens where tenant = $1), 0),
              coalesce((select minted_at from spent_forgotten where tenant = $1), 0)) as latest`,
          [tenant, mintedAt, nonce],
        );
        if (row === undefined) throw new Error('a question without a condition has a row');
        return { isSpent: row.is_spent, latest: row.latest, forgottenUntil: row.forgotten_until };
      }),

    spend: ({ mintedAt, nonce }) => {
      // An attempt with a lost connection may have been committed: its row names the spender.
      const spender = randomUUID();
      return transact(async (query) => {
        await query(
          `insert into spent_tokens (tenant, minted_at, nonce, spender) select $1, $2::bigint, $3, $4
            where $2::bigint > coalesce((select minted_at from spent_forgotten where tenant = $1), 0)
            on conflict (tenant, minted_at, nonce) do nothing`,
          [tenant, mintedAt, nonce, spender],
        );
        const rows = await query(
          'select 1 from spent_tokens where tenant = $1 and minted_at = $2 and nonce = $3 and spender = $4',
          [tenant, mintedAt, nonce, spender],
        );
        return rows.length > 0;
      });
    },

    forget: (before) =>
      transact(async (query) => {
        const rows = await query<{ minted_at: number; nonce: string }>(
          'select minted_at, nonce from spent_tokens where tenant = $1 and minted_at < $2 order by minted_at, nonce limit $3',
          [tenant, before, marksForgottenAtOnce],
        );
        const last = rows.at(-1);
        if (last === undefined) return;
        await query(
          `insert into spent_forgotten (tenant, minted_at) values ($1, $2) on conflict (tenant)
            do update set minted_at = greatest(spent_forgotten.minted_at, excluded.minted_at)`,
          [tenant, last.minted_at],
        );
        await query(
          `delete from spent_tokens where tenant = $1
            and (minted_at, nonce) in (select * from unnest($2::bigint[], $3::text[]))`,
          [tenant, rows.map((row) => row.minted_at), rows.map((row) => row.nonce)],
        );
      }),
  };
}
