import { expect, it } from 'vitest';
import type { Filters, Grouping, Measure, Question } from '../../src/archive/archive.ts';
import type { Period } from '../../src/documents/days.ts';
import type { DocumentSummary } from '../../src/documents/summary/summary.ts';
import { leastCpuTime } from '../support/cpu-time.ts';
import { askedDocuments } from './asked-documents.ts';
import { company, generateDocuments } from './generated-documents.ts';
import { allPlaceKinds, describeIn, placeKinds } from './places.ts';

const measures = (
  'count items total products icms icms_base ipi pis cofins ibs cbs is freight discount insurance other icms_st ' +
  'icms_credit icms_relieved icms_mono fcp fcp_st difal import_duty'
).split(' ') as Measure[];

/** Adds the amounts that generated documents lack, each with a different value. */
function enriched(document: DocumentSummary, number: number): DocumentSummary {
  const items = document.items.map((item, i) => {
    const amount = (name: number) => `${number}.${name}${i % 10}`;
    const taxes = {
      icms_st: amount(1),
      icms_credit: amount(2),
      icms_relieved: amount(3),
      icms_mono: amount(4),
    };
    const others = { fcp: amount(5), fcp_st: amount(6), difal: amount(7), import_duty: amount(8) };
    const all = { ...item.taxes, ...taxes, ...others };
    return { ...item, insurance: amount(9), other: amount(0), taxes: all };
  });
  const totals = {
    ...document.totals,
    insurance: '5000.00',
    other: '6000.00',
    icms_st: `7000.${number % 100}`,
  };
  return { ...document, items, totals };
}

/** Those that add up over groups. */
const amounts: readonly Measure[] = ['items', 'total', 'icms', 'ibs', 'discount'];

const groupings = [
  ...['', 'issuer', 'recipient', 'state', 'month', 'week', 'day', 'kind', 'status', 'cfop', 'ncm', 'cst'],
  ...['class_trib', 'item', 'nature', 'unit', 'issuer_root', 'counterparty', 'recipient_root nature'],
  ...['purpose', 'city', 'regime month', 'event', 'event issuer', 'issuer month', 'state month issuer'],
  ...['cfop ncm', 'ncm cfop month', 'item month', 'class_trib cst', 'issuer cfop', 'cfop recipient month'],
  'week ncm',
].map((names) => names.split(' ').filter((name) => name !== '') as Grouping[]);

const scope = { company, area: 'nfe', by: 'issue' } as const;
const year = { ...scope, from: '2026-01-01', to: '2026-12-31', measures, limit: 10_000 } as const;

const narrower: readonly (readonly [string, Partial<Question>])[] = [
  ['before anything is known', { from: '2025-02-01', to: '2025-03-31' }],
  ['after everything known', { from: '2027-02-01', to: '2027-03-31' }],
  ['within days', { from: '2026-02-10', to: '2026-05-20' }],
  ['of a code within days', { from: '2026-02-10', to: '2026-05-20', filters: { cfop: ['5102'] } }],
  ['of cancelled ones of a unit', { filters: { unit: ['UN'], status: ['cancelled'] } }],
  ['inbound', { direction: 'inbound' }],
  ['outbound in whole months', { direction: 'outbound', from: '2026-03-01', to: '2026-06-30' }],
  ['cancelled ones too', { filters: { status: ['authorized', 'cancelled'] } }],
  ['of an issuer', { filters: { issuer: ['20000000000003'] } }],
  ['of another party', { filters: { counterparty: ['20000000000003'] } }],
  ['of a recipient', { filters: { recipient: [company] } }],
  ['of a kind', { filters: { kind: ['nfe'] } }],
  ['of states', { filters: { state: ['SP', 'MG'] } }],
  ['by amount', { filters: { min_total: '5000', max_total: '20000.50' } }],
  ['of an issuer by code', { filters: { issuer: ['20000000000003'], cfop: ['1', '2102'] } }],
  ['by classification', { filters: { class_trib: ['000001', '200003'] } }],
  ['of one classification in summer', { to: '2026-03-31', filters: { class_trib: ['000001'] } }],
  ['by code, without counts', { measures: amounts, filters: { cfop: ['5', '1102'] } }],
  ['by heading, without counts', { measures: amounts, filters: { ncm: ['73000', '7301'] } }],
  ['by situation, without counts', { measures: amounts, filters: { cst: ['00', '20'] } }],
  ['by the text in an item', { filters: { text: 'peca de AÇO nº 3' } }],
  ['by the text in a name', { filters: { text: 'são joão 1' } }],
  ['by text and code', { filters: { text: 'nº 1', ncm: ['7300'], cfop: ['1', '6'] } }],
  ['of a root', { filters: { issuer: ['20000000', company.slice(0, 8)] } }],
  ['of a nature', { filters: { nature: ['purchase', 'return'] } }],
  ['of a nature and by words', { filters: { nature: ['sale'], text: '3 peca' } }],
  ['by words in any order', { filters: { text: '1 joão' } }],
  ['of a unit', { filters: { unit: ['UN'] } }],
  ['of cities and regimes', { filters: { city: ['3509502', '3550308'], regime: ['1', '3'] } }],
  ['of an event', { filters: { event: ['confirmacao', '211128'] } }],
  ['of two events', { filters: { event: ['ciencia+correction_letter'] } }],
  ['without a manifestation', { filters: { event: ['none'] } }],
  ['cancelled by an event', { filters: { event: ['cancellation'], status: ['authorized', 'cancelled'] } }],
  ['of a purpose', { filters: { purpose: ['1', '4'] } }],
  ['of a type of credit note', { filters: { credit_type: ['03'] } }],
  ['of types of credit and debit notes', { filters: { credit_type: ['03', '06'], debit_type: ['06'] } }],
  ['by number', { filters: { number: ['5', '17', '99'] } }],
  ['by codes', { filters: { cfop: ['5', '1102'], ncm: ['7300'] } }],
];

