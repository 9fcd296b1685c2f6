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
import { type ZipEntry, zipped } from './zip-container.ts';

/** Rows a sheet may have, its heading among them; the others follow in a further sheet. */
const ROWS_PER_SHEET = 1_048_576;
const PIECE_CHARACTERS = 64 * 1024;

/** Widths in characters. */
const widthOf: Readonly<Record<ColumnKind, number>> = { text: 20, code: 20, money: 14, number: 12, date: 12 };

const HEAD = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006';
const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const SPREADSHEET = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const CONTENT = 'application/vnd.openxmlformats-officedocument.spreadsheetml';

/** Places in the list of cell formats of the styles: plain, bold, text, money, plain number, day. */
const formatOf = { text: 0, heading: 1, code: 2, money: 3, number: 4, date: 5 } as const;
const cellFormats = [[0], [0, 1], [49], [4], [0], [164]].map(
  ([format, font = 0]) =>
    `<xf numFmtId="${format}" fontId="${font}" fillId="0" borderId="0" xfId="0" applyNumberFormat="1" applyFont="1"/>`,
);
const STYLES = `${HEAD}<styleSheet xmlns="${SPREADSHEET}">
<numFmts count="1"><numFmt numFmtId="164" formatCode="dd/mm/yyyy"/></numFmts>
<fonts count="2"><font><sz val="11"/><name val="Calibri"/></font><font><b/><sz val="11"/><name val="Calibri"/></font></fonts>
<fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills>
<borders count="1"><border><left/><right/><top/><bottom/><diagonal/></border></borders>
<cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs>
<cellXfs count="${cellFormats.length}">${cellFormats.join('')}</cellXfs>
<cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles>
</styleSheet>`;

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
/** Characters that no XML text may hold. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the ones to take out
const NOT_IN_XML = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g;
/** Text that Excel would read as an escaped character. */
const ESCAPE_LIKE = /_(?=x[0-9A-Fa-f]{4}_)/g;
/** Characters of a cell. */
const LONGEST_TEXT = 32_767;
/** A cell's number is a double: with more digits than this it would be another number. */
const EXACT_DIGITS = 15;
/** Day 0 of a workbook, as it counts from March 1900 on; before, its days are one off. */
const DAY_ZERO = Date.UTC(1899, 11, 30);
const FIRST_COUNTED_DAY = '1900-03-01';

