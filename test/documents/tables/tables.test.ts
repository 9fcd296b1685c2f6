import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { cfopWords, codesOf, natureOf, natures } from '../../../src/documents/tables/cfop.ts';
import { cityName, cityNames } from '../../../src/documents/tables/cities.ts';
import { classificationOf, taxGroupOf } from '../../../src/documents/tables/class-trib.ts';
import { LAW_LOOKED_UP_ON, tables } from '../../../src/documents/tables/sources.ts';

describe('CFOP', () => {
  it('has the 619 codes of the official table, each with one nature', () => {
    const codes = natures.flatMap(codesOf);
    expect(codes).toHaveLength(tables.cfop.entries);
    expect(new Set(codes).size).toBe(tables.cfop.entries);
    // Counted in the official table by first digit.
    const counts = ['1', '2', '3', '5', '6', '7'].map(
      (digit) => codes.filter((code) => code.startsWith(digit)).length,
    );
    expect(counts).toEqual([131, 125, 32, 154, 149, 28]);
  });

  it.each([
    ['sale', '5102 6108 7101 5353 5933 5501'],
    ['purchase', '1102 2556'],
    ['return', '1202 5202 6411'],
    ['transfer', '5152 1409'],
    ['remittance', '5901 5910 1916 5921'],
    ['other', '5922 5929 5949'],
  ])('%s is what it calls %s', (nature, codes) => {
    for (const code of codes.split(' ')) expect(natureOf(code), code).toBe(nature);
  });

  it.each('5404 5107 1150 4102 8102 510 51022 constructor'.split(' '))('has no %s', (code) => {
    expect(natureOf(code)).toBeUndefined();
  });
});

it('cClassTrib says since when, until when and in which documents a code may be', () => {
  expect(classificationOf('000001')).toEqual({
    from: '2025-05-05',
    documents: new Set(['nfe', 'nfce', 'cte', 'cteos', 'nfse']),
    isZeroRated: false,
  });
  expect(classificationOf('220001')).toMatchObject({ to: '2026-01-01', documents: new Set() });
  expect(classificationOf('410027')).toMatchObject({ from: '2025-11-19' });
  expect(classificationOf('550001')).toMatchObject({ isZeroRated: true, documents: new Set(['nfe']) });
  expect(classificationOf('000009')).toBeUndefined();
  expect(classificationOf('__proto__')).toBeUndefined();
});

it('cClassTrib has 173 codes under 18 CST, twelve of them for the CT-e', () => {
  const numbers = Array.from({ length: 1000 }, (_, i) => String(i).padStart(3, '0'));
  const csts = numbers.filter((cst) => taxGroupOf(cst) !== undefined);
  const codes = csts.flatMap((cst) => numbers.map((rest) => cst + rest)).filter(classificationOf);
  expect(csts).toHaveLength(tables.ibs_cbs_cst.entries);
  expect(['000', '200', '410', '620', '999'].map(taxGroupOf)).toEqual([
    ...['rate', 'rate', 'none', 'single_phase', undefined],
  ]);
  expect(codes).toHaveLength(tables.class_trib.entries);
  expect(codes.filter((code) => classificationOf(code)?.documents.has('cte'))).toEqual([
    ...['000001', '200001', '200020', '200050', '410001', '410003', '410004', '410015', '410026', '410027'],
    ...['410035', '410999'],
  ]);
});

it.each([
  ['3550308', 'São Paulo'],
  ['5300108', 'Brasília'],
  ['1100015', "Alta Floresta D'Oeste"],
  ['2201919', 'Bom Princípio do Piauí'],
  ['4305871', 'Coronel Barros'],
  ['5101837', 'Boa Esperança do Norte'],
  ['2605459', 'Fernando de Noronha'],
])('city %s is %s', (code, name) => {
  expect(cityName(code)).toBe(name);
});

it('all cities are there, and no other code', () => {
  expect(cityNames().size).toBe(tables.cities.entries);
  expect([...cityNames().values()].filter((name) => !/^\p{Lu}/u.test(name))).toEqual([]);
  expect(cityName('3550309')).toBeUndefined();
});

it('the calendar of the law was last verified on the day that the program names', () => {
  const page = readFileSync('docs/fiscal/calendar.md', 'utf8');
  const days = [...page.matchAll(/\| (\d{4}-\d{2}-\d{2}) \|$/gm)].map(([, day]) => day ?? '');
  expect(days.length).toBeGreaterThan(10);
  expect(days.toSorted().at(-1)).toBe(LAW_LOOKED_UP_ON);
});

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
    // Codes without texts of their own use those of their nature.
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
