import { deflateRawSync, inflateRawSync } from 'node:zlib';
import { writeNewFile } from '../../disk/new-file.ts';
import { addDecimals } from '../../documents/decimals.ts';
import { escapeXml } from '../../documents/untrusted.ts';
import {
  amountCell,
  columnLetters,
  type Format,
  HEAD,
  numberCell,
  placeOf,
  SPREADSHEET,
  STYLES,
  textCell,
  valueCell,
} from './cells.ts';
import {
  type Column,
  countedRows,
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

/** Rows a sheet may have are 1,048,576; the last ones are for totals, and more values follow in a further sheet. */
const LAST_VALUE_ROW = 1_048_576 - 8;
const PIECE_CHARACTERS = 64 * 1024;

const NARROWEST = 8;
const WIDEST = 48;

const PACKAGE = 'http://schemas.openxmlformats.org/package/2006';
const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const CONTENT = 'application/vnd.openxmlformats-officedocument.spreadsheetml';

const SHEET = `${HEAD}<worksheet xmlns="${SPREADSHEET}"><sheetPr><pageSetUpPr fitToPage="1"/></sheetPr>`;

/** Room for an amount's separators and for what a heading's filter button covers. */
const SPARE = 3;

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
    const width = Math.min(WIDEST, Math.max(NARROWEST, longest + SPARE));
    const hidden = longest === 0 ? ' hidden="1"' : '';
    return `<col min="${i + 1}" max="${i + 1}" width="${width}" customWidth="1"${hidden}/>`;
  });
  const headings = columns.map(({ heading }, i) =>
    textCell(`${columnLetters(i)}1`, 'heading', heading[language]),
  );
  return (
    `${SHEET}<sheetViews><sheetView workbookViewId="0">` +
    '<pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews>' +
    `<cols>${widths.join('')}</cols><sheetData><row r="1" ht="30" customHeight="1">${headings.join('')}</row>`
  );
}

/** A4, as wide as one page, with the sheet's name and the page's number below. */
const PAGE =
  '<pageMargins left="0.4" right="0.4" top="0.5" bottom="0.6" header="0.3" footer="0.3"/>' +
  '<pageSetup paperSize="9" orientation="landscape" fitToWidth="1" fitToHeight="0"/>' +
  '<headerFooter><oddFooter>&amp;L&amp;A&amp;R&amp;P/&amp;N</oddFooter></headerFooter>';

/** Every part that makes sheets a workbook, by its path. */
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

/** In place of a sum of which a part is no number. */
const NO_SUM = '–';

/** What the rows add up to, gathered while they go by. */
class Sums<Row> {
  /** By group: what counts, by the place of the column. */
  readonly totals = new Map<string, Sum>();
  /** By group and status: all rows, and what they come to. */
  readonly overview = new Map<string, Sum & { readonly names: readonly [string, string]; counts: boolean }>();
  readonly #table: Table<Row>;
  readonly #language: HeadingLanguage;

  constructor(table: Table<Row>, language: HeadingLanguage) {
    this.#table = table;
    this.#language = language;
  }

