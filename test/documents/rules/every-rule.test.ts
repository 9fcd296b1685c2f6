import { describe, expect, it } from 'vitest';
import { completeAccessKey } from '../../../src/documents/identity/keys.ts';
import { type KnownNow, type RuleCode, type RuleContext, rules } from '../../../src/documents/rules/index.ts';
import type { DocumentSummary, Item, Taxes } from '../../../src/documents/summary/summary.ts';
import * as made from './hand-made.ts';

const { carriage, company, cteKey, event, nfeKey, note, noteOf, service, supplier } = made;

/** Documents that a rule is asked about, with what it knows besides. */
interface Case {
  readonly documents: readonly DocumentSummary[];
  readonly context?: RuleContext;
  readonly known?: KnownNow;
}

type Given = Case | DocumentSummary | readonly DocumentSummary[];

const asCase = (given: Given): Case => {
  if ('documents' in given) return given;
  return { documents: 'kind' in given ? [given] : given };
};

const of = (item: Partial<Item>, taxes: Taxes = {}, more: Partial<DocumentSummary> = {}) =>
  noteOf(item, taxes, more);
const remarked = (code: DocumentSummary['warnings'][number]['code'], found: string, expected: string) =>
  note({ warnings: [{ code, values: { found, expected } }] });
const group = { ibs_cbs_cst: '000', class_trib: '000001' };
const full = { ...group, ibs_cbs_base: '100.00', ibs: '0.10', cbs: '0.90' };
const totals = { total: '100.00', ibs_cbs_base: '100.00', ibs: '0.10', cbs: '0.90' };
const rated = (cbs_rate: string, class_trib = '000001') =>
  of({}, { ...full, ibs_cbs_cst: class_trib.slice(0, 3), class_trib, ibs_state_rate: '0.1', cbs_rate });
const simples = { issuer: { id: supplier, id_type: 'cnpj' as const, tax_regime: '1' } };
const withheld = (iss: string, more: Partial<DocumentSummary['totals']> = {}, issuer = {}) =>
  service({
    iss_withheld: true,
    totals: { iss, ...more },
    issuer: { id: supplier, id_type: 'cnpj', ...issuer },
  });
const net = (total: string, discount?: string) =>
  service({ iss_withheld: false, totals: { services: '100.00', iss: '5.00', total, discount } });
const at = (day: string): RuleContext => ({
  company,
  now: new Date(`${day}T15:00:00Z`),
  timeZone: 'America/Sao_Paulo',
});
const authorized = (day: string) => ({
  protocol: { number: '1', code: '100', at: `${day}T09:00:00-03:00` },
});
const paid = carriage({ payer: { id: company }, ...authorized('2026-10-01') });
const own = (number: number) =>
  note({
    key: nfeKey(number, '2611', company),
    number: String(number),
    issuer: { id: company, id_type: 'cnpj' },
    recipient: { id: supplier, id_type: 'cnpj' },
  });
const carrier = { id: '12345678000195', id_type: 'cnpj' as const };
const shipped = (mode: string) =>
  note({
    transport: { mode, carrier },
    issued_at: '2026-09-01T10:00:00-03:00',
    key: nfeKey(1, '2609'),
  });
/** Without a carrier's name. */
const hired = (mode: string, more: Partial<DocumentSummary>) =>
  note({ transport: { mode }, issued_at: '2026-09-01T10:00:00-03:00', key: nfeKey(1, '2609'), ...more });
const covered = made.coveredFrom('2026-01-01', '2026-12-31');
const carrying = carriage({ linked_keys: [nfeKey(5)], recipient: { id: company } });
const ofSimples = (issued_at: string) =>
  service({
    layout: 'nfse abrasf 2.02',
    issued_at,
    issuer: { id: supplier, id_type: 'cnpj', is_under_simples: true },
  });
const returned = (issued_at: string) => of({}, {}, { purpose: '4', issued_at });
const consumerKey = completeAccessKey(`352611${supplier}65001000000001100000000`);
const referring = (issued_at: string) => note({ issued_at, references: [{ key: consumerKey }] });

/**
 * Of each rule a case that it tells of, and beside it the one that looks like it and is right. What is about the text of
 * a document is tried where the text is: test/e2e/analysis-check-signatures.test.ts.
 */
