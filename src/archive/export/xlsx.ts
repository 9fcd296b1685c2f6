import { deflateRawSync, inflateRawSync } from 'node:zlib';
import { writeNewFile } from '../../disk/files.ts';
import { addDecimals, isDecimal } from '../../documents/decimals.ts';
import { maskTaxId } from '../../documents/identity/tax-ids.ts';
import { escapeXml } from '../../documents/untrusted.ts';
import {
  type Column,
  type ColumnKind,
  countedRows,
  dayOf,
  type Exported,
  type ExportOptions,
  type Fact,
  type Heading,
  type HeadingLanguage,
  no,
  type Rows,
  type Table,
  yes,
} from './table.ts';
import { type ZipEntry, zipped } from './zip.ts';

const SPREADSHEET = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const HEAD = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
/** Cell formats by name, in the order of the styles: number format, font, fill and border by their places there. */
const cellFormats = {
  text: [0],
  code: [49],
  money: [4],
  number: [0],
  date: [164],
  // Rows that count in no total are grey.
  grey_text: [0, 2],
  grey_code: [49, 2],
  grey_money: [4, 2],
  grey_number: [0, 2],
  grey_date: [164, 2],
  heading: [0, 1, 2, 1],
  total: [0, 1, 0, 2],
  total_money: [4, 1, 0, 2],
  title: [0, 3],
  label: [0, 1],
} as const satisfies Readonly<Record<string, readonly number[]>>;
type Format = keyof typeof cellFormats;
const placeOf = new Map(Object.keys(cellFormats).map((name, place) => [name, place]));

const cellStyles = Object.entries<readonly number[]>(cellFormats).map(
  ([name, [format, font = 0, fill = 0, border = 0]]) =>
    `<xf numFmtId="${format}" fontId="${font}" fillId="${fill}" borderId="${border}" xfId="0" applyNumberFormat="1" ` +
    'applyFont="1" applyFill="1" applyBorder="1" applyAlignment="1">' +
    `<alignment vertical="${name === 'heading' ? 'center" wrapText="1' : 'top'}"/></xf>`,
);
const font = (form: string, size = 11) => `<font>${form}<sz val="${size}"/><name val="Calibri"/></font>`;
const LINE = 'style="thin"><color auto="1"/>';
const STYLES = `${HEAD}<styleSheet xmlns="${SPREADSHEET}">
<numFmts count="1"><numFmt numFmtId="164" formatCode="dd/mm/yyyy"/></numFmts>
<fonts count="4">${font('')}${font('<b/>')}<font><sz val="11"/><color rgb="FF7F7F7F"/><name val="Calibri"/></font>${font('<b/>', 14)}</fonts>
<fills count="3"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill><fill><patternFill patternType="solid"><fgColor rgb="FFDDE5EC"/><bgColor indexed="64"/></patternFill></fill></fills>
<borders count="3"><border><left/><right/><top/><bottom/><diagonal/></border><border><left/><right/><top/><bottom ${LINE}</bottom><diagonal/></border><border><left/><right/><top ${LINE}</top><bottom/><diagonal/></border></borders>
<cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs>
<cellXfs count="${cellStyles.length}">${cellStyles.join('')}</cellXfs>
<cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles>
</styleSheet>`;

/** Text that Excel would read as an escaped character. */
const ESCAPE_LIKE = /_(?=x[0-9A-Fa-f]{4}_)/g;
const LONGEST_TEXT = 32_767;
/** A cell's number is a double: with more digits than this it would be another number. */
const EXACT_DIGITS = 15;
/** Day 0 of a workbook, as it counts from March 1900 on; before, its days are one off. */
const DAY_ZERO = Date.UTC(1899, 11, 30);
const FIRST_COUNTED_DAY = '1900-03-01';

interface Cell {
  readonly format: Format;
  readonly text: string;
  /** Decimal text that a double holds exactly; without it the cell holds the text. */
  readonly number?: string | undefined;
}

function cellXml(reference: string, { format, text, number }: Cell): string {
  const start = `<c r="${reference}" s="${placeOf.get(format)}"`;
  if (number !== undefined) return `${start}><v>${number}</v></c>`;
  if (text === '') return `${start}/>`;
  const shown = text.length > LONGEST_TEXT ? `${text.slice(0, LONGEST_TEXT - 1)}…` : text;
  const escaped = escapeXml(shown.replace(ESCAPE_LIKE, '_x005F_'));
  return `${start} t="inlineStr"><is><t xml:space="preserve">${escaped}</t></is></c>`;
}

