import { isDecimal } from '../../documents/decimals.ts';
import { type Column, type ColumnKind, dayOf, type HeadingLanguage } from './column.ts';

/** Places in the list of cell formats of `workbookStyles`. */
const formatOf: Readonly<Record<ColumnKind | 'heading', number>> = {
  text: 0,
  heading: 1,
  code: 2,
  money: 3,
  number: 4,
  date: 5,
};

/** In the order of `formatOf`: plain, bold, text, money, plain number, day. */
const workbookStyles = `<styleSheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main">
<numFmts count="1"><numFmt numFmtId="164" formatCode="dd/mm/yyyy"/></numFmts>
<fonts count="2"><font><sz val="11"/><name val="Calibri"/></font><font><b/><sz val="11"/><name val="Calibri"/></font></fonts>
<fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills>
<borders count="1"><border><left/><right/><top/><bottom/><diagonal/></border></borders>
<cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs>
<cellXfs count="6"><xf numFmtId="0" fontId="0" fillId="0" borderId="0" xfId="0"/><xf numFmtId="0" fontId="1" fillId="0" borderId="0" xfId="0" applyFont="1"/><xf numFmtId="49" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/><xf numFmtId="4" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/><xf numFmtId="0" fontId="0" fillId="0" borderId="0" xfId="0"/><xf numFmtId="164" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/></cellXfs>
<cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles>
</styleSheet>`;

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
/** What no XML text may hold. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the ones to take out
const NOT_IN_XML = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g;
/** What Excel reads as an escaped character, and so has to be escaped where it is meant as it stands. */
const ESCAPE_LIKE = /_(?=x[0-9A-Fa-f]{4}_)/g;

/** Text for between tags or in an attribute, without what no XML may hold. */
function escapeXml(text: string): string {
  return text.replace(NOT_IN_XML, '').replace(/[&<>"]/g, (sign) => entities[sign] ?? sign);
}

/** The most a cell may hold. */
const LONGEST_TEXT = 32_767;

function textCell(reference: string, format: number, text: string): string {
  const shown = text.length > LONGEST_TEXT ? `${text.slice(0, LONGEST_TEXT - 1)}…` : text;
  const escaped = escapeXml(shown.replace(ESCAPE_LIKE, '_x005F_'));
  return `<c r="${reference}" s="${format}" t="inlineStr"><is><t xml:space="preserve">${escaped}</t></is></c>`;
}

function numberCell(reference: string, format: number, value: string | number): string {
  return `<c r="${reference}" s="${format}"><v>${value}</v></c>`;
}

/** A cell's number is a double: with more digits than this it would be another number. */
const EXACT_DIGITS = 15;

function isExact(value: string): boolean {
  return isDecimal(value) && value.replace(/\D/g, '').replace(/^0+/, '').length <= EXACT_DIGITS;
}

const DAY_MILLISECONDS = 86_400_000;
/** Day 0 of a workbook, as it counts from March 1900 on. */
const DAY_ZERO = Date.UTC(1899, 11, 30);
/** Before it a workbook's days are one off. */
const FIRST_COUNTED_DAY = '1900-03-01';

function dayNumber(day: string): number {
  return (Date.parse(`${day}T00:00:00Z`) - DAY_ZERO) / DAY_MILLISECONDS;
}

function valueCell(reference: string, kind: ColumnKind, value: string): string {
  const isNumber = kind === 'money' || kind === 'number';
  if (isNumber && isExact(value)) return numberCell(reference, formatOf[kind], value);
  const day = kind === 'date' ? dayOf(value) : undefined;
  if (day !== undefined && day >= FIRST_COUNTED_DAY) {
    return numberCell(reference, formatOf.date, dayNumber(day));
  }
  return textCell(reference, kind === 'code' ? formatOf.code : formatOf.text, value);
}

/** `A` for the first column, `AA` for the twenty-seventh. */
export function columnLetters(index: number): string {
  const last = String.fromCharCode(65 + (index % 26));
  return index < 26 ? last : columnLetters(Math.floor(index / 26) - 1) + last;
}

/** The first row of a sheet. */
export function headingRow<Row>(columns: readonly Column<Row>[], language: HeadingLanguage): string {
  const cells = columns.map(({ heading }, i) =>
    textCell(`${columnLetters(i)}1`, formatOf.heading, heading[language]),
  );
  return `<row r="1">${cells.join('')}</row>`;
}

/** @param rowNumber counted from 1, the heading's row */
export function valueRow<Row>(
  columns: readonly Column<Row>[],
  row: Row,
  rowNumber: number,
  language: HeadingLanguage,
): string {
  let cells = '';
  for (const [i, { kind, value }] of columns.entries()) {
    const text = value(row, language);
    if (text !== undefined && text !== '') cells += valueCell(columnLetters(i) + rowNumber, kind, text);
  }
  return `<row r="${rowNumber}">${cells}</row>`;
}

const HEAD = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006';
const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const SPREADSHEET = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const CONTENT = 'application/vnd.openxmlformats-officedocument.spreadsheetml';

export const sheetNamespace = SPREADSHEET;

/** `index` counts from 1. */
export function sheetPath(index: number): string {
  return `xl/worksheets/sheet${index}.xml`;
}

function numbered(count: number): number[] {
  return Array.from({ length: count }, (_, i) => i + 1);
}

function contentTypes(sheets: number): string {
  const overrides = numbered(sheets).map(
    (index) => `<Override PartName="/${sheetPath(index)}" ContentType="${CONTENT}.worksheet+xml"/>`,
  );
  return (
    `${HEAD}<Types xmlns="${PACKAGE}/content-types">` +
    '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>' +
    '<Default Extension="xml" ContentType="application/xml"/>' +
    `<Override PartName="/xl/workbook.xml" ContentType="${CONTENT}.sheet.main+xml"/>` +
    `<Override PartName="/xl/styles.xml" ContentType="${CONTENT}.styles+xml"/>${overrides.join('')}</Types>`
  );
}

function relationship(id: string, type: string, target: string): string {
  return `<Relationship Id="${id}" Type="${OFFICE}/${type}" Target="${target}"/>`;
}

function relationships(...list: readonly string[]): string {
  return `${HEAD}<Relationships xmlns="${PACKAGE}/relationships">${list.join('')}</Relationships>`;
}

function workbook(names: readonly string[]): string {
  const sheets = names.map(
    (name, i) => `<sheet name="${escapeXml(name)}" sheetId="${i + 1}" r:id="sheet${i + 1}"/>`,
  );
  return `${HEAD}<workbook xmlns="${SPREADSHEET}" xmlns:r="${OFFICE}"><sheets>${sheets.join('')}</sheets></workbook>`;
}

/** What makes sheets a workbook: every other part, by its path. */
export function workbookParts(sheetNames: readonly string[]): Record<string, string> {
  const sheets = numbered(sheetNames.length).map((index) =>
    relationship(`sheet${index}`, 'worksheet', `worksheets/sheet${index}.xml`),
  );
  return {
    '[Content_Types].xml': contentTypes(sheetNames.length),
    '_rels/.rels': relationships(relationship('workbook', 'officeDocument', 'xl/workbook.xml')),
    'xl/workbook.xml': workbook(sheetNames),
    'xl/_rels/workbook.xml.rels': relationships(...sheets, relationship('styles', 'styles', 'styles.xml')),
    'xl/styles.xml': HEAD + workbookStyles,
  };
}