const cases: Record<RuleCode, readonly [wrong: Given, right: Given]> = {
  // A cent is what rounding makes.
  items_against_products: [
    remarked('items_against_products', '100.02', '100.00'),
    remarked('items_against_products', '100.01', '100.00'),
  ],
  parts_against_total: [
    remarked('parts_against_total', '100.02', '100.00'),
    remarked('parts_against_total', '100.01', '100.00'),
  ],
  item_taxes_against_totals: [
    of({ cst: '00' }, { icms: '18.00' }, { totals: { total: '100.00', icms: '18.02' } }),
    of({ cst: '00' }, { icms: '18.00' }, { totals: { total: '100.00', icms: '18.01' } }),
  ],
  pis_cofins_items_against_totals: [
    remarked('items_against_pis', '1.65', '1.67'),
    remarked('items_against_pis', '1.65', '1.66'),
  ],
  net_against_parts: [
    service({ warnings: [{ code: 'net_against_parts', values: { found: '95.00', expected: '90.00' } }] }),
    service({ warnings: [{ code: 'net_against_parts', values: { found: '95.00', expected: '95.01' } }] }),
  ],

  cfop_form: [of({ cfop: '8102' }), of({ cfop: '7102' })],
  cfop_unknown: [of({ cfop: '5999' }), of({ cfop: '5949' })],
  cfop_against_flow: [of({ cfop: '1102' }), of({ cfop: '1102' }, {}, { flow: '0' })],
  // Sold at the counter to somebody of elsewhere: internal, as the note says.
  cfop_against_states: [
    of({ cfop: '6102' }),
    of({ cfop: '5102' }, {}, { reach: '1', recipient: { id: company, id_type: 'cnpj', state: 'MG' } }),
  ],
  cte_cfop_against_route: [
    carriage({ cfop: '5352', route: { origin: { state: 'SP' }, destination: { state: 'MG' } } }),
    carriage({ cfop: '6352', route: { origin: { state: 'SP' }, destination: { state: 'MG' } } }),
  ],
  flow_against_direction: [
    { documents: [note({ flow: '0' })], context: { company, direction: 'inbound' } },
    { documents: [own(1)], context: { company, direction: 'outbound' } },
  ],
  return_without_reference: [returned('2026-11-16'), returned('2026-11-15')],
  reference_to_consumer_document: [referring('2026-12-14'), referring('2026-12-13')],

  cst_against_regime: [of({ cst: '00' }, {}, simples), of({ cst: '61' }, {}, simples)],
  icms_not_due: [of({ cst: '40' }, { icms: '18.00' }), of({ cst: '40' }, { icms_relieved: '18.00' })],
  icms_due: [of({ cst: '00' }), of({ cst: '61' })],
  icms_st_not_due: [of({ cst: '00' }, { icms_st: '7.00' }), of({ cst: '10' }, { icms_st: '7.00' })],
  simples_credit_not_due: [
    of({ cst: '102' }, { icms_credit: '1.25' }),
    of({ cst: '201' }, { icms_credit: '1.25' }),
  ],
  simples_credit_due: [of({ cst: '101' }), of({ cst: '102' })],
  ipi_cst_against_flow: [of({}, { ipi_cst: '00' }), of({}, { ipi_cst: '00' }, { flow: '0' })],
  ipi_not_due: [of({}, { ipi_cst: '53', ipi: '5.00' }), of({}, { ipi_cst: '50', ipi: '5.00' })],
  pis_cofins_not_due: [of({}, { pis_cst: '06', pis: '1.65' }), of({}, { pis_cst: '50', pis: '1.65' })],
  pis_cofins_due: [of({}, { pis_cst: '01', pis: '0.00' }), of({}, { pis_cst: '01', pis: '0.00' }, simples)],

  pis_cofins_ended: [
    of({}, { pis: '1.65' }, { issued_at: '2027-01-01T00:00:00-03:00' }),
    of({}, { pis: '1.65' }, { issued_at: '2026-12-31T23:59:59-03:00' }),
  ],

  iss_withheld_without_iss: [withheld('0.00'), withheld('0.00', {}, { is_under_simples: true })],
  iss_above_withheld: [withheld('5.00', { withheld: '4.98' }), withheld('5.00', { withheld: '4.99' })],
  iss_deducted_not_withheld: [net('95.00'), net('95.00', '5.00')],
  municipal_nfse_of_simples: [ofSimples('2026-11-01'), ofSimples('2026-10-31')],

  // Single-phase fuel has no group yet.
  ibs_cbs_missing: [of({}), of({ cst: '61', fuel: '820101034' })],
  ibs_cbs_missing_simples: [
    of({}, {}, { ...simples, issued_at: '2027-01-01' }),
    of({}, {}, { ...simples, issued_at: '2026-12-31' }),
  ],
  ibs_cbs_missing_cte: [carriage(), carriage({ purpose: '1' })],
  ibs_cbs_missing_nfse: [
    service({ taxation: undefined, issuer: { id: supplier, id_type: 'cnpj', is_under_simples: false } }),
    service({ taxation: undefined, issuer: { id: supplier, id_type: 'cnpj', is_under_simples: true } }),
  ],
  ibs_cbs_missing_nfse_simples: [
    service({
      taxation: undefined,
      issued_at: '2027-01-01',
      issuer: { id: supplier, id_type: 'cnpj', is_under_simples: true },
    }),
    service({ taxation: undefined, issuer: { id: supplier, id_type: 'cnpj', is_under_simples: true } }),
  ],
  ibs_cbs_cst_unknown: [of({}, { ibs_cbs_cst: '999' }), of({}, { ibs_cbs_cst: '830' })],
  class_trib_form: [of({}, { ...group, class_trib: '00001' }), of({}, group)],
  class_trib_against_cst: [
    of({}, { ibs_cbs_cst: '000', class_trib: '200032' }),
    of({}, { ibs_cbs_cst: '200', class_trib: '200032' }),
  ],
  class_trib_unknown: [of({}, { ...group, class_trib: '000999' }), of({}, group)],
  // The table has 000002 for other documents only.
  class_trib_out_of_document: [of({}, { ...group, class_trib: '000002' }), of({}, group)],
  ibs_cbs_group: [of({}, group), of({}, { ibs_cbs_cst: '410', class_trib: '410001' })],
  ibs_cbs_not_due: [of({}, { ibs_cbs_cst: '410', cbs: '0.90' }), of({}, { ibs_cbs_cst: '410', cbs: '0.00' })],
  // Of a price of some cents nothing is left.
  cbs_due: [
    of({}, { ...group, ibs_cbs_base: '100.00', cbs: '0.00' }),
    of({ total: '0.40' }, { ...group, ibs_cbs_base: '0.40', cbs: '0.00' }),
  ],
  // With the regular tax beside it the rate itself is zero.
  ibs_cbs_rate: [rated('0.8'), of({}, { ...full, ibs_cbs_cst: '200', class_trib: '200022', cbs_rate: '0' })],
  cbs_against_base: [of({}, { ...full, cbs: '0.92' }), of({}, { ...full, cbs: '0.91' })],
  ibs_cbs_items_against_totals: [
    of({}, full, { totals: { ...totals, cbs: '0.92' } }),
    of({}, full, { totals: { ...totals, cbs: '0.91' } }),
  ],
  ibs_cbs_totals_missing: [of({}, full), of({}, full, { totals })],
  total_with_ibs_cbs_missing: [of({}, full, { totals }), of({}, {}, { totals: { total: '100.00' } })],
  total_with_ibs_cbs_inconsistent: [
    of({}, full, { totals: { ...totals, total_with_ibs_cbs: '100.50' } }),
    of({}, full, { totals: { ...totals, total_with_ibs_cbs: '101.00' } }),
  ],

  duplicate_document: [
    [note(), note()],
    [note(), event(nfeKey(1), '210210', '2026-11-06')],
  ],
  contents_differ: [
    { documents: [note()], known: { status: 'authorized', contents: 2 } },
    { documents: [note()], known: { status: 'authorized', contents: 1 } },
  ],
  duplicate_invoice: [
    [note(), note({ key: nfeKey(9), series: '2' })],
    [note(), note({ key: nfeKey(9), series: '2', status: 'cancelled' })],
  ],
  freight_billed_twice: [
    [carriage({ linked_keys: [nfeKey(1)] }), carriage({ key: cteKey(2), linked_keys: [nfeKey(1)] })],
    [
      carriage({ linked_keys: [nfeKey(1)] }),
      carriage({ key: cteKey(2), linked_keys: [nfeKey(1)], purpose: '1' }),
    ],
  ],
  number_gap: [
    [own(10), own(12)],
    [own(10), { ...own(11), status: 'cancelled' }, own(12)],
  ],
  cancelled_after_entry: [
    [note(), event(nfeKey(1), '110111', '2026-11-06T09:00:00-03:00')],
    [note(), event(nfeKey(1), '110111', '2026-11-05T18:00:00-03:00')],
  ],
  corrected_after_entry: [
    [note(), event(nfeKey(1), '110110', '2026-11-06T09:00:00-03:00')],
    [note(), event(nfeKey(1), '110110', '2026-11-05T18:00:00-03:00')],
  ],
  // Authorised on 20 August: the ninetieth day after is 18 November.
  tacit_confirmation_near: [
    { documents: [note(authorized('2026-08-20'))], context: at('2026-11-18') },
    { documents: [note(authorized('2026-08-20'))], context: at('2026-11-19') },
  ],
  // Authorised on 1 October: the forty-fifth day after is 15 November.
  cte_disagreement_deadline: [
    { documents: [paid], context: at('2026-11-15') },
    { documents: [paid], context: at('2026-11-16') },
  ],
  reform_event_due: [
    { documents: [note({ purpose: '5' })], context: { company } },
    { documents: [note({ purpose: '5', events: [{ code: '211128' }] })], context: { company } },
  ],
  cte_without_nfe: [
    { documents: [carrying], context: covered },
    { documents: [carrying, note({ kind: 'summary', key: nfeKey(5) })], context: covered },
  ],
  freight_of_cancelled_note: [
    { documents: [carrying, note({ key: nfeKey(5), status: 'cancelled' })] },
    { documents: [carrying, note({ key: nfeKey(5) })] },
  ],
  nfe_without_cte: [
    { documents: [shipped('1')], context: covered },
    { documents: [shipped('0')], context: covered },
  ],
};

