import pg from 'pg';
import { beforeEach, describe, expect, it } from 'vitest';
import { createDatabases } from '../../src/db/databases.ts';
import { type Leases, openShared } from '../../src/db/replicas.ts';
import { findPostgres, startPostgres } from '../archive/postgres-server.ts';
import { duringTests } from '../support/during-tests.ts';

describe.skipIf(findPostgres() === undefined)('leases that replicas share', () => {
  const server = duringTests(startPostgres);
  let url: string;
  let adminUrl: string;
  const open: Leases[] = [];

  beforeEach(async () => {
    ({ url, adminUrl } = await server.createDatabase());
    return async () => {
      await Promise.all(open.splice(0).map((one) => one.close()));
    };
  });

  function replica(tenant = 'horizonte'): Leases {
    const leases = openShared(createDatabases(), url, tenant);
    open.push(leases);
    return leases;
  }

  it('are held by as many as may, whoever asks, and by the next when one is given back', async () => {
    const [one, other] = [replica(), replica()];
    const request = { name: 'calls', most: 3 };
    const asked = await Promise.all(
      Array.from({ length: 10 }, (_, number) => (number % 2 === 0 ? one : other).take(request)),
    );
    const held = asked.filter((lease) => lease !== undefined);
    expect(held).toHaveLength(3);
    await held[0]?.end();
    await held[0]?.end();
    expect(await one.take(request)).toBeDefined();
    expect(await other.take(request)).toBeUndefined();
    expect(await replica('aurora').take(request)).toBeDefined();
    expect(await other.take({ ...request, name: 'others' })).toBeDefined();
  });

  it('of periods are in the way of those that overlap only', async () => {
    const [one, other] = [replica(), replica()];
    const of = (from: string, to: string) => ({ name: 'collect', most: 1, span: { from, to } });
    expect(await one.take(of('2026-01-01', '2026-01-31'))).toBeDefined();
    expect(await other.take(of('2026-01-31', '2026-02-28'))).toBeUndefined();
    expect(await other.take(of('2025-12-01', '2026-12-31'))).toBeUndefined();
    expect(await other.take(of('2026-01-10', '2026-01-10'))).toBeUndefined();
    expect(await other.take(of('2026-02-01', '2026-02-28'))).toBeDefined();
  });

  it('of who died end, and those of who lives go on', async () => {
    const [living, other] = [replica(), replica()];
    expect(await living.take({ name: 'living', most: 1 })).toBeDefined();
    expect(await living.take({ name: 'dead', most: 1 })).toBeDefined();
    const client = new pg.Client({ connectionString: adminUrl });
    await client.connect();
    // As if its holder had been killed: nobody renews it.
    await client.query(
      "update leases set holder = 'dead', until = now() + interval '1 second' where name = 'dead'",
    );
    const ended = async () => (await other.take({ name: 'dead', most: 1 })) !== undefined;
    while (!(await ended())) await new Promise((resolve) => setTimeout(resolve, 100));
    // Time goes by for what is renewed: what would have ended long ago is held still.
    await client.query("update leases set until = now() + interval '4 seconds' where name = 'living'");
    const until = async () =>
      (
        await client.query<{ left: number }>(
          "select extract(epoch from until - now())::float as left from leases where name = 'living'",
        )
      ).rows[0]?.left ?? 0;
    while ((await until()) < 5) await new Promise((resolve) => setTimeout(resolve, 100));
    expect(await other.take({ name: 'living', most: 1 })).toBeUndefined();
    await client.end();
  });
});
