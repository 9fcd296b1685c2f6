import pg from 'pg';
import { describe, expect, it } from 'vitest';
import type { Archive } from '../../src/archive/archive.ts';
import { connect } from '../../src/archive/archive.ts';
import { temporaryFolder } from '../support/built-program.ts';
import { isLong } from '../support/depth.ts';
import { duringTests } from '../support/during-tests.ts';
import { signalOf } from '../support/passing-time.ts';
import { generateDocuments } from './generated-documents.ts';
import { buyer, eventOf, keyOf, note, seller } from './inline-documents.ts';
import { openArchive } from './open-archive.ts';
import { allPlaceKinds, describeIn } from './places.ts';
import { findPostgres, startPostgres } from './postgres-server.ts';

const november = { company: buyer, area: 'nfe', by: 'issue', from: '2026-11-01', to: '2026-11-30' } as const;
const fetchedAt = new Date('2026-11-30T12:00:00Z');
const reference = { document: 'nfe', key: keyOf(1) } as const;

/** Every answer of an archive about November and the note. */
async function answersOf(archive: Archive) {
  const scope = { ...november, limit: 9 };
  const text = { ...scope, filters: { text: 'parafuso' } };
  return {
    found: await archive.find(reference),
    events: await archive.events(reference.key),
    listed: await archive.list(scope),
    sums: await archive.ask({ ...scope, groupBy: ['issuer'], measures: ['count', 'total'] }),
    items: await archive.ask({ ...text, groupBy: ['item'], measures: ['items', 'total'] }),
    missing: await archive.missing(november, { now: fetchedAt, rules: [] }),
    fetched: await archive.fetched(november),
    info: { ...(await archive.info()), bytes: 0 },
    damage: (await archive.verify()).findings,
  };
}

describeIn(allPlaceKinds.filter(({ name }) => name !== 'memory'))('tenants in one $name', ({ open }) => {
  const places = duringTests(open);

  it('never meet: what one keeps, changes and purges is nothing to the other', async () => {
    const place = await places.create();
    const openAs = (tenant: string) => openArchive({ ...place, keepXml: true, tenant });
    const [one, other] = [await openAs('horizonte'), await openAs('aurora')];
    const nothing = await answersOf(other);
    const renamed = note(1, {
      issuer: { id: seller, id_type: 'cnpj', name: 'Nome de outro tempo', state: 'MG' },
    });
    await one.store({ ...november, fetchedAt }, [{ summary: renamed }, { summary: eventOf(1, '110111') }]);
    expect(await answersOf(other)).toEqual(nothing);

    await other.store({ ...november, fetchedAt }, [{ summary: note(1) }]);
    const own = await answersOf(other);
    expect(own.found?.status).toBe('authorized');
    expect(own.sums.rows).toMatchObject([{ names: { issuer: 'Vendedora' }, measures: { count: '1' } }]);
    expect((await answersOf(one)).found?.status).toBe('cancelled');

    await one.purge({});
    expect(await answersOf(other)).toEqual(own);
    expect((await answersOf(one)).listed.total).toBe(0);
  });
});

const writers = isLong ? ['writers'] : [];
describe.skipIf(findPostgres() === undefined).each(writers)('%s in one PostgreSQL database', () => {
  const server = duringTests(startPostgres);

  it('wait for others of their company, and not for those of other companies and tenants', async () => {
    const { url } = await server.createDatabase();
    const connectAs = (tenant: string) => connect({ mode: 'postgres', url, tenant });
    const [first, second, stranger] = await Promise.all(['a', 'a', 'b'].map(connectAs));
    if (!first || !second || !stranger) throw new Error('not connected');
    const order: string[] = [];
    const [began, held, done] = [signalOf(), signalOf(), signalOf()];
    const long = first.write(buyer, async () => {
      began.fire();
      await held.promise;
      order.push('held');
    });
    await began.promise;
    const same = second.write(buyer, async () => void order.push('same company'));
    const whole = second.write(undefined, async () => void order.push('whole tenant'));
    await stranger.write(buyer, async () => void order.push('other tenant'));
    expect(order).toEqual(['other tenant']);
    held.fire();
    await Promise.all([long, same, whole]);
    expect(order.slice(0, 2)).toEqual(['other tenant', 'held']);
    expect(order.slice(2).toSorted()).toEqual(['same company', 'whole tenant']);

    const waiting = first.write(buyer, () => done.promise);
    await second.write(seller, async () => undefined);
    done.fire();
    await waiting;
    await Promise.all([first.close(), second.close(), stranger.close()]);
  });

  it('of companies that share their documents end all, and leave sums that are right', async () => {
    const { url } = await server.createDatabase();
    const archives = await Promise.all(
      [1, 2, 3].map(() => openArchive({ mode: 'postgres', url, keepXml: false })),
    );
    const shared = [...generateDocuments({ count: 60, seed: 11 })].map((summary) => ({ summary }));
    const year = { area: 'nfe', by: 'issue', from: '2026-01-01', to: '2026-12-31', fetchedAt } as const;
    const changed = shared.map(({ summary }) => ({
      summary: { ...summary, notes: 'again', totals: { ...summary.totals, freight: '1.00' } },
    }));
    const cancelled = shared
      .slice(0, 30)
      .map(({ summary: { key } }) => ({ summary: eventOf(1, '110111', { key }) }));
    const rounds = archives.map(async (archive, index) => {
      for (let round = 0; round < 4; round++) {
        const company = `1111111111111${index}`;
        const all = [...(round % 2 === 0 ? shared : changed), ...(round === index ? cancelled : [])];
        await archive.store({ ...year, company }, index % 2 === 0 ? all : all.toReversed());
      }
    });
    await Promise.all(rounds);
    const [archive] = archives;
    expect(await archive?.verify()).toEqual({ documents: 60, findings: [] });
    await Promise.all(archives.map((one) => one.close()));
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    const counted = await client.query(
      'select deadlocks from pg_stat_database where datname = current_database()',
    );
    expect(counted.rows).toEqual([{ deadlocks: '0' }]);
    await client.end();
  });
});

it('an archive of one tenant is the nameless one’s', async () => {
  const folder = temporaryFolder();
  const place = { mode: 'file', folder: folder.path, keepXml: false } as const;
  const archive = await openArchive(place);
  await archive.store({ ...november, fetchedAt }, [{ summary: note(1) }]);
  await archive.close();
  const again = await openArchive({ ...place, tenant: '' });
  expect((await again.find(reference))?.summary).toEqual(note(1));
});
