import { randomUUID } from 'node:crypto';
import { type Databases, failedBy, type Query, type Tables } from './databases.ts';

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

const leaseSeconds = 10;
const renewEveryMs = 3_000;

const sharedTables: Tables = {
  name: 'agreement',
  version: 1,
  create: [
    `create table if not exists leases (tenant text collate "C" not null, name text collate "C" not null,
      id text collate "C" not null, holder text collate "C" not null, from_place text collate "C" not null,
      to_place text collate "C" not null, until timestamptz not null,
      constraint leases_primary primary key (tenant, name, id))`,
    `create table if not exists call_states (tenant text collate "C" not null, service text collate "C" not null,
      state text collate "C" not null, constraint call_states_primary primary key (tenant, service))`,
  ],
};

export type Leases = Pick<ReturnType<typeof openShared>, 'take' | 'close'>;

/**
 * Opens the leases and call states of a tenant's replicas; connects on first use. Holders renew their leases; those of a
 * killed process expire within ten seconds. The URL is a secret.
 */
export function openShared(databases: Databases, url: string, tenant: string) {
  const holder = randomUUID();
  const { transact, close } = databases.open(url, 'agreement', tenant, sharedTables);
  const held = new Set<string>();
  let renewing: NodeJS.Timeout | undefined;

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

  const leases = {
    /** Returns a lease, or undefined when too many are held. @throws an error with a code */
    async take(request: LeaseRequest): Promise<Lease | undefined> {
      const id = randomUUID();
      const isTaken = await transact((query) => takeOnce(query, id, request)).catch((error: unknown) => {
        // The insert may have succeeded: without renewal it would expire anyway.
        if (failedBy(error, 'lost')) void end(request.name, id);
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
    async close(): Promise<void> {
      clearInterval(renewing);
      await close();
    },
  };

  return {
    ...leases,

    /** Updates a service's state, JSON, under a lock; time is the database's, in milliseconds since 1970. */
    change: <State, T>(
      service: string,
      work: (state: State | undefined, now: number) => { readonly state: State; readonly result: T },
    ): Promise<T> =>
      transact(async (query) => {
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
      }),

    /** See `take`. */
    async takePlace(service: string, most: number): Promise<(() => Promise<void>) | undefined> {
      const lease = await leases.take({ name: `calls ${service}`, most });
      return lease && (() => lease.end());
    },
  };
}
