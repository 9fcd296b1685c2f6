import { readFile } from 'node:fs/promises';
import { SaxesParser } from 'saxes';
import { describe, expect, it } from 'vitest';
import { type ColumnKind, documentTable, type Table, writeXlsx } from '../../../src/archive/export/index.ts';
import { isLong } from '../../support/depth.ts';
import { readZip } from './read-zip.ts';
import { type Row, summary, tableOf } from './rows.ts';
import { scratchFolder } from './scratch-folder.ts';

const folder = scratchFolder();
let files = 0;

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

async function workbook<T>(
  rows: AsyncIterable<T> | Iterable<T>,
  table: Table<T>,
): Promise<Map<string, string>> {
  files++;
  const { path } = await writeXlsx(rows, table, {
    folder: folder.path(),
    name: `book-${files}`,
    language: 'pt-BR',
  });
  return new Map(readZip(await readFile(path)).map(({ name, data }) => [name, data.toString('utf8')]));
}

async function cell(kind: ColumnKind, value: string): Promise<Cell | undefined> {
  const rows: Row[] = [{ column: value }];
  const parts = await workbook(rows, tableOf({ column: kind }));
  return cellsOf(parts.get('xl/worksheets/sheet1.xml') ?? '').find(({ at }) => at === 'A2');
}

describe('a workbook', () => {
  it('has every part a reader looks for, each well-formed', async () => {
    const rows: Row[] = [{ a: 'x', b: '1.00' }];
    const parts = await workbook(rows, tableOf({ a: 'text', b: 'money' }));
    expect([...parts.keys()].sort()).toEqual([
      '[Content_Types].xml',
      '_rels/.rels',
      'xl/_rels/workbook.xml.rels',
      'xl/styles.xml',
      'xl/workbook.xml',
      'xl/worksheets/sheet1.xml',
    ]);
    for (const text of parts.values()) expect(() => new SaxesParser().write(text).close()).not.toThrow();
    expect(parts.get('xl/workbook.xml')).toContain(
      '<sheet name="Notas &amp; itens" sheetId="1" r:id="sheet1"/>',
    );
    expect(parts.get('xl/_rels/workbook.xml.rels')).toContain('Target="worksheets/sheet1.xml"');
    expect(parts.get('[Content_Types].xml')).toContain('PartName="/xl/worksheets/sheet1.xml"');
    expect(parts.get('xl/worksheets/sheet1.xml')).toContain('<autoFilter ref="A1:B2"/>');
  });

  it('writes keys as text, money and quantities as numbers, days as days, and leaves empty cells out', async () => {
    const document = summary({
      key: '35170458716523000119550010000000121000123458',
      issued_at: '2026-11-05T23:59:59-03:00',
      totals: { total: '1234.50' },
    });
    const parts = await workbook([document], documentTable);
    const cells = cellsOf(parts.get('xl/worksheets/sheet1.xml') ?? '').filter(({ at }) =>
      /^[A-Z]+2$/.test(at),
    );
    expect(cells).toEqual([
      { at: 'A2', type: 'inlineStr', format: '0', text: 'NF-e' },
      { at: 'B2', type: 'inlineStr', format: '2', text: '35170458716523000119550010000000121000123458' },
      { at: 'E2', type: 'n', format: '5', text: '46331' },
      { at: 'F2', type: 'inlineStr', format: '0', text: 'Autorizado' },
      { at: 'O2', type: 'n', format: '3', text: '1234.50' },
    ]);
  });

  it.each([
    ['1900-03-01', '61'],
    ['2000-01-01', '36526'],
    ['2024-02-29', '45351'],
  ])('counts the days of %s', async (day, expected) => {
    expect(await cell('date', day)).toMatchObject({ type: 'n', text: expected });
  });

  it.each([
    ['date', '2026-02-30'],
    ['date', '1900-02-28'],
    ['money', 'n/a'],
    ['money', '1234567890123.456'],
    ['number', '1e5'],
  ] as const)('%s %s stays text', async (kind, value) => {
    expect(await cell(kind, value)).toMatchObject({ type: 'inlineStr', text: value });
  });

  it.each([
    ['money', '-0.01'],
    ['money', '9999999999999.99'],
    ['number', '0.0000000123'],
  ] as const)('%s %s is a number, digit for digit', async (kind, value) => {
    expect(await cell(kind, value)).toMatchObject({ type: 'n', text: value });
  });

  it('holds any text as text', async () => {
    expect(await cell('text', '=1+1')).toMatchObject({ type: 'inlineStr', text: '=1+1' });
    expect((await cell('text', 'A & B < "C" > D'))?.text).toBe('A & B < "C" > D');
    expect((await cell('text', '  GRÃO — 3,5 kg 😀 '))?.text).toBe('  GRÃO — 3,5 kg 😀 ');
    expect((await cell('text', 'a\u0000b\u0008c\uffffd'))?.text).toBe('abcd');
    expect((await cell('text', 'lot_x0041_7'))?.text).toBe('lot_x005F_x0041_7');
    expect((await cell('text', 'x'.repeat(40_000)))?.text).toHaveLength(32_767);
  });

  it.runIf(isLong)('goes on in a second sheet after 1,048,575 rows', async () => {
    function* rows(): Generator<Row> {
      for (let i = 0; i < 1_048_577; i++) yield { a: '7' };
    }
    const parts = await workbook(rows(), tableOf({ a: 'number' }));
    expect(parts.get('xl/workbook.xml')).toContain('name="Notas &amp; itens (2)" sheetId="2"');
    expect(parts.get('xl/worksheets/sheet1.xml')).toContain('<autoFilter ref="A1:A1048576"/>');
    const second = cellsOf(parts.get('xl/worksheets/sheet2.xml') ?? '');
    expect(second.map(({ at, text }) => `${at} ${text}`)).toEqual(['A1 a', 'A2 7', 'A3 7']);
  });

  it('has columns beyond Z', async () => {
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
});
