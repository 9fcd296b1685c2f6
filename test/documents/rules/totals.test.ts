import { describe, expect, it } from 'vitest';
import { findingsOf, item, note, pairs, service } from './hand-made.ts';

const values = { found: '10.00', expected: '11.00' };

describe('what the reading of a document remarked', () => {
  it.each(['items_against_products', 'parts_against_total'] as const)('%s', (code) => {
    expect(pairs(code, note({ warnings: [{ code, values }] }))).toEqual(['10.00 / 11.00']);
    expect(pairs(code, note({ warnings: [{ code: 'test_environment', values: {} }] }))).toEqual([]);
  });

  it('net_against_parts', () => {
    const warnings = [{ code: 'net_against_parts', values }] as const;
    expect(pairs('net_against_parts', service({ warnings }))).toEqual(['10.00 / 11.00']);
    expect(pairs('net_against_parts', service())).toEqual([]);
  });
});

describe('item_taxes_against_totals', () => {
  const items = [item({}, { icms: '18.00', icms_base: '100.00' }), item({ number: '2' }, { icms: '7.20' })];

  it('names the field, the sum and the total', () => {
    const [finding, ...others] = findingsOf('item_taxes_against_totals', [
      note({ items, totals: { icms: '25.22', icms_base: '100.00' } }),
    ]);
    expect(finding).toMatchObject({ found: '25.20', expected: '25.22', values: { field: 'vICMS' } });
    expect(others).toEqual([]);
  });

  it.each(['40', '41', '50'])('ICMS relieved under CST %s is in the total or not', (cst) => {
    const relieved = [item({ cst: '00' }, { icms: '18.00' }), item({ number: '2', cst }, { icms: '18.00' })];
    for (const layout of ['nfe 2.00', 'nfe 3.10', 'nfe 4.00']) {
      const against = (icms: string) =>
        pairs('item_taxes_against_totals', note({ layout, items: relieved, totals: { icms } }));
      expect(against('18.00')).toEqual([]);
      expect(against('36.00')).toEqual([]);
      expect(against('17.98')).toEqual([layout === 'nfe 2.00' ? '18.00 / 17.98' : '36.00 / 17.98']);
    }
  });

  it('ICMS under any other code is in the total', () => {
    const items = [
      item({ cst: '00' }, { icms: '18.00' }),
      item({ number: '2', cst: '20' }, { icms: '18.00' }),
    ];
    expect(
      pairs('item_taxes_against_totals', note({ layout: 'nfe 2.00', items, totals: { icms: '18.00' } })),
    ).toEqual(['36.00 / 18.00']);
  });

  it('one cent is no difference, two are', () => {
    const against = (icms: string) => pairs('item_taxes_against_totals', note({ items, totals: { icms } }));
    expect([against('25.19'), against('25.21')]).toEqual([[], []]);
    expect(against('25.18')).toEqual(['25.20 / 25.18']);
  });

  it('a total of a tax no item has', () => {
    expect(pairs('item_taxes_against_totals', note({ items, totals: { ipi: '5.00' } }))).toEqual([
      '0.00 / 5.00',
    ]);
  });

  it('finds nothing where they agree, where there is no total, and where items are not all there', () => {
    expect(
      pairs('item_taxes_against_totals', note({ items, totals: { icms: '25.2', ipi: '0.00' } })),
    ).toEqual([]);
    expect(pairs('item_taxes_against_totals', note({ items, totals: {} }))).toEqual([]);
    expect(
      pairs('item_taxes_against_totals', note({ items, item_count: 3, totals: { icms: '99.00' } })),
    ).toEqual([]);
  });
});

describe('ibs_cbs_items_against_totals', () => {
  const items = [item({}, { ibs: '0.10', cbs: '0.90' }), item({ number: '2' }, { ibs: '0.05', cbs: '0.45' })];

  it('IBS and CBS each', () => {
    expect(
      pairs('ibs_cbs_items_against_totals', note({ items, totals: { ibs: '0.13', cbs: '1.37' } })),
    ).toEqual(['0.15 / 0.13', '1.35 / 1.37']);
    expect(
      pairs('ibs_cbs_items_against_totals', note({ items, totals: { ibs: '0.15', cbs: '1.35' } })),
    ).toEqual([]);
  });
});
