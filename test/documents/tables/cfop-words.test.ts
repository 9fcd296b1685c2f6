import { describe, expect, it } from 'vitest';
import { cfopWords, codesOf, natures } from '../../../src/documents/tables/cfop.ts';

describe('words for a CFOP', () => {
  // From the table of the Convênio s/nº of 1970, shortened by hand.
  it.each([
    ['1102', 'Compra para comercialização, no estado'],
    ['2403', 'Compra para comercialização com ST, outro estado'],
    ['3102', 'Compra para comercialização, exterior'],
    ['5102', 'Venda de mercadoria de terceiros, no estado'],
    ['6404', 'Venda com ST já retida, outro estado'],
    ['7101', 'Venda de produção, exterior'],
    ['5202', 'Devolução de compra para comercialização, no estado'],
    ['1202', 'Devolução de venda de mercadoria de terceiros, no estado'],
    ['6915', 'Remessa para conserto, outro estado'],
    ['5949', 'Outra saída, no estado'],
    // Without words of their own: those of their nature.
    ['5667', 'Venda, no estado'],
    ['1658', 'Transferência, no estado'],
  ])('%s: %s', (code, words) => {
    expect(cfopWords(code)?.[0]).toBe(words);
  });

  it.each(['', '5999', '9102', '510', 'abcd', '__proto__'])('"%s" has none', (code) => {
    expect(cfopWords(code)).toBeUndefined();
  });

  it('every code of the table has them, in both languages', () => {
    const codes = natures.flatMap(codesOf);
    expect(codes.length).toBeGreaterThan(500);
    expect(codes.filter((code) => cfopWords(code)?.filter(Boolean).length !== 2)).toEqual([]);
  });
});
