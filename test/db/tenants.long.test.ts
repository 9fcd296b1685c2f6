import pg from 'pg';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Archive } from '../../src/archive/archive.ts';
import { openArchive } from '../../src/archive/archive.ts';
import { createDatabases, mostConnections } from '../../src/db/databases.ts';
import { buyer, note } from '../archive/inline-documents.ts';
import { divideByTenant } from '../archive/partitioned.ts';
import { findPostgres, startPostgres } from '../archive/postgres-server.ts';
import { duringTests } from '../support/during-tests.ts';

const window = { company: buyer, area: 'nfe', by: 'issue', from: '2026-11-01', to: '2026-11-30' } as const;
const fetchedAt = new Date('2026-11-30T12:00:00Z');

describe.skipIf(findPostgres() === undefined)('tenants in one PostgreSQL database', () => {
  const server = duringTests(startPostgres);

  async function asking<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    try {
      return await work(client);
    } finally {
      await client.end();
    }
  }

  const openFor = (url: string, tenant: string): Promise<Archive> =>
    openArchive({ mode: 'postgres', url, keepXml: true, tenant });

  const tenantsSeen = async (client: pg.Client): Promise<string[]> => {
    const { rows } = await client.query<{ tenant: string }>(
      'select distinct tenant from documents order by 1',
    );
    return rows.map(({ tenant }) => tenant);
  };

  describe.each([{ isDivided: false }, { isDivided: true }])('divided: $isDivided', ({ isDivided }) => {
    let url: string;
    beforeAll(async () => {
      ({ url } = await server.createDatabase());
      await (await openFor(url, '')).close();
      if (isDivided) await divideByTenant(url);
      for (const tenant of ['', 'horizonte', 'aurora']) {
        const archive = await openFor(url, tenant);
        await archive.store({ ...window, fetchedAt }, [{ summary: note(1) }]);
        await archive.close();
      }
    });

    it('are walled off from whoever has not said for whom he asks, the owner of the tables too', () =>
      asking(url, async (client) => {
        expect(await tenantsSeen(client)).toEqual([]);
        const changed = await client.query("update documents set key = '' where true");
        expect(changed.rowCount).toBe(0);
        await expect(
          client.query(
            "insert into parties (tenant, tax_id, name, issued_at) values ('aurora', '1', 'x', '')",
          ),
        ).rejects.toMatchObject({ code: '42501' });
      }));

    it.each(['=', '=horizonte', '=aurora'])('show themselves alone to %s', (value) =>
      asking(url, async (client) => {
        await client.query('begin');
        await client.query("select set_config('docfiscal.tenant', $1, true)", [value]);
        expect(await tenantsSeen(client)).toEqual([value.slice(1)]);
        await client.query('commit');
        // What PostgreSQL leaves of a setting after its transaction is an empty text, which is nobody.
        expect((await client.query("select current_setting('docfiscal.tenant', true) as left")).rows).toEqual(
          [{ left: '' }],
        );
        expect(await tenantsSeen(client)).toEqual([]);
      }),
    );

    it('have a wall around every table, and no way around it to another’s rows', () =>
      asking(url, async (client) => {
        const { rows } = await client.query(
          `select c.relname from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attname = 'tenant'
            where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
            and not (c.relrowsecurity and c.relforcerowsecurity)`,
        );
        expect(rows).toEqual([]);
        await client.query("select set_config('docfiscal.tenant', '=aurora', false)");
        const attempt = client.query("update documents set tenant = 'horizonte' where tenant = 'aurora'");
        await expect(attempt).rejects.toMatchObject({ code: '42501' });
      }));
  });

  it('share the connections of their process, which are few', async () => {
    const { url, adminUrl } = await server.createDatabase();
    const databases = createDatabases();
    const archives = await Promise.all(
      Array.from({ length: 40 }, (_, number) =>
        openArchive({ mode: 'postgres', url, databases, keepXml: false, tenant: `t${number}` }),
      ),
    );
    const counts: number[] = [];
    await asking(adminUrl, async (client) => {
      // The first has made tables and walls for all of them, and no other has made them again.
      const { rows: again } = await client.query(
        'select polname from pg_policy where xmin::text <> (select xmin::text from schema_version)',
      );
      expect(again).toEqual([]);
      const work = archives.map((archive) => archive.store({ ...window, fetchedAt }, [{ summary: note(1) }]));
      let isOver = false;
      const stored = Promise.all(work).finally(() => {
        isOver = true;
      });
      while (!isOver) {
        const { rows } = await client.query<{ count: number }>(
          "select count(*)::int as count from pg_stat_activity where application_name = 'docfiscal-mcp'",
        );
        counts.push(rows[0]?.count ?? 0);
      }
      await stored;
    });
    expect(Math.max(...counts)).toBeGreaterThan(1);
    expect(Math.max(...counts)).toBeLessThanOrEqual(mostConnections.documents);
    const [last, ...others] = archives;
    await Promise.all(others.map((archive) => archive.close()));
    expect((await last?.info())?.documents).toBe(1);
    await last?.close();
  });
});
