import type { DocumentSummary, Item, Taxes } from '../../../../src/documents/summary/summary.ts';
import type { Row, Rows } from '../hand-made.ts';
import { noteOf as of, supplier } from '../hand-made.ts';

const taxed = (cst: string, taxes: Taxes = {}, more: Partial<DocumentSummary> = {}) =>
  of({ cst }, taxes, more);
const only = (taxes: Taxes, more: Partial<DocumentSummary> = {}) => of({}, taxes, more);
const under = (tax_regime: string, cst: string) => taxed(cst, {}, { issuer: { id: supplier, tax_regime } });
const simples = { issuer: { id: supplier, tax_regime: '1' } };
const issued = (day: string, purpose = '1') => ({ issued_at: `${day}T10:00:00-03:00`, purpose });
const old = (cst: string) => taxed(cst, { icms: '18.00' }, { layout: 'nfe 2.00' });
const exempt: Partial<Item> = { cst: '00', total: '0.00' };

/** Codes against amounts: a code that excludes the amount present, or requires the amount missing. */
export const situations: Rows = {
  cst_against_regime: [
    [under('1', '00'), 'CST 00 / CSOSN'],
    [under('4', '40'), 'CST 40 / CSOSN'],
    [under('2', '102'), 'CSOSN 102 / CST'],
    [under('3', '101'), 'CSOSN 101 / CST'],
    [under('1', '102')],
    [under('4', '102')],
    [under('2', '00')],
    [under('3', '60')],
    [under('1', '61')],
    [under('constructor', '00')],
    [taxed('00', {}, { issuer: { id: supplier } }), 0],
  ],
  icms_not_due: [
    ...['40', '50', '102', '103', '300', '400'].map(
      (cst): Row => [taxed(cst, { icms: '18.00' }), '18.00 / 0.00'],
    ),
    [taxed('41', { icms: '0.01' }), '0.01 / 0.00'],
    [taxed('40', { icms: '0.00', icms_relieved: '18.00' })],
    [taxed('00', { icms: '18.00' }), 0],
    [taxed('900', { icms: '18.00' })],
    // In layout 2.00, vICMS of an exempt item is the relieved amount.
    [old('40')],
    [old('41')],
    [old('50')],
    [old('60'), '18.00 / 0.00'],
  ],
  icms_due: [
    [taxed('00'), '- / > 0'],
    [taxed('00', { icms: '0.00', icms_base: '100.00' }), '0.00 / > 0'],
    [taxed('20'), '- / > 0'],
    [taxed('00', { icms: '18.00' })],
    [taxed('40')],
    [taxed('61')],
    [of(exempt, { icms: '0.00' })],
    [of({ cst: '00', discount: '100.00' }, { icms: '0.00' })],
    // Complementary and adjustment notes carry only the missing amount; cancelled notes are not checked.
    [taxed('00', {}, { purpose: '2' })],
    [taxed('00', {}, { purpose: '3' }), 0],
    [taxed('00', {}, { status: 'cancelled' }), 0],
    [[taxed('00'), taxed('00', { icms: '18.00' }), taxed('40')], '- / > 0', 2],
  ],
  icms_st_not_due: [
    [taxed('00', { icms: '18.00', icms_st: '7.00' }), '7.00 / 0.00'],
    [taxed('102', { icms_st: '7.00' }), '7.00 / 0.00'],
    [taxed('10', { icms: '18.00', icms_st: '7.00' })],
  ],
  simples_credit_not_due: [
    [taxed('102', { icms_credit: '1.25' }), '1.25 / 0.00'],
    [taxed('500', { icms_credit: '1.25' }), '1.25 / 0.00'],
    [taxed('101', { icms_credit: '1.25' })],
    [taxed('201', { icms_credit: '1.25' })],
  ],
  simples_credit_due: [[taxed('101'), '- / > 0'], [taxed('101', { icms_credit: '1.25' })], [taxed('102')]],
  ipi_cst_against_flow: [
    [only({ ipi_cst: '03' }), '03 / 50-99'],
    [only({ ipi_cst: '50' }, { flow: '0' }), '50 / 00-49'],
    [only({ ipi_cst: '99' })],
    [only({ ipi_cst: '49' }, { flow: '0' })],
    [only({}), 0],
  ],
  ipi_not_due: [
    [only({ ipi_cst: '53', ipi: '5.00' }), '5.00 / 0.00'],
    [only({ ipi_cst: '50', ipi: '5.00' })],
    [only({ ipi_cst: '53' })],
  ],
  pis_cofins_not_due: [
    [
      of({ number: '7' }, { pis_cst: '06', pis: '1.65' }),
      { found: '1.65', expected: '0.00', values: { item: '7', cst: '06', field: 'vPIS' } },
    ],
    [only({ cofins_cst: '04', cofins: '7.60' }), '7.60 / 0.00'],
    [only({ pis_cst: '06', pis: '0.00', cofins_cst: '01', cofins: '7.60' })],
    [only({ pis_cst: '50', pis: '1.65' })],
  ],
  pis_cofins_due: [
    [only({ pis_cst: '01', pis: '0.00' }), '0.00 / > 0'],
    [only({ cofins_cst: '02' }), '- / > 0'],
    [only({ pis_cst: '01', pis: '1.65', cofins_cst: '06' })],
    [only({ pis_cst: '01' }, simples)],
    [only({ pis_cst: '01' }, issued('2005-12-31')), 0],
    [only({ pis_cst: '01' }, issued('2006-01-01')), '- / > 0'],
    [only({ pis_cst: '01' }, issued('2026-12-31')), '- / > 0'],
    [only({ pis_cst: '01' }, issued('2027-01-01')), 0],
  ],
  pis_cofins_ended: [
    [only({ cofins: '7.60', pis: '0.00' }, issued('2027-01-01')), '7.60 / 0.00'],
    [only({ cofins: '7.60', pis: '0.00' }, issued('2026-12-31'))],
    // A return repeats the taxes of the original note.
    [only({ cofins: '7.60', pis: '0.00' }, issued('2027-01-01', '4'))],
    [only({ cofins: '7.60', pis: '0.00' }, issued('2027-01-01', '2'))],
    [only({ pis: '1.65' }, { issued_at: '2027-01-01T00:00:00-03:00' }), '1.65 / 0.00'],
    [only({ pis: '1.65' }, { issued_at: '2026-12-31T23:59:59-03:00' })],
  ],
};