/** Documents a rule is not about, though they are of its kind: it has checked nothing there. */
const unexamined: readonly (readonly [RuleCode, string, Given])[] = [
  ['items_against_products', 'no total of products', of({})],
  ['parts_against_total', 'a complementary note', of({}, {}, { purpose: '2', totals: { products: '1.00' } })],
  ['item_taxes_against_totals', 'no totals of taxes', of({ cst: '00' }, { icms: '18.00' })],
  ['item_taxes_against_totals', 'items left out', of({}, {}, { item_count: 2, totals: { icms: '1.00' } })],
  ['net_against_parts', 'no withheld taxes named', service({ totals: { services: '1.00', total: '1.00' } })],
  ['cfop_form', 'no CFOP', of({ cfop: undefined })],
  ['cfop_unknown', 'a malformed CFOP', of({ cfop: '8102' })],
  ['cfop_against_flow', 'no tpNF', of({}, {}, { flow: undefined })],
  ['cfop_against_states', 'no idDest and no state', of({}, {}, { recipient: { id: company } })],
  [
    'cte_cfop_against_route',
    'carriage abroad',
    carriage({ route: { origin: { state: 'SP' }, destination: { state: 'EX' } } }),
  ],
  ['return_without_reference', 'a sale', of({}, {}, { issued_at: '2026-11-16' })],
  ['reference_to_consumer_document', 'no reference', note({ issued_at: '2026-12-14' })],
  ['cst_against_regime', 'no CRT', of({ cst: '00' }, {}, { issuer: { id: supplier } })],
  ['icms_not_due', 'a CST with ICMS', of({ cst: '00' })],
  ['icms_due', 'an adjustment note', of({ cst: '00' }, {}, { purpose: '3' })],
  ['ipi_cst_against_flow', 'no CST of IPI', of({})],
  ['pis_cofins_due', 'a day of 2027', of({}, { pis_cst: '01' }, { issued_at: '2027-01-04' })],
  ['iss_withheld_without_iss', 'nothing withheld', service({ iss_withheld: false })],
  ['iss_above_withheld', 'no ISS', withheld('0.00')],
  ['municipal_nfse_of_simples', 'a provider outside the Simples', service({ issued_at: '2026-11-02' })],
  ['ibs_cbs_missing', 'the Simples', of({}, {}, simples)],
  ['ibs_cbs_missing', 'the day before', of({}, {}, { issued_at: '2026-08-02' })],
  ['ibs_cbs_missing_nfse', 'a city’s layout', service({ layout: 'nfse abrasf 2.02', taxation: undefined })],
  ['class_trib_form', 'no cClassTrib', of({})],
  ['class_trib_against_cst', 'a CST alone', of({}, { ibs_cbs_cst: '000' })],
  ['ibs_cbs_rate', 'no rate written', of({}, group)],
  ['cbs_against_base', 'another CST', of({}, { ...full, ibs_cbs_cst: '200' })],
  ['ibs_cbs_totals_missing', 'neither items nor totals', of({})],
  ['total_with_ibs_cbs_missing', 'no totals of IBS and CBS', of({})],
  ['contents_differ', 'contents that nobody counted', note()],
  ['freight_billed_twice', 'no notes named', carriage()],
  ['number_gap', 'a supplier’s notes', [note(), note({ key: nfeKey(3), number: '3' })]],
  ['number_gap', 'one note alone', own(10)],
  ['cancelled_after_entry', 'its own note', own(10)],
  [
    'corrected_after_entry',
    'its own note',
    [own(10), event(nfeKey(10, '2611', company), '110110', '2026-11-09')],
  ],
  [
    'tacit_confirmation_near',
    'no moment of authorisation',
    { documents: [note()], context: at('2026-11-18') },
  ],
  [
    'cte_disagreement_deadline',
    'another pays',
    { documents: [carriage(authorized('2026-10-01'))], context: at('2026-11-15') },
  ],
  ['reform_event_due', 'a sale', note()],
  [
    'cte_without_nfe',
    'days that nobody looked at',
    { documents: [carrying], context: made.coveredFrom('2026-01-01', '2026-01-31') },
  ],
  ['freight_of_cancelled_note', 'a note that is not known', carrying],
  ['nfe_without_cte', 'no freight', { documents: [shipped('9')], context: covered }],
  ['nfe_without_cte', 'an own vehicle', { documents: [hired('4', {})], context: covered }],
  [
    'nfe_without_cte',
    'freight before layout 4.00',
    { documents: [hired('1', { layout: 'nfe 3.10' })], context: covered },
  ],
  [
    'nfe_without_cte',
    'a town that is not named',
    { documents: [hired('1', { issuer: { id: supplier, state: 'MG' } })], context: covered },
  ],
];

