import { expect, it } from 'vitest';
import { type Column, type ColumnKind, csvOf, type Row, type Writer } from '../../src/page/page.ts';

const writer: Writer = { language: 'en', day: (day) => day, text: (text = '') => String(text) };
const column = (kind: ColumnKind): Column => ({ name: 'cell', heading: 'Cell', kind, place: 'name' });

it.each<[kind: ColumnKind, row: Row, cell: string]>([
  ['text', { cells: { cell: '=1+1' } }, "'=1+1"],
  ['text', { cells: { cell: '＝1+1' } }, "'＝1+1"],
  ['text', { cells: { cell: '|calc' }, details: { cell: 'x' } }, "'|calc x"],
  ['text', { cells: { cell: 'a;b' }, details: { cell: '"c"' } }, '"a;b ""c"""'],
  ['text', { cells: { cell: '5102' } }, '"\t5102"'],
  ['text', { cells: { cell: '5102' }, details: { cell: 'sale' } }, '5102 sale'],
  ['money', { cells: { cell: '-1234.50' } }, '-1234,50'],
  ['key', { cells: { cell: '35AB' } }, '"\t35AB"'],
  ['day', { cells: { cell: '2026-10-05' } }, '"\t2026-10-05"'],
  ['day', { cells: {} }, ''],
])('a copied cell of the kind %s holds %j as %s', (kind, row, cell) => {
  expect(csvOf([column(kind)], [row], writer)).toBe(`Cell\r\n${cell}\r\n`);
});