/** A file is read by the engine that has the archive in memory. */
const asked = allPlaceKinds.filter(({ name }) => name !== 'file');

describeIn(asked)('questions in $name and a plain loop', ({ name, open }) => {
  const documents = [...generateDocuments({ count: 120, seed: 7 })].map(enriched);
  const archive = askedDocuments(open, year, documents);

  it.each(groupings.map((groupBy) => [groupBy]))('agree on %j, with roll-ups and without', (groupBy) =>
    archive.isAsByLoop({ ...year, groupBy }),
  );

  it.each(narrower.map((row, i) => [...row, i] as const))('agree on what is asked %s', async (_, part, i) => {
    // Every grouping meets some of the filters, in a plain database more of them.
    const some = groupings.filter((_grouping, j) => (i + j) % (name === 'postgres' ? 3 : 9) === 0);
    for (const groupBy of some) await archive.isAsByLoop({ ...year, groupBy, ...part });
  });
});

describeIn(asked)('a code with too many digits, in $name', ({ open }) => {
  const [document] = generateDocuments({ count: 1 });
  const items = (document?.items ?? []).slice(0, 1);
  const codes = [
    { cfop: '5102', ncm: '73000000' },
    { cfop: '5102 5405', ncm: '730000001' },
  ];
  const odd = { ...document, items: codes.flatMap((code) => items.map((item) => ({ ...item, ...code }))) };
  const archive = askedDocuments(open, year, [odd as DocumentSummary]);

  it.each([{ cfop: ['5102'] }, { ncm: ['73000000'] }])(
    'does not match the whole code that it begins with: %j',
    async (filter) => {
      const question: Question = { ...year, groupBy: [], measures: ['count', 'items'], filters: filter };
      for (const one of await archive.askBothWays(question)) {
        expect(one.sums.measures).toEqual({ count: '1', items: '1' });
        expect(one.documents).toBe(1);
      }
    },
  );
});

/** Every filter, also those that the plain loop does not know; `ncm` also as a chapter that every item is of. */
const filters: readonly Filters[] = [
  ...narrower.flatMap(([, question]) => question.filters ?? []),
  ...[{ payer: [company] }, { competence: ['2026-02'] }, { source: ['service'] as const }, { text: 'peça' }],
  ...[{ ncm: ['73'] }, { ncm: ['73004444'] }, { cst: ['00'] }, { status: ['cancelled'] as const }],
];
/** A filter may take so many times as long as that of the CFOP; without statistics that of the NCM took a thousand. */
const mostTimes = 15;

/** In a server that computes elsewhere, the time of this process says nothing. */
const timed = placeKinds.filter(({ name }) => name === 'file');

describeIn(timed)('every filter in a $name', ({ open }) => {
  const documents = [...generateDocuments({ count: 400, items: 8, partners: 100, products: 300 })];
  const archive = askedDocuments(open, year, documents);

  function timeOf(period: Period, filter: Filters, enough?: number): Promise<number> {
    const selection = { ...scope, ...period, filters: filter, limit: 20 };
    return leastCpuTime(async () => {
      await archive.ask({ ...selection, groupBy: ['ncm', 'month'], measures: ['count', 'total'] });
      await archive.ask({ ...selection, groupBy: [], measures: ['count', 'total'] });
      await archive.list(selection);
    }, enough);
  }

  it.each([
    { from: '2026-01-01', to: '2026-12-31' },
    { from: '2026-01-02', to: '2026-11-15' },
  ])('takes no longer than that of the CFOP, from $from to $to', async (period) => {
    const yardstick = await timeOf(period, { cfop: ['5102'] });
    for (const filter of filters) {
      const most = mostTimes * yardstick;
      const time = await timeOf(period, filter, most);
      expect({ filter, times: time / yardstick, isBounded: time <= most }).toMatchObject({ isBounded: true });
    }
  });
});
