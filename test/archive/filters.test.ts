import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Archive, Filters } from '../../src/archive/archive.ts';
import { openArchive } from '../../src/archive/archive.ts';
import { company, generateDocuments } from './generated-documents.ts';
import { placeKinds, type TestPlace, type TestPlaces } from './places.ts';

/** Every filter there is, each alone; `ncm` also as a chapter that every item is of. */
const filters: readonly Filters[] = [
  { issuer: ['20000000000003'] },
  { issuer: ['20000000'] },
  { recipient: [company] },
  { counterparty: ['20000000000003'] },
  { event: ['ciencia'] },
  { event: ['none'] },
  { payer: [company] },
  { nature: ['purchase'] },
  { purpose: ['1'] },
  { credit_type: ['03'] },
  { debit_type: ['06'] },
  { number: ['5', '17'] },
  { city: ['3509502'] },
  { competence: ['2026-02'] },
  { regime: ['1'] },
  { unit: ['UN'] },
  { state: ['SP', 'MG'] },
  { kind: ['nfe'] },
  { ncm: ['73'] },
  { ncm: ['73004444'] },
  { cst: ['00'] },
  { class_trib: ['000001'] },
  { status: ['cancelled'] },
  { min_total: '5000' },
  { max_total: '20000.50' },
  { text: 'peça' },
  { text: 'joão 17' },
  { source: ['service'] },
];
const periods = [
  { name: 'whole months', from: '2026-01-01', to: '2026-12-31' },
  { name: 'part months', from: '2026-01-02', to: '2026-11-15' },
];
/** A filter may take so many times as long as that of the CFOP; without statistics that of the NCM took a thousand. */
const mostTimes = 15;

function microseconds(): number {
  const { user, system } = process.cpuUsage();
  return user + system;
}

/** In a server that computes elsewhere, the time of this process says nothing. */
const here = placeKinds.filter(({ name }) => name === 'file');

describe.each(here)('every filter in $name', ({ open }) => {
  let places: TestPlaces;
  let place: TestPlace;
  let archive: Archive;

  beforeAll(async () => {
    places = await open();
    place = await places.create();
    archive = await openArchive({ ...place.place, keepXml: false });
    const documents = [...generateDocuments({ count: 400, items: 8, partners: 100, products: 300 })];
    const arrivals = documents.map((summary) => ({ summary }));
    const window = { company, area: 'nfe', by: 'issue', from: '2026-01-01', to: '2026-11-30' } as const;
    await archive.store({ ...window, fetchedAt: new Date('2026-12-01') }, arrivals);
  });
  afterAll(async () => {
    await archive.close();
    await place.remove();
    await places.stop();
  });

  /** The least of a few times: what others do meanwhile only adds to it. */
  async function timeOf(period: (typeof periods)[number], filter: Filters): Promise<number> {
    const { from, to } = period;
    const selection = { company, area: 'nfe', by: 'issue', from, to, filters: filter, limit: 20 } as const;
    const times: number[] = [];
    for (let round = 0; round < 3; round++) {
      const start = microseconds();
      await archive.ask({ ...selection, groupBy: ['ncm', 'month'], measures: ['count', 'total'] });
      await archive.ask({ ...selection, groupBy: [], measures: ['count', 'total'] });
      await archive.list(selection);
      times.push(microseconds() - start);
    }
    return Math.min(...times);
  }

  it.each(periods)('takes no longer than that of the CFOP, over $name', async (period) => {
    const yardstick = await timeOf(period, { cfop: ['5102'] });
    for (const filter of filters) {
      const times = (await timeOf(period, filter)) / yardstick;
      expect({ filter, times, isBounded: times < mostTimes }).toMatchObject({ isBounded: true });
    }
  });
});
