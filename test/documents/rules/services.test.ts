import { describe, expect, it } from 'vitest';
import { pairs, service, supplier } from './hand-made.ts';

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

  it('iss_withheld_without_iss: not of a provider under the Simples, whose note need not show its ISS', () => {
    const under = (is_under_simples: boolean) =>
      service({ iss_withheld: true, issuer: { id: supplier, id_type: 'cnpj', is_under_simples } });
    expect(pairs('iss_withheld_without_iss', under(false))).toEqual(['- / > 0']);
    expect(pairs('iss_withheld_without_iss', under(true))).toEqual([]);
  });

  it('iss_above_withheld', () => {
    const withheld = (amount?: string) =>
      service({ iss_withheld: true, totals: { iss: '5.00', withheld: amount } });
    expect(pairs('iss_above_withheld', withheld('4.98'))).toEqual(['4.98 / >= 5.00']);
    expect(pairs('iss_above_withheld', withheld('4.99'))).toEqual([]);
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

describe('municipal_nfse_of_simples', () => {
  const by = (provider: { is_under_simples?: boolean; is_mei?: boolean }, more: object = {}) =>
    service({
      layout: 'nfse abrasf 2.02',
      issued_at: '2026-11-10T10:00:00-03:00',
      issuer: { id: supplier, id_type: 'cnpj', ...provider },
      ...more,
    });
  const found = ['abrasf 2.02 / nfse national'];

  it.each([
    ['a company under the Simples, in a city’s layout', by({ is_under_simples: true }), found],
    ['the same on the first day', by({ is_under_simples: true }, { issued_at: '2026-11-01' }), found],
    ['the same on the day before', by({ is_under_simples: true }, { issued_at: '2026-10-31' }), []],
    ['a service of October', by({ is_under_simples: true }, { competence: '2026-10-01' }), []],
    ['a service of November', by({ is_under_simples: true }, { competence: '2026-11-01' }), found],
    ['the national layout', by({ is_under_simples: true }, { layout: 'nfse national 1.01' }), []],
    ['an individual entrepreneur', by({ is_under_simples: true, is_mei: true }), []],
    ['another company', by({ is_under_simples: false }), []],
    ['a note that does not say', by({}), []],
  ])('%s', (_, document, expected) => {
    expect(pairs('municipal_nfse_of_simples', document)).toEqual(expected);
  });
});
