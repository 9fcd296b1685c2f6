import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Archive, Arrival, Filters } from '../../../src/archive/store/archive.ts';
import { openArchive } from '../../../src/archive/store/open.ts';
import { openPlainArchive } from '../../../src/archive/store/plain/archive.ts';
import type { DocumentSummary } from '../../../src/documents/summary/summary.ts';
import { rounds } from '../../support/depth.ts';
import { buyer, eventOf, note, seller } from './inline-documents.ts';

const company = buyer;
const day = (number: number) => `2026-11-${String(number).padStart(2, '0')}`;
const moment = (hour: number) => new Date(Date.parse('2026-11-21T00:00:00Z') + hour * 3_600_000);

/** Forms in which one note may come. */
const forms: readonly Partial<DocumentSummary>[] = [
  {},
  { kind: 'summary', layout: 'nfe summary 1.01', items: [], item_count: 0, recipient: undefined },
  { status: 'no_protocol' },
  { status: 'cancelled' },
  { totals: { total: '250.00' } },
  { totals: { total: '7.50' }, status: 'no_protocol' },
  { environment: 'test' },
  { recipient: { id: seller, id_type: 'cnpj' }, issuer: { id: buyer, id_type: 'cnpj', state: 'SP' } },
];
const codes = ['110111', '110110', '210210', '210200'];

const arrival: fc.Arbitrary<Arrival> = fc.oneof(
  fc
    .tuple(
      fc.integer({ min: 1, max: 5 }),
      fc.constantFrom(...forms),
      fc.integer({ min: 1, max: 4 }),
      fc.boolean(),
    )
    .map(([number, form, on, hasXml]) => ({
      summary: note(number, { issued_at: `${day(on)}T10:00:00-03:00`, ...form }),
      ...(hasXml && { xml: `<NFe n="${number}"/>` }),
    })),
  fc
    .tuple(fc.integer({ min: 1, max: 5 }), fc.constantFrom(...codes), fc.boolean())
    .map(([number, code, isRegistered]) => ({
      summary: eventOf(number, code, { status: isRegistered ? 'authorized' : 'no_protocol' }),
    })),
);
const arrivals = fc.array(arrival, { maxLength: 5 });
const window = fc
  .tuple(fc.integer({ min: 1, max: 4 }), fc.integer({ min: 0, max: 3 }), fc.integer({ min: 0, max: 40 }))
  .chain(([from, length, hour]) =>
    fc.record({
      company: fc.constantFrom(company, seller),
      area: fc.constant('nfe' as const),
      by: fc.constantFrom('issue' as const, 'entry' as const),
      direction: fc.constantFrom(undefined, 'inbound' as const, 'outbound' as const),
      from: fc.constant(day(from)),
      to: fc.constant(day(from + length)),
      fetchedAt: fc.constant(moment(hour)),
      unreadable: fc.constantFrom(undefined, [
        { place: 'document 2', root: 'Foo', reason: 'unknown_layout' },
      ]),
    }),
  );

type Step = (archive: Archive) => Promise<unknown>;
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.tuple(window, arrivals).map(
      ([one, all]): Step =>
        (a) =>
          a.store(one, all),
    ),
  },
  fc
    .tuple(arrivals, fc.integer({ min: 0, max: 40 }), fc.constantFrom('service' as const, 'files' as const))
    .map(
      ([all, hour, source]): Step =>
        (a) =>
          a.keep({ company, area: 'nfe' }, all, { at: moment(hour), source }),
    ),
  fc.tuple(window, arrivals, fc.boolean()).map(
    ([{ fetchedAt, from, to, unreadable, ...scope }, all, covers]): Step =>
      (a) =>
        a.recordAnswer(
          { ...scope, operation: 'list', from: `${from}T00:00:00`, to: `${to}T23:59:59` },
          {
            fetchedAt,
            arrivals: all,
            ...(unreadable && { unreadable }),
            ...(covers && { covers: { from, to } }),
          },
        ),
  ),
  fc
    .tuple(
      fc.integer({ min: 1, max: 5 }),
      fc.constantFrom(...codes),
      fc.boolean(),
      fc.integer({ min: 0, max: 40 }),
    )
    .map(
      ([number, code, registered, hour]): Step =>
        (a) =>
          a.keepEvent({
            key: note(number).key ?? '',
            code,
            at: '2026-11-08T10:00:00-03:00',
            registered,
            from: 'write',
            askedAt: moment(hour),
          }),
    ),
);

