import { SaxesParser } from 'saxes';
import { expect, it } from 'vitest';
import { documentTable } from '../../../src/archive/export/document-tables.ts';
import type { ColumnKind, Table } from '../../../src/archive/export/table.ts';
import { xlsxOf } from '../../../src/archive/export/xlsx.ts';
import { isLong } from '../../support/depth.ts';
import { summaryOf } from '../../support/summaries.ts';
import { readZip } from './read-zip.ts';
import { bytesOf, type Row, tableOf } from './rows.ts';

interface Cell {
  readonly at: string;
  readonly type: string;
  readonly format: string;
  readonly text: string;
}

/** The cells of a sheet, by a strict parser. */
function cellsOf(xml: string): Cell[] {
  const cells: Cell[] = [];
  let text = '';
  let attributes: Record<string, string> = {};
  const parser = new SaxesParser();
  parser.on('opentag', (tag) => {
    if (tag.name !== 'c') return;
    attributes = tag.attributes;
    text = '';
  });
  parser.on('text', (piece) => {
    text += piece;
  });
  parser.on('closetag', ({ name }) => {
    if (name !== 'c') return;
    cells.push({ at: attributes.r ?? '', type: attributes.t ?? 'n', format: attributes.s ?? '', text });
  });
  parser.write(xml).close();
  return cells;
}

async function workbook<T>(rows: Iterable<T>, table: Table<T>): Promise<Map<string, string>> {
  const bytes = await bytesOf(xlsxOf(rows, table, 'pt-BR'));
  return new Map(readZip(bytes).map(({ name, data }) => [name, data.toString('utf8')]));
}

async function cell(kind: ColumnKind, value: string): Promise<Cell | undefined> {
  const rows: Row[] = [{ column: value }];
  const parts = await workbook(rows, tableOf({ column: kind }));
  return cellsOf(parts.get('xl/worksheets/sheet1.xml') ?? '').find(({ at }) => at === 'A2');
}

it('a workbook has every part a reader looks for, each well-formed', async () => {
  const rows: Row[] = [{ a: 'x', b: '1.00' }];
  const parts = await workbook(rows, tableOf({ a: 'text', b: 'money' }));
  expect([...parts.keys()].sort()).toEqual([
    '[Content_Types].xml',
    '_rels/.rels',
    'xl/_rels/workbook.xml.rels',
    'xl/styles.xml',
    'xl/workbook.xml',
    'xl/worksheets/sheet1.xml',
    'xl/worksheets/sheet2.xml',
  ]);
  for (const text of parts.values()) expect(() => new SaxesParser().write(text).close()).not.toThrow();
  expect(parts.get('xl/workbook.xml')).toContain(
    '<sheet name="Notas &amp; itens" sheetId="1" r:id="sheet1"/>',
  );
  expect(parts.get('xl/_rels/workbook.xml.rels')).toContain('Target="worksheets/sheet1.xml"');
  expect(parts.get('[Content_Types].xml')).toContain('PartName="/xl/worksheets/sheet1.xml"');
  expect(parts.get('xl/worksheets/sheet1.xml')).toContain('<autoFilter ref="A1:B2"/>');
});

it('a workbook writes keys as text, money and quantities as numbers, days as days, and leaves empty cells out', async () => {
  const document = summaryOf({
    key: '35170458716523000119550010000000121000123458',
    issued_at: '2026-11-05T23:59:59-03:00',
    totals: { total: '1234.50' },
  });
  const parts = await workbook([document], documentTable());
  const cells = cellsOf(parts.get('xl/worksheets/sheet1.xml') ?? '').filter(({ at }) => /^[A-Z]+2$/.test(at));
  expect(cells).toEqual([
    { at: 'A2', type: 'inlineStr', format: '0', text: 'NF-e' },
    { at: 'B2', type: 'inlineStr', format: '1', text: '35170458716523000119550010000000121000123458' },
    { at: 'E2', type: 'n', format: '4', text: '46331' },
    { at: 'F2', type: 'inlineStr', format: '0', text: 'Autorizado' },
    { at: 'O2', type: 'n', format: '2', text: '1234.50' },
  ]);
});

it.each([
  ['date', '1900-03-01', 'n', '61'],
  ['date', '2000-01-01', 'n', '36526'],
  ['date', '2024-02-29', 'n', '45351'],
  ['date', '2026-02-30'],
  ['date', '1900-02-28'],
  ['money', 'n/a'],
  ['money', '1234567890123.456'],
  ['number', '1e5'],
  ['money', '-0.01', 'n'],
  ['money', '9999999999999.99', 'n'],
  ['number', '0.0000000123', 'n'],
  ['tax_id', '12ABC34501DE35', 'inlineStr', '12.ABC.345/01DE-35'],
  ['tax_id', '00000000191', 'inlineStr', '000.000.001-91'],
  ['tax_id', 'EX123'],
  ['text', '=1+1'],
  ['text', 'A & B < "C" > D'],
  ['text', '  GRÃO — 3,5 kg 😀 '],
  ['text', 'a\u0000b\u0008c\uffffd', 'inlineStr', 'abcd'],
  ['text', 'lot_x0041_7', 'inlineStr', 'lot_x005F_x0041_7'],
  ['text', 'x'.repeat(40_000), 'inlineStr', `${'x'.repeat(32_766)}…`],
] as const)(
  'a workbook holds %s %.30s exactly',
  async (...[kind, value, type = 'inlineStr', text = value]) => {
    expect(await cell(kind, value)).toMatchObject({ type, text });
  },
);

