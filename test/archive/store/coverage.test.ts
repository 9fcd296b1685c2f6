import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Archive, type FetchedWindow, openArchive } from '../../../src/archive/store/archive.ts';
import { buyer } from './inline-documents.ts';

const place = { company: buyer, area: 'nfe', by: 'issue' } as const;
const settled = new Date('2026-11-20T12:00:00Z');

describe('what is missing', () => {
  let archive: Archive;

  beforeEach(async () => {
    archive = await openArchive({ mode: 'memory', keepXml: false });
  });
  afterEach(() => archive.close());

  const fetched = (from: string, to: string, part: Partial<FetchedWindow> = {}) =>
    archive.store({ ...place, from, to, fetchedAt: settled, ...part }, []);

  async function missing(from: string, to: string, part: object = {}, freshness: object = {}) {
    const periods = await archive.missing(
      { ...place, from, to, ...part },
      { now: settled, refreshDays: 7, trustedMinutes: 0, ...freshness },
    );
    return periods.map((period) => `${period.from}..${period.to}`);
  }

  it('is everything at first, and what lies between and around windows then', async () => {
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

  it('is what was not fetched for the same company, kind, date field and direction', async () => {
    await fetched('2026-09-01', '2026-09-30', { direction: 'inbound' });
    const whole = ['2026-09-01..2026-09-30'];
    expect(await missing('2026-09-01', '2026-09-30', { direction: 'inbound' })).toEqual([]);
    expect(await missing('2026-09-01', '2026-09-30', { direction: 'outbound' })).toEqual(whole);
    expect(await missing('2026-09-01', '2026-09-30')).toEqual(whole);
    expect(await missing('2026-09-01', '2026-09-30', { direction: 'inbound', by: 'entry' })).toEqual(whole);
    expect(await missing('2026-09-01', '2026-09-30', { direction: 'inbound', area: 'cte' })).toEqual(whole);
    expect(await missing('2026-09-01', '2026-09-30', { direction: 'inbound', company: '1' })).toEqual(whole);
    await fetched('2026-09-01', '2026-09-30', { direction: 'outbound' });
    expect(await missing('2026-09-01', '2026-09-30')).toEqual([]);
  });

  it('is what was fetched while it could still change, whenever it is asked', async () => {
    await fetched('2026-11-01', '2026-11-20');
    const young = ['2026-11-13..2026-11-20'];
    expect(await missing('2026-11-01', '2026-11-20')).toEqual(young);
    expect(await missing('2026-11-01', '2026-11-20', {}, { now: new Date('2027-03-01T00:00:00Z') })).toEqual(
      young,
    );
    expect(await missing('2026-11-01', '2026-11-20', {}, { refreshDays: 0 })).toEqual([
      '2026-11-20..2026-11-20',
    ]);
    await fetched('2026-11-10', '2026-11-20', { fetchedAt: new Date('2026-12-15T00:00:00Z') });
    expect(await missing('2026-11-01', '2026-11-20')).toEqual([]);
  });

  it('is nothing of what was fetched a moment ago', async () => {
    await fetched('2026-11-01', '2026-11-20');
    const at = (minutes: number) => ({
      now: new Date(settled.getTime() + minutes * 60_000),
      trustedMinutes: 15,
    });
    expect(await missing('2026-11-01', '2026-11-20', {}, at(14))).toEqual([]);
    expect(await missing('2026-11-01', '2026-11-20', {}, at(16))).toEqual(['2026-11-13..2026-11-20']);
  });

  it('is an entry period that only a longer window covers, since that does not date its documents', async () => {
    await fetched('2026-09-01', '2026-09-10', { by: 'entry' });
    expect(await missing('2026-09-01', '2026-09-30', { by: 'entry' })).toEqual(['2026-09-11..2026-09-30']);
    expect(await missing('2026-09-05', '2026-09-12', { by: 'entry' })).toEqual(['2026-09-05..2026-09-12']);
  });

  it('is told of by joined periods', async () => {
    await fetched('2026-09-01', '2026-09-10', { fetchedAt: new Date('2026-10-01T00:00:00Z') });
    await fetched('2026-09-11', '2026-09-20');
    await fetched('2026-09-25', '2026-09-30', { direction: 'inbound' });
    const { coverage } = await archive.info();
    expect(coverage).toEqual([
      {
        ...place,
        from: '2026-09-01',
        to: '2026-09-20',
        fetched_first: '2026-10-01T00:00:00.000Z',
        fetched_last: settled.toISOString(),
      },
      {
        ...place,
        direction: 'inbound',
        from: '2026-09-25',
        to: '2026-09-30',
        fetched_first: settled.toISOString(),
        fetched_last: settled.toISOString(),
      },
    ]);
  });
});
