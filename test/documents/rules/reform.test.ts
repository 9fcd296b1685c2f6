import { describe, expect, it } from 'vitest';
import type { DocumentSummary, Party } from '../../../src/documents/summary/summary.ts';
import { carriage, findingsOf, item, note, noteOf, pairs, service, supplier } from './hand-made.ts';

const group = { ibs_cbs_cst: '000', class_trib: '000001' };

describe('groups of IBS and CBS that are missing', () => {
  const issued = (day: string, issuer: Partial<Party> = {}) => ({
    issued_at: `${day}T08:00:00-03:00`,
    issuer: { id: supplier, id_type: 'cnpj' as const, tax_regime: '3', state_registration: '111', ...issuer },
    items: [item({}, group), item({ number: '2' })],
  });
  const missing = (parts: Partial<DocumentSummary>) => pairs('ibs_cbs_missing', note(parts));

  it('ibs_cbs_missing: normal regime from 2026-08-03 on', () => {
    expect(missing(issued('2026-08-03'))).toEqual(['1 / 2']);
    expect(missing(issued('2026-08-02'))).toEqual([]);
    expect(missing(issued('2026-08-03', { tax_regime: '1' }))).toEqual([]);
    expect(pairs('ibs_cbs_missing', noteOf({}, group))).toEqual([]);
    expect(missing({ ...issued('2026-08-03'), purpose: '4' })).toEqual([]);
  });

  it('ibs_cbs_missing: not of fuel under single-phase taxation', () => {
    const fuel = [item({ fuel: '820101034', ncm: '27101921' }), item({ number: '2', cst: '61' })];
    expect(missing({ ...issued('2026-11-05'), items: fuel })).toEqual([]);
    expect(missing({ ...issued('2026-11-05'), items: [...fuel, item({ number: '3' })] })).toEqual(['0 / 1']);
  });

  it('ibs_cbs_missing: of issuers that are not ICMS taxpayers from 2026-12-01 on, of persons from 2027 on', () => {
    const exempt = { state_registration: 'ISENTO' };
    expect(missing(issued('2026-11-30', exempt))).toEqual([]);
    expect(missing(issued('2026-12-01', exempt))).toEqual(['1 / 2']);
    const without = { state_registration: undefined };
    expect(missing(issued('2026-11-15', without))).toEqual(['1 / 2']);
    expect(missing(issued('2026-11-30', without))).toEqual([]);
    const person = { id: '52998224725', id_type: 'cpf' as const };
    expect(missing(issued('2026-12-31', person))).toEqual([]);
    expect(missing(issued('2027-01-01', person))).toEqual(['1 / 2']);
  });

  it('ibs_cbs_missing_simples: Simples and MEI from 2027-01-01 on', () => {
    const simples = (day: string, tax_regime: string) =>
      pairs('ibs_cbs_missing_simples', note(issued(day, { tax_regime })));
    expect(simples('2027-01-01', '1')).toEqual(['1 / 2']);
    expect(simples('2027-01-01', '2')).toEqual(['1 / 2']);
    expect(simples('2027-01-01', '4')).toEqual(['1 / 2']);
    expect(simples('2026-12-31', '1')).toEqual([]);
    expect(simples('2027-01-01', '3')).toEqual([]);
  });

  it('ibs_cbs_missing_cte: an ordinary CT-e of the normal regime from 2026-08-03 on', () => {
    const cte = (parts: Partial<DocumentSummary>) => pairs('ibs_cbs_missing_cte', carriage(parts));
    expect(cte({})).toEqual(['- / IBSCBS']);
    expect(cte({ kind: 'cteos' })).toEqual(['- / IBSCBS']);
    expect(cte({ taxation: { ibs_cbs_cst: '000', class_trib: '000001' } })).toEqual([]);
    expect(cte({ issued_at: '2026-08-02' })).toEqual([]);
    expect(cte({ purpose: '1' })).toEqual([]);
    expect(cte({ issuer: { id: supplier, tax_regime: '1' } })).toEqual([]);
    expect(cte({ issuer: { id: supplier } })).toEqual([]);
  });

  it('ibs_cbs_missing_nfse: national NFS-e from 2026-10-01 on', () => {
    const without = { taxation: undefined };
    const nfse = (parts: Partial<DocumentSummary>) => pairs('ibs_cbs_missing_nfse', service(parts));
    expect(nfse(without)).toEqual(['- / IBSCBS']);
    expect(nfse({})).toEqual([]);
    expect(nfse({ ...without, issued_at: '2026-09-30' })).toEqual([]);
    expect(nfse({ ...without, layout: 'nfse prodam' })).toEqual([]);
    expect(nfse({ ...without, issued_at: undefined })).toEqual([]);
  });

  it('ibs_cbs_missing_nfse: not of providers under the Simples or MEI, nor of persons', () => {
    const of = (issuer: Partial<Party>, issued_at = '2026-12-20') =>
      service({ taxation: undefined, issued_at, issuer: { id: supplier, id_type: 'cnpj', ...issuer } });
    expect(pairs('ibs_cbs_missing_nfse', of({ is_under_simples: false }))).toEqual(['- / IBSCBS']);
    expect(pairs('ibs_cbs_missing_nfse', of({ is_under_simples: true }))).toEqual([]);
    expect(pairs('ibs_cbs_missing_nfse', of({ id_type: 'cpf' }))).toEqual([]);
    const simples = (day: string) =>
      pairs('ibs_cbs_missing_nfse_simples', of({ is_under_simples: true }, day));
    expect(simples('2026-12-31')).toEqual([]);
    expect(simples('2027-01-01')).toEqual(['- / IBSCBS']);
  });

  it.each(['010301', '010501', '010901', '160101', '990101'])(
    'ibs_cbs_missing_nfse: service %s from 2026-12-01 on',
    (national_code) => {
      const of = (issued_at: string, code: string) =>
        pairs(
          'ibs_cbs_missing_nfse',
          service({ taxation: undefined, issued_at, service: { national_code: code } }),
        );
      expect(of('2026-11-30', national_code)).toEqual([]);
      expect(of('2026-12-01', national_code)).toEqual(['- / IBSCBS']);
      expect(of('2026-11-30', '010701')).toEqual(['- / IBSCBS']);
    },
  );
});

