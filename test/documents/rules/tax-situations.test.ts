import { describe, expect, it } from 'vitest';
import type { RuleCode } from '../../../src/documents/rules/index.ts';
import type { Item, Taxes } from '../../../src/documents/summary/summary.ts';
import { findingsOf, noteOf, pairs, supplier } from './hand-made.ts';

type Case = readonly [rule: RuleCode, item: Partial<Item>, taxes: Taxes, pair: string];

/** A code that does not stand for the amount it has, or lacks the amount it stands for. */
const wrong: readonly Case[] = [
  ['icms_not_due', { cst: '40' }, { icms: '18.00' }, '18.00 / 0.00'],
  ['icms_not_due', { cst: '41' }, { icms: '0.01' }, '0.01 / 0.00'],
  ['icms_not_due', { cst: '50' }, { icms: '18.00' }, '18.00 / 0.00'],
  ['icms_not_due', { cst: '102' }, { icms: '18.00' }, '18.00 / 0.00'],
  ['icms_not_due', { cst: '103' }, { icms: '18.00' }, '18.00 / 0.00'],
  ['icms_not_due', { cst: '300' }, { icms: '18.00' }, '18.00 / 0.00'],
  ['icms_not_due', { cst: '400' }, { icms: '18.00' }, '18.00 / 0.00'],
  ['icms_due', { cst: '00' }, {}, '- / > 0'],
  ['icms_due', { cst: '00' }, { icms: '0.00', icms_base: '100.00' }, '0.00 / > 0'],
  ['icms_due', { cst: '20' }, {}, '- / > 0'],
  ['icms_st_not_due', { cst: '00' }, { icms: '18.00', icms_st: '7.00' }, '7.00 / 0.00'],
  ['icms_st_not_due', { cst: '102' }, { icms_st: '7.00' }, '7.00 / 0.00'],
  ['simples_credit_not_due', { cst: '102' }, { icms_credit: '1.25' }, '1.25 / 0.00'],
  ['simples_credit_not_due', { cst: '500' }, { icms_credit: '1.25' }, '1.25 / 0.00'],
  ['simples_credit_due', { cst: '101' }, {}, '- / > 0'],
  ['ipi_not_due', {}, { ipi_cst: '53', ipi: '5.00' }, '5.00 / 0.00'],
  ['pis_cofins_not_due', {}, { pis_cst: '06', pis: '1.65' }, '1.65 / 0.00'],
  ['pis_cofins_not_due', {}, { cofins_cst: '04', cofins: '7.60' }, '7.60 / 0.00'],
  ['pis_cofins_due', {}, { pis_cst: '01', pis: '0.00' }, '0.00 / > 0'],
  ['pis_cofins_due', {}, { cofins_cst: '02' }, '- / > 0'],
  ['ibs_cbs_not_due', {}, { ibs_cbs_cst: '410', cbs: '0.90' }, '0.90 / 0.00'],
  ['ibs_cbs_not_due', {}, { ibs_cbs_cst: '400', ibs: '0.10' }, '0.10 / 0.00'],
  ['cbs_due', {}, { ibs_cbs_cst: '000', ibs_cbs_base: '100.00', cbs: '0.00' }, '0.00 / > 0'],
];

const right: readonly (readonly [RuleCode, Partial<Item>, Taxes])[] = [
  ['icms_not_due', { cst: '40' }, { icms: '0.00', icms_relieved: '18.00' }],
  ['icms_not_due', { cst: '00' }, { icms: '18.00' }],
  ['icms_not_due', { cst: '900' }, { icms: '18.00' }],
  ['icms_due', { cst: '00' }, { icms: '18.00' }],
  ['icms_due', { cst: '40' }, {}],
  ['icms_due', { cst: '00', total: '0.00' }, { icms: '0.00' }],
  ['icms_due', { cst: '00', discount: '100.00' }, { icms: '0.00' }],
  ['icms_st_not_due', { cst: '10' }, { icms: '18.00', icms_st: '7.00' }],
  ['simples_credit_not_due', { cst: '101' }, { icms_credit: '1.25' }],
  ['simples_credit_due', { cst: '101' }, { icms_credit: '1.25' }],
  ['ipi_not_due', {}, { ipi_cst: '50', ipi: '5.00' }],
  ['ipi_not_due', {}, { ipi_cst: '53' }],
  ['pis_cofins_not_due', {}, { pis_cst: '06', pis: '0.00', cofins_cst: '01', cofins: '7.60' }],
  ['pis_cofins_due', {}, { pis_cst: '01', pis: '1.65', cofins_cst: '06' }],
  ['ibs_cbs_not_due', {}, { ibs_cbs_cst: '000', ibs: '0.10', cbs: '0.90' }],
  ['cbs_due', {}, { ibs_cbs_cst: '000', cbs: '0.90' }],
  ['cbs_due', {}, { ibs_cbs_cst: '410' }],
];

