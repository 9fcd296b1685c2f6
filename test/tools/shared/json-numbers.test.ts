import { describe, expect, it } from 'vitest';
import {
  cnpjNumber,
  decimal,
  ofDigits,
  taxIdNumber,
  wholeNumber,
} from '../../../src/tools/shared/arguments.ts';

describe('a JSON number stands for a text', () => {
  it.each([
    [cnpjNumber, 48152036000117, '48152036000117'],
    // 11222333000181 begins with no zero; 00000000000191 has lost ten.
    [cnpjNumber, 191, undefined],
    [taxIdNumber, 48152036, '48152036'],
    [taxIdNumber, 52998224725, '52998224725'],
    [taxIdNumber, 4815203, undefined],
    [taxIdNumber, 52998224726, undefined],
    [decimal, 1000, '1000'],
    [decimal, 1234.5, '1234.5'],
    [decimal, -0.01, '-0.01'],
    [decimal, 1e21, undefined],
    [decimal, 0.1 + 0.2, undefined],
    [decimal, 123456789012345.6, undefined],
    [wholeNumber, 7, '7'],
    [wholeNumber, 7.5, undefined],
    [wholeNumber, -7, undefined],
    [wholeNumber, 3.5e43, undefined],
    // 0101 as a number is 101, and would be another chapter.
    [ofDigits(2, 4, 6, 8), 101, undefined],
    [ofDigits(2, 4, 6, 8), 7318, '7318'],
  ])('%o %d: %s', (spell, number, text) => expect(spell(number)).toBe(text));
});
