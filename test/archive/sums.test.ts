import { afterEach, beforeEach, expect, it } from 'vitest';
import { connect, type Question } from '../../src/archive/archive.ts';
import { answerQuestion } from '../../src/archive/ask/ask.ts';
import type { Connections } from '../../src/archive/engines/connections.ts';
import { insertRows } from '../../src/archive/schema/sql.ts';
import { createWriter } from '../../src/archive/write/writer.ts';
import { buyer, note } from './inline-documents.ts';

const year = { company: buyer, area: 'nfe', by: 'issue', from: '2026-01-01', to: '2026-12-31' } as const;
const counted: Question = { ...year, groupBy: ['month'], measures: ['count'], limit: 12 };
const inMonth = (number: number, month: string) => ({
  summary: note(number, { issued_at: `2026-${month}-05T10:00:00-03:00` }),
});

let archive: Connections;
const store = (...arrivals: ReturnType<typeof inMonth>[]) =>
  createWriter(archive, false).store({ ...year, fetchedAt: new Date() }, arrivals);
/** A note without a day, listed for these days. */
const storeUndated = (number: number, from: string, to: string) =>
  createWriter(archive, false).store({ ...year, from, to, fetchedAt: new Date() }, [
    { summary: note(number, { issued_at: undefined }) },
  ]);
const countsIn = async (connections: Connections) =>
  (await answerQuestion(connections, counted)).rows.map(({ group, measures }) => [
    group.month,
    measures.count,
  ]);

beforeEach(async () => {
  archive = await connect({ mode: 'memory', tenant: '' });
  await store(inMonth(1, '01'), inMonth(2, '02'));
});
afterEach(() => archive.close());

it('a question is answered from documents where writers keep its sums stale', async () => {
  let number = 2;
  const write: Connections['write'] = async (company, work) => {
    const result = await archive.write(company, work);
    await store(inMonth(++number, '01'));
    return result;
  };
  const counts = await countsIn({ ...archive, write });
  expect(counts).toEqual([
    ['2026-01', String(number - 1)],
    ['2026-02', '1'],
  ]);
});

it('each month is summed once, in its own transaction, so that other writers wait for one month only', async () => {
  let writes = 0;
  const write: Connections['write'] = (company, work) => {
    writes += 1;
    return archive.write(company, work);
  };
  await countsIn({ ...archive, write });
  expect(writes).toBe(
    (await archive.read(({ db }) => db.selectFrom('summed_months').select('month').execute())).length,
  );
  expect(writes).toBeGreaterThan(1);
  const before = writes;
  await countsIn({ ...archive, write });
  expect(writes).toBe(before);
});

it('a month summed day by day includes amounts present on some days only', async () => {
  const ipi = (number: number, day: string, amount?: string) => ({
    summary: note(number, {
      issued_at: `2026-03-${day}T10:00:00-03:00`,
      totals: { total: '100.00', ...(amount && { ipi: amount }) },
    }),
  });
  await store(ipi(3, '01'), ipi(4, '02', '1.50'), ipi(5, '03'), ipi(6, '04', '2.25'), ipi(7, '05'));
  // Large months are summed day by day; placements without a document make this one large.
  await archive.write(undefined, async ({ db }) => {
    const places = await db.selectFrom('placements').selectAll().where('day', '=', '2026-03-05').execute();
    const others = Array.from({ length: 10_000 }, (_, index) =>
      places.map((place) => ({ ...place, document_id: 100 + index })),
    );
    await insertRows(db, 'placements', others.flat());
  });
  const { rows } = await answerQuestion(archive, {
    ...counted,
    groupBy: ['issuer', 'month'],
    measures: ['count', 'icms', 'ipi', 'total'],
  });
  const measures = { count: '5', icms: null, ipi: '3.75', total: '500.00' };
  expect(rows.at(-1)).toMatchObject({ group: { month: '2026-03' }, measures });
});

it('documents without a day count in the months of their window, though no cached sum holds them', async () => {
  const months = [
    ['2026-01', '1'],
    ['2026-02', '1'],
  ];
  expect(await countsIn(archive)).toEqual(months);
  await storeUndated(3, '2026-01-20', '2026-02-10');
  const expected = [[undefined, '1'], ...months];
  expect(await countsIn(archive)).toEqual(expected);
  await store(inMonth(4, '02'));
  expect(await countsIn(archive)).toEqual([...expected.slice(0, 2), ['2026-02', '2']]);
  await storeUndated(5, '2026-02-10', '2026-02-12');
  expect(await countsIn(archive)).toEqual([...expected.slice(0, 2), ['2026-02', '3']]);
  const counts = async (from: string, to: string) =>
    (await answerQuestion(archive, { ...counted, groupBy: [], from, to })).documents;
  expect(await counts('2026-02-01', '2026-02-28')).toBe(3);
  expect(await counts('2026-02-11', '2026-02-28')).toBe(0);
  expect(await counts('2026-01-25', '2026-02-28')).toBe(3);
});

it('sums are cached again once the day of every document is known', async () => {
  await storeUndated(3, '2026-01-20', '2026-02-10');
  const undated = await countsIn(archive);
  expect(undated).toContainEqual([undefined, '1']);
  await store(inMonth(3, '02'));
  expect(await countsIn(archive)).toEqual([
    ['2026-01', '1'],
    ['2026-02', '2'],
  ]);
  const cached = await archive.read(({ db }) => db.selectFrom('summed_months').select('undated').execute());
  expect(cached.every((month) => month.undated === 0)).toBe(true);
});

it('an amount that no document has is absent from sums, and one that some have is theirs', async () => {
  const summary = note(3, {
    issued_at: '2026-02-05T10:00:00-03:00',
    totals: { total: '100.00', ipi: '0.00' },
  });
  await store({ summary });
  const measures = ['icms', 'ipi', 'cofins'] as const;
  const { rows, sums } = await answerQuestion(archive, { ...counted, measures });
  expect(rows.map((row) => row.measures)).toEqual([
    { icms: '18.00', ipi: null, cofins: null },
    { icms: '18.00', ipi: '0.00', cofins: null },
  ]);
  expect(sums.measures).toEqual({ icms: '36.00', ipi: '0.00', cofins: null });
});