const filters: readonly Filters[] = [
  {},
  { status: ['cancelled', 'authorized'] },
  { issuer: [seller], min_total: '50' },
  { cfop: ['61'], state: ['MG'] },
  { text: 'parafuso' },
  { kind: ['summary'], max_total: '200.00' },
];

async function everything(archive: Archive) {
  const keys = [1, 2, 3, 4, 5].map((number) => note(number).key ?? '');
  const found = [];
  for (const key of keys) {
    const reference = { document: 'nfe', key } as const;
    found.push(
      await archive.find(reference),
      await archive.findByKey(key),
      await archive.otherContents(reference),
      await archive.events(key),
    );
  }
  const listed = [];
  for (const by of ['issue', 'entry'] as const) {
    for (const direction of [undefined, 'inbound', 'outbound'] as const) {
      const scope = { company, area: 'nfe', by, direction, from: day(1), to: day(5) } as const;
      for (const one of filters) {
        const { documents, total, left_out } = await archive.list({
          ...scope,
          filters: one,
          limit: 3,
          offset: 1,
        });
        listed.push([documents, total, left_out.toSorted((a, b) => (a.reason < b.reason ? -1 : 1))]);
      }
      listed.push(
        await archive.list({ ...scope, limit: 9, orderBy: { by: 'total' } }).then((all) => all.documents),
      );
      const read = [];
      for await (const document of archive.read(scope, 1)) read.push(document);
      listed.push(read, [...(await archive.entryDays(scope))].toSorted());
      const now = moment(41);
      listed.push(await archive.missing(scope, { now, rules: [{ days: 365, olderThanMs: 10 * 3_600_000 }] }));
      listed.push(await archive.asOf(scope), await archive.unreadable(scope));
      for (const [from, to] of [1, 2, 3, 4].flatMap((one) => [0, 1, 2, 3].map((more) => [one, one + more]))) {
        const question = { company, area: 'nfe', by, direction, operation: 'list' } as const;
        const asked = { ...question, from: `${day(from ?? 1)}T00:00:00`, to: `${day(to ?? 1)}T23:59:59` };
        listed.push(await archive.findAnswer(asked, { limit: 2, offset: 1 }));
      }
    }
  }
  const { documents, items, events, with_xml, held, coverage } = await archive.info();
  return { found, listed, info: { documents, items, events, with_xml, held, coverage } };
}

describe('an archive without a database', () => {
  it('says that it can’t be asked, and why', async () => {
    const plain = openPlainArchive(false);
    expect(plain.canAsk).toBe(false);
    const question = {
      company,
      area: 'nfe',
      by: 'issue',
      from: day(1),
      to: day(2),
      groupBy: [],
      limit: 1,
    } as const;
    await expect(plain.ask({ ...question, measures: ['count'] })).rejects.toMatchObject({
      kind: 'archive_engine_missing',
    });
  });

  it('tells the same as one with a database, whatever came in whatever order', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(step, { minLength: 1, maxLength: 7 }),
        fc.boolean(),
        async (steps, purges) => {
          const archives = [
            openPlainArchive(true),
            await openArchive({ mode: 'memory', keepXml: true }),
          ] as const;
          const [plain, database] = archives;
          try {
            for (const take of steps) expect(await take(plain)).toEqual(await take(database));
            expect(await everything(plain)).toEqual(await everything(database));
            expect((await database.verify()).findings).toEqual([]);
            if (!purges) return;
            const part = { company: seller };
            expect(await plain.purge(part)).toEqual(await database.purge(part));
            expect(await everything(plain)).toEqual(await everything(database));
            expect(await plain.purge({})).toEqual(await database.purge({}));
            expect(await everything(plain)).toEqual(await everything(database));
          } finally {
            await database.close();
          }
        },
      ),
      { numRuns: rounds(200, 6) },
    );
  }, 600_000);
});