function escapeXml(text: string): string {
  return text.replace(NOT_IN_XML, '').replace(/[&<>"]/g, (sign) => entities[sign] ?? sign);
}

function textCell(reference: string, format: number, text: string): string {
  const shown = text.length > LONGEST_TEXT ? `${text.slice(0, LONGEST_TEXT - 1)}…` : text;
  const escaped = escapeXml(shown.replace(ESCAPE_LIKE, '_x005F_'));
  return `<c r="${reference}" s="${format}" t="inlineStr"><is><t xml:space="preserve">${escaped}</t></is></c>`;
}

/** The number that a cell of this kind holds; undefined where it must stay text. */
function numberOf(kind: ColumnKind, value: string): string | undefined {
  if (kind === 'date') {
    const day = dayOf(value);
    if (day === undefined || day < FIRST_COUNTED_DAY) return undefined;
    return String((Date.parse(`${day}T00:00:00Z`) - DAY_ZERO) / 86_400_000);
  }
  if ((kind !== 'money' && kind !== 'number') || !isDecimal(value)) return undefined;
  return value.replace(/\D/g, '').replace(/^0+/, '').length <= EXACT_DIGITS ? value : undefined;
}

function valueCell(reference: string, kind: ColumnKind, value: string): string {
  const number = numberOf(kind, value);
  if (number !== undefined) return `<c r="${reference}" s="${formatOf[kind]}"><v>${number}</v></c>`;
  return textCell(reference, kind === 'code' ? formatOf.code : formatOf.text, value);
}

/** `A` for the first column, `AA` for the twenty-seventh. */
function columnLetters(index: number): string {
  const last = String.fromCharCode(65 + (index % 26));
  return index < 26 ? last : columnLetters(Math.floor(index / 26) - 1) + last;
}

/** A sheet up to its first row of values; the heading stays in view. */
function sheetStart<Row>(columns: readonly Column<Row>[], language: HeadingLanguage): string {
  const widths = columns.map(({ kind, characters = widthOf[kind] }, i) => {
    return `<col min="${i + 1}" max="${i + 1}" width="${characters}" customWidth="1"/>`;
  });
  const headings = columns.map(({ heading }, i) =>
    textCell(`${columnLetters(i)}1`, formatOf.heading, heading[language]),
  );
  return (
    `${HEAD}<worksheet xmlns="${SPREADSHEET}"><sheetViews><sheetView workbookViewId="0">` +
    '<pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews>' +
    `<cols>${widths.join('')}</cols><sheetData><row r="1">${headings.join('')}</row>`
  );
}

/** Every part that makes sheets a workbook, by its path. */
function workbookParts(names: readonly string[]): Record<string, string> {
  const each = (text: (index: number, name: string) => string) =>
    names.map((name, i) => text(i + 1, escapeXml(name))).join('');
  const link = (id: string, type: string, target: string) =>
    `<Relationship Id="${id}" Type="${OFFICE}/${type}" Target="${target}"/>`;
  const links = (text: string) =>
    `${HEAD}<Relationships xmlns="${PACKAGE}/relationships">${text}</Relationships>`;
  const part = (path: string, type: string) =>
    `<Override PartName="/xl/${path}.xml" ContentType="${CONTENT}.${type}+xml"/>`;
  return {
    '[Content_Types].xml':
      `${HEAD}<Types xmlns="${PACKAGE}/content-types">` +
      '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>' +
      `<Default Extension="xml" ContentType="application/xml"/>${part('workbook', 'sheet.main')}` +
      `${part('styles', 'styles')}${each((index) => part(`worksheets/sheet${index}`, 'worksheet'))}</Types>`,
    '_rels/.rels': links(link('workbook', 'officeDocument', 'xl/workbook.xml')),
    'xl/workbook.xml':
      `${HEAD}<workbook xmlns="${SPREADSHEET}" xmlns:r="${OFFICE}"><sheets>` +
      `${each((index, name) => `<sheet name="${name}" sheetId="${index}" r:id="sheet${index}"/>`)}</sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': links(
      each((index) => link(`sheet${index}`, 'worksheet', `worksheets/sheet${index}.xml`)) +
        link('styles', 'styles', 'styles.xml'),
    ),
    'xl/styles.xml': STYLES,
  };
}

/** The files of a workbook: as many sheets as the rows need, then the other parts. */
async function* workbook<Row>(
  rows: AsyncGenerator<Row>,
  { columns, title }: Table<Row>,
  language: HeadingLanguage,
): AsyncGenerator<ZipEntry> {
  let next = await rows.next();

  async function* sheet(): AsyncGenerator<string> {
    let piece = sheetStart(columns, language);
    let rowNumber = 1;
    for (; next.done !== true && rowNumber < ROWS_PER_SHEET; next = await rows.next()) {
      rowNumber++;
      let cells = '';
      for (const [i, { kind, value }] of columns.entries()) {
        const text = value(next.value, language);
        if (text !== undefined && text !== '') cells += valueCell(columnLetters(i) + rowNumber, kind, text);
      }
      piece += `<row r="${rowNumber}">${cells}</row>`;
      if (piece.length < PIECE_CHARACTERS) continue;
      yield piece;
      piece = '';
    }
    const range = `A1:${columnLetters(columns.length - 1)}${rowNumber}`;
    yield `${piece}</sheetData><autoFilter ref="${range}"/></worksheet>`;
  }

  const names: string[] = [];
  try {
    do {
      names.push(names.length === 0 ? title[language] : `${title[language]} (${names.length + 1})`);
      yield { name: `xl/worksheets/sheet${names.length}.xml`, content: sheet() };
    } while (next.done !== true);
    for (const [name, text] of Object.entries(workbookParts(names)))
      yield { name, content: Buffer.from(text) };
  } finally {
    await rows.return(undefined);
  }
}

/**
 * Writes a table as an Excel workbook, row by row: identifiers are text, money and quantities numbers, days real days.
 * Text is never a formula in a workbook. A number of more than fifteen digits stays text, since a cell could not hold
 * it exactly.
 * @throws FileNotWritten, the signal's reason, or the rows' error; nothing is left behind then
 */
export async function writeXlsx<Row>(
  rows: Rows<Row>,
  table: Table<Row>,
  options: ExportOptions,
): Promise<Exported> {
  const { folder, name, language, signal } = options;
  const counted = countedRows(rows, options);
  const bytes = zipped(workbook(counted.rows, table, language));
  const saved = await writeNewFile({ folder, name, ending: 'xlsx' }, bytes, signal);
  return { ...saved, rows: counted.count };
}
