import { isDay } from '../../documents/days.ts';
import { isDecimal } from '../../documents/decimals.ts';
import { spreadsheetLine, withoutFormula } from '../../documents/untrusted.ts';

/** Languages of headings, as in the catalogue. */
export type HeadingLanguage = 'pt-BR' | 'en';

export type Heading = Readonly<Record<HeadingLanguage, string>>;

export const yes: Heading = { 'pt-BR': 'Sim', en: 'Yes' };
export const no: Heading = { 'pt-BR': 'Não', en: 'No' };

/**
 * Type of a value. `code`: an identifier that stays text even if numeric (key, NCM). `tax_id`: one that a workbook
 * shows with its mask. `money`: two decimals, summed. `number`: the document's decimals, not summed. `date`: a day.
 */
export type ColumnKind = 'text' | 'code' | 'tax_id' | 'money' | 'number' | 'date';

export interface Column<Row> {
  readonly heading: Heading;
  readonly kind: ColumnKind;
  /** The document's value: decimal text with a point, an ISO day; undefined leaves the cell empty. */
  readonly value: (row: Row, language: HeadingLanguage) => string | undefined;
}

/** A column with its Portuguese and English headings. */
export function column<Row>(
  kind: ColumnKind,
  portuguese: string,
  english: string,
  value: Column<Row>['value'],
): Column<Row> {
  return { kind, heading: { 'pt-BR': portuguese, en: english }, value };
}

/** Adapts a column to rows that contain its row. */
export function columnOf<Row, Outer>(inner: Column<Row>, rowIn: (outer: Outer) => Row): Column<Outer> {
  return { ...inner, value: (outer, language) => inner.value(rowIn(outer), language) };
}

/** A row's share in totals: summed only within its group, and only if it counts. */
export interface Standing {
  readonly group: string;
  readonly status: string;
  readonly counts: boolean;
  readonly amount: string | undefined;
}

export interface Table<Row> {
  readonly title: Heading;
  readonly columns: readonly Column<Row>[];
  readonly standing: (row: Row, language: HeadingLanguage) => Standing;
}

/** A line of a workbook's overview; a label without a value is a sentence. */
export type Fact = readonly [label: string, value?: string];

export type Rows<Row> = AsyncIterable<Row> | Iterable<Row>;

/** The day of an ISO date or time, as `YYYY-MM-DD`; undefined for other text, which stays text. */
export function dayOf(text: string): string | undefined {
  const day = text.slice(0, 10);
  return isDay(day) ? day : undefined;
}

function cellText(kind: ColumnKind, value: string): string {
  if ((kind === 'money' || kind === 'number') && isDecimal(value)) return value.replace('.', ',');
  const day = kind === 'date' ? dayOf(value) : undefined;
  if (day !== undefined) return day;
  // A tab keeps identifiers text in Excel, which turns 44 digits into 3.5E+43; other readers strip it, unlike `="…"`.
  if ((kind === 'code' || kind === 'tax_id') && /^[0-9A-Za-z]/.test(value)) return `\t${value}`;
  return withoutFormula(value);
}

/** The first line: the byte-order mark by which Excel detects UTF-8, and the headings. */
export function csvHeading<Row>(columns: readonly Column<Row>[], language: HeadingLanguage): Buffer {
  return Buffer.from(`\ufeff${spreadsheetLine(columns.map(({ heading }) => heading[language]))}`);
}

/** One line, with a decimal comma. Days are ISO, which Excel reads in every locale. */
export function csvLine<Row>(columns: readonly Column<Row>[], row: Row, language: HeadingLanguage): Buffer {
  const texts = columns.map(({ kind, value }) => [kind, value(row, language) ?? ''] as const);
  return Buffer.from(spreadsheetLine(texts.map(([kind, text]) => (text === '' ? '' : cellText(kind, text)))));
}

/** Streams a table as CSV for Excel in Brazil. */
export async function* csvOf<Row>(
  rows: Rows<Row>,
  { columns }: Pick<Table<Row>, 'columns'>,
  language: HeadingLanguage,
): AsyncGenerator<Uint8Array> {
  yield csvHeading(columns, language);
  for await (const row of rows) yield csvLine(columns, row, language);
}
