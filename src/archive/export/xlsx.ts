import { deflateRawSync, inflateRawSync } from 'node:zlib';
import { addDecimals, isDecimal } from '../../documents/decimals.ts';
import { maskTaxId } from '../../documents/identity/tax-ids.ts';
import { escapeXml } from '../../documents/untrusted.ts';
import {
  type Column,
  type ColumnKind,
  csvOf,
  dayOf,
  type Fact,
  type Heading,
  type HeadingLanguage,
  no,
  type Rows,
  type Standing,
  type Table,
  yes,
} from './table.ts';
import { type ZipEntry, zipped } from './zip.ts';

const SPREADSHEET = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const HEAD = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
/** Number format ids by kind of value, in style order. */
const numberFormats = { text: 0, code: 49, money: 4, number: 0, date: 164, tax_id: 49 } as const;
/** Indexes of font, fill and border in the styles. Rows outside totals are grey. */
const looks = {
  plain: [0, 0, 0],
  grey: [2, 0, 0],
  heading: [1, 2, 1],
  total: [1, 0, 2],
  title: [3, 0, 0],
  label: [1, 0, 0],
} as const;
type Look = keyof typeof looks;

/** Cell styles for each look and kind, by name, in style order. */
const cellStyles = new Map(
  Object.entries(looks).flatMap(([look, [font, fill, border]]) =>
    Object.entries(numberFormats).map(([kind, format]) => [
      `${look} ${kind}`,
      `<xf numFmtId="${format}" fontId="${font}" fillId="${fill}" borderId="${border}" xfId="0" applyNumberFormat="1" ` +
        'applyFont="1" applyFill="1" applyBorder="1" applyAlignment="1">' +
        `<alignment vertical="${look === 'heading' ? 'center" wrapText="1' : 'top'}"/></xf>`,
    ]),
  ),
);
const styleOf = new Map([...cellStyles.keys()].map((name, place) => [name, place]));
const font = (form: string, size = 11) => `<font>${form}<sz val="${size}"/><name val="Calibri"/></font>`;
const LINE = 'style="thin"><color auto="1"/>';
const STYLES = `${HEAD}<styleSheet xmlns="${SPREADSHEET}">
<numFmts count="1"><numFmt numFmtId="164" formatCode="dd/mm/yyyy"/></numFmts>
<fonts count="4">${font('')}${font('<b/>')}<font><sz val="11"/><color rgb="FF7F7F7F"/><name val="Calibri"/></font>${font('<b/>', 14)}</fonts>
<fills count="3"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill><fill><patternFill patternType="solid"><fgColor rgb="FFDDE5EC"/><bgColor indexed="64"/></patternFill></fill></fills>
<borders count="3"><border><left/><right/><top/><bottom/><diagonal/></border><border><left/><right/><top/><bottom ${LINE}</bottom><diagonal/></border><border><left/><right/><top ${LINE}</top><bottom/><diagonal/></border></borders>
<cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs>
<cellXfs count="${cellStyles.size}">${[...cellStyles.values()].join('')}</cellXfs>
<cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles>
</styleSheet>`;

/** Text that Excel would decode as an escaped character. */
const ESCAPE_LIKE = /_(?=x[0-9A-Fa-f]{4}_)/g;
const LONGEST_TEXT = 32_767;
/** Digits that a cell's double holds exactly. */
const EXACT_DIGITS = 15;
/** Day 0 of a workbook's serial days from March 1900 on; earlier ones are off by one. */
const DAY_ZERO = Date.UTC(1899, 11, 30);
const FIRST_COUNTED_DAY = '1900-03-01';

/** The numeric value of a cell; undefined if it must stay text. */
function numberOf(kind: ColumnKind, value: string): string | undefined {
  if (kind === 'date') {
    const day = dayOf(value);
    if (day === undefined || day < FIRST_COUNTED_DAY) return undefined;
    return String((Date.parse(`${day}T00:00:00Z`) - DAY_ZERO) / 86_400_000);
  }
  if ((kind !== 'money' && kind !== 'number') || !isDecimal(value)) return undefined;
  return value.replace(/\D/g, '').replace(/^0+/, '').length <= EXACT_DIGITS ? value : undefined;
}

