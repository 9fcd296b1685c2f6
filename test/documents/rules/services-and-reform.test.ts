import { describe, expect, it } from 'vitest';
import { item, note, noteOf, pairs, service, supplier } from './hand-made.ts';

describe('withheld ISS', () => {
  it('iss_withheld_without_iss', () => {
    expect(pairs('iss_withheld_without_iss', service({ iss_withheld: true }))).toEqual(['- / > 0']);
    expect(
      pairs('iss_withheld_without_iss', service({ iss_withheld: true, totals: { iss: '0.00' } })),
    ).toEqual(['0.00 / > 0']);
    expect(
      pairs('iss_withheld_without_iss', service({ iss_withheld: true, totals: { iss: '5.00' } })),
    ).toEqual([]);
    expect(pairs('iss_withheld_without_iss', service({ iss_withheld: false }))).toEqual([]);
    const apart = { iss: '0.00', iss_withheld: '25.00', withheld: '25.00' };
    expect(pairs('iss_withheld_without_iss', service({ iss_withheld: true, totals: apart }))).toEqual([]);
    expect(pairs('iss_above_withheld', service({ iss_withheld: true, totals: apart }))).toEqual([]);
  });

  it('iss_above_withheld', () => {
    const withheld = (amount?: string) =>
      service({ iss_withheld: true, totals: { iss: '5.00', withheld: amount } });
    expect(pairs('iss_above_withheld', withheld('4.99'))).toEqual(['4.99 / >= 5.00']);
    expect(pairs('iss_above_withheld', withheld())).toEqual(['- / >= 5.00']);
    expect(pairs('iss_above_withheld', withheld('5.00'))).toEqual([]);
    expect(pairs('iss_above_withheld', withheld('11.15'))).toEqual([]);
    expect(pairs('iss_above_withheld', service({ totals: { iss: '5.00', withheld: '1.00' } }))).toEqual([]);
  });

  it('iss_deducted_not_withheld', () => {
    const net = (total: string, iss_withheld = false) =>
      service({ iss_withheld, totals: { services: '100.00', iss: '5.00', total } });
    expect(pairs('iss_deducted_not_withheld', net('95.00'))).toEqual(['95.00 / 100.00']);
    expect(pairs('iss_deducted_not_withheld', net('100.00'))).toEqual([]);
    expect(pairs('iss_deducted_not_withheld', net('95.00', true))).toEqual([]);
    const discounted = { services: '100.00', iss: '5.00', discount: '5.00', total: '95.00' };
    expect(pairs('iss_deducted_not_withheld', service({ iss_withheld: false, totals: discounted }))).toEqual(
      [],
    );
  });
});

describe('groups of IBS and CBS that are missing', () => {
  const group = { ibs_cbs_cst: '000', class_trib: '000001' };
  const issued = (day: string, tax_regime = '3') => ({
    issued_at: `${day}T08:00:00-03:00`,
    issuer: { id: supplier, tax_regime },
    items: [item({}, group), item({ number: '2' })],
  });

  it('ibs_cbs_missing: normal regime from 2026-08-03 on', () => {
    expect(pairs('ibs_cbs_missing', note(issued('2026-08-03')))).toEqual(['1 / 2']);
    expect(pairs('ibs_cbs_missing', note(issued('2026-08-02')))).toEqual([]);
    expect(pairs('ibs_cbs_missing', note(issued('2026-08-03', '1')))).toEqual([]);
    expect(pairs('ibs_cbs_missing', noteOf({}, group))).toEqual([]);
    expect(pairs('ibs_cbs_missing', note({ ...issued('2026-08-03'), purpose: '4' }))).toEqual([]);
  });

  it('ibs_cbs_missing_simples: Simples and MEI from 2027-01-04 on', () => {
    expect(pairs('ibs_cbs_missing_simples', note(issued('2027-01-04', '1')))).toEqual(['1 / 2']);
    expect(pairs('ibs_cbs_missing_simples', note(issued('2027-01-04', '4')))).toEqual(['1 / 2']);
    expect(pairs('ibs_cbs_missing_simples', note(issued('2027-01-03', '1')))).toEqual([]);
    expect(pairs('ibs_cbs_missing_simples', note(issued('2027-01-04', '3')))).toEqual([]);
  });

  it('ibs_cbs_missing_nfse: national NFS-e from 2026-10-01 on', () => {
    const without = { taxation: undefined };
    expect(pairs('ibs_cbs_missing_nfse', service(without))).toEqual(['- / IBSCBS']);
    expect(pairs('ibs_cbs_missing_nfse', service())).toEqual([]);
    expect(pairs('ibs_cbs_missing_nfse', service({ ...without, issued_at: '2026-09-30' }))).toEqual([]);
    expect(pairs('ibs_cbs_missing_nfse', service({ ...without, layout: 'nfse prodam' }))).toEqual([]);
    expect(pairs('ibs_cbs_missing_nfse', service({ ...without, issued_at: undefined }))).toEqual([]);
  });
});

describe('classification of IBS and CBS', () => {
  const classified = (ibs_cbs_cst: string, class_trib: string) => noteOf({}, { ibs_cbs_cst, class_trib });

  it('class_trib_form', () => {
    expect(pairs('class_trib_form', classified('000', '00001'))).toEqual(['00001 / 000000']);
    expect(pairs('class_trib_form', classified('000', '000001'))).toEqual([]);
  });

  it('class_trib_against_cst, in items and of a whole document', () => {
    expect(pairs('class_trib_against_cst', classified('620', '200032'))).toEqual(['200032 / 620...']);
    expect(pairs('class_trib_against_cst', classified('200', '200032'))).toEqual([]);
    const whole = (class_trib: string) => service({ taxation: { ibs_cbs_cst: '000', class_trib } });
    expect(pairs('class_trib_against_cst', whole('200001'))).toEqual(['200001 / 000...']);
    expect(pairs('class_trib_against_cst', whole('000001'))).toEqual([]);
  });
});

describe('cbs_test_rate', () => {
  const taxed = (cbs: string, ibs_cbs_cst = '000') =>
    noteOf({}, { ibs_cbs_cst, ibs_cbs_base: '1234.50', cbs });

  it('0.9 per cent of the base in 2026: 1234.50 gives 11.1105', () => {
    expect(pairs('cbs_test_rate', taxed('108.64'))).toEqual(['108.64 / 11.11']);
    expect(pairs('cbs_test_rate', taxed('11.11'))).toEqual([]);
    expect(pairs('cbs_test_rate', taxed('11.12'))).toEqual([]);
    expect(pairs('cbs_test_rate', taxed('11.13'))).toEqual(['11.13 / 11.11']);
  });

  it('not for other codes and not in other years', () => {
    expect(pairs('cbs_test_rate', taxed('4.00', '200'))).toEqual([]);
    expect(pairs('cbs_test_rate', { ...taxed('108.64'), issued_at: '2027-01-04' })).toEqual([]);
  });
});
