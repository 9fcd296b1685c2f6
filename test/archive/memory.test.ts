import { expect, it } from 'vitest';
import type { Arrival, AskedWindow } from '../../src/archive/archive.ts';
import type { DocumentSummary } from '../../src/documents/summary/summary.ts';
import { buyer, eventOf, keyOf, note } from './inline-documents.ts';
import { archiveOfEachTest, describeIn, placeKinds } from './places.ts';

const november = { company: buyer, area: 'nfe', by: 'issue', from: '2026-11-01', to: '2026-11-30' } as const;
const referenceOf = (number: number) => ({ document: 'nfe', key: keyOf(number) }) as const;
const at = (hour: number) => new Date(Date.UTC(2026, 10, 20, hour));
const bare = (documents: readonly DocumentSummary[]): Arrival[] => documents.map((summary) => ({ summary }));

describeIn(placeKinds)('what is known of documents, in $name, is one truth:', ({ open }) => {
  const archive = archiveOfEachTest(open, true);

  const store = (hour: number, documents: readonly DocumentSummary[]) =>
    archive.store({ ...november, fetchedAt: at(hour) }, bare(documents));
  const keep = (hour: number, documents: readonly DocumentSummary[]) =>
    archive.keep({ company: buyer, area: 'nfe' }, bare(documents), at(hour));
  const found = (number: number) => archive.find(referenceOf(number));
  const importFile = (summary: DocumentSummary) =>
    archive.files.takeForGood([{ summary, xml: '' }], [], buyer);

  it('a document says when it came, from whom, and what its status rests on', async () => {
    await store(1, [note(1)]);
    expect(await found(1)).toMatchObject({
      status: 'authorized',
      status_from: 'document',
      status_at: at(1).toISOString(),
      fetched_at: at(1).toISOString(),
      source: 'service',
      contents: 1,
      events: [],
    });
    const before = new Date().toISOString();
    await importFile(note(1));
    await store(3, [eventOf(1, '110111')]);
    const known = await found(1);
    const status_at = at(3).toISOString();
    expect(known).toMatchObject({ status: 'cancelled', status_from: 'event', status_at, source: 'both' });
    expect(before <= (known?.fetched_at ?? '')).toBe(true);
    expect(known?.events).toEqual([
      { summary: eventOf(1, '110111'), from: 'list', asked_at: at(3).toISOString() },
    ]);
  });

  it('a form without its authorisation does not take back what was authorized', async () => {
    await store(1, [note(1)]);
    await keep(2, [note(1, { status: 'no_protocol', protocol: undefined })]);
    expect(await found(1)).toMatchObject({ summary: note(1), status: 'authorized', contents: 1 });
    await store(3, [note(2, { kind: 'summary', items: [] })]);
    await keep(4, [note(2, { status: 'no_protocol' })]);
    const whole = await found(2);
    expect(whole).toMatchObject({
      summary: { kind: 'nfe', item_count: 1 },
      status: 'authorized',
      contents: 1,
    });
  });

  it('of two contents under one key both are kept, and the valid one counts whichever comes first', async () => {
    const other = (number: number) => note(number, { totals: { total: '999.00' }, status: 'no_protocol' });
    await store(1, [note(1), other(2)]);
    await archive.keep(
      { company: buyer, area: 'nfe' },
      [{ summary: other(1), xml: '<NFe other="1"/>' }],
      at(2),
    );
    await keep(2, [note(2)]);
    for (const number of [1, 2]) {
      const known = await found(number);
      expect(known).toMatchObject({ summary: note(number), status: 'authorized', contents: 2 });
      const others = await archive.otherContents(referenceOf(number));
      expect(others.map(({ summary }) => summary)).toEqual([other(number)]);
    }
    expect(await archive.otherContents(referenceOf(1))).toMatchObject([
      { xml: '<NFe other="1"/>', fetched_at: at(2).toISOString() },
    ]);
    await keep(3, [other(1), note(2)]);
    expect(await found(1)).toMatchObject({ summary: note(1), contents: 2 });
    const { documents } = await archive.list({ ...november, filters: { min_total: '500' }, limit: 9 });
    expect(documents).toEqual([]);
  });

  it('an event of our own write counts before its text comes, and its text stays once it has', async () => {
    await store(1, [note(1)]);
    const noted = { key: keyOf(1), code: '210200', registered: true, from: 'write', askedAt: at(2) } as const;
    const outcome = await archive.keepEvent({ ...noted, at: '2026-11-20T00:30:00-03:00' });
    expect(outcome).toMatchObject({ changes: [{ key: keyOf(1), what: 'manifested' }] });
    const [own] = await archive.events(keyOf(1));
    expect(own).toMatchObject({
      summary: { kind: 'event', status: 'authorized', event: { code: '210200', sequence: '1' } },
      from: 'write',
    });
    await store(3, [eventOf(1, '210200')]);
    await archive.keepEvent({ ...noted, askedAt: at(4) });
    expect(await archive.events(keyOf(1))).toEqual([
      { summary: eventOf(1, '210200'), from: 'list', asked_at: at(4).toISOString() },
    ]);
    expect((await found(1))?.status).toBe('authorized');
  });

  it('an event that is not registered changes nothing and gives way to one that is', async () => {
    await store(1, [note(1)]);
    const noted = { key: keyOf(1), code: '110111', from: 'service', askedAt: at(2) } as const;
    await archive.keepEvent({ ...noted, registered: false });
    expect((await found(1))?.status).toBe('authorized');
    const { changes } = await archive.keepEvent({
      ...noted,
      registered: true,
      at: '2026-11-19T12:00:00-03:00',
    });
    expect(changes).toEqual([{ key: keyOf(1), what: 'cancelled', at: '2026-11-19T12:00:00-03:00' }]);
    await archive.keepEvent({ ...noted, registered: false });
    expect(await found(1)).toMatchObject({ status: 'cancelled', status_from: 'service' });
  });

  it.each(['issue', 'entry'] as const)(
    'documents of a direction fetched first are not new, by %s',
    async (by) => {
      const ask = (hour: number, direction?: 'inbound' | 'outbound', ...numbers: number[]) =>
        archive.store(
          { ...november, by, direction, fetchedAt: at(hour) },
          bare(numbers.map((number) => note(number))),
        );
      await ask(1, 'inbound', 1);
      expect(await ask(2, undefined, 1, 2)).toMatchObject({ added: 1, changes: [] });
      expect(await ask(3, 'outbound', 2, 3)).toMatchObject({ changes: [{ key: keyOf(3), what: 'new' }] });
      expect(await ask(4, undefined, 1, 4)).toMatchObject({ changes: [{ key: keyOf(4), what: 'new' }] });
    },
  );

  it('a document in a part of days that were asked for before by entry is told as new', async () => {
    const entry = { ...november, by: 'entry' } as const;
    await archive.store({ ...entry, fetchedAt: at(1) }, bare([note(1)]));
    const part = { ...entry, from: '2026-11-10', to: '2026-11-11', fetchedAt: at(2) };
    expect(await archive.store(part, bare([note(1), note(2)]))).toMatchObject({
      changes: [{ key: keyOf(2), what: 'new' }],
    });
  });

  it('asking for days anew tells what has changed, and asking for them first does not', async () => {
    const first = await store(1, [note(1), note(2), note(3), note(4)]);
    expect(first).toMatchObject({ added: 4, changes: [], changes_total: 0 });
    const later = await store(2, [
      note(1),
      note(2, { status: 'cancelled' }),
      eventOf(3, '110110'),
      eventOf(4, '210210'),
      eventOf(1, '110111'),
      note(5),
      eventOf(6, '110110'),
    ]);
    const { at: happened } = eventOf(1, '110111').event ?? {};
    expect(later.changes).toEqual([
      { key: keyOf(1), what: 'cancelled', at: happened },
      { key: keyOf(2), what: 'cancelled', at: undefined },
      { key: keyOf(3), what: 'corrected', at: happened },
      { key: keyOf(4), what: 'manifested', at: happened },
      { key: keyOf(5), what: 'new', at: note(5).issued_at },
    ]);
    expect(later.changes_total).toBe(5);
    const again = await store(3, [note(1), note(2), eventOf(3, '110110'), note(5)]);
    expect(again).toMatchObject({ changes: [], changes_total: 0 });
  });

  it('the days of a period say when they were last asked for and what of them could not be read', async () => {
    const broken = { place: 'document 7', root: 'Foo', reason: 'malformed' as const };
    const part = { ...november, from: '2026-11-01', to: '2026-11-10' };
    await archive.store({ ...november, fetchedAt: at(1), unreadable: [broken] }, []);
    await archive.store({ ...part, fetchedAt: at(2) }, []);
    expect(await archive.fetched(november)).toEqual({
      as_of: at(1).toISOString(),
      unreadable: [{ ...broken, place: '2026-11-01…2026-11-30, document 7' }],
    });
    expect(await archive.fetched(part)).toEqual({ as_of: at(2).toISOString(), unreadable: [] });
    const december = { ...november, from: '2026-12-01', to: '2026-12-02' };
    expect(await archive.fetched(december)).toEqual({ as_of: undefined, unreadable: [] });
  });

  const hours: AskedWindow = {
    company: buyer,
    area: 'nfe',
    by: 'entry',
    operation: 'nfeListByEntryAndDirection',
    direction: 'inbound',
    from: '2026-11-05T08:00:00',
    to: '2026-11-05T12:00:00',
  };

  it('a listing is kept line by line, and told with what has become of its documents', async () => {
    const broken = { place: 'document 3', reason: 'malformed' as const };
    const arrivals = bare([note(3), eventOf(9, '110110'), note(1), note(2)]);
    await archive.recordAnswer(hours, { fetchedAt: at(1), arrivals, unreadable: [broken] });
    const numbersOf = (lines: readonly { summary: DocumentSummary }[] | undefined) =>
      lines?.map(({ summary }) => summary.number);
    const first = await archive.findAnswer(hours, { limit: 3 });
    expect(first).toMatchObject({ fetched_at: at(1).toISOString(), total: 4, unreadable: [broken] });
    expect(numbersOf(first?.lines)).toEqual(['3', '9', '1']);
    expect(first?.lines[1]).toMatchObject({ summary: { kind: 'event' }, status: 'authorized' });
    await keep(2, [eventOf(2, '110111')]);
    const second = await archive.findAnswer(hours, { limit: 3, offset: 3 });
    expect(second?.lines).toMatchObject([{ summary: { number: '2' }, status: 'cancelled' }]);
    expect((await archive.findAnswer(hours, { limit: 3, offset: 4 }))?.lines).toEqual([]);
  });

  it('a line that a listing repeats counts once, where it stood first, and is told', async () => {
    const arrivals = bare([note(3), note(1), eventOf(9, '110110'), note(3), eventOf(9, '110110'), note(2)]);
    await archive.recordAnswer(hours, { fetchedAt: at(1), arrivals });
    const pages = [
      await archive.findAnswer(hours, { limit: 3 }),
      await archive.findAnswer(hours, { limit: 3, offset: 3 }),
    ];
    const numbers = pages.flatMap((page) => page?.lines.map(({ summary }) => summary.number));
    expect(numbers).toEqual(['3', '1', '9', '2']);
    for (const page of pages) expect(page).toMatchObject({ total: 4, repeated: 2 });
  });

  it('a list too long to be written at once is kept as a short one is', async () => {
    const numbers = Array.from({ length: 700 }, (_, index) => index + 1);
    await store(1, [note(1), note(2), note(800)]);
    const others = [note(700, { totals: { total: '999.00' }, status: 'no_protocol' }), note(5)];
    const events = [2, 650, 800].map((number) => eventOf(number, '110111'));
    const arrivals = bare([...numbers.map((number) => note(number)), ...events, ...others]);
    const outcome = await archive.recordAnswer(hours, { fetchedAt: at(2), arrivals });
    expect(outcome).toMatchObject({ added: 698 });
    const cancelled = [2, 800].map((number) =>
      expect.objectContaining({ key: keyOf(number), what: 'cancelled' }),
    );
    expect(outcome.changes).toEqual(expect.arrayContaining(cancelled));
    expect(await archive.findAnswer(hours, { limit: 1, offset: 702 })).toMatchObject({
      total: 703,
      repeated: 2,
      lines: [{ summary: { kind: 'event', number: '800' } }],
    });
    expect(await found(700)).toMatchObject({ status: 'authorized', contents: 2 });
    const statuses = { status: ['cancelled'] } as const;
    expect(await archive.list({ ...november, filters: statuses, limit: 9 })).toMatchObject({ total: 3 });
    expect(await archive.list({ ...november, limit: 1 })).toMatchObject({ total: 698 });
  });

  it.each([9, 605])('what was received before is stored as it came: %d documents', async (count) => {
    await store(1, [note(2, { totals: { total: '999.00' } })]);
    const notes = Array.from({ length: count }, (_, index) => note(index + 1));
    const arrivals = bare([...notes, eventOf(3, '110111'), note(1)]);
    const received = await archive.receive('nfe', arrivals);
    expect(received.identities).toHaveLength(count + 2);
    const outcome = await archive.store({ ...november, fetchedAt: at(2) }, received);
    expect(outcome).toMatchObject({ added: count - 1 });
    for (const number of [1, 8, count]) {
      expect((await found(number))?.summary).toEqual(note(number));
    }
    expect(await found(3)).toMatchObject({ status: 'cancelled' });
    expect(await archive.list({ ...november, limit: 1 })).toMatchObject({ total: count - 1 });
  });

  it('only the very same question is answered by it, the last time it was asked', async () => {
    await archive.recordAnswer(hours, { fetchedAt: at(1), arrivals: bare([note(1), note(2)]) });
    for (const other of [
      { to: '2026-11-05T12:00:01' },
      { direction: undefined },
      { by: 'issue' as const },
      { operation: 'nfeList' },
      { company: '48152036000117' },
      { area: 'cte' as const },
    ]) {
      expect(await archive.findAnswer({ ...hours, ...other }, { limit: 1 })).toBeUndefined();
    }
    await archive.recordAnswer(hours, { fetchedAt: at(2), arrivals: [] });
    const empty = { fetched_at: at(2).toISOString(), total: 0, repeated: 0, lines: [], unreadable: [] };
    expect(await archive.findAnswer(hours, { limit: 9 })).toEqual(empty);
  });

  it('a listing of hours covers no day, one of whole days does where it says so', async () => {
    const freshness = { now: at(3), rules: [] };
    const day = { company: buyer, area: 'nfe', by: 'entry', direction: 'inbound' } as const;
    const request = { ...day, from: '2026-11-05', to: '2026-11-05' };
    await archive.recordAnswer(hours, { fetchedAt: at(1), arrivals: bare([note(1)]) });
    expect(await archive.missing(request, freshness)).toHaveLength(1);
    const whole = { ...hours, from: '2026-11-05T00:00:00', to: '2026-11-05T23:59:59' };
    const covers = { from: '2026-11-05', to: '2026-11-05' };
    await archive.recordAnswer(whole, { fetchedAt: at(2), arrivals: bare([note(1)]), covers });
    expect(await archive.missing(request, freshness)).toEqual([]);
  });

  it('listings of the week before go, their documents and the latest stay', async () => {
    const day = 24;
    await archive.recordAnswer(hours, { fetchedAt: at(1), arrivals: bare([note(1)]) });
    const later = { ...hours, to: '2026-11-05T12:00:01' };
    await archive.recordAnswer(later, { fetchedAt: at(6 * day), arrivals: [] });
    expect(await archive.findAnswer(hours, { limit: 1 })).toMatchObject({ total: 1 });
    await archive.recordAnswer(later, { fetchedAt: at(9 * day), arrivals: [] });
    expect(await archive.findAnswer(hours, { limit: 1 })).toBeUndefined();
    expect(await archive.findAnswer(later, { limit: 1 })).toMatchObject({ total: 0 });
    expect(await found(1)).toMatchObject({ status: 'authorized' });
  });

  it('what is purged is in no listing any more', async () => {
    await archive.recordAnswer(hours, { fetchedAt: at(1), arrivals: bare([note(1)]) });
    await archive.purge({ company: buyer });
    expect(await archive.findAnswer(hours, { limit: 1 })).toBeUndefined();
    expect(await found(1)).toBeUndefined();
  });
});
