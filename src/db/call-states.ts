import type { Databases } from './databases.ts';
import type { Leases } from './leases.ts';
import { preparedOnce, type Tables } from './tables.ts';
import { inTenantTransaction } from './transaction.ts';

const tables: Tables = {
  name: 'call_states',
  version: 1,
  create: [
    `create table call_states (tenant text collate "C" not null, service text collate "C" not null,
      state text collate "C" not null, constraint call_states_primary primary key (tenant, service))`,
  ],
};

/** State of a tenant's calls shared by replicas, as JSON. */
export interface SharedStates {
  /** Updates a service's state under a lock; time is the database's, in milliseconds since 1970. */
  change<State, T>(
    service: string,
    work: (state: State | undefined, now: number) => { readonly state: State; readonly result: T },
  ): Promise<T>;
  /** See `Leases.take`. */
  takePlace(service: string, most: number): Promise<(() => Promise<void>) | undefined>;
  close(): Promise<void>;
}

/** Opens the shared states; connects on first use. The URL is a secret. */
export function openSharedStates(
  databases: Databases,
  url: string,
  tenant: string,
  leases: Leases,
): SharedStates {
  const { opened, close } = preparedOnce(() => databases.acquire(url, 'agreement'), tables);
  return {
    async change<State, T>(
      service: string,
      work: (state: State | undefined, now: number) => { readonly state: State; readonly result: T },
    ): Promise<T> {
      return inTenantTransaction(await opened(), tenant, async (query) => {
        await query('select pg_advisory_xact_lock(hashtext($1), hashtext($2))', [`calls ${tenant}`, service]);
        const [row] = await query<{ now: number; state: string | null }>(
          `select (extract(epoch from clock_timestamp()) * 1000)::float8 as now,
            (select state from call_states where tenant = $1 and service = $2) as state`,
          [tenant, service],
        );
        const known = row?.state == null ? undefined : (JSON.parse(row.state) as State);
        const { state, result } = work(known, row?.now ?? Date.now());
        if (state !== known) {
          await query(
            `insert into call_states (tenant, service, state) values ($1, $2, $3)
              on conflict (tenant, service) do update set state = excluded.state`,
            [tenant, service, JSON.stringify(state)],
          );
        }
        return result;
      });
    },
    async takePlace(service, most) {
      const lease = await leases.take({ name: `calls ${service}`, most });
      return lease && (() => lease.end());
    },
    async close() {
      await leases.close();
      await close();
    },
  };
}