function rowXml(at: number, cells: readonly (Cell | undefined)[], form = ''): string {
  const texts = cells.map((cell, i) => (cell === undefined ? '' : cellXml(columnLetters(i) + at, cell)));
  return `<row r="${at}"${form}>${texts.join('')}</row>`;
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

/** A value as its column has it; `grey` where its row counts in no total. */
function valueCell(kind: ColumnKind, value: string, isGrey: boolean): Cell {
  const number = numberOf(kind, value);
  const plain = kind === 'tax_id' ? 'code' : number === undefined && kind !== 'code' ? 'text' : kind;
  const text = kind === 'tax_id' ? maskTaxId(value) : value;
  return { format: isGrey ? `grey_${plain}` : plain, text, number };
}

/** An amount that was added up: a number where a cell can hold it exactly, else text. */
const amountCell = (format: Format, amount: string): Cell => {
  return { format, text: amount, number: numberOf('money', amount) };
};

/** `A` for the first column, `AA` for the twenty-seventh. */
function columnLetters(index: number): string {
  const last = String.fromCharCode(65 + (index % 26));
  return index < 26 ? last : columnLetters(Math.floor(index / 26) - 1) + last;
}

/** Rows a sheet may have are 1,048,576; the last ones are for totals, and more values follow in a further sheet. */
const LAST_VALUE_ROW = 1_048_576 - 8;
const PIECE_CHARACTERS = 64 * 1024;

const NARROWEST = 8;
const WIDEST = 48;

const PACKAGE = 'http://schemas.openxmlformats.org/package/2006';
const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const CONTENT = 'application/vnd.openxmlformats-officedocument.spreadsheetml';

const SHEET = `${HEAD}<worksheet xmlns="${SPREADSHEET}"><sheetPr><pageSetUpPr fitToPage="1"/></sheetPr>`;

/** Room for an amount's separators and for a heading's filter button. */
const SPARE = 3;

function columnOfWidth(index: number, width: number, isHidden = false): string {
  const hidden = isHidden ? ' hidden="1"' : '';
  return `<col min="${index + 1}" max="${index + 1}" width="${width}" customWidth="1"${hidden}/>`;
}

/**
 * A sheet up to its first row of values; the heading stays in view, and a column without a value is hidden.
 * @param longestValues characters, by column
 */
function sheetStart<Row>(
  columns: readonly Column<Row>[],
  language: HeadingLanguage,
  longestValues: readonly number[],
): string {
  const widths = longestValues.map((longest, i) => {
    return columnOfWidth(i, Math.min(WIDEST, Math.max(NARROWEST, longest + SPARE)), longest === 0);
  });
  const headings = columns.map(({ heading }): Cell => ({ format: 'heading', text: heading[language] }));
  return (
    `${SHEET}<sheetViews><sheetView workbookViewId="0">` +
    '<pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews>' +
    `<cols>${widths.join('')}</cols><sheetData>${rowXml(1, headings, ' ht="30" customHeight="1"')}`
  );
}

/** A4, as wide as one page, with the sheet's name and the page's number below. */
const PAGE =
  '<pageMargins left="0.4" right="0.4" top="0.5" bottom="0.6" header="0.3" footer="0.3"/>' +
  '<pageSetup paperSize="9" orientation="landscape" fitToWidth="1" fitToHeight="0"/>' +
  '<headerFooter><oddFooter>&amp;L&amp;A&amp;R&amp;P/&amp;N</oddFooter></headerFooter>';

function workbookParts(names: readonly string[], filtered: number): Record<string, string> {
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
      `${each((index, name) => `<sheet name="${name}" sheetId="${index}" r:id="sheet${index}"/>`)}</sheets>` +
      // The heading is printed on every page.
      `<definedNames>${each((index, name) =>
        index > filtered
          ? ''
          : `<definedName name="_xlnm.Print_Titles" localSheetId="${index - 1}">'${name.replaceAll("'", "''")}'!$1:$1</definedName>`,
      )}</definedNames></workbook>`,
    'xl/_rels/workbook.xml.rels': links(
      each((index) => link(`sheet${index}`, 'worksheet', `worksheets/sheet${index}.xml`)) +
        link('styles', 'styles', 'styles.xml'),
    ),
    'xl/styles.xml': STYLES,
  };
}

/** Amounts and rows of the same kind; an amount is undefined where one of its parts is no number. */
interface Sum {
  rows: number;
  readonly amounts: Map<number, string | undefined>;
}

const NO_SUM = '–';

interface Sums {
  /** By group: counted amounts, by the place of the column. */
  readonly totals: Map<string, Sum>;
  /** By group and status: all rows, and their sums. */
  readonly overview: Map<string, Sum & { readonly names: readonly [string, string]; counts: boolean }>;
}

/** Counts a row; whether it counts in the totals. */
function countRow<Row>(
  row: Row,
  { columns, totals: adding }: Table<Row>,
  { totals, overview }: Sums,
  language: HeadingLanguage,
): boolean {
  const group = adding.group(row);
  const names = [group, adding.status(row, language)] as const;
  const counts = !adding.isLeftOut(row);
  const line = overview.get(names.join('\n')) ?? { names, counts, rows: 0, amounts: new Map() };
  overview.set(names.join('\n'), line);
  line.rows++;
  addTo(line, 0, adding.amount(row));
  if (!counts) return false;
  const total = totals.get(group) ?? { rows: 0, amounts: new Map() };
  totals.set(group, total);
  total.rows++;
  for (const [i, { kind, value }] of columns.entries())
    if (kind === 'money') addTo(total, i, value(row, language));
  return true;
}

function addTo({ amounts }: Sum, place: number, amount: string | undefined): void {
  if (amount === undefined || amount === '') return;
  const isLost = amounts.has(place) && amounts.get(place) === undefined;
  amounts.set(place, isLost ? undefined : addDecimals([amounts.get(place), amount]));
}

/** An added amount as it is shown; undefined for none. */
function amountOf({ amounts }: Sum, place: number): string | undefined {
  return amounts.has(place) ? (amounts.get(place) ?? NO_SUM) : undefined;
}

const words = {
  overview: { 'pt-BR': 'Resumo', en: 'Overview' },
  kind: { 'pt-BR': 'Documento', en: 'Document' },
  status: { 'pt-BR': 'Situação', en: 'Status' },
  rows: { 'pt-BR': 'Linhas', en: 'Rows' },
  amount: { 'pt-BR': 'Valor', en: 'Amount' },
  counts: { 'pt-BR': 'Nos totais', en: 'In totals' },
} as const satisfies Readonly<Record<string, Heading>>;

/** The total rows, one per kind of document, below a blank row so that no filter takes them for values. */
function totalRows<Row>({ columns }: Table<Row>, { totals }: Sums, after: number): string {
  const rows = [...totals].map(([group, sum], place) => {
    const cells = columns.map((_, i): Cell => {
      if (i === 0) return { format: 'total', text: `Total ${group} (${sum.rows})` };
      const amount = amountOf(sum, i);
      return amount === undefined ? { format: 'total', text: '' } : amountCell('total_money', amount);
    });
    return rowXml(after + 2 + place, cells);
  });
  return rows.join('');
}

/** The overview sheet: company, period, basis and totals. */
function overviewSheet(
  { totals, overview }: Sums,
  facts: readonly Fact[],
  language: HeadingLanguage,
): string {
  const rows: string[] = [];
  const add = (...cells: readonly (Cell | undefined)[]) => void rows.push(rowXml(rows.length + 1, cells));
  const text = (format: Format, value: string): Cell => ({ format, text: value });
  const addLine = (names: readonly string[], sum: Sum, counts: boolean, format: Format, money: Format) => {
    const amount = amountOf(sum, 0);
    add(
      ...names.map((name) => text(format, name)),
      { format, text: '', number: String(sum.rows) },
      amount === undefined ? undefined : amountCell(money, amount),
      text(format, (counts ? yes : no)[language]),
    );
  };

  add(text('title', words.overview[language]));
  for (const [label, value] of facts)
    if (value === undefined) add(text('text', label));
    else add(text('label', label), text('text', value));
  add();
  const headings = [words.kind, words.status, words.rows, words.amount, words.counts];
  add(...headings.map((one) => text('heading', one[language])));
  const groups = new Set([...overview.values()].map(({ names }) => names[0]));
  for (const group of groups) {
    const lines = [...overview.values()].filter(({ names }) => names[0] === group);
    const sum: Sum = { rows: totals.get(group)?.rows ?? 0, amounts: new Map() };
    for (const one of lines) {
      if (one.counts) addLine(one.names, one, true, 'text', 'money');
      else addLine(one.names, one, false, 'grey_text', 'grey_money');
      if (one.counts) addTo(sum, 0, amountOf(one, 0));
    }
    addLine([`Total ${group}`, ''], sum, true, 'total', 'total_money');
  }
  const widths = [28, 34, 10, 18, 12].map((width, i) => columnOfWidth(i, width));
  return `${SHEET}<cols>${widths.join('')}</cols><sheetData>${rows.join('')}</sheetData>${PAGE}</worksheet>`;
}

/** The files of a workbook: as many sheets as the rows need, the overview, then the other parts. */
async function* workbook<Row>(
  rows: AsyncGenerator<Row>,
  table: Table<Row>,
  { language, facts }: ExportOptions,
): AsyncGenerator<ZipEntry> {
  const { columns, title } = table;
  const sums: Sums = { totals: new Map(), overview: new Map() };
  let next = await rows.next();

  async function* sheet(): AsyncGenerator<string> {
    // The column widths precede the rows, which are therefore held, compressed.
    const packed: Uint8Array[] = [];
    const longest = columns.map(() => 0);
    let piece = '';
    let rowNumber = 1;
    for (; next.done !== true && rowNumber < LAST_VALUE_ROW; next = await rows.next()) {
      rowNumber++;
      const isGrey = !countRow(next.value, table, sums, language);
      const cells = columns.map(({ kind, value }, i) => {
        const text = value(next.value, language);
        if (text === undefined || text === '') return undefined;
        longest[i] = Math.max(longest[i] ?? 0, text.length);
        return valueCell(kind, text, isGrey);
      });
      piece += rowXml(rowNumber, cells);
      if (piece.length < PIECE_CHARACTERS) continue;
      packed.push(deflateRawSync(piece, { level: 1 }));
      piece = '';
    }
    yield sheetStart(columns, language, longest);
    for (const part of packed) yield inflateRawSync(part).toString('utf8');
    const totals = next.done === true ? totalRows(table, sums, rowNumber) : '';
    const range = `A1:${columnLetters(columns.length - 1)}${rowNumber}`;
    yield `${piece}${totals}</sheetData><autoFilter ref="${range}"/>${PAGE}</worksheet>`;
  }

  const names: string[] = [];
  try {
    do {
      names.push(names.length === 0 ? title[language] : `${title[language]} (${names.length + 1})`);
      yield { name: `xl/worksheets/sheet${names.length}.xml`, content: sheet() };
    } while (next.done !== true);
    const filtered = names.length;
    names.push(words.overview[language]);
    const overview = overviewSheet(sums, facts?.() ?? [], language);
    yield { name: `xl/worksheets/sheet${names.length}.xml`, content: Buffer.from(overview) };
    for (const [name, text] of Object.entries(workbookParts(names, filtered)))
      yield { name, content: Buffer.from(text) };
  } finally {
    await rows.return(undefined);
  }
}

/**
 * Writes a table as an Excel workbook, row by row: identifiers are text, money and quantities numbers, days real days.
 * Each kind of document has a total below the values, and the last sheet has the workbook's basis. Text is
 * never a formula in a workbook. A number of more than fifteen digits stays text, since a cell could not hold it exactly.
 * @throws FileNotWritten, the signal's reason, or the rows' error; nothing is left behind then
 */
export async function writeXlsx<Row>(
  rows: Rows<Row>,
  table: Table<Row>,
  options: ExportOptions,
): Promise<Exported> {
  const { folder, name, signal } = options;
  const counted = countedRows(rows, options);
  const bytes = zipped(workbook(counted.rows, table, options));
  const saved = await writeNewFile({ folder, name, ending: 'xlsx' }, bytes, signal);
  return { ...saved, rows: counted.count };
}
