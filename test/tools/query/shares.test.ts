import { describe, expect, it } from 'vitest';
import {
  measureText,
  othersThan,
  presentMeasures,
  sharedMeasures,
  sharesOf,
} from '../../../src/tools/query/rows.ts';

describe('a share of a sum', () => {
  it.each([
    ['1.00', '3.00', '33.33'],
    ['2.00', '3.00', '66.67'],
    ['0.01', '2.00', '0.50'],
    ['5', '8', '62.50'],
    ['1.00', '80000.00', '0.00'],
    ['0.125', '1000.00', '0.01'],
    ['3.00', '3.00', '100.00'],
    ['-5.00', '20.00', '-25.00'],
    ['5.00', '-20.00', '-25.00'],
    ['99999999999.99', '99999999999.99', '100.00'],
  ])('%s of %s is %s %%', (total, sum, percent) => {
    expect(sharesOf({ total }, { total: sum }, ['total'])).toEqual({ total: percent });
  });

  it('is none where a row or the sum says nothing, or the sum is zero', () => {
    expect(sharesOf({ total: null }, { total: '3.00' }, ['total'])).toEqual({});
    expect(sharesOf({ total: '1.00' }, { total: null }, ['total'])).toEqual({});
    expect(sharesOf({ total: '1.00' }, { total: '0.00' }, ['total'])).toEqual({});
  });

  it('is none of prices, nor of documents that stand in several groups', () => {
    const measures = ['count', 'total', 'quantity', 'average_price', 'items'] as const;
    expect(sharedMeasures(measures, 'documents')).toEqual(['count', 'total', 'items']);
    expect(sharedMeasures(measures, 'items')).toEqual(['total', 'items']);
  });
});

it('the others are what the sums have beside the rows, to the cent', () => {
  const sums = { count: '10', total: '1000.10', icms: null };
  const rows = [
    { count: '4', total: '600.05', icms: null },
    { count: '1', total: null },
  ];
  expect(othersThan(rows, sums, ['count', 'total', 'icms'])).toEqual({ count: '5', total: '400.05' });
});

it('of goods in many units some are listed, and the rest is counted wherever they are written', () => {
  const quantities = Array.from({ length: 23 }, (_, at) => ({ unit: `U${at}`, quantity: '1.00' }));
  const row = presentMeasures({ measures: {}, quantities }, 'nfe');
  expect(row).toMatchObject({ more_units: 3 });
  expect(measureText(row, 'quantity')).toMatch(/^1\.00 U0 \| .*1\.00 U19 \| … \+3$/);
});