const told = (code: RuleCode, given: Given) => {
  const { documents, context, known } = asCase(given);
  return made.findingsOf(code, documents, context, () => known);
};

describe('every rule', () => {
  it('has a case here that it tells of, and one beside it', () => {
    const asked = rules.filter(({ readsText }) => readsText !== true).map(({ code }) => code);
    expect(Object.keys(cases).sort()).toEqual(asked.toSorted());
  });

  it.each(Object.entries(cases))('%s', (code, [wrong, right]) => {
    const found = told(code, wrong);
    expect(found.map(({ rule }) => rule)).toEqual([code]);
    expect(told(code, right)).toEqual([]);
  });

  it.each(unexamined)('%s does not apply to: %s', (code, _, given) => {
    const { documents, context = { company } } = asCase(given);
    expect(made.appliedTo(code, documents, context)).toBe(0);
  });

  it('counts the documents it applies to, also those it finds nothing in', () => {
    const counted: readonly (readonly [RuleCode, Given, number])[] = [
      ['icms_due', [of({ cst: '00' }), of({ cst: '00' }, { icms: '18.00' }), of({ cst: '40' })], 2],
      ['icms_due', { ...of({ cst: '00' }), status: 'cancelled' }, 0],
      ['ibs_cbs_missing_nfse', [service(), service({ layout: 'nfse abrasf 2.02' })], 1],
      ['corrected_after_entry', [note(), own(10)], 1],
      ['number_gap', [own(10), own(11), own(12)], 2],
      [
        'nfe_without_cte',
        { documents: [hired('1', {}), carriage({ linked_keys: [nfeKey(1, '2609')] })], context: covered },
        1,
      ],
      ['freight_of_cancelled_note', [carrying, note({ key: nfeKey(5) })], 1],
    ];
    for (const [code, given, count] of counted) {
      const { documents, context = { company } } = asCase(given);
      expect([code, made.appliedTo(code, documents, context)]).toEqual([code, count]);
    }
  });

  it('misses the CT-e of hired freight whose carrier is not named', () => {
    const found = made.findingsOf('nfe_without_cte', [hired('1', {})], covered);
    expect(found.map(({ values }) => values)).toEqual([{ mode: '1', carrier: '-' }]);
    expect(made.findingsOf('nfe_without_cte', [hired('0', {})], covered)).toEqual([]);
  });
});