/** Value in the column's notation: decimal text with a point, an ISO day. */
type Cell = readonly [look: Look, kind: ColumnKind, value: string];

function cellXml(reference: string, [look, kind, value]: Cell): string {
  if (value === '' && look === 'plain') return '';
  const start = `<c r="${reference}" s="${styleOf.get(`${look} ${kind}`)}"`;
  const number = numberOf(kind, value);
  if (number !== undefined) return `${start}><v>${number}</v></c>`;
  if (value === '') return `${start}/>`;
  const text = kind === 'tax_id' ? maskTaxId(value) : value;
  const shown = text.length > LONGEST_TEXT ? `${text.slice(0, LONGEST_TEXT - 1)}…` : text;
  const escaped = escapeXml(shown.replace(ESCAPE_LIKE, '_x005F_'));
  return `${start} t="inlineStr"><is><t xml:space="preserve">${escaped}</t></is></c>`;
}

function rowXml(at: number, cells: readonly Cell[], form = ''): string {
  const texts = cells.map((cell, i) => cellXml(columnLetters(i) + at, cell));
  return `<row r="${at}"${form}>${texts.join('')}</row>`;
}

/** `A` for the first column, `AA` for the twenty-seventh. */
function columnLetters(index: number): string {
  const last = String.fromCharCode(65 + (index % 26));
  return index < 26 ? last : columnLetters(Math.floor(index / 26) - 1) + last;
}

/** Excel's limit is 1,048,576 rows. The last ones are for totals; further values go to another sheet. */
const LAST_VALUE_ROW = 1_048_576 - 8;
const PIECE_CHARACTERS = 64 * 1024;

/** Least and most characters of a column; `spare` fits an amount's separators or a heading's filter button. */
const width = { least: 8, most: 48, spare: 3 } as const;

const PACKAGE = 'http://schemas.openxmlformats.org/package/2006';
const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const CONTENT = 'application/vnd.openxmlformats-officedocument.spreadsheetml';

const SHEET = `${HEAD}<worksheet xmlns="${SPREADSHEET}"><sheetPr><pageSetUpPr fitToPage="1"/></sheetPr>`;

function columnOfWidth(index: number, width: number, isHidden = false): string {
  const hidden = isHidden ? ' hidden="1"' : '';
  return `<col min="${index + 1}" max="${index + 1}" width="${width}" customWidth="1"${hidden}/>`;
}

/** A sheet up to its first row of values, with a frozen heading; columns without values are hidden. */
function sheetStart<Row>(
  columns: readonly Column<Row>[],
  language: HeadingLanguage,
  longestValues: readonly number[],
): string {
  const widths = longestValues.map((longest, i) => {
    return columnOfWidth(
      i,
      Math.min(width.most, Math.max(width.least, longest + width.spare)),
      longest === 0,
    );
  });
  const headings = columns.map(({ heading }): Cell => ['heading', 'text', heading[language]]);
  return (
    `${SHEET}<sheetViews><sheetView workbookViewId="0">` +
    '<pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews>' +
    `<cols>${widths.join('')}</cols><sheetData>${rowXml(1, headings, ' ht="30" customHeight="1"')}`
  );
}

/** A4, fitted to one page's width, with sheet name and page number in the footer. */
const PAGE =
  '<pageMargins left="0.4" right="0.4" top="0.5" bottom="0.6" header="0.3" footer="0.3"/>' +
  '<pageSetup paperSize="9" orientation="landscape" fitToWidth="1" fitToHeight="0"/>' +
  '<headerFooter><oddFooter>&amp;L&amp;A&amp;R&amp;P/&amp;N</oddFooter></headerFooter>';