  /** Counts a row; whether it counts in the totals. */
  count(row: Row): boolean {
    const { columns, totals } = this.#table;
    const group = totals.group(row);
    const names = [group, totals.status(row, this.#language)] as const;
    const counts = !totals.isLeftOut(row);
    const line = this.overview.get(names.join('\n')) ?? { names, counts, rows: 0, amounts: new Map() };
    this.overview.set(names.join('\n'), line);
    line.rows++;
    addTo(line, 0, totals.amount(row));
    if (!counts) return false;
    const total = this.totals.get(group) ?? { rows: 0, amounts: new Map() };
    this.totals.set(group, total);
    total.rows++;
    for (const [i, { kind, value }] of columns.entries()) {
      if (kind === 'money') addTo(total, i, value(row, this.#language));
    }
    return true;
  }
}

function addTo({ amounts }: Sum, place: number, amount: string | undefined): void {
  if (amount === undefined || amount === '') return;
  const isLost = amounts.has(place) && amounts.get(place) === undefined;
  amounts.set(place, isLost ? undefined : addDecimals([amounts.get(place), amount]));
}

const words = {
  overview: { 'pt-BR': 'Resumo', en: 'Overview' },
  total: { 'pt-BR': 'Total', en: 'Total' },
  kind: { 'pt-BR': 'Documento', en: 'Document' },
  status: { 'pt-BR': 'Situação', en: 'Status' },
  rows: { 'pt-BR': 'Linhas', en: 'Rows' },
  amount: { 'pt-BR': 'Valor', en: 'Amount' },
  counts: { 'pt-BR': 'Nos totais', en: 'In totals' },
} as const satisfies Readonly<Record<string, Heading>>;

/** The total rows, one per kind of document, below a blank row so that no filter takes them for values. */
function totalRows<Row>(
  { columns }: Table<Row>,
  { totals }: Sums<Row>,
  after: number,
  language: HeadingLanguage,
): string {
  return [...totals]
    .map(([group, { rows, amounts }], place) => {
      const at = after + 2 + place;
      const cells = columns.map((_, i) => {
        const reference = columnLetters(i) + at;
        if (i === 0) return textCell(reference, 'total', `${words.total[language]} ${group} (${rows})`);
        const amount = amounts.has(i) ? (amounts.get(i) ?? NO_SUM) : undefined;
        return amount === undefined
          ? `<c r="${reference}" s="${placeOf.get('total')}"/>`
          : amountCell(reference, 'total_money', amount);
      });
      return `<row r="${at}">${cells.join('')}</row>`;
    })
    .join('');
}

/** The sheet that says what the others are: whose, of when, what rests on what, and the totals. */
function overviewSheet<Row>(
  { totals, overview }: Sums<Row>,
  facts: readonly Fact[],
  language: HeadingLanguage,
): string {
  const rows: string[] = [];
  const add = (cells: (at: number) => string) =>
    rows.push(`<row r="${rows.length + 1}">${cells(rows.length + 1)}</row>`);
  add((at) => textCell(`A${at}`, 'title', words.overview[language]));
  for (const [label, value] of facts) {
    add((at) =>
      value === undefined
        ? textCell(`A${at}`, 'text', label)
        : textCell(`A${at}`, 'label', label) + textCell(`B${at}`, 'text', value),
    );
  }
  add(() => '');
  const headings = [words.kind, words.status, words.rows, words.amount, words.counts];
  add((at) => headings.map((one, i) => textCell(columnLetters(i) + at, 'heading', one[language])).join(''));
  const line = (
    at: number,
    names: readonly string[],
    sum: Sum,
    counts: boolean,
    formats: readonly [Format, Format],
  ) => {
    const [text, money] = formats;
    const amount = sum.amounts.has(0) ? (sum.amounts.get(0) ?? NO_SUM) : undefined;
    return [
      ...names.map((name, i) => textCell(columnLetters(i) + at, text, name)),
      numberCell(`C${at}`, text, String(sum.rows)),
      amount === undefined ? '' : amountCell(`D${at}`, money, amount),
      textCell(`E${at}`, text, (counts ? yes : no)[language]),
    ].join('');
  };
  for (const group of new Set([...overview.values()].map(({ names }) => names[0]))) {
    const lines = [...overview.values()].filter(({ names }) => names[0] === group);
    for (const one of lines) {
      add((at) =>
        line(at, one.names, one, one.counts, one.counts ? ['text', 'money'] : ['grey_text', 'grey_money']),
      );
    }
    const sum: Sum = { rows: totals.get(group)?.rows ?? 0, amounts: new Map() };
    for (const { counts, amounts } of lines) {
      if (counts && amounts.has(0)) addTo(sum, 0, amounts.get(0) ?? NO_SUM);
    }
    add((at) => line(at, [`${words.total[language]} ${group}`, ''], sum, true, ['total', 'total_money']));
  }
  const widths = [28, 34, 10, 18, 12].map((width, i) => {
    return `<col min="${i + 1}" max="${i + 1}" width="${width}" customWidth="1"/>`;
  });
  return `${SHEET}<cols>${widths.join('')}</cols><sheetData>${rows.join('')}</sheetData>${PAGE}</worksheet>`;
}

/** The files of a workbook: as many sheets as the rows need, the overview, then the other parts. */
async function* workbook<Row>(
  rows: AsyncGenerator<Row>,
  table: Table<Row>,
  { language, facts }: ExportOptions,
): AsyncGenerator<ZipEntry> {
  const { columns, title } = table;
  const sums = new Sums(table, language);
  let next = await rows.next();

  async function* sheet(): AsyncGenerator<string> {
    // Which columns have values stands before the rows, which therefore wait, packed.
    const packed: Uint8Array[] = [];
    const longest = columns.map(() => 0);
    let piece = '';
    let rowNumber = 1;
    for (; next.done !== true && rowNumber < LAST_VALUE_ROW; next = await rows.next()) {
      rowNumber++;
      const isGrey = !sums.count(next.value);
      let cells = '';
      for (const [i, { kind, value }] of columns.entries()) {
        const text = value(next.value, language);
        if (text === undefined || text === '') continue;
        longest[i] = Math.max(longest[i] ?? 0, text.length);
        cells += valueCell(columnLetters(i) + rowNumber, kind, text, isGrey);
      }
      piece += `<row r="${rowNumber}">${cells}</row>`;
      if (piece.length < PIECE_CHARACTERS) continue;
      packed.push(deflateRawSync(piece, { level: 1 }));
      piece = '';
    }
    yield sheetStart(columns, language, longest);
    for (const part of packed) yield inflateRawSync(part).toString('utf8');
    const totals = next.done === true ? totalRows(table, sums, rowNumber, language) : '';
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
 * Below the values stands a total for each kind of document, and a last sheet says what the workbook rests on. Text is
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
