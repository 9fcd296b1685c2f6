import { writeNewFile } from '../../disk/new-file.ts';
import { isDecimal } from '../../documents/decimals.ts';
import {
  type Column,
  type ColumnKind,
  countedRows,
  dayOf,
  type Exported,
  type ExportOptions,
  type HeadingLanguage,
  type Rows,
  type Table,
} from './table.ts';

/** The beginning of a formula to some spreadsheet, also in full-width signs and behind blanks. */
const FORMULA = /^(?:[\t\r\n]|\s*[=+\-@|\u2212\uFE62\uFE63\uFE66\uFE6B\uFF0B\uFF0D\uFF1D\uFF20])/;

/** Text by strangers must not become a formula: an apostrophe in front makes it text. */
function guarded(text: string): string {
  return FORMULA.test(text) ? `'${text}` : text;
}

/**
 * A tab in front keeps an identifier text in Excel, which else turns 44 digits into 3.5E+43 and drops leading zeros.
 * The other usual way, `="…"`, is a formula: readers that are no spreadsheet, Excel's own import among them, then have
 * it in the value, while a tab is white space that they strip.
 */
function keptAsText(code: string): string {
  return /^[0-9A-Za-z]/.test(code) ? `\t${code}` : guarded(code);
}

function cellText(kind: ColumnKind, value: string): string {
  switch (kind) {
    case 'money':
    case 'number':
      return isDecimal(value) ? value.replace('.', ',') : guarded(value);
    case 'date':
      return dayOf(value) ?? guarded(value);
    case 'code':
    case 'tax_id':
      return keptAsText(value);
    case 'text':
      return guarded(value);
  }
}

function quoted(cell: string): string {
  return /[";\r\n\t]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
}

function line(cells: readonly string[]): string {
  return `${cells.map(quoted).join(';')}\r\n`;
}

/** The byte-order mark by which Excel knows UTF-8. */
export const byteOrderMark = '\ufeff';

/** The first line: what each column is called. */
export function headingLine<Row>(columns: readonly Column<Row>[], language: HeadingLanguage): string {
  return line(columns.map(({ heading }) => heading[language]));
}

/** One line as Excel in Brazil opens it: semicolons, decimal comma, CRLF. Days are ISO, which it reads everywhere. */
export function rowLine<Row>(columns: readonly Column<Row>[], row: Row, language: HeadingLanguage): string {
  return line(
    columns.map(({ kind, value }) => {
      const text = value(row, language);
      return text === undefined || text === '' ? '' : cellText(kind, text);
    }),
  );
}

/**
 * Writes a table as CSV for Excel in Brazil, row by row.
 * @throws FileNotWritten, the signal's reason, or the rows' error; nothing is left behind then
 */
export async function writeCsv<Row>(
  rows: Rows<Row>,
  { columns }: Table<Row>,
  options: ExportOptions,
): Promise<Exported> {
  const { folder, name, language, signal } = options;
  const counted = countedRows(rows, options);
  async function* chunks() {
    yield Buffer.from(byteOrderMark + headingLine(columns, language));
    for await (const row of counted.rows) yield Buffer.from(rowLine(columns, row, language));
  }
  const saved = await writeNewFile({ folder, name, ending: 'csv' }, chunks(), signal);
  return { ...saved, rows: counted.count };
}
