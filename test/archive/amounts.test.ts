import fc from 'fast-check';
import { expect, it } from 'vitest';
import { amountText, less, plus, type Units, unitsOf } from '../../src/archive/schema/measures.ts';

/** A whole number as units. */
const unitsRead = (digits: string): Units =>
  Number.isSafeInteger(Number(digits)) ? Number(digits) : BigInt(digits);

it.each<[text: string, units: Units]>([
  ['12.5', 12_500_000],
  ['-0.01', -10_000],
  ['990', 990_000_000],
  ['1.0000000000', 1_000_000],
  ['12.3400000000', 12_340_000],
  ['-0.00', 0],
  ['9007199254.740991', 9_007_199_254_740_991],
  ['9007199254.740992', 9_007_199_254_740_992n],
  ['99999999999.999999', 99_999_999_999_999_999n],
])('amount %s is in whole millionths, exact beyond safe integers', (text, units) => {
  expect(unitsOf(text)).toBe(units);
});

it('amounts are parsed exactly, however they are written', () => {
  const digits = fc.stringMatching(/^-?\d{1,13}(\.\d{1,12})?$/);
  fc.assert(
    fc.property(digits, (text) => {
      const [whole = '', decimals = ''] = text.replace('-', '').split('.');
      const exact = BigInt(whole + decimals.padEnd(12, '0')) * (text.startsWith('-') ? -1n : 1n);
      const isHeld =
        exact % 10n ** 6n === 0n && exact / 10n ** 6n < 10n ** 17n && exact / 10n ** 6n > -(10n ** 17n);
      const units = unitsOf(text);
      expect(units === undefined ? undefined : BigInt(units)).toBe(isHeld ? exact / 10n ** 6n : undefined);
      expect(typeof units === 'bigint' && Number.isSafeInteger(Number(units))).toBe(false);
    }),
  );
});

it('amounts add and subtract exactly', () => {
  const units = fc.bigInt({ min: -(2n ** 55n), max: 2n ** 55n }).map((whole) => unitsRead(String(whole)));
  fc.assert(
    fc.property(units, units, (one, other) => {
      expect(plus(one, other)).toBe(unitsRead(String(BigInt(one) + BigInt(other))));
      expect(less(one, other)).toBe(unitsRead(String(BigInt(one) - BigInt(other))));
    }),
  );
});

it('amounts that could not be exact are refused', () => {
  for (const text of ['0.0000001', '100000000000', '1,50', '', '1e3', 'NaN', ' 1', '1.']) {
    expect(unitsOf(text)).toBeUndefined();
  }
});

it.each([
  ['12500000', '12.50'],
  ['-10000', '-0.01'],
  ['0', '0.00'],
  ['1', '0.000001'],
  ['9223372036854775807', '9223372036854.775807'],
])('%s millionths are formatted with at least two decimals', (units, text) => {
  expect(amountText(units)).toBe(text);
});
