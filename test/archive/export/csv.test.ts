import { expect, it } from 'vitest';
import { type ColumnKind, csvOf } from '../../../src/archive/export/table.ts';
import { bytesOf, type Row, tableOf } from './rows.ts';

async function written(columns: Readonly<Record<string, ColumnKind>>, rows: readonly Row[]): Promise<string> {
  return (await bytesOf(csvOf(rows, tableOf(columns), 'pt-BR'))).toString();
}

/** The one cell of a file with one row and one column. */
async function cell(kind: ColumnKind, value: string): Promise<string> {
  const text = await written({ column: kind }, [{ column: value }]);
  expect(text.startsWith('\ufeffcolumn\r\n')).toBe(true);
  expect(text.endsWith('\r\n')).toBe(true);
  return text.slice('\ufeffcolumn\r\n'.length, -2);
}

it('a CSV file has a byte-order mark, semicolons and CRLF', async () => {
  const text = await written({ a: 'text', b: 'money' }, [{ a: 'x', b: '1.00' }, { a: 'y' }]);
  expect(text).toBe('\ufeffa;b\r\nx;1,00\r\ny;\r\n');
});

it.each([
  ['money', '1234.50', '1234,50'],
  ['money', '-5.00', '-5,00'],
  ['number', '0.0000000123', '0,0000000123'],
  ['money', 'n/a', 'n/a'],
  ['money', '=1+1', "'=1+1"],
  ['date', '2026-11-05T23:59:59-03:00', '2026-11-05'],
  ['date', '2026-02-30', '2026-02-30'],
  ['date', '=NOW()', "'=NOW()"],
  // A tab keeps keys, leading zeros, letters and exponents as text.
  [
    'code',
    '35170458716523000119550010000000121000123458',
    '"\t35170458716523000119550010000000121000123458"',
  ],
  ['code', '00000000000191', '"\t00000000000191"'],
  ['code', '12ABC34501DE35', '"\t12ABC34501DE35"'],
  ['code', '1E5', '"\t1E5"'],
  ['text', '\t=1', '"\'\t=1"'],
  ['text', '\r=1', '"\'\r=1"'],
  ['text', '\n=1', '"\'\n=1"'],
  ['text', 'a;b', '"a;b"'],
  ['text', 'tubo 3" x 2', '"tubo 3"" x 2"'],
  ['text', 'a\r\nb', '"a\r\nb"'],
  ['text', 'a=b', 'a=b'],
] as const)('a CSV file writes %s %j as %s', async (kind, value, expected) => {
  expect(await cell(kind, value)).toBe(expected);
});

it.each([
  ...['=cmd|calc!A1', '+55', '-1', '@SUM(A1)', '|calc', ' =1+1', '\u00a0=1+1'],
  // Full-width and small forms, and the minus sign.
  ...['＝1+1', '＋1', '－1', '＠SUM(A1)', '−1', '﹦1', '﹢1', '﹣1', '﹫A1'],
])('a CSV file guards against the formula %s', async (value) => {
  expect(await cell('text', value)).toBe(`'${value}`);
  expect(await cell('code', value)).toBe(`'${value}`);
});