/** The other parts of a workbook, whose last sheet is the overview. */
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
      `${each((index, name) => `<sheet name="${name}" sheetId="${index}" r:id="sheet${index}"/>`)}</sheets>` +
      // Repeats the heading on every printed page.
      `<definedNames>${each((index, name) =>
        index === names.length
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

const NO_SUM = '–';

/** Rows, amount and column sums of one group and status; NO_SUM if a value is no number. */
interface Sums extends Standing {
  rows: number;
  amount: string | undefined;
  readonly columns: (string | undefined)[];
}

function added(sum: string | undefined, amount: string | undefined): string | undefined {
  if (amount === undefined || amount === '') return sum;
  return addDecimals([sum, amount]) ?? NO_SUM;
}

/** Sums all rows by group and status, and counting rows by group. */
function createSums<Row>({ columns, standing }: Table<Row>, language: HeadingLanguage) {
  const lines = new Map<string, Sums>();
  const totals = new Map<string, Sums>();
  const addTo = (all: Map<string, Sums>, name: string, { amount, ...stands }: Standing): Sums => {
    const sums = all.get(name) ?? { ...stands, rows: 0, amount: undefined, columns: [] };
    all.set(name, sums);
    sums.rows++;
    sums.amount = added(sums.amount, amount);
    return sums;
  };
  return {
    lines,
    totals,
    /** Adds a row; returns true if it counts. */
    count(row: Row): boolean {
      const stands = standing(row, language);
      addTo(lines, `${stands.group}\n${stands.status}`, stands);
      if (!stands.counts) return false;
      const total = addTo(totals, stands.group, { ...stands, status: '' });
      for (const [i, { kind, value }] of columns.entries())
        if (kind === 'money') total.columns[i] = added(total.columns[i], value(row, language));
      return true;
    },
  };
}

type AllSums = Pick<ReturnType<typeof createSums>, 'lines' | 'totals'>;

const words = {
  overview: { 'pt-BR': 'Resumo', en: 'Overview' },
  kind: { 'pt-BR': 'Documento', en: 'Document' },
  status: { 'pt-BR': 'Situação', en: 'Status' },
  rows: { 'pt-BR': 'Linhas', en: 'Rows' },
  amount: { 'pt-BR': 'Valor', en: 'Amount' },
  counts: { 'pt-BR': 'Nos totais', en: 'In totals' },
} as const satisfies Readonly<Record<string, Heading>>;

/** The overview sheet: company, period, basis and totals. */
function overviewSheet(
  { lines, totals }: AllSums,
  facts: readonly Fact[],
  language: HeadingLanguage,
): string {
  const rowOf = (look: Look, label: string, { status, rows, amount = '', counts }: Sums): Cell[] => [
    [look, 'text', label],
    [look, 'text', status],
    [look, 'number', String(rows)],
    [amount === '' ? 'plain' : look, 'money', amount],
    [look, 'text', (counts ? yes : no)[language]],
  ];
  const headings = [words.kind, words.status, words.rows, words.amount, words.counts];
  const rows: Cell[][] = [
    [['title', 'text', words.overview[language]]],
    ...facts.map(([label, value]): Cell[] =>
      value === undefined
        ? [['plain', 'text', label]]
        : [
            ['label', 'text', label],
            ['plain', 'text', value],
          ],
    ),
    [],
    headings.map((heading) => ['heading', 'text', heading[language]]),
  ];
  for (const group of new Set([...lines.values()].map((line) => line.group))) {
    const ofGroup = [...lines.values()].filter((line) => line.group === group);
    rows.push(...ofGroup.map((line) => rowOf(line.counts ? 'plain' : 'grey', group, line)));
    const none: Sums = { group, status: '', counts: true, rows: 0, amount: undefined, columns: [] };
    rows.push(rowOf('total', `Total ${group}`, totals.get(group) ?? none));
  }
  const widths = [28, 34, 10, 18, 12].map((width, i) => columnOfWidth(i, width));
  const texts = rows.map((cells, i) => rowXml(i + 1, cells));
  return `${SHEET}<cols>${widths.join('')}</cols><sheetData>${texts.join('')}</sheetData>${PAGE}</worksheet>`;
}

async function* oneByOne<Row>(rows: Rows<Row>): AsyncGenerator<Row> {
  yield* rows;
}

/** The files of a workbook: the sheets needed for the rows, the overview, then the other parts. */
async function* workbook<Row>(
  source: Rows<Row>,
  table: Table<Row>,
  language: HeadingLanguage,
  facts: () => readonly Fact[],
): AsyncGenerator<ZipEntry> {
  const { columns, title } = table;
  const sums = createSums(table, language);
  const rows = oneByOne(source);
  let next = await rows.next();

  async function* sheet(): AsyncGenerator<Uint8Array> {
    // Column widths precede the rows, so the rows are held compressed.
    const packed: Uint8Array[] = [];
    const longest = columns.map(() => 0);
    let piece = '';
    let rowNumber = 1;
    for (; next.done !== true && rowNumber < LAST_VALUE_ROW; next = await rows.next()) {
      rowNumber++;
      const look = sums.count(next.value) ? 'plain' : 'grey';
      const cells = columns.map(({ kind, value }, i): Cell => {
        const text = value(next.value, language) ?? '';
        longest[i] = Math.max(longest[i] ?? 0, text.length);
        return [text === '' ? 'plain' : look, kind, text];
      });
      piece += rowXml(rowNumber, cells);
      if (piece.length < PIECE_CHARACTERS) continue;
      packed.push(deflateRawSync(piece, { level: 1 }));
      piece = '';
    }
    yield Buffer.from(sheetStart(columns, language, longest));
    for (const part of packed) yield inflateRawSync(part);
    // A blank row before the totals keeps filters from taking them for values.
    const totals = next.done === true ? [...sums.totals.values()] : [];
    for (const [place, total] of totals.entries()) {
      const cells = columns.map((_, i): Cell => ['total', 'money', total.columns[i] ?? '']);
      cells[0] = ['total', 'text', `Total ${total.group} (${total.rows})`];
      piece += rowXml(rowNumber + 2 + place, cells);
    }
    const range = `A1:${columnLetters(columns.length - 1)}${rowNumber}`;
    yield Buffer.from(`${piece}</sheetData><autoFilter ref="${range}"/>${PAGE}</worksheet>`);
  }

  const names: string[] = [];
  const nextSheet = (name: string, content: ZipEntry['content']): ZipEntry => {
    names.push(name);
    return { name: `xl/worksheets/sheet${names.length}.xml`, content };
  };
  try {
    do {
      const number = names.length === 0 ? '' : ` (${names.length + 1})`;
      yield nextSheet(title[language] + number, sheet());
    } while (next.done !== true);
    const overview = overviewSheet(sums, facts(), language);
    yield nextSheet(words.overview[language], Buffer.from(overview));
    for (const [name, text] of Object.entries(workbookParts(names)))
      yield { name, content: Buffer.from(text) };
  } finally {
    await rows.return(undefined);
  }
}

/**
 * Streams a table as an Excel workbook: identifiers are text, money and quantities numbers, days dates. Each kind of
 * document has a total below the values, and the last sheet states the workbook's basis. Text is never a formula.
 * Numbers of more than fifteen digits stay text, since a cell can't hold them exactly.
 * @param facts first lines of the overview, computed once all rows are written
 */
export function xlsxOf<Row>(
  rows: Rows<Row>,
  table: Table<Row>,
  language: HeadingLanguage,
  facts: () => readonly Fact[] = () => [],
): AsyncGenerator<Uint8Array> {
  return zipped(workbook(rows, table, language, facts));
}

/** A table as CSV or workbook. Only a workbook has facts. */
export function spreadsheetOf<Row>(
  format: string,
  ...[rows, table, language, facts]: Parameters<typeof xlsxOf<Row>>
): AsyncGenerator<Uint8Array> {
  return format === 'csv' ? csvOf(rows, table, language) : xlsxOf(rows, table, language, facts);
}
