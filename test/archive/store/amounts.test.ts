import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { amountText, unitsOf } from '../../../src/archive/store/schema/encoding.ts';

describe('amounts', () => {
  it('are whole millionths', () => {
    expect(unitsOf('12.5')).toBe(12_500_000n);
    expect(unitsOf('-0.01')).toBe(-10_000n);
    expect(unitsOf('990')).toBe(990_000_000n);
    expect(unitsOf('1.0000000000')).toBe(1_000_000n);
    expect(unitsOf('99999999999.999999')).toBe(99_999_999_999_999_999n);
  });

  it('are not held where they would not be exact', () => {
    for (const text of ['0.0000001', '100000000000', '1,50', '', '1e3', 'NaN', ' 1', '1.']) {
      expect(unitsOf(text)).toBeUndefined();
    }
  });

  it('are shown with two decimals or as many as they have', () => {
    expect(amountText('12500000')).toBe('12.50');
    expect(amountText('-10000')).toBe('-0.01');
    expect(amountText('0')).toBe('0.00');
    expect(amountText('1')).toBe('0.000001');
    expect(amountText('9223372036854775807')).toBe('9223372036854.775807');
  });

  it('come out as they went in', () => {
    const cents = fc.bigInt({ min: -(10n ** 13n) + 1n, max: 10n ** 13n - 1n });
    fc.assert(
      fc.property(cents, (value) => {
        const digits = String(value < 0n ? -value : value).padStart(3, '0');
        const text = `${value < 0n ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`;
        expect(amountText(String(unitsOf(text)))).toBe(text);
      }),
    );
  });
});
