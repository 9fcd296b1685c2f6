import type { DocumentSummary, Party, Taxes } from '../../../../src/documents/summary/summary.ts';
import type { Row, Rows } from '../hand-made.ts';
import { carriage, item, note, noteOf, service, supplier } from '../hand-made.ts';

type More = Partial<DocumentSummary>;

const group = { ibs_cbs_cst: '000', class_trib: '000001' };
const full = { ...group, ibs_cbs_base: '100.00', ibs: '0.10', cbs: '0.90' };
const sums = { ibs_cbs_base: '100.00', ibs: '0.10', cbs: '0.90' };

/** Two items, one with the group. */
const half = (day: string, issuer: Partial<Party> = {}, more: More = {}) =>
  note({
    issued_at: `${day}T08:00:00-03:00`,
    issuer: { id: supplier, id_type: 'cnpj', tax_regime: '3', state_registration: '111', ...issuer },
    items: [item({}, group), item({ number: '2' })],
    ...more,
  });
const fuels = [item({ fuel: '820101034', ncm: '27101921' }), item({ number: '2', cst: '61' })];
const exempt = { state_registration: 'ISENTO' };
const unregistered = { state_registration: undefined };
const person = { id: '52998224725', id_type: 'cpf' as const };

const without = (more: More = {}, issuer: Partial<Party> = {}) =>
  service({ taxation: undefined, issuer: { id: supplier, id_type: 'cnpj', ...issuer }, ...more });
const ofCode = (national_code: string, issued_at: string) =>
  without({ issued_at, service: { national_code } });

const classified = (ibs_cbs_cst: string, class_trib: string, more: More = {}) =>
  noteOf({}, { ibs_cbs_cst, class_trib }, more);
const whole = (ibs_cbs_cst: string, class_trib: string) => ({ taxation: { ibs_cbs_cst, class_trib } });

const taxed = (ibs_cbs_cst: string, taxes: Taxes = {}, more: More = {}) =>
  noteOf({}, { ibs_cbs_cst, ...taxes }, more);
const single = { ibs_mono: '1.00', cbs_mono: '2.00' };

const rates = { ibs_state_rate: '0.1000', ibs_city_rate: '0.0000', cbs_rate: '0.9000' };
const rated = (taxes: Taxes = {}, more: More = {}) => noteOf({}, { ...group, ...rates, ...taxes }, more);
const zero = { ibs_state_rate: '0.00', ibs_city_rate: '0.00', cbs_rate: '0.00' };
const in2027 = { issued_at: '2027-02-01T08:00:00-03:00' };
const halves = { ibs_state_rate: '0.05', ibs_city_rate: '0.05' };

/** 0.9 per cent of the base is 11.1105. */
const based = (cbs: string, taxes: Taxes = {}, more: More = {}) =>
  noteOf({}, { ibs_cbs_cst: '000', ibs_cbs_base: '1234.50', cbs, ...taxes }, more);
const freight = (cbs: string) =>
  carriage({ ...whole('000', '000001'), totals: { total: '1000.00', ibs_cbs_base: '1000.00', cbs } });

const totalled = (totals: DocumentSummary['totals'], taxes: Taxes = group, more: More = {}) =>
  noteOf({}, taxes, { totals: { total: '100.00', ...totals }, ...more });

