import { expect, it } from 'vitest';
import { code128 } from '../../src/sheets/draw/code-128.ts';

const numeric = '35261122617598000103550010000206041792226472';
const withLetters = '42261112ABC34501DE35550010000121211758026120';

/** Symbols of six widths each, the last one of seven. */
function symbolsOf(text: string): string[] {
  const widths = (code128(text) ?? []).join('');
  return [...(widths.slice(0, -7).match(/.{6}/g) ?? []), widths.slice(-7)];
}

const sum = (widths: string) => [...widths].reduce((total, width) => total + Number(width), 0);

it('Code 128 begins in set C, has a pair of digits in each symbol, a check symbol and the stop', () => {
  const symbols = symbolsOf(numeric);
  expect(symbols.length).toBe(1 + 22 + 1 + 1);
  expect(symbols[0]).toBe('211232');
  expect(symbols.at(-1)).toBe('2331112');
  // 35 is 131321 and 26 is 321221 in the standard's table.
  expect(symbols.slice(1, 3)).toEqual(['131321', '321221']);
  expect(symbols.slice(0, -1).map(sum)).toEqual(Array(24).fill(11));
});

it('Code 128 counts the check symbol with the weights of the standard', () => {
  // Start C is 105; 1·12 + 2·34 = 80; 105 + 80 = 185, less 103 is 82, which is 121241.
  expect(symbolsOf('1234')).toEqual(['211232', '112232', '131123', '121241', '2331112']);
});

it('Code 128 changes to set A for letters and back for four digits or more', () => {
  const symbols = symbolsOf(withLetters);
  // 42 26 11 12, CODE A, A B C 3 4 5 0 1 D E 3 5, where the digits from 3450 on pair from the fourth on.
  expect(symbols.slice(0, 6)).toEqual(['211232', '112133', '321221', '231212', '112232', '311141']);
  expect(new Set(symbols.slice(0, -1).map(sum))).toEqual(new Set([11]));
  // Shorter than a symbol for every character.
  expect(symbols.length).toBeLessThan(withLetters.length);
});

it.each(['', 'nfe', 'A B', 'É', '1'.repeat(81)])('Code 128 makes nothing of %o', (text) => {
  expect(code128(text)).toBeUndefined();
});
