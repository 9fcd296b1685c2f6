import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { documentTable, itemRows, itemTable } from '../../../src/archive/export/document-tables.ts';
import { type ColumnKind, writeCsv } from '../../../src/archive/export/table.ts';
import { manyRows, type Row, scratchFolder, summary, tableOf } from './rows.ts';

const folder = scratchFolder();
const language = 'pt-BR';
let files = 0;

async function written(columns: Readonly<Record<string, ColumnKind>>, rows: readonly Row[]): Promise<string> {
  files++;
  const options = { folder: folder.path(), name: `table-${files}`, language } as const;
  const { path } = await writeCsv(rows, tableOf(columns), options);
  return readFile(path, 'utf8');
}

/** The one cell of a file with one row and one column. */
async function cell(kind: ColumnKind, value: string): Promise<string> {
  const text = await written({ column: kind }, [{ column: value }]);
  expect(text.startsWith('\ufeffcolumn\r\n')).toBe(true);
  expect(text.endsWith('\r\n')).toBe(true);
  return text.slice('\ufeffcolumn\r\n'.length, -2);
}

describe('a CSV file', () => {
  it('has a byte-order mark, semicolons and CRLF', async () => {
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
  ] as const)('%s %s', async (kind, value, expected) => {
    expect(await cell(kind, value)).toBe(expected);
  });

  it.each([
    ['a key', '35170458716523000119550010000000121000123458'],
    ['a tax id with leading zeros', '00000000000191'],
    ['an alphanumeric tax id', '12ABC34501DE35'],
    ['a code that looks like a power', '1E5'],
  ])('%s stays text by a tab in front', async (_, value) => {
    expect(await cell('code', value)).toBe(`"\t${value}"`);
  });

  it.each([
    ...['=cmd|calc!A1', '+55', '-1', '@SUM(A1)', '|calc', ' =1+1', '\u00a0=1+1'],
    // Full-width and small forms, and the minus sign.
    ...['＝1+1', '＋1', '－1', '＠SUM(A1)', '−1', '﹦1', '﹢1', '﹣1', '﹫A1'],
  ])('guards against the formula %s', async (value) => {
    expect(await cell('text', value)).toBe(`'${value}`);
    expect(await cell('code', value)).toBe(`'${value}`);
  });

  it('guards and quotes what begins with a tab or a line break', async () => {
    expect(await cell('text', '\t=1')).toBe('"\'\t=1"');
    expect(await cell('text', '\r=1')).toBe('"\'\r=1"');
    expect(await cell('text', '\n=1')).toBe('"\'\n=1"');
  });

  it('quotes separators, quotes and line breaks, and leaves a formula sign inside alone', async () => {
    expect(await cell('text', 'a;b')).toBe('"a;b"');
    expect(await cell('text', 'tubo 3" x 2')).toBe('"tubo 3"" x 2"');
    expect(await cell('text', 'a\r\nb')).toBe('"a\r\nb"');
    expect(await cell('text', 'a=b')).toBe('a=b');
  });

  it('counts rows, and reports them as they go and at the end', async () => {
    const reports: number[] = [];
    const options = {
      folder: folder.path(),
      name: 'reported',
      language,
      onProgress: (rows: number) => reports.push(rows),
    } as const;
    const { rows, bytes, path } = await writeCsv(
      manyRows(1200),
      tableOf({ text: 'text', money: 'money' }),
      options,
    );
    expect(rows).toBe(1200);
    expect(reports).toEqual([500, 1000, 1200]);
    const text = await readFile(path);
    expect(text.length).toBe(bytes);
    expect(text.toString().split('\r\n')).toHaveLength(1202);
  });
});

describe('documents and items as tables', () => {
  const document = summary({
    key: '35170458716523000119550010000000121000123458',
    number: '12',
    series: '1',
    issued_at: '2017-04-03T10:00:00-03:00',
    issuer: { id: '58716523000119', name: '=METALURGICA', state: 'SP' },
    totals: { total: '110.00', icms: '18.00' },
    iss_withheld: false,
    items: [
      {
        number: '1',
        code: '001',
        description: 'PARAFUSO',
        ncm: '09012100',
        quantity: '1.5000',
        total: '10.00',
        taxes: { icms: '1.80', class_trib: '000001' },
      },
      { number: '2', total: '100.00', taxes: {} },
    ],
  });

  async function records(path: string): Promise<Record<string, string>[]> {
    const [heading = '', ...lines] = (await readFile(path, 'utf8')).slice(1).trimEnd().split('\r\n');
    const names = heading.split(';');
    return lines.map((line) => {
      const cells = line.split(';');
      expect(cells).toHaveLength(names.length);
      return Object.fromEntries(cells.flatMap((text, i) => (text === '' ? [] : [[names[i], text]])));
    });
  }

  it('one line per document, headed in the language asked for', async () => {
    const { path } = await writeCsv([document], documentTable(), {
      folder: folder.path(),
      name: 'documentos',
      language,
    });
    expect(await records(path)).toEqual([
      {
        Documento: 'NF-e',
        'Chave de acesso': '"\t35170458716523000119550010000000121000123458"',
        Série: '1',
        Número: '12',
        Emissão: '2017-04-03',
        Situação: 'Autorizado',
        'CNPJ/CPF do emitente': '"\t58716523000119"',
        Emitente: "'=METALURGICA",
        'UF do emitente': 'SP',
        'Valor total': '110,00',
        ICMS: '18,00',
        'ISS retido': 'Não',
      },
    ]);
    const english = await writeCsv([document], documentTable(), {
      folder: folder.path(),
      name: 'documents',
      language: 'en',
    });
    expect((await records(english.path))[0]).toMatchObject({
      Status: 'Authorised',
      Total: '110,00',
      'ISS withheld': 'No',
    });
  });

  it('one line per item, with its document', async () => {
    const options = { folder: folder.path(), name: 'itens', language } as const;
    const { path, rows } = await writeCsv(itemRows([document, summary()]), itemTable(), options);
    expect(rows).toBe(2);
    const [first, second] = await records(path);
    expect(first).toMatchObject({
      Número: '12',
      Item: '1',
      'Código do produto': '"\t001"',
      NCM: '"\t09012100"',
      Quantidade: '1,5000',
      'Valor do item': '10,00',
      ICMS: '1,80',
      cClassTrib: '"\t000001"',
    });
    expect(second).toMatchObject({ Item: '2', 'Valor do item': '100,00' });
  });
});