describe('classification of IBS and CBS', () => {
  const classified = (ibs_cbs_cst: string, class_trib: string, more: Partial<DocumentSummary> = {}) =>
    noteOf({}, { ibs_cbs_cst, class_trib }, more);

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

  it('ibs_cbs_cst_unknown, once per code', () => {
    const items = ['999', '999', '000'].map((ibs_cbs_cst, i) =>
      item({ number: String(i + 1) }, { ibs_cbs_cst }),
    );
    expect(pairs('ibs_cbs_cst_unknown', note({ items }))).toEqual(['999 / 2026-10-01']);
    expect(pairs('ibs_cbs_cst_unknown', classified('830', '830001'))).toEqual([]);
  });

  it('class_trib_unknown: by the table of the day of issue, not of what has no six digits', () => {
    expect(pairs('class_trib_unknown', classified('000', '000009'))).toEqual(['000009 / 2026-10-01']);
    expect(pairs('class_trib_unknown', classified('000', '00009'))).toEqual([]);
    expect(pairs('class_trib_unknown', classified('220', '220001'))).toEqual(['220001 / 2026-10-01']);
    const first = { issued_at: '2026-01-01T10:00:00-03:00' };
    expect(pairs('class_trib_unknown', classified('220', '220001', first))).toEqual([]);
    expect(pairs('class_trib_unknown', classified('550', '550029'))).toEqual([]);
    expect(pairs('class_trib_unknown', service())).toEqual([]);
  });

  it('class_trib_out_of_document: since the table of that day', () => {
    const services = classified('200', '200052');
    const [finding] = findingsOf('class_trib_out_of_document', [services]);
    expect(finding).toMatchObject({ found: '200052', values: { document: 'NF-e' } });
    expect(findingsOf('class_trib_out_of_document', [{ ...services, issued_at: '2026-10-07' }])).toEqual([]);
    expect(pairs('class_trib_out_of_document', classified('200', '200032'))).toEqual([]);
    const whole = { taxation: { ibs_cbs_cst: '200', class_trib: '200052' } };
    expect(pairs('class_trib_out_of_document', service(whole))).toEqual([]);
    expect(pairs('class_trib_out_of_document', carriage(whole))).toEqual(['200052 / 2026-10-01']);
    expect(
      pairs('class_trib_out_of_document', note({ ...classified('620', '620006'), kind: 'nfce' })),
    ).toEqual([]);
    expect(
      pairs('class_trib_out_of_document', note({ ...classified('620', '620001'), kind: 'nfce' })),
    ).toEqual(['620001 / 2026-10-01']);
  });

  it('ibs_cbs_group: what the CST asks for is there, and nothing else', () => {
    const of = (ibs_cbs_cst: string, taxes: object, more: Partial<DocumentSummary> = {}) =>
      pairs('ibs_cbs_group', noteOf({}, { ibs_cbs_cst, ...taxes }, more));
    const rates = { ibs_cbs_base: '100.00' };
    const single = { ibs_mono: '1.00', cbs_mono: '2.00' };
    expect(of('000', rates)).toEqual([]);
    expect(of('000', {})).toEqual(['- / gIBSCBS']);
    expect(of('410', {})).toEqual([]);
    expect(of('410', rates)).toEqual(['gIBSCBS / -']);
    expect(of('620', single)).toEqual([]);
    expect(of('620', {})).toEqual([]);
    expect(of('620', rates)).toEqual(['gIBSCBS / gIBSCBSMono']);
    expect(of('000', single)).toEqual(['gIBSCBSMono / gIBSCBS']);
    expect(of('000', {}, { purpose: '6' })).toEqual([]);
  });
});