describe('codes against amounts', () => {
  it.each(wrong)('%s: %o %o', (rule, item, taxes, pair) => {
    expect(pairs(rule, noteOf(item, taxes))).toEqual([pair]);
  });

  it.each(right)('%s finds nothing: %o %o', (rule, item, taxes) => {
    expect(pairs(rule, noteOf(item, taxes))).toEqual([]);
  });

  it('names item, code and field', () => {
    const [finding] = findingsOf('pis_cofins_not_due', [
      noteOf({ number: '7' }, { pis_cst: '06', pis: '1.65' }),
    ]);
    expect(finding?.values).toEqual({ item: '7', cst: '06', field: 'vPIS' });
  });

  it('complementary and adjustment notes carry what was missing', () => {
    expect(pairs('icms_due', noteOf({ cst: '00' }, {}, { purpose: '2' }))).toEqual([]);
    expect(pairs('icms_due', noteOf({ cst: '00' }, {}, { purpose: '3' }))).toEqual([]);
  });

  it('in layout 2.00 the vICMS of an exempt item is what was relieved, that of another none', () => {
    const of = (cst: string) => noteOf({ cst }, { icms: '18.00' }, { layout: 'nfe 2.00' });
    expect(pairs('icms_not_due', of('40'), of('41'), of('50'))).toEqual([]);
    expect(pairs('icms_not_due', of('60'))).toEqual(['18.00 / 0.00']);
  });

  it('PIS and COFINS are expected of the normal regime only', () => {
    const issuer = { id: supplier, tax_regime: '1' };
    expect(pairs('pis_cofins_due', noteOf({}, { pis_cst: '01' }, { issuer }))).toEqual([]);
  });

  it.each([
    ['2026-12-31', '1', ['- / > 0'], []],
    ['2027-01-01', '1', [], ['7.60 / 0.00']],
    // What returns the goods of an earlier note repeats its taxes.
    ['2027-01-01', '4', [], []],
    ['2027-01-01', '2', [], []],
  ])('PIS and COFINS end with 2026: issued on %s with purpose %s', (day, purpose, due, ended) => {
    const issued = { issued_at: `${day}T10:00:00-03:00`, purpose };
    expect(pairs('pis_cofins_due', noteOf({}, { pis_cst: '01' }, { ...issued, purpose: '1' }))).toEqual(due);
    expect(pairs('pis_cofins_ended', noteOf({}, { cofins: '7.60', pis: '0.00' }, issued))).toEqual(ended);
  });

  it('a cancelled note is not looked at', () => {
    expect(pairs('icms_due', noteOf({ cst: '00' }, {}, { status: 'cancelled' }))).toEqual([]);
  });
});

describe('ipi_cst_against_flow', () => {
  it('codes below 50 where the issuer sends, and the reverse', () => {
    expect(pairs('ipi_cst_against_flow', noteOf({}, { ipi_cst: '03' }))).toEqual(['03 / 50-99']);
    expect(pairs('ipi_cst_against_flow', noteOf({}, { ipi_cst: '50' }, { flow: '0' }))).toEqual([
      '50 / 00-49',
    ]);
  });

  it('agrees, or is not said', () => {
    expect(pairs('ipi_cst_against_flow', noteOf({}, { ipi_cst: '99' }))).toEqual([]);
    expect(pairs('ipi_cst_against_flow', noteOf({}, { ipi_cst: '49' }, { flow: '0' }))).toEqual([]);
    expect(pairs('ipi_cst_against_flow', noteOf({}, {}))).toEqual([]);
  });
});

describe('cst_against_regime', () => {
  const under = (tax_regime: string) => ({ issuer: { id: supplier, tax_regime } });

  it.each([
    ['1', '00', 'CST 00 / CSOSN'],
    ['4', '40', 'CST 40 / CSOSN'],
    ['2', '102', 'CSOSN 102 / CST'],
    ['3', '101', 'CSOSN 101 / CST'],
  ])('CRT %s with %s', (regime, cst, pair) => {
    expect(pairs('cst_against_regime', noteOf({ cst }, {}, under(regime)))).toEqual([pair]);
  });

  it.each([
    ['1', '102'],
    ['4', '102'],
    ['2', '00'],
    ['3', '60'],
    ['1', '61'],
  ])('CRT %s with %s is right', (regime, cst) => {
    expect(pairs('cst_against_regime', noteOf({ cst }, {}, under(regime)))).toEqual([]);
  });
});
