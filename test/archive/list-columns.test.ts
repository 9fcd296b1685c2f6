import { beforeEach, expect, it } from 'vitest';
import type { ListColumn, ListOrder } from '../../src/archive/archive.ts';
import { listOrders } from '../../src/archive/ask/question.ts';
import { buyer, eventOf, keyOf, note, seller } from './inline-documents.ts';
import { archiveOfEachTest, describeIn, placeKinds } from './places.ts';

const abroad = { id_type: 'foreign', name: 'Kawasemi  Lamps KK', state: 'EX' } as const;
const item = { description: 'Parafuso', cfop: '6102', total: '100.00', taxes: {} };

/** Each says something that the others don't. */
const notes = [
  note(1, {
    protocol: { number: '1', at: '2026-11-05T10:02:00-03:00' },
    totals: { total: '300.00', icms: '54.00' },
    references: [{ key: keyOf(7) }, { number: '88' }],
    installments: [
      { due: '2026-12-20', amount: '200.00' },
      { due: '2026-12-05', amount: '100.00' },
    ],
    transport: { gross_weight: '12.500' },
    purpose: '1',
  }),
  // Returned and sold in one note; cancelled by an event that comes by itself.
  note(2, {
    protocol: { number: '2', at: '2026-11-05T09:00:00-03:00' },
    items: [item, { ...item, cfop: '6202' }],
    purpose: '4',
  }),
  // The company's own note of entry, from somebody abroad without an id.
  note(3, {
    issuer: { id: buyer, id_type: 'cnpj', name: 'Compradora', state: 'SP' },
    recipient: abroad,
    flow: '0',
    totals: { total: '200.00', icms: '36.00' },
    items: [{ ...item, cfop: '3102', reference: keyOf(6) }],
  }),
  // Its cancellation stands in its own file.
  note(4, {
    status: 'cancelled',
    events: [{ code: '110111', sequence: '1', at: '2026-11-05T12:00:00-03:00' }],
    totals: { total: '50.00' },
  }),
];

const fromSeller = (items: number) => `counterparty ${seller}, counterparty_name Vendedora, items ${items}`;
const everyStatus = { status: ['authorized', 'cancelled'] } as const;
const window = { company: buyer, area: 'nfe', from: '2026-11-01', to: '2026-11-30' } as const;

describeIn(placeKinds)('columns of a list in $name are what the documents say', ({ open }) => {
  const archive = archiveOfEachTest(open, false);
  beforeEach(async () => {
    const fetchedAt = new Date('2026-12-01');
    const arrivals = [
      ...notes,
      eventOf(2, '110111'),
      eventOf(1, '110110', { event: { code: '110110', sequence: '1', at: '2026-11-08T09:00:00-03:00' } }),
    ];
    await archive.store(
      { ...window, by: 'issue', fetchedAt },
      arrivals.map((summary) => ({ summary })),
    );
    const entered = { ...window, by: 'entry', from: '2026-11-09', to: '2026-11-09', fetchedAt } as const;
    await archive.store(entered, [{ summary: notes[0] ?? note(1) }]);
  });

  const listed = async (columns: readonly ListColumn[], filters: object = {}, by?: ListOrder) => {
    const asked = { ...window, by: 'issue', columns, limit: 10 } as const;
    const orderBy = { by: by ?? 'issued_at' } as const;
    const listing = await archive.list({ ...asked, orderBy, filters: { ...everyStatus, ...filters } });
    const { documents, columns: values, sum, sums } = listing;
    return { all: documents.map(({ summary }, index) => [summary.number, values[index]]), sum, sums };
  };

  /** Each note's values; `-` without any. */
  it.each([
    [
      'icms total',
      'icms 54.00, total 300.00 | icms 18.00, total 100.00 | icms 36.00, total 200.00 | total 50.00',
    ],
    ['authorized_at', '2026-11-05T10:02:00-03:00 | 2026-11-05T09:00:00-03:00 | - | -'],
    ['cancelled_at', '- | 2026-11-06T09:00:00-03:00 | - | 2026-11-05T12:00:00-03:00'],
    ['entered_on', '2026-11-09 | - | - | -'],
    ['references', `${keyOf(7)}; 88 | - | ${keyOf(6)} | -`],
    ['events', 'correction_letter | cancellation | - | cancellation'],
    ['due_dates due', 'due_dates 2026-12-05; 2026-12-20, due 300.00 | - | - | -'],
    ['purpose weight', 'purpose 1, weight 12.50 | purpose 4 | - | -'],
    ['nature', 'purchase | purchase; return | purchase | purchase'],
    [
      'counterparty items',
      `${fromSeller(1)} | ${fromSeller(2)} | counterparty Kawasemi Lamps KK, items 1 | ${fromSeller(1)}`,
    ],
    ['payer', '- | - | - | -'],
  ])('%s', async (columns, expected) => {
    const { all } = await listed(columns.split(' ') as ListColumn[]);
    const values = all.map(([, one]) => {
      const given = Object.entries(one ?? {}).map(([name, value]) => `${name} ${value}`);
      return given.join(', ').replace(columns.includes(' ') ? '' : `${columns} `, '') || '-';
    });
    expect(values.join(' | ')).toBe(expected);
  });

  it('and of instalments only those that are asked for', async () => {
    const filters = { due_from: '2026-12-10', due_to: '2026-12-31' };
    const values = { due_dates: '2026-12-20', due: '200.00' };
    expect(await listed(['due_dates', 'due'], filters)).toMatchObject({
      all: [['1', values]],
      sums: { due: '200.00' },
    });
  });

  it('and their amounts add up', async () => {
    expect(await listed(['icms', 'weight', 'count'])).toMatchObject({
      sum: '650.00',
      sums: { icms: '108.00', weight: '12.50' },
    });
  });

  it.each<[ListOrder, string]>([
    ['total', '4231'],
    ['icms', '2314'],
    ['authorized_at', '2134'],
    ['cancelled_at', '4213'],
    ['entered_on', '1234'],
    ['references', '3124'],
    ['events', '1243'],
    ['due_dates', '1234'],
    ['purpose', '1234'],
    ['counterparty', '3124'],
    ['weight', '1234'],
  ])('a list by %s, without it last', async (by, order) => {
    expect((await listed([], {}, by)).all.map(([number]) => number).join('')).toBe(order);
  });

  it('a list by every one of them holds every document', async () => {
    for (const by of listOrders) expect((await listed([], {}, by)).all, by).toHaveLength(notes.length);
  });

  it('and a party abroad without an id is a group by its name, found by it', async () => {
    const asked = { ...window, by: 'issue', measures: ['count'], limit: 10 } as const;
    const { rows } = await archive.ask({ ...asked, groupBy: ['counterparty'] });
    expect(rows.map(({ group }) => group.counterparty)).toEqual([seller, 'Kawasemi Lamps KK']);
    const found = await archive.parties('lamps kawasemi', 'counterparty', [buyer]);
    expect(found).toEqual([{ id: 'Kawasemi Lamps KK', name: 'Kawasemi Lamps KK' }]);
    const filters = { counterparty: found.map(({ id }) => id) };
    expect((await archive.list({ ...asked, filters })).total).toBe(1);
    // The company itself is no other party of its own.
    expect(await archive.parties('compradora', 'counterparty', [buyer])).toEqual([]);
  });
});