describe('rates of IBS and CBS', () => {
  const rates = { ibs_state_rate: '0.1000', ibs_city_rate: '0.0000', cbs_rate: '0.9000' };
  const of = (taxes: object, more: Partial<DocumentSummary> = {}) =>
    pairs('ibs_cbs_rate', noteOf({}, { ...group, ...rates, ...taxes }, more));
  const in2027 = { issued_at: '2027-02-01T08:00:00-03:00' };

  it('of 2026: 0.1, 0 and 0.9 per cent', () => {
    expect(of({})).toEqual([]);
    expect(of({ cbs_rate: '8.8000' })).toEqual(['8.8% / 0.9%']);
    expect(of({ ibs_state_rate: '0.05', ibs_city_rate: '0.05' })).toEqual(['0.05% / 0.1%', '0.05% / 0%']);
    expect(of({ cbs_rate: undefined })).toEqual([]);
  });

  it('of 2027: 0.05 and 0.05; the CBS is not fixed', () => {
    expect(of({ ibs_state_rate: '0.05', ibs_city_rate: '0.05', cbs_rate: '8.7' }, in2027)).toEqual([]);
    expect(of({}, in2027)).toEqual(['0.1% / 0.05%', '0% / 0.05%']);
    expect(of({ cbs_rate: '3' }, { issued_at: '2029-01-01' })).toEqual([]);
  });

  it('zero where the classification says so, and for the CBS between incentivised areas', () => {
    const zero = { ibs_state_rate: '0.00', ibs_city_rate: '0.00', cbs_rate: '0.00' };
    expect(of({ ...zero, ibs_cbs_cst: '550', class_trib: '550001' })).toEqual([]);
    expect(of({ ibs_cbs_cst: '550', class_trib: '550001' })).toEqual(['0.1% / 0%', '0.9% / 0%']);
    expect(of({ cbs_rate: '0.00' })).toEqual(['0% / 0.9%']);
    const manaus = { issuer: { id: supplier, state: 'AM' }, recipient: { state: 'AM' } };
    expect(of({ cbs_rate: '0.00' }, manaus)).toEqual([]);
  });

  it('not of returns, of purchases by the state, nor of uniform and fixed rates', () => {
    expect(of({ cbs_rate: '8.8' }, { purpose: '4' })).toEqual([]);
    expect(of({ cbs_rate: '8.8' }, { is_to_government: true })).toEqual([]);
    expect(of({ cbs_rate: '8.8', ibs_cbs_cst: '010', class_trib: '010002' })).toEqual([]);
  });
});