/** IBS and CBS. */
export const reform: Rows = {
  ibs_cbs_missing: [
    [half('2026-08-03'), '1 / 2'],
    [half('2026-08-02'), 0],
    [half('2026-08-03', { tax_regime: '1' }), 0],
    [half('2026-08-03', {}, { purpose: '4' })],
    [noteOf({}, group)],
    // Single-phase fuel does not need the group yet.
    [half('2026-11-05', {}, { items: fuels })],
    [half('2026-11-05', {}, { items: [...fuels, item({ number: '3' })] }), '0 / 1'],
    // Later for issuers without ICMS registration; individuals from 2027.
    [half('2026-11-30', exempt)],
    [half('2026-12-01', exempt), '1 / 2'],
    [half('2026-11-15', unregistered), '1 / 2'],
    [half('2026-11-30', unregistered)],
    [half('2026-12-31', person)],
    [half('2027-01-01', person), '1 / 2'],
  ],
  ibs_cbs_missing_simples: [
    ...['1', '2', '4'].map((tax_regime): Row => [half('2027-01-01', { tax_regime }), '1 / 2']),
    [half('2026-12-31', { tax_regime: '1' })],
    [half('2027-01-01', { tax_regime: '3' })],
  ],
  ibs_cbs_missing_cte: [
    [carriage(), '- / IBSCBS'],
    [carriage({ kind: 'cteos' }), '- / IBSCBS'],
    [carriage(whole('000', '000001'))],
    [carriage({ issued_at: '2026-08-02' }), 0],
    [carriage({ issued_at: '2026-08-03' }), '- / IBSCBS'],
    [carriage({ purpose: '1' })],
    [carriage({ issuer: { id: supplier, tax_regime: '1' } })],
    [carriage({ issuer: { id: supplier } })],
  ],
  ibs_cbs_missing_nfse: [
    [without(), '- / IBSCBS'],
    [service()],
    [without({ issued_at: '2026-09-30' }), 0],
    [without({ issued_at: '2026-10-01' }), '- / IBSCBS'],
    [without({ issued_at: undefined })],
    [[service(), without({ layout: 'nfse prodam' })], 1],
    [without({}, { is_under_simples: false }), '- / IBSCBS'],
    [without({}, { is_under_simples: true })],
    [without({}, { id_type: 'cpf' })],
    ...['010301', '010501', '010901', '160101', '990101'].flatMap((code): Row[] => [
      [ofCode(code, '2026-11-30')],
      [ofCode(code, '2026-12-01'), '- / IBSCBS'],
    ]),
    [ofCode('010701', '2026-11-30'), '- / IBSCBS'],
  ],
  ibs_cbs_missing_nfse_simples: [
    [without({ issued_at: '2027-01-01' }, { is_under_simples: true }), '- / IBSCBS'],
    [without({ issued_at: '2026-12-31' }, { is_under_simples: true })],
  ],

  // Once per code.
  ibs_cbs_cst_unknown: [
    [
      note({
        items: ['999', '999', '000'].map((ibs_cbs_cst, i) =>
          item({ number: String(i + 1) }, { ibs_cbs_cst }),
        ),
      }),
      '999 / 2026-10-01',
    ],
    [classified('830', '830001')],
  ],
  class_trib_form: [
    [classified('000', '00001'), '00001 / 000000'],
    [classified('000', '000001'), 1],
    [noteOf({}), 0],
  ],
  class_trib_against_cst: [
    [classified('620', '200032'), '200032 / 620...'],
    [classified('000', '200032'), '200032 / 000...'],
    [classified('200', '200032')],
    [taxed('000'), 0],
    [service(whole('000', '200001')), '200001 / 000...'],
    [service(whole('000', '000001'))],
  ],
  // By the table on the day of issue; codes without six digits are reported by `class_trib_form`.
  class_trib_unknown: [
    [classified('000', '000009'), '000009 / 2026-10-01'],
    [classified('000', '000999'), '000999 / 2026-10-01'],
    [classified('000', '00009')],
    [classified('220', '220001'), '220001 / 2026-10-01'],
    [classified('220', '220001', { issued_at: '2026-01-01T10:00:00-03:00' }), 1],
    [classified('220', '220001', { issued_at: '2025-12-31' }), 0],
    [classified('550', '550029')],
    [classified('000', '000001')],
    [service()],
  ],
  class_trib_out_of_document: [
    [classified('200', '200052'), { found: '200052', values: { document: 'NF-e' } }],
    [classified('200', '200052', { issued_at: '2026-10-07' }), 0],
    [classified('200', '200052', { issued_at: '2026-10-08' }), {}],
    [classified('000', '000002'), {}],
    [classified('200', '200032')],
    [service(whole('200', '200052'))],
    [carriage(whole('200', '200052')), '200052 / 2026-10-01'],
    [classified('620', '620006', { kind: 'nfce' })],
    [classified('620', '620001', { kind: 'nfce' }), '620001 / 2026-10-01'],
  ],
  ibs_cbs_group: [
    [taxed('000', { ibs_cbs_base: '100.00' })],
    [taxed('000'), '- / gIBSCBS'],
    [taxed('000', {}, { issued_at: '2026-01-01' }), {}],
    [taxed('000', {}, { issued_at: '2025-12-31' }), 0],
    [taxed('410')],
    [taxed('410', { ibs_cbs_base: '100.00' }), 'gIBSCBS / -'],
    [taxed('620', single)],
    [taxed('620')],
    [taxed('620', { ibs_cbs_base: '100.00' }), 'gIBSCBS / gIBSCBSMono'],
    [taxed('000', single), 'gIBSCBSMono / gIBSCBS'],
    [taxed('000', {}, { purpose: '6' })],
  ],
  ibs_cbs_not_due: [
    [taxed('410', { cbs: '0.90' }), '0.90 / 0.00'],
    [taxed('400', { ibs: '0.10' }), '0.10 / 0.00'],
    [taxed('410', { cbs: '0.00' })],
    [taxed('000', { ibs: '0.10', cbs: '0.90' })],
  ],
  cbs_due: [
    [taxed('000', { ibs_cbs_base: '100.00', cbs: '0.00' }), '0.00 / > 0'],
    [taxed('000', { cbs: '0.90' })],
    [taxed('410')],
    // On a price of some cents the tax rounds to zero.
    [noteOf({ total: '0.40' }, { ...group, ibs_cbs_base: '0.40', cbs: '0.00' })],
  ],

  ibs_cbs_rate: [
    // 2026: 0.1, 0 and 0.9 per cent.
    [rated()],
    [rated({ cbs_rate: '8.8000' }), '8.8% / 0.9%'],
    [rated({ cbs_rate: '8.8' }, { issued_at: '2026-01-01' }), {}],
    [rated({ cbs_rate: '8.8' }, { issued_at: '2025-12-31' }), 0],
    [rated(halves), '0.05% / 0.1%', '0.05% / 0%'],
    [rated({ cbs_rate: undefined })],
    [noteOf({}, group), 0],
    // 2027: 0.05 and 0.05; the CBS is not fixed.
    [rated({ ...halves, cbs_rate: '8.7' }, in2027)],
    [rated({}, in2027), '0.1% / 0.05%', '0% / 0.05%'],
    [rated({ cbs_rate: '3' }, { issued_at: '2029-01-01' })],
    // Zero if the classification says so, and for the CBS between incentivised areas.
    [rated({ ...zero, ibs_cbs_cst: '550', class_trib: '550001' })],
    [rated({ ibs_cbs_cst: '550', class_trib: '550001' }), '0.1% / 0%', '0.9% / 0%'],
    [rated({ cbs_rate: '0.00' }), '0% / 0.9%'],
    [rated({ cbs_rate: '0.00' }, { issuer: { id: supplier, state: 'AM' }, recipient: { state: 'AM' } })],
    // If the regular tax is given too, the rate itself is zero.
    [noteOf({}, { ...full, ibs_cbs_cst: '200', class_trib: '200022', cbs_rate: '0' })],
    // Returns, government purchases, uniform and fixed rates.
    [rated({ cbs_rate: '8.8' }, { purpose: '4' })],
    [rated({ cbs_rate: '8.8' }, { is_to_government: true })],
    [rated({ cbs_rate: '8.8', ibs_cbs_cst: '010', class_trib: '010002' })],
  ],
  cbs_against_base: [
    [based('108.64'), '108.64 / 11.11'],
    [based('11.11')],
    [based('11.12')],
    [based('11.13'), '11.13 / 11.11'],
    // By the stated rate.
    [based('108.64', { cbs_rate: '8.8000' })],
    [based('11.11', { cbs_rate: '8.8000' }), '11.11 / 108.64'],
    [based('11.11', { cbs_rate: '8.7500' }), { values: { rate: '8.75%' } }],
    [based('4.00', { ibs_cbs_cst: '200' }), 0],
    [based('4.00', {}, { is_to_government: true })],
    [based('108.64', {}, { issued_at: '2027-01-04' })],
    [freight('9.00')],
    [freight('90.00'), '90.00 / 9.00'],
  ],
  ibs_cbs_totals_missing: [
    [totalled(sums)],
    [totalled({}), 'det/imposto/IBSCBS / total/IBSCBSTot'],
    // IBS and CBS before the test year had no legal value.
    [totalled({}, group, { issued_at: '2026-01-01' }), {}],
    [totalled({}, group, { issued_at: '2025-12-31' }), 0],
    [totalled(sums, {}), 'total/IBSCBSTot / det/imposto/IBSCBS'],
    [totalled({}, {}), 0],
    [totalled({ ibs_cbs_base: '0.00' }, { ibs_cbs_cst: '410', class_trib: '410999' })],
    [totalled({}, group, { item_count: 2 })],
  ],
  total_with_ibs_cbs_missing: [
    [totalled(sums), '- / vNFTot'],
    [totalled({ ...sums, total_with_ibs_cbs: '100.00' })],
    [totalled({}), 0],
  ],
  // With or without the taxes, to the cent.
  total_with_ibs_cbs_inconsistent: [
    [totalled({ ...sums, total_with_ibs_cbs: '100.50' }), '100.50 / 100.00'],
    [totalled({ ...sums, total_with_ibs_cbs: '100.00' })],
    [totalled({ ...sums, total_with_ibs_cbs: '101.00' })],
    [totalled({ ...sums, total_with_ibs_cbs: '101.01' })],
    [totalled({ ...sums, total_with_ibs_cbs: '100.50' }, group, { purpose: '5' })],
  ],
};
