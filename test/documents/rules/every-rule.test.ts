import { describe, expect, it } from 'vitest';
import { type RuleCode, rules } from '../../../src/documents/rules/index.ts';
import type { DocumentSummary } from '../../../src/documents/summary/summary.ts';
import { createRuleTeller, createTranslator, languages } from '../../../src/messages/index.ts';
import type { Row, Rows } from './hand-made.ts';
import * as made from './hand-made.ts';
import { freight } from './rows/carriage.ts';
import { operations } from './rows/cfop.ts';
import { deadlines } from './rows/deadlines.ts';
import { duplicates } from './rows/duplicates.ts';
import { reform } from './rows/reform.ts';
import { situations } from './rows/tax-situations.ts';
import { services, totals } from './rows/totals.ts';

const { carriage, company, event, nfeKey, note, noteOf: of, own, service, supplier } = made;

/** The rule about the text of a document is tested where the text is available: test/e2e/verify.test.ts. */
const tables: Rows = {
  ...{ ...totals, ...operations, ...situations, ...services },
  ...{ ...reform, ...duplicates, ...freight, ...deadlines },
};
const rows = Object.entries(tables) as [RuleCode, readonly Row[]][];

const group = { ibs_cbs_cst: '000', class_trib: '000001' };
const full = { ...group, ibs_cbs_base: '100.00', ibs: '0.10', cbs: '0.90' };
const simples = { issuer: { id: supplier, id_type: 'cnpj' as const, tax_regime: '1' } };
const at = (day: string) => ({ company, now: new Date(`${day}T15:00:00Z`), timeZone: 'America/Sao_Paulo' });
const authorized = (day: string) => ({ protocol: { number: '1', code: '100', at: `${day}T09:00:00-03:00` } });
const covered = made.coveredFrom('2026-01-01', '2026-12-31');
const carrying = carriage({ linked_keys: [nfeKey(5)], recipient: { id: company } });
/** Of September, without a carrier's name. */
const hired = (mode: string, more: Partial<DocumentSummary> = {}) =>
  note({ transport: { mode }, issued_at: '2026-09-01T10:00:00-03:00', key: nfeKey(1, '2609'), ...more });

const whole = (more: Parameters<typeof of>[0]) =>
  of(more, {}, { purpose: '1', totals: { products: '1.00', total: '1.00', pis: '0.10', cofins: '0.20' } });

/** Documents a rule is not about, though they are of its kind: it has checked nothing there. */
const unexamined: readonly (readonly [RuleCode, string, Row[0]])[] = [
  ['items_against_products', 'no total of products', of({})],
  ['parts_against_total', 'a complementary note', of({}, {}, { purpose: '2', totals: { products: '1.00' } })],
  ['parts_against_total', 'a vehicle invoiced to the consumer', whole({ vehicle_operation: '2' })],
  ['pis_cofins_items_against_totals', 'an item outside the total', whole({ in_total: '0' })],
  ['pis_cofins_items_against_totals', 'PIS by substitution', whole({ pis_st: '1.00' })],
  ['pis_cofins_items_against_totals', 'COFINS by substitution', whole({ cofins_st: '0.00' })],
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
  ['iss_above_withheld', 'no ISS', service({ iss_withheld: true, totals: { iss: '0.00' } })],
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
  ['nfe_without_cte', 'no freight', { documents: [hired('9')], context: covered }],
  ['nfe_without_cte', 'an own vehicle', { documents: [hired('4')], context: covered }],
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

const tellers = languages.map((language) => createRuleTeller(rules, createTranslator(language)));

describe('every rule', () => {
  it('has rows that it tells of, and beside them one that is right', () => {
    const wanted = rules.filter(({ readsText }) => readsText !== true).map(({ code }) => code);
    expect(rows.map(([code]) => code).toSorted()).toEqual(wanted.toSorted());
    for (const [code, its] of rows) {
      expect(
        its.some(([, ...told]) => told.length > 0),
        code,
      ).toBe(true);
      expect(
        its.some(([, ...told]) => told.length === 0),
        code,
      ).toBe(true);
    }
  });

  it.each(rows)('%s', (code, its) => {
    for (const [given, ...told] of its) {
      const { findings: found } = made.checked(code, given);
      const expected = told.map((one) => {
        const [found, expected] = typeof one === 'string' ? one.split(' / ') : [];
        return { rule: code, ...(typeof one === 'string' ? { found, expected } : one) };
      });
      expect(found, JSON.stringify(given)).toHaveLength(expected.length);
      expect(found, JSON.stringify(given)).toMatchObject(expected);
      for (const { found: is, expected: due, values } of found)
        for (const { tell } of tellers)
          for (const part of ['finding', 'todo'] as const)
            expect(tell(code, part, { found: is, expected: due, ...values })).not.toMatch(
              /[{}]|R\$ [\d,.]+%/,
            );
    }
  });

  it.each(unexamined)('%s does not apply to: %s', (code, _, given) => {
    expect(made.checked(code, given).applied).toBe(0);
  });

  it('counts the documents it applies to, also those it finds nothing in', () => {
    const counted: readonly (readonly [RuleCode, Row[0], number])[] = [
      ['icms_due', [of({ cst: '00' }), of({ cst: '00' }, { icms: '18.00' }), of({ cst: '40' })], 2],
      ['icms_due', { ...of({ cst: '00' }), status: 'cancelled' }, 0],
      ['parts_against_total', whole({ vehicle_operation: '1' }), 1],
      ['pis_cofins_items_against_totals', whole({}), 1],
      ['ibs_cbs_missing_nfse', [service(), service({ layout: 'nfse abrasf 2.02' })], 1],
      ['corrected_after_entry', [note(), own(10)], 1],
      ['number_gap', [own(10), own(11), own(12)], 2],
      // The series runs through notes of both directions, of which one was asked for.
      [
        'number_gap',
        {
          documents: [own(10, { flow: '0' }), own(11), own(12, { flow: '0' }), own(13)],
          context: { company, direction: 'outbound' },
        },
        1,
      ],
      [
        'nfe_without_cte',
        { documents: [hired('1'), carriage({ linked_keys: [nfeKey(1, '2609')] })], context: covered },
        1,
      ],
      ['freight_of_cancelled_note', [carrying, note({ key: nfeKey(5) })], 1],
    ];
    for (const [code, given, count] of counted)
      expect([code, made.checked(code, given).applied]).toEqual([code, count]);
  });
});