describe('cbs_against_base', () => {
  const taxed = (cbs: string, ibs_cbs_cst = '000', cbs_rate?: string) =>
    noteOf({}, { ibs_cbs_cst, ibs_cbs_base: '1234.50', cbs, ...(cbs_rate && { cbs_rate }) });

  it('0.9 per cent of the base in 2026: 1234.50 gives 11.1105', () => {
    expect(pairs('cbs_against_base', taxed('108.64'))).toEqual(['108.64 / 11.11']);
    expect(pairs('cbs_against_base', taxed('11.11'))).toEqual([]);
    expect(pairs('cbs_against_base', taxed('11.12'))).toEqual([]);
    expect(pairs('cbs_against_base', taxed('11.13'))).toEqual(['11.13 / 11.11']);
  });

  it('by the rate that is written', () => {
    expect(pairs('cbs_against_base', taxed('108.64', '000', '8.8000'))).toEqual([]);
    expect(pairs('cbs_against_base', taxed('11.11', '000', '8.8000'))).toEqual(['11.11 / 108.64']);
  });

  it('not for other codes, for purchases by the state, and without a rate of the year', () => {
    expect(pairs('cbs_against_base', taxed('4.00', '200'))).toEqual([]);
    expect(pairs('cbs_against_base', { ...taxed('4.00'), is_to_government: true })).toEqual([]);
    expect(pairs('cbs_against_base', { ...taxed('108.64'), issued_at: '2027-01-04' })).toEqual([]);
  });

  it('of a CT-e as a whole', () => {
    const cte = (cbs: string) =>
      carriage({
        taxation: { ibs_cbs_cst: '000', class_trib: '000001' },
        totals: { total: '1000.00', ibs_cbs_base: '1000.00', cbs },
      });
    expect(pairs('cbs_against_base', cte('9.00'))).toEqual([]);
    expect(pairs('cbs_against_base', cte('90.00'))).toEqual(['90.00 / 9.00']);
  });
});

describe('totals of IBS and CBS', () => {
  const sums = { ibs_cbs_base: '100.00', ibs: '0.10', cbs: '0.90' };
  const of = (totals: object, taxes: object = group, more: Partial<DocumentSummary> = {}) =>
    noteOf({}, taxes, { totals: { total: '100.00', ...totals }, ...more });

  it('ibs_cbs_totals_missing: with the group in an item, and only then', () => {
    const there = (document: DocumentSummary) => pairs('ibs_cbs_totals_missing', document);
    expect(there(of(sums))).toEqual([]);
    expect(there(of({}))).toEqual(['det/imposto/IBSCBS / total/IBSCBSTot']);
    expect(there(of(sums, {}))).toEqual(['total/IBSCBSTot / det/imposto/IBSCBS']);
    expect(there(of({}, {}))).toEqual([]);
    expect(there(of({ ibs_cbs_base: '0.00' }, { ibs_cbs_cst: '410', class_trib: '410999' }))).toEqual([]);
    expect(there(of({}, group, { item_count: 2 }))).toEqual([]);
  });

  it('total_with_ibs_cbs_missing: where the other totals are', () => {
    expect(pairs('total_with_ibs_cbs_missing', of(sums))).toEqual(['- / vNFTot']);
    expect(pairs('total_with_ibs_cbs_missing', of({ ...sums, total_with_ibs_cbs: '100.00' }))).toEqual([]);
    expect(pairs('total_with_ibs_cbs_missing', of({}))).toEqual([]);
  });

  it('total_with_ibs_cbs_inconsistent: with or without the taxes, to the cent', () => {
    const against = (total_with_ibs_cbs: string, more: Partial<DocumentSummary> = {}) =>
      pairs('total_with_ibs_cbs_inconsistent', of({ ...sums, total_with_ibs_cbs }, group, more));
    expect(against('100.00')).toEqual([]);
    expect(against('101.00')).toEqual([]);
    expect(against('101.01')).toEqual([]);
    expect(against('100.50')).toEqual(['100.50 / 100.00']);
    expect(against('100.50', { purpose: '5' })).toEqual([]);
  });
});
