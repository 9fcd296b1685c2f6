import { randomUUID } from 'node:crypto';
import {
  type Databases,
  inTenantTransaction,
  preparedOnce,
  type Query,
  type Tables,
  wasLost,
} from './databases.ts';

/** A resource with limited concurrency across replicas. */
export interface LeaseRequest {
  readonly name: string;
  /** Concurrent holders. */
  readonly most: number;
  /** Limits only overlapping spans: from and to, compared as text. */
  readonly span?: { readonly from: string; readonly to: string };
}

export interface Lease {
  /** Releases the lease; if that fails it expires. */
  end(): Promise<void>;
}

/** Leases shared by a tenant's replicas. Holders renew them; those of a killed process expire within ten seconds. */
export interface Leases {
  /** Returns a lease, or undefined when too many are held. @throws an error with a code */
  take(request: LeaseRequest): Promise<Lease | undefined>;
  close(): Promise<void>;
}

const leaseSeconds = 10;
const renewEveryMs = 3_000;

const leaseTables: Tables = {
  name: 'leases',
  version: 1,
  create: [
    `create table leases (tenant text collate "C" not null, name text collate "C" not null,
      id text collate "C" not null, holder text collate "C" not null, from_place text collate "C" not null,
      to_place text collate "C" not null, until timestamptz not null,
      constraint leases_primary primary key (tenant, name, id))`,
  ],
};

/** Opens a tenant's leases; connects on first use. The URL is a secret. */
export function openLeases(databases: Databases, url: string, tenant: string): Leases {
  const holder = randomUUID();
  const { opened, close } = preparedOnce(() => databases.acquire(url, 'agreement'), leaseTables);
  const held = new Set<string>();
  let renewing: NodeJS.Timeout | undefined;
  const transact = async <T>(work: (query: Query) => Promise<T>): Promise<T> =>
    inTenantTransaction(await opened(), tenant, work);

  /** Failures are harmless: leases expire within seconds. */
  const attempt = (text: string, values: readonly unknown[]) =>
    transact((query) => query(text, values)).catch(() => undefined);
  const renew = () =>
    attempt(
      `update leases set until = clock_timestamp() + $3 * interval '1 second' where tenant = $1 and holder = $2`,
      [tenant, holder, leaseSeconds],
    );
  const end = (name: string, id: string) =>
    attempt('delete from leases where tenant = $1 and name = $2 and id = $3', [tenant, name, id]);

  async function takeOnce(query: Query, id: string, { name, most, span }: LeaseRequest): Promise<boolean> {
    const { from, to } = span ?? { from: '', to: '' };
    await query('select pg_advisory_xact_lock(hashtext($1), hashtext($2))', [`leases ${tenant}`, name]);
    await query('delete from leases where tenant = $1 and name = $2 and until < clock_timestamp()', [
      tenant,
      name,
    ]);
    const taken = await query(
      `insert into leases (tenant, name, id, holder, from_place, to_place, until)
        select $1, $2, $3, $4, $5, $6, clock_timestamp() + $8 * interval '1 second'
        where (select count(*) from leases where tenant = $1 and name = $2 and from_place <= $6 and to_place >= $5) < $7
        returning id`,
      [tenant, name, id, holder, from, to, most, leaseSeconds],
    );
    return taken.length > 0;
  }

  return {
    async take(request) {
      const id = randomUUID();
      const isTaken = await transact((query) => takeOnce(query, id, request)).catch((error: unknown) => {
        // The insert may have succeeded: without renewal it would expire anyway.
        if (wasLost(error)) void end(request.name, id);
        throw error;
      });
      if (!isTaken) return undefined;
      held.add(id);
      renewing ??= setInterval(renew, renewEveryMs).unref();
      return {
        async end() {
          if (!held.delete(id)) return;
          if (held.size === 0) {
            clearInterval(renewing);
            renewing = undefined;
          }
          await end(request.name, id);
        },
      };
    },
    async close() {
      clearInterval(renewing);
      await close();
    },
  };
}

const stateTables: Tables = {
  name: 'call_states',
  version: 1,
  create: [
    `create table call_states (tenant text collate "C" not null, service text collate "C" not null,
      state text collate "C" not null, constraint call_states_primary primary key (tenant, service))`,
  ],
};

/** Opens the state of a tenant's calls that replicas share, as JSON; connects on first use. The URL is a secret. */
export function openSharedStates(databases: Databases, url: string, tenant: string) {
  const leases = openLeases(databases, url, tenant);
  const { opened, close } = preparedOnce(() => databases.acquire(url, 'agreement'), stateTables);
  return {
    /** Updates a service's state under a lock; time is the database's, in milliseconds since 1970. */
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
    /** See `Leases.take`. */
    async takePlace(service: string, most: number): Promise<(() => Promise<void>) | undefined> {
      const lease = await leases.take({ name: `calls ${service}`, most });
      return lease && (() => lease.end());
    },
    async close(): Promise<void> {
      await leases.close();
      await close();
    },
  };
}
