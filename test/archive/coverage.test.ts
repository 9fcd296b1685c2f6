import { expect, it } from 'vitest';
import type { FetchedWindow } from '../../src/archive/archive.ts';
import { duringEachTest } from '../support/during-tests.ts';
import { buyer } from './inline-documents.ts';
import { openArchive } from './open-archive.ts';

const place = { company: buyer, area: 'nfe', by: 'issue' } as const;
const settled = new Date('2026-11-20T12:00:00Z');
const minutes = 60_000;
const days = 24 * 60 * minutes;
/** 7:5m,35:1d,100:7d */
const rules = [
  { days: 7, olderThanMs: 5 * minutes },
  { days: 35, olderThanMs: days },
  { days: 100, olderThanMs: 7 * days },
];

const archive = duringEachTest(() => openArchive({ mode: 'memory', keepXml: false }));

const fetched = (from: string, to: string, part: Partial<FetchedWindow> = {}) =>
  archive.store({ ...place, from, to, fetchedAt: settled, ...part }, []);

async function missing(from: string, to: string, part: object = {}, freshness: object = {}) {
  const periods = await archive.missing(
    { ...place, from, to, ...part },
    { now: settled, rules, ...freshness },
  );
  return periods.map((period) => `${period.from}..${period.to}`);
}

it('everything is missing at first, then what lies between and around windows', async () => {
  expect(await missing('2026-09-01', '2026-09-30')).toEqual(['2026-09-01..2026-09-30']);
  await fetched('2026-09-05', '2026-09-07');
  await fetched('2026-09-08', '2026-09-10');
  await fetched('2026-09-20', '2026-10-02');
  expect(await missing('2026-09-01', '2026-09-30')).toEqual([
    '2026-09-01..2026-09-04',
    '2026-09-11..2026-09-19',
  ]);
  expect(await missing('2026-09-06', '2026-09-09')).toEqual([]);
});

it.each([
  ['later than it is: the clock was set back', 26 * 60 * minutes, ['2026-11-18..2026-11-20']],
  ['within the difference of two clocks', minutes, []],
])('days that seem to have been fetched %s', async (_, ahead, expected) => {
  await fetched('2026-11-18', '2026-11-20', { fetchedAt: new Date(settled.getTime() + ahead) });
  for (const refresh of [false, true])
    expect(await missing('2026-11-18', '2026-11-20', {}, { refresh })).toEqual(expected);
});

it('days count as fetched for their company, kind, date field and direction alone', async () => {
  const missingOf = (part: object = {}) => missing('2026-09-01', '2026-09-30', part);
  await fetched('2026-09-01', '2026-09-30', { direction: 'inbound' });
  expect(await missingOf({ direction: 'inbound' })).toEqual([]);
  for (const other of [{ by: 'entry' }, { area: 'cte' }, { company: '1' }, { direction: 'outbound' }])
    expect(await missingOf({ direction: 'inbound', ...other })).toEqual(['2026-09-01..2026-09-30']);
  expect(await missingOf()).toEqual(['2026-09-01..2026-09-30']);
  await fetched('2026-09-01', '2026-09-30', { direction: 'outbound' });
  expect(await missingOf()).toEqual([]);
});

it('young days become stale sooner than old ones', async () => {
  const first = '2026-08-01';
  const last = '2026-11-19';
  await fetched(first, last);
  const missingIn = (time: number) => missing(first, last, {}, { now: new Date(settled.getTime() + time) });
  expect(await missingIn(4 * minutes)).toEqual([]);
  // 2026-11-13 ended at 05:00 UTC of the 14th and is older than seven days from the 21st on.
  expect(await missingIn(6 * minutes)).toEqual(['2026-11-13..2026-11-19']);
  // A day and a minute later: days that ended after 2026-10-17 12:01 are younger than 35 days.
  expect(await missingIn(days + minutes)).toEqual(['2026-10-17..2026-11-19']);
  // A week and a minute later, 2026-11-27: days that ended after 2026-08-19 are younger than 100 days.
  expect(await missingIn(7 * days + minutes)).toEqual(['2026-08-19..2026-11-19']);
  expect(await missingIn(365 * days)).toEqual([]);
});

it('a day that was not over when it was fetched stays stale, however old it is by now', async () => {
  await fetched('2026-11-18', '2026-11-20');
  expect(await missing('2026-11-18', '2026-11-20', {}, { now: new Date('2027-11-01T00:00:00Z') })).toEqual([
    '2026-11-20..2026-11-20',
  ]);
});

it('a refresh fetches every day once', async () => {
  await fetched('2026-01-01', '2026-01-31');
  const now = new Date(settled.getTime() + minutes);
  const asked = () => missing('2026-01-01', '2026-01-31', {}, { now, refresh: true });
  expect(await asked()).toEqual(['2026-01-01..2026-01-31']);
  await fetched('2026-01-01', '2026-01-20', { fetchedAt: new Date(now.getTime() + 1) });
  expect(await asked()).toEqual(['2026-01-21..2026-01-31']);
});

it('an entry period inside a longer window is missing: the window does not date its documents', async () => {
  await fetched('2026-09-01', '2026-09-10', { by: 'entry' });
  expect(await missing('2026-09-01', '2026-09-30', { by: 'entry' })).toEqual(['2026-09-11..2026-09-30']);
  expect(await missing('2026-09-05', '2026-09-12', { by: 'entry' })).toEqual(['2026-09-05..2026-09-12']);
});

it('coverage is reported in joined periods', async () => {
  await fetched('2026-09-01', '2026-09-10', { fetchedAt: new Date('2026-10-01T00:00:00Z') });
  await fetched('2026-09-11', '2026-09-20');
  await fetched('2026-09-25', '2026-09-30', { direction: 'inbound' });
  const fetched_last = settled.toISOString();
  const joined = { from: '2026-09-01', to: '2026-09-20', fetched_first: '2026-10-01T00:00:00.000Z' };
  const inbound = { direction: 'inbound', from: '2026-09-25', to: '2026-09-30' };
  expect((await archive.info()).coverage).toEqual([
    { ...place, ...joined, fetched_last },
    { ...place, ...inbound, fetched_first: fetched_last, fetched_last },
  ]);
});
