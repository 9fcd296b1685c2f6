import { Big } from 'big.js';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import {
  addDecimals,
  compareDecimals,
  isDecimal,
  negateDecimal,
  sameDecimal,
} from '../../src/documents/decimals.ts';

it.each([
  [['0.1', '0.2'], '0.3'],
  [['0.07', '0.01'], '0.08'],
  [['1.50', '1.50'], '3.00'],
  [['10', '0.005'], '10.005'],
  [['1.00', '-2.50'], '-1.50'],
  [['0.05', '-0.05'], '0.00'],
  [['-0.01'], '-0.01'],
  [['99999999999999.99', '0.01'], '100000000000000.00'],
  [['0.0000000001', '1'], '1.0000000001'],
  [['5'], '5'],
])('%j add up to %s', (parts, sum) => {
  expect(addDecimals(parts)).toBe(sum);
});

it('an empty list has no sum, nor has one with a text that is not a number', () => {
  expect(addDecimals([])).toBeUndefined();
  expect(addDecimals(['1.00', 'x'])).toBeUndefined();
  expect(addDecimals(['1.00', ''])).toBeUndefined();
});

it('decimals are added as by big.js', () => {
  const decimal = fc
    .tuple(fc.boolean(), fc.bigInt({ min: 0n, max: 10n ** 17n }), fc.nat(10))
    .map(([negative, digits, places]) => {
      const text = digits.toString().padStart(places + 1, '0');
      const plain = places === 0 ? text : `${text.slice(0, -places)}.${text.slice(-places)}`;
      return `${negative ? '-' : ''}${plain}`;
    });
  fc.assert(
    fc.property(fc.array(decimal, { minLength: 1, maxLength: 120 }), (parts) => {
      const sum = addDecimals(parts) ?? '';
      const expected = parts.reduce((total, part) => total.plus(part), new Big(0));
      expect(new Big(sum).eq(expected)).toBe(true);
      expect(isDecimal(sum)).toBe(true);
    }),
  );
});

const wrong = ['1e3', '1,50', '1.', '.5', '+1', ' 1', '1 ', 'NaN', '0x10', '1.2.3', '', '1'.repeat(30)];
it.each(wrong)('%j is no decimal', (text) => {
  expect(isDecimal(text)).toBe(false);
});

it('decimals compare by value', () => {
  expect(sameDecimal('10', '10.00')).toBe(true);
  expect(sameDecimal('10.00', '10.01')).toBe(false);
  expect(sameDecimal('x', '10')).toBe(false);
  expect(sameDecimal('x', 'x')).toBe(true);
  expect(compareDecimals('2', '10')).toBeLessThan(0);
  expect(compareDecimals('-1', '-2')).toBeGreaterThan(0);
});

it('decimals change their sign', () => {
  expect(negateDecimal('1.50')).toBe('-1.50');
  expect(negateDecimal('-1.50')).toBe('1.50');
});
