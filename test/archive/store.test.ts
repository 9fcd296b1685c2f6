import { describe, expect, it } from 'vitest';
import type { FetchedWindow, Question, Selection } from '../../src/archive/archive.ts';
import type { DocumentSummary } from '../../src/documents/summary/summary.ts';
import { buyer, eventOf, keyOf, note, seller } from './inline-documents.ts';
import { allPlaceKinds, archiveOfEachTest, describeIn } from './places.ts';

const november = { company: buyer, area: 'nfe', by: 'issue', from: '2026-11-01', to: '2026-11-30' } as const;
const window: FetchedWindow = { ...november, fetchedAt: new Date('2026-11-20T12:00:00Z') };
const total: Question = { ...november, groupBy: [], measures: ['count', 'total', 'icms'], limit: 10 };
const own = { id: buyer, id_type: 'cnpj', name: 'Compradora', state: 'SP' } as const;
const onDay = (day: number) => ({ from: `2026-11-${day}`, to: `2026-11-${day}` });

describeIn(allPlaceKinds)('an archive in $name keeps documents', ({ name, open }) => {
  const archive = archiveOfEachTest(open, true);

  const store = (documents: readonly DocumentSummary[], part: Partial<FetchedWindow> = {}) =>
    archive.store(
      { ...window, ...part },
      documents.map((summary) => ({ summary })),
    );

  async function totals(part: Partial<Question> = {}) {
    const { rows, documents, left_out } = await archive.ask({ ...total, ...part });
    return { ...rows[0]?.measures, documents, left_out };
  }
  const count = async (filters: Question['filters'], part: Partial<Question> = {}) =>
    (await totals({ ...part, filters })).count;

  /** Rows as `[group, name, count]` each, the name only where there is one. */
  async function counts(grouping: Question['groupBy'][number], part: Partial<Question> = {}) {
    const asked = { ...total, measures: ['count'], groupBy: [grouping], ...part } as const;
    const { rows } = await archive.ask(asked);
    return rows.map(({ group, names, measures }) => [
      group[grouping],
      ...Object.values(names),
      measures.count,
    ]);
  }

  async function listed(part: Partial<Selection> = {}) {
    const { documents } = await archive.list({ ...november, ...part, limit: 10 });
    return documents.map(({ summary }) => Number(summary.number)).toSorted();
  }

  it('once, however often they come', async () => {
    expect(await store([note(1), note(2), note(1)])).toEqual({ added: 2, changes: [], changes_total: 0 });
    expect(await store([note(2), note(1)])).toMatchObject({ added: 0 });
    const once = { count: '2', total: '200.00', icms: '36.00', documents: 2, left_out: [] };
    expect(await totals()).toEqual(once);
  });

  it('as they came last', async () => {
    await store([note(1)]);
    const changed = note(1, { totals: { total: '7.50' }, issued_at: '2026-11-09T08:00:00-03:00' });
    expect(await store([changed])).toMatchObject({ added: 0 });
    expect(await totals()).toMatchObject({ count: '1', total: '7.50', icms: null });
    expect(await totals({ from: '2026-11-05', to: '2026-11-05' })).toMatchObject({ count: '0', total: null });
  });

  it('and what happens to them, before or after', async () => {
    await store([note(1), note(2), note(3)]);
    await store([eventOf(1, '110111'), eventOf(2, '110110'), eventOf(4, '110111')]);
    await store([note(4)]);
    const left_out = [{ reason: 'cancelled', count: 2 }];
    expect(await totals()).toEqual({ count: '2', total: '200.00', icms: '36.00', documents: 2, left_out });
    expect(await totals({ filters: { status: ['cancelled'] } })).toMatchObject({ count: '2', left_out: [] });
    const events = await archive.events(keyOf(2));
    expect(events.map(({ summary }) => summary.event?.code)).toEqual(['110110']);
    const cancelled = await archive.find({ document: 'nfe', key: keyOf(1) });
    expect(cancelled).toMatchObject({ status: 'cancelled', summary: note(1) });
  });

  it('cancelled once that is registered, and then for good', async () => {
    await store([note(1), eventOf(1, '110111', { status: 'no_protocol' })]);
    await store([note(2, { status: 'cancelled' })]);
    await store([note(2)]);
    expect(await totals()).toMatchObject({ count: '1', left_out: [{ reason: 'cancelled', count: 1 }] });
    await store([eventOf(1, '110111')]);
    expect(await totals()).toMatchObject({ count: '0' });
  });

  it('in the fuller of two forms', async () => {
    const abridged = (number: number, status: DocumentSummary['status'] = 'authorized') =>
      note(number, { kind: 'summary', layout: 'nfe summary 1.01', items: [], status });
    await store([note(1), abridged(2)]);
    await store([abridged(1), note(2), note(3), abridged(3, 'cancelled')]);
    expect(await totals({ groupBy: ['cfop'], measures: ['count'] })).toMatchObject({ count: '2' });
    expect(await totals()).toMatchObject({ count: '2', left_out: [{ reason: 'cancelled', count: 1 }] });
  });

  it('of whom the answer says that it leaves them out', async () => {
    await store([
      note(1),
      note(2, { environment: 'test' }),
      note(3, { totals: { total: '1.1234567' } }),
      note(4, { totals: { total: '1,10' } }),
      note(5, { status: 'denied' }),
      note(6, { items: [] }),
    ]);
    const { left_out, documents, rows } = await archive.ask({ ...total, groupBy: ['ncm'] });
    expect(rows).toMatchObject([{ group: { ncm: '73181500' }, measures: { total: '100.00' } }]);
    expect(documents).toBe(1);
    const reasons = Object.fromEntries(left_out.map(({ reason, count: left }) => [reason, left]));
    expect(reasons).toEqual({ test: 1, inexact: 2, denied: 1, no_items: 1 });
  });

  it('and knows a recipient abroad by the id as it is written', async () => {
    const recipient = { id: 'GB-123.456/7', id_type: 'foreign', name: 'Cloud Ltd', state: 'EX' } as const;
    await store([note(1), note(2, { issuer: own, recipient })]);
    expect(await count({ recipient: ['GB1234567'] })).toBe('0');
    const filters = { recipient: ['GB-123.456/7'] };
    expect(await counts('recipient', { filters })).toEqual([['GB-123.456/7', 'Cloud Ltd', '1']]);
  });

  it('and knows the day of entry of those that were listed by it, within the day', async () => {
    await store([note(1), note(2), note(3)]);
    await store([note(1)], { by: 'entry', direction: 'inbound', from: '2026-11-09', to: '2026-11-09' });
    await store([note(2)], { by: 'entry', direction: 'inbound', from: '2026-11-10', to: '2026-11-11' });
    expect([...(await archive.entryDays(november))]).toEqual([[keyOf(1), '2026-11-09']]);
    expect((await archive.entryDays({ ...november, company: seller })).size).toBe(0);
    expect((await archive.entryDays({ ...november, to: '2026-11-04' })).size).toBe(0);
  });

  it('without rounding what a layout may write', async () => {
    const amount = (number: number, text: string) => note(number, { totals: { total: text } });
    await store([amount(1, '0.000001'), amount(2, '99999999999.99')]);
    expect(await totals()).toMatchObject({ total: '99999999999.990001', icms: null });
    await store([amount(3, '-5'), amount(4, '100000000000.00')]);
    const left_out = [{ reason: 'inexact', count: 1 }];
    expect(await totals()).toMatchObject({ total: '99999999994.990001', left_out });
  });

  it('unless they add up to more than can be told exactly', async () => {
    const huge = (first: number) =>
      Array.from({ length: 60 }, (_, index) => note(first + index, { totals: { total: '99000000000.00' } }));
    await store(huge(1));
    expect(await totals()).toMatchObject({ total: '5940000000000.00' });
    await store([...huge(100), ...huge(200)]);
    if (name.startsWith('postgres')) expect(await totals()).toMatchObject({ total: '17820000000000.00' });
    else await expect(totals()).rejects.toMatchObject({ reason: 'sum_too_large' });
    expect(await archive.info()).toMatchObject({ documents: 180 });
  });

  it('of services by number, issuer and date, also without a key', async () => {
    const service = (number: string, more: Partial<DocumentSummary> = {}) =>
      note(1, {
        kind: 'nfse',
        key: undefined,
        number,
        items: [],
        iss_withheld: true,
        totals: { total: '95.00', services: '100.00', iss: '5.00' },
        taxation: { class_trib: '000001' },
        ...more,
      });
    await store([service('10'), service('11', { iss_withheld: false }), service('10')], { area: 'nfse' });
    const { rows, unavailable } = await archive.ask({
      ...total,
      area: 'nfse',
      groupBy: ['class_trib'],
      measures: ['count', 'items', 'iss', 'iss_withheld'],
    });
    expect(unavailable).toEqual([]);
    expect(rows[0]?.measures).toEqual({ count: '2', items: '0', iss: '10.00', iss_withheld: '5.00' });
    const find = (number: string) =>
      archive.find({ document: 'nfse', number, issue_date: '2026-11-05', issuer_cnpj: seller });
    expect((await find('11'))?.summary.number).toBe('11');
    expect(await find('1')).toBeUndefined();
  });

  it('for each company that has them, from its own side', async () => {
    await store([note(1)]);
    await store([note(1)], { company: seller });
    expect(await counts('state')).toEqual([['MG', '1']]);
    expect(await counts('state', { company: seller })).toEqual([['SP', '1']]);
    expect(await totals({ direction: 'inbound' })).toMatchObject({ count: '1' });
    expect(await totals({ direction: 'outbound' })).toMatchObject({ count: '0' });
    expect(await totals({ company: seller, direction: 'outbound' })).toMatchObject({ count: '1' });
  });

  it('by the other party, also where the company itself issues the note of what it imports', async () => {
    const abroad = { id: 'DE811193231', id_type: 'foreign', name: 'Werkzeug GmbH', state: 'EX' } as const;
    const customer = { id: '60746948000112', id_type: 'cnpj', name: 'Cliente', state: 'SP' } as const;
    await store([
      note(1),
      note(2, { issuer: own, recipient: abroad, flow: '0' }),
      note(3, { issuer: own, recipient: customer, flow: '1' }),
    ]);
    expect(await counts('counterparty')).toEqual([
      [seller, 'Vendedora', '1'],
      [customer.id, customer.name, '1'],
      [abroad.id, abroad.name, '1'],
    ]);
    expect(await archive.parties('werkz', 'counterparty')).toEqual([{ id: abroad.id, name: abroad.name }]);
    for (const counterparty of [abroad.id, seller, seller.slice(0, 8), customer.id]) {
      expect(await count({ counterparty: [counterparty] })).toBe('1');
    }
    expect(await count({ counterparty: [buyer] })).toBe('0');
    // A grouping by day as well is in no roll-up.
    for (const more of [[], ['issuer', 'day']] as const) {
      const { rows } = await archive.ask({ ...total, groupBy: ['state', ...more], measures: ['count'] });
      expect(rows.map(({ group }) => group.state)).toEqual(['EX', 'MG', 'SP']);
    }
    expect(await listed({ direction: 'inbound', filters: { state: ['EX'] } })).toEqual([2]);
  });

  describe('by what has happened to them', () => {
    const numbersOf = (...event: string[]) => listed({ filters: { event } });
    const event = (number: number, code: string, more: Partial<DocumentSummary['event']> = {}) =>
      eventOf(number, code, { event: { code, sequence: '1', at: '2026-11-06T09:00:00-03:00', ...more } });

    it('whether events come before, after or in their own file', async () => {
      await store([note(1), note(2), event(3, '210210')]);
      await store([event(1, '210210'), event(1, '210200'), event(2, '110110')]);
      await store([note(3), note(4, { events: [{ code: '210240', sequence: '1' }] }), note(5)]);
      expect(await numbersOf('ciencia')).toEqual([1, 3]);
      expect(await numbersOf('confirmacao')).toEqual([1]);
      expect(await numbersOf('ciencia+confirmacao')).toEqual([1]);
      expect(await numbersOf('correction_letter', '210240')).toEqual([2, 4]);
      expect(await numbersOf('none')).toEqual([2, 5]);
      expect(await counts('event')).toEqual([
        [undefined, '1'],
        ['correction_letter', '1'],
        ['confirmacao+ciencia', '1'],
        ['ciencia', '1'],
        ['nao_realizada', '1'],
      ]);
    });

    it('but not what was never registered or is taken back', async () => {
      await store([note(1), note(2, { events: [{ code: '112110', sequence: '1' }] }), note(3)]);
      await store([event(1, '211128'), eventOf(3, '210200', { status: 'no_protocol' })]);
      expect(await numbersOf('211128', '112110', 'confirmacao')).toEqual([1, 2]);
      await store([
        event(1, '110001', { details: { cancelled_code: '211128' } }),
        event(2, '110001', { details: { cancelled_code: '112110' } }),
      ]);
      expect(await numbersOf('211128', '112110')).toEqual([]);
      await store([event(1, '211128', { sequence: '2' }), event(3, '210200')]);
      expect(await numbersOf('211128', 'confirmacao')).toEqual([1, 3]);
    });

    it('and once the service has said so', async () => {
      await store([note(1)]);
      const noted = { key: keyOf(1), code: '210200', from: 'write', askedAt: new Date() } as const;
      await archive.keepEvent({ ...noted, registered: false });
      expect(await numbersOf('confirmacao')).toEqual([]);
      await archive.keepEvent({ ...noted, registered: true });
      expect(await numbersOf('confirmacao')).toEqual([1]);
      // The note comes again as it was, and changed.
      for (const again of [note(1), note(1, { totals: { total: '99.00' } })]) {
        await store([again]);
        expect(await numbersOf('confirmacao')).toEqual([1]);
      }
    });

    it('also where they were cancelled and no event says so', async () => {
      const status = ['authorized', 'cancelled'] as const;
      await store([note(1, { status: 'cancelled' }), note(2), event(2, '110112'), note(3)]);
      expect(await listed({ filters: { event: ['cancellation'], status } })).toEqual([1, 2]);
    });
  });

  describe('by words, wherever they stand', () => {
    const item = { description: 'Parafuso', cfop: '6102', ncm: '73181500', total: '100.00', taxes: {} };
    const two = [
      { ...item, code: 'FR-0500', order: 'PED-2026-2132', total: '60.00' },
      { ...item, code: 'FR-0600', total: '40.00', notes: 'Lote 77A' },
    ];
    const found = async (text: string, more: Partial<NonNullable<Question['filters']>> = {}) => {
      const { rows } = await archive.ask({ ...total, filters: { text, ...more } });
      return [rows[0]?.measures.count, rows[0]?.measures.total];
    };

    it('names, items, codes, orders and remarks, and where it is told to', async () => {
      await store([
        note(1, { items: two, item_count: 2, notes: 'Conferir a mercadoria' }),
        note(2, { payments: [{ method: '99', description: 'Permuta de peças' }] }),
      ]);
      const inOne = ['fr-0500', 'ped-2026-2132', 'conferir mercadoria', 'lote 77a', 'vendedora conferir'];
      for (const text of [...inOne, 'permuta']) expect(await found(text), text).toEqual(['1', '100.00']);
      expect(await found('vendedora')).toEqual(['2', '200.00']);
      const elsewhere = { text_in: ['names', 'items', 'orders', 'remarks'] } as const;
      expect(await found('fr-0500', elsewhere)).toEqual(['0', null]);
      expect(await found('fr-0500', { text_in: ['codes'] })).toEqual(['1', '100.00']);
      expect(await found('conferir', { text_in: ['items'] })).toEqual(['0', null]);
    });

    it('whole documents or the items that have them, until they change', async () => {
      await store([note(1, { items: two, item_count: 2, notes: 'Conferir' })]);
      expect(await found('fr-0500', { text_counts: 'items' })).toEqual(['1', '60.00']);
      expect(await found('fr-0500', { text_counts: 'documents' })).toEqual(['1', '100.00']);
      const filters = { text: 'fr-0500', text_counts: 'documents' } as const;
      expect(await totals({ groupBy: ['cfop'], filters })).toMatchObject({ total: '100.00' });
      await store([note(1, { notes: 'Nada' })]);
      expect(await found('conferir')).toEqual(['0', null]);
    });
  });

  describe('by when they are due', () => {
    const three = [
      { number: '1', due: '2026-12-05', amount: '40.00' },
      { number: '2', due: '2027-01-05', amount: '35.00' },
      { number: '3', amount: '25.00' },
    ];

    it('of the instalments in the days asked for', async () => {
      await store([note(1, { installments: three }), note(2)]);
      const measures = ['count', 'due', 'total'] as const;
      const sum = (filters: Question['filters']) => totals({ measures, filters });
      expect(await sum({})).toMatchObject({ count: '2', due: '100.00', total: '200.00' });
      const december = { due_from: '2026-12-01', due_to: '2026-12-31' };
      expect(await sum(december)).toMatchObject({ count: '1', due: '40.00', total: '100.00' });
      expect(await sum({ due_to: '2026-12-04' })).toMatchObject({ count: '0', due: null, total: null });
    });

    it('day by day, week by week and month by month, each instalment once', async () => {
      await store([note(1, { installments: three }), note(2, { installments: three.slice(0, 1) }), note(3)]);
      // Of the taxes an instalment has none, nor anything beside them.
      const measures = ['due', 'icms', 'csll'] as const;
      const due: Question = { ...total, measures, filters: { due_from: '' } };
      const rowsBy = async (grouping: 'due_day' | 'due_week' | 'due_month') => {
        const { rows } = await archive.ask({ ...due, groupBy: [grouping] });
        return rows.map(({ group, measures }) => [group[grouping], measures.due]);
      };
      const amounts = ['25.00', '80.00', '35.00'];
      const starts = {
        due_day: [undefined, '2026-12-05', '2027-01-05'],
        due_week: [undefined, '2026-11-30', '2027-01-04'],
        due_month: [undefined, '2026-12', '2027-01'],
      };
      for (const grouping of ['due_day', 'due_week', 'due_month'] as const) {
        const expected = starts[grouping].map((start, index) => [start, amounts[index]]);
        expect(await rowsBy(grouping)).toEqual(expected);
      }
      const days = await counts('due_day', { filters: { due_from: '' } });
      expect(days.map(([, found]) => found)).toEqual(['1', '2', '1']);
      await expect(archive.ask({ ...due, groupBy: ['due_day', 'cfop'] })).rejects.toThrow();
      const { rows, sums } = await archive.ask({ ...due, groupBy: ['cfop'], filters: {} });
      expect([rows[0]?.measures.due, sums.measures.due]).toEqual([null, null]);
    });
  });

  it('by import declaration, contributions, weight and where a carriage goes', async () => {
    await store([
      note(1, {
        import_declarations: ['26/0012345-6'],
        transport: { gross_weight: '1250.500' },
        items: [{ cfop: '3102', total: '100.00', taxes: { pis_cst: '50', cofins_cst: '50' } }],
      }),
      note(2, { transport: { gross_weight: 'meio quilo' } }),
    ]);
    expect(await count({ di: ['2600123456'] })).toBe('1');
    expect(await count({ di: ['260012345'] })).toBe('0');
    expect(await count({ pis_cofins_cst: ['50'] })).toBe('1');
    expect(await totals({ measures: ['weight'] })).toMatchObject({ weight: '1250.50', documents: 2 });
    const places = { origin: { state: 'SP' }, destination: { state: 'BA' } };
    await store([note(3, { kind: 'cte', route: places })], { area: 'cte' });
    expect(await count({ origin_state: ['SP'], destination_state: ['BA'] }, { area: 'cte' })).toBe('1');
    await store([note(4, { kind: 'nfse', service: { iss_city: '3550308' } })], { area: 'nfse' });
    expect(await counts('iss_city', { area: 'nfse' })).toEqual([['3550308', '1']]);
  });

  it('in the direction the service lists them in', async () => {
    const entry = note(1, { issuer: { id: buyer }, flow: '0' });
    await store([entry]);
    expect(await totals({ direction: 'inbound' })).toMatchObject({ count: '1' });
    await store([entry], { direction: 'outbound' });
    expect(await totals({ direction: 'inbound' })).toMatchObject({ count: '0' });
    await store([entry], { direction: 'inbound' });
    for (const direction of ['inbound', 'outbound', undefined] as const) {
      expect(await totals({ direction })).toMatchObject({ count: '1', documents: 1 });
    }
  });

  it('by the window of their entry, which must be within the period asked about', async () => {
    const entry = { by: 'entry' } as const;
    await store([note(1)], { ...entry, ...onDay(10) });
    await store([note(2)], { ...entry, from: '2026-11-11', to: '2026-11-17' });
    expect(await totals(entry)).toMatchObject({ count: '2', left_out: [] });
    const part = { ...entry, from: '2026-11-10', to: '2026-11-12' };
    expect(await totals(part)).toMatchObject({ count: '1', left_out: [{ reason: 'undated', count: 1 }] });
    await store([note(2)], { ...entry, ...onDay(12) });
    expect(await totals(part)).toMatchObject({ count: '2', left_out: [] });
    expect(await counts('day', entry)).toEqual([
      ['2026-11-10', '1'],
      ['2026-11-12', '1'],
    ]);
  });

  it('and lists them by page, with their text where it came', async () => {
    const arrivals = [1, 2, 3].map((number) => ({
      summary: note(number, { issued_at: `2026-11-0${number}T10:00:00-03:00` }),
      xml: `<nota>${number} é</nota>`,
    }));
    await archive.store(window, arrivals);
    const page = await archive.list({ ...november, limit: 2, offset: 1 });
    expect(page.total).toBe(3);
    expect(page.documents.map(({ summary }) => summary.number)).toEqual(['2', '1']);
    expect(page.documents[0]?.xml).toBe('<nota>2 é</nota>');
    const read = [];
    for await (const { summary } of archive.read(november)) read.push(summary.number);
    expect(read).toEqual(['1', '2', '3']);
  });

  it('and adds the text that was not kept before', async () => {
    await store([note(1)]);
    await archive.keep({ company: buyer, area: 'nfe' }, [{ summary: note(1), xml: '<a/>' }], new Date());
    expect((await archive.find({ document: 'nfe', key: keyOf(1) }))?.xml).toBe('<a/>');
    expect((await archive.info()).with_xml).toBe(1);
  });

  it('or nothing of a window that breaks off', async () => {
    async function* broken() {
      yield { summary: note(1) };
      throw new Error('the reply broke off');
    }
    await expect(archive.store(window, broken())).rejects.toThrow('the reply broke off');
    const cancelled = archive.store(window, [{ summary: note(1) }], AbortSignal.abort());
    await expect(cancelled).rejects.toMatchObject({ reason: 'cancelled' });
    expect(await archive.info()).toMatchObject({ documents: 0, coverage: [] });
  });

  it('until they are purged, after showing what goes', async () => {
    const october = note(2, { issued_at: '2026-10-05T10:00:00-03:00' });
    await store([note(1), october, eventOf(1, '110110')], { from: '2026-10-01' });
    await store([note(1)], { company: seller });
    await store([note(1)], { by: 'entry', ...onDay(10) });
    const selection = { company: buyer, from: '2026-11-01', to: '2026-11-15' };
    const preview = await archive.previewPurge(selection);
    const nothing = { documents: 0, items: 0, events: 0 };
    expect(preview).toEqual({ ...nothing, kept_for_others: 1, coverage: 2, companies: [buyer] });
    expect(await totals()).toMatchObject({ count: '1' });
    expect(await archive.purge(selection)).toEqual(preview);
    expect(await totals()).toMatchObject({ count: '0' });
    expect(await totals({ company: seller })).toMatchObject({ count: '1' });
    const { coverage } = await archive.info();
    expect(coverage.filter(({ company }) => company === buyer).map(({ from, to }) => [from, to])).toEqual([
      ['2026-10-01', '2026-10-31'],
      ['2026-11-16', '2026-11-30'],
    ]);
    expect(await archive.purge({ company: seller })).toMatchObject({ documents: 1, items: 1, events: 1 });
    expect(await archive.purge({})).toMatchObject({ documents: 1 });
    expect(await archive.info()).toMatchObject({ ...nothing, held: [], coverage: [] });
  });

  it('and the names of their payers when others are purged', async () => {
    const payer = { id: '33444555000181', id_type: 'cnpj', name: 'Pagadora' } as const;
    await store([note(1)]);
    await store([note(2, { kind: 'cte', payer })], { area: 'cte' });
    await archive.purge({ area: 'nfe' });
    expect(await counts('payer', { area: 'cte' })).toEqual([[payer.id, payer.name, '1']]);
  });
});