it.each(isLong ? ['second'] : [])('a workbook continues in a %s sheet, with totals of both', async () => {
  const most = 1_048_568;
  function* rows(): Generator<Row> {
    for (let i = 1; i <= most + 1; i++) yield { amount: '7.01' };
  }
  const parts = await workbook(rows(), tableOf({ amount: 'money' }));
  expect(parts.get('xl/workbook.xml')).toContain('name="Notas &amp; itens (2)" sheetId="2"');
  expect(parts.get('xl/worksheets/sheet1.xml')).toContain(`<autoFilter ref="A1:A${most}"/>`);
  const second = cellsOf(parts.get('xl/worksheets/sheet2.xml') ?? '');
  expect(second.slice(0, 3).map(({ at, text }) => `${at} ${text}`)).toEqual([
    'A1 amount',
    'A2 7.01',
    'A3 7.01',
  ]);
  expect(second).toHaveLength(4);
  expect(second[3]?.text).toBe(`Total NF-e (${most + 1})`);
});

it('a workbook has columns beyond Z', async () => {
  const names = Array.from({ length: 54 }, (_, i) => `c${i}`);
  const row = Object.fromEntries(names.map((name) => [name, name]));
  const parts = await workbook(
    [row],
    tableOf(Object.fromEntries(names.map((name) => [name, 'text' as const]))),
  );
  const cells = cellsOf(parts.get('xl/worksheets/sheet1.xml') ?? '');
  const at = (text: string) => cells.filter((one) => one.text === text).map((one) => one.at);
  expect(at('c25')).toEqual(['Z1', 'Z2']);
  expect(at('c26')).toEqual(['AA1', 'AA2']);
  expect(at('c52')).toEqual(['BA1', 'BA2']);
});

it('a workbook hides the columns that have no value, of a later row too, and makes the others as wide as their values', async () => {
  const rows: Row[] = [{ a: 'x' }, { c: 'y'.repeat(30) }];
  const parts = await workbook(rows, tableOf({ a: 'text', b: 'text', c: 'text' }));
  const sheet = parts.get('xl/worksheets/sheet1.xml') ?? '';
  const columns = [...sheet.matchAll(/<col min="(\d+)"[^>]* width="(\d+)"[^>]*?(hidden="1")?\/>/g)];
  expect(columns.map(([, at, , hidden]) => [at, hidden !== undefined])).toEqual([
    ['1', false],
    ['2', true],
    ['3', false],
  ]);
  expect(Number(columns[2]?.[2])).toBeGreaterThanOrEqual(30);
});

it('a workbook adds up to the cent, kinds apart and without what counts in no total, below a row the filter ends before', async () => {
  const rows: Row[] = [
    { name: 'one', money: '0.10' },
    { name: 'two', money: '9999999999.20' },
    { name: 'three', money: '5.00', left_out: 'Cancelado' },
    { name: 'four', money: '7.07', group: 'CT-e' },
  ];
  const parts = await workbook(rows, tableOf({ name: 'text', money: 'money' }));
  const sheet = parts.get('xl/worksheets/sheet1.xml') ?? '';
  expect(sheet).toContain('<autoFilter ref="A1:B5"/>');
  const below = cellsOf(sheet).filter(({ at }) => Number(at.slice(1)) > 5);
  expect(below.map(({ at, type, text }) => [at, type, text])).toEqual([
    ['A7', 'inlineStr', 'Total NF-e (2)'],
    ['B7', 'n', '9999999999.30'],
    ['A8', 'inlineStr', 'Total CT-e (1)'],
    ['B8', 'n', '7.07'],
  ]);
  const overview = cellsOf(parts.get('xl/worksheets/sheet2.xml') ?? '').map(({ text }) => text);
  expect(overview.join('|')).toContain(
    'NF-e|Autorizado|2|9999999999.30|Sim|NF-e|Cancelado|1|5.00|Não|Total NF-e||2',
  );
});

it('a workbook has no total of a column with a value that is no number', async () => {
  const rows: Row[] = [
    { name: 'a', money: '1.00' },
    { name: 'b', money: 'n/a' },
    { name: 'c', money: '2.00' },
  ];
  const parts = await workbook(rows, tableOf({ name: 'text', money: 'money' }));
  const cells = cellsOf(parts.get('xl/worksheets/sheet1.xml') ?? '');
  expect(cells.filter(({ at }) => at === 'B6').map(({ text }) => text)).toEqual(['–']);
});
