import { randomUUID } from 'node:crypto';
import { marksForgottenAtOnce, type SpentTokens } from '../spent-tokens.ts';
import type { SharedRecords } from './records.ts';

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
