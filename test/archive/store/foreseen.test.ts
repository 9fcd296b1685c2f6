import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Archive, AskedWindow, Foreseen } from '../../../src/archive/store/archive.ts';
import { openArchive } from '../../../src/archive/store/open.ts';
import type { DocumentSummary } from '../../../src/documents/summary/summary.ts';
import { buyer, eventOf, note } from './inline-documents.ts';
import { placeKinds, type TestPlace } from './places.ts';

const days = { from: '2026-11-01', to: '2026-11-30' };
const november: AskedWindow = {
  company: buyer,
  area: 'nfe',
  by: 'issue',
  operation: 'nfeListByIssue',
  from: `${days.from}T00:00:00`,
  to: `${days.to}T23:59:59`,
};
const holding = { company: buyer, area: 'nfe' } as const;
const notes = [4, 2, 7].map((number) => note(number));
const fetchedAt = new Date('2026-11-20T12:00:00Z');
const arrivals = (summaries: readonly DocumentSummary[]) =>
  summaries.map((summary) => ({ summary, xml: `<nfe>${summary.number}</nfe>` }));

describe.each(placeKinds.filter(({ name }) => name === 'memory' || name === 'file'))(
  'a listed answer, in $name,',
  ({ open }) => {
    let place: TestPlace;
    let archive: Archive;
    beforeEach(async () => {
      place = await (await open()).create();
      archive = await openArchive({ ...place.place, keepXml: true });
    });
    afterEach(async () => {
      await archive.close();
      await place.remove();
    });

    /** Records what was listed, and gives what was foreseen of it; `onTold` is called as soon as it is. */
    async function recorded(
      summaries: readonly DocumentSummary[],
      onTold: (foreseen: Foreseen) => void = () => undefined,
    ): Promise<Foreseen | undefined> {
      let told: Foreseen | undefined;
      const answer = { fetchedAt, arrivals: arrivals(summaries), covers: days };
      await archive.recordAnswer(november, answer, undefined, (foreseen) => {
        told = foreseen;
        onTold(foreseen);
      });
      return told;
    }

    it.each([3, 700])(
      'of which nothing is known is foreseen as it will be found: %d documents',
      async (count) => {
        const many = Array.from({ length: count }, (_, index) => notes[index] ?? note(100 + index));
        const cancelled = note(9, { status: 'cancelled' });
        const pages = [{ limit: 2 }, { limit: 200, offset: count - 1 }, { limit: 5, offset: count + 1 }];
        let atOnce: unknown[] = [];
        const foreseen = await recorded([...many, cancelled], (told) => {
          atOnce = pages.map(told);
        });
        const found = await Promise.all(pages.map((page) => archive.findAnswer(november, page)));
        expect(found).toMatchObject(pages.map(() => ({ total: count + 1 })));
        expect(atOnce).toEqual(found);
        expect(pages.map((page) => foreseen?.(page))).toEqual(found);
        expect(await archive.verify()).toEqual({ documents: count + 1, findings: [] });
      },
    );

    it('is seen by nobody before it is written, and by everybody who asks after it was told', async () => {
      const seen: Promise<number | undefined>[] = [];
      const outcome = await archive.recordAnswer(
        november,
        { fetchedAt, arrivals: arrivals(notes), covers: days },
        undefined,
        () => {
          seen.push(
            archive.find({ document: 'nfe', key: notes[0]?.key ?? '' }).then((found) => found?.contents),
            archive.info().then(({ documents }) => documents),
            archive.findAnswer(november, { limit: 1 }).then((answer) => answer?.total),
            archive.keep(holding, arrivals(notes)).then(({ unchanged }) => unchanged),
          );
        },
      );
      expect(outcome).toMatchObject({ added: 3, changes_total: 0 });
      expect(await Promise.all(seen)).toEqual([1, 3, 3, 3]);
    });

    it.each([
      ['one of its documents', () => archive.keep(holding, arrivals([note(7, { number: '8' })]))],
      ['what happened to one of them', () => archive.keep(holding, arrivals([eventOf(2, '110111')]))],
      [
        'one of its days',
        () => archive.store({ ...holding, by: 'issue', from: '2026-11-30', to: '2026-11-30', fetchedAt }, []),
      ],
    ])('is not foreseen where the archive knows %s', async (_, known) => {
      await known();
      expect(await recorded(notes)).toBeUndefined();
      expect(await archive.findAnswer(november, { limit: 9 })).toMatchObject({ total: 3 });
    });

    it('has a document that stands twice in a long list, far apart, as one of two contents', async () => {
      const many = Array.from({ length: 700 }, (_, index) => note(100 + index));
      const again = note(100, { totals: { total: '1.00' } });
      expect(await recorded([...many, again])).toBeUndefined();
      expect(await archive.findAnswer(november, { limit: 1 })).toMatchObject({ total: 700, repeated: 1 });
      const found = await archive.find({ document: 'nfe', key: again.key ?? '' });
      expect(found).toMatchObject({ contents: 2 });
      expect(await archive.info()).toMatchObject({ documents: 700 });
    });

    it.each([
      ['an event', eventOf(2, '110111'), 4],
      ['a document twice', note(4, { totals: { total: '1.00' } }), 3],
    ])('is not foreseen where %s is listed', async (_, further, total) => {
      expect(await recorded([...notes, further])).toBeUndefined();
      expect(await archive.findAnswer(november, { limit: 9 })).toMatchObject({ total });
    });
  },
);
