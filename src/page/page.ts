import { maskTaxId } from '../documents/identity/tax-ids.ts';
import { spreadsheetLine, withoutFormula } from '../documents/untrusted.ts';
import type { Language, Message } from '../messages/message.ts';
import { money, quantity } from '../sheets/printed.ts';
import type { Sheet } from '../sheets/sheet.ts';

/**
 * Content of a view. The server builds it beside the answer, in both languages; the view chooses the language, formats
 * amounts and days, sorts and filters.
 */
export interface Page {
  /** Owner of the documents; for several companies, a list of their ids. */
  readonly company?: { readonly name?: string | undefined; readonly id: string } | undefined;
  /** Words before the company: `Entrada de`. */
  readonly role?: Text | undefined;
  readonly heading: Text;
  /** The answer in one line, as heading. */
  readonly answer: Text;
  readonly figures: readonly Figure[];
  /** Caveats about the page. */
  readonly notices: readonly Notice[];
  /** A document's history, in chronological order. */
  readonly states?: readonly State[];
  /** Reasons for an empty page. */
  readonly reasons?: readonly Text[];
  /** Basis of the page: one line, expandable into sentences. */
  readonly basis?: { readonly line: Text; readonly sentences: readonly Text[] };
  /** Findings, deadline and authenticity of a document. */
  readonly checks?: readonly Check[];
  readonly parties?: readonly Party[];
  readonly tables: readonly Table[];
  readonly notes?: readonly Text[];
  /** Follow-up questions: missing days, the next page. */
  readonly presses: readonly Press[];
  readonly document?: DocumentActions;
}

/** One text for both languages, or one for each. */
export type Text = string | Message;

export type Tone = 'bad' | 'soon';

export interface Figure {
  /** True for the main fact, which the others explain. */
  readonly leads?: boolean;
  readonly value: Text;
  readonly before?: Text | undefined;
  /** Bold text between the text before it and the note. */
  readonly strong?: Text | undefined;
  readonly note: Text;
  readonly tone?: Tone | undefined;
  /** Cancelled or from the test environment. */
  readonly isVoid?: boolean;
  readonly isStruck?: boolean;
}

export interface Notice {
  readonly strong: Text;
  readonly text?: Text | undefined;
}

export interface State {
  readonly name: Text;
  readonly at?: Text | undefined;
  readonly tone?: Tone | undefined;
}

export interface Check {
  readonly name: Text;
  readonly tone?: Tone | undefined;
  /** Fact, then its consequence. */
  readonly lines: readonly (readonly [what: Text, more?: Text])[];
  readonly press?: Press | undefined;
}

export interface Party {
  readonly role: Text;
  readonly name: string;
  readonly lines: readonly Text[];
}

/** A tool call to the server; views call read-only tools. */
export interface Call {
  readonly tool:
    | 'query_documents'
    | 'list_pending_manifestations'
    | 'reconcile'
    | 'get_document'
    | 'verify_document';
  readonly args: Readonly<Record<string, unknown>>;
}

export interface Press extends Call {
  readonly text: Text;
  /** Loads more of the list, and goes below it. */
  readonly isMore?: boolean;
}

/** Actions on the document shown. */
export interface DocumentActions {
  readonly title: string;
  readonly key?: string | undefined;
  /** Arguments that identify it in a call; undefined if they are incomplete. */
  readonly named?: Readonly<Record<string, unknown>> | undefined;
  /** The form (DANFE, DACTE, DANFSe), if the answer includes the document's text. */
  readonly sheet?: Sheet | undefined;
  /** Look-up address at the state's or the federal portal. */
  readonly portal?: string | undefined;
}

/** Format of a cell: amounts, counts and percentages as numbers, days in the language's order. */
export type ColumnKind =
  | 'text'
  | 'code'
  | 'id'
  | 'key'
  | 'day'
  | 'money'
  | 'number'
  | 'difference'
  | 'rate'
  | 'share'
  | 'change';

export interface Column {
  readonly name: string;
  readonly heading: Text;
  readonly kind: ColumnKind;
  /** Position in a narrow window: first line left or right, second line, or hidden. */
  readonly place: 'name' | 'value' | 'below' | 'wide';
  /** Label beside the value in the second line. */
  readonly label?: Text | undefined;
}

export interface Row {
  /** Plain texts and numbers of documents; words in both languages. */
  readonly cells: Readonly<Record<string, Text | undefined>>;
  /** Text after a cell: the meaning of a code. */
  readonly details?: Readonly<Record<string, Text>>;
  readonly opens?: Call | undefined;
  /** Length of the bar, in per cent. */
  readonly bar?: number | undefined;
  /** True for a period that is running or only partly requested. */
  readonly isOpen?: boolean;
  readonly tone?: Tone | undefined;
  /** Number of a footnote of the page. */
  readonly mark?: string | undefined;
  /** Id of the report section named by the row's cell `section`. */
  readonly section?: string;
}

export interface Group {
  readonly heading: Text;
  readonly note?: Text | undefined;
  readonly tone?: Tone | undefined;
  readonly sum: string;
  /** How many there are, which may be more than the rows; also in words. */
  readonly total: number;
  readonly count: Text;
  readonly rows: readonly Row[];
  /** Rows shown before the list is expanded. */
  readonly shown: number;
}

export interface Table {
  /** Style-sheet class for narrow windows. */
  readonly layout: 'rows' | 'periods' | 'cross' | 'pending' | 'plain';
  readonly caption: Text;
  /** True if the caption is visible, as with several tables. */
  readonly hasHeading?: boolean;
  readonly columns: readonly Column[];
  readonly groups?: readonly Group[];
  readonly rows: readonly Row[];
  /** Sum of the rows left out. */
  readonly others?: Row | undefined;
  /** Sum of all rows, also those not shown. */
  readonly total?: Row | undefined;
  /** Initial sort column; without it the table can't be sorted. */
  readonly sorted?: { readonly by: string; readonly descending: boolean } | undefined;
  /** Position of the mean along the bars, in per cent. */
  readonly mean?: number | undefined;
}

/** Formats texts and days in one language. */
export interface Writer {
  readonly language: Language;
  day(day: string): string;
  /** The text in this language; empty if undefined. */
  text(text: Text | undefined): string;
}

const numbers: ReadonlySet<ColumnKind> = new Set([
  'money',
  'number',
  'difference',
  'share',
  'change',
  'rate',
]);

export const isNumber = ({ kind }: Column): boolean => numbers.has(kind);

/** Number of columns that the label of a sum spans: its own and the empty ones after it. */
export function labelSpan(columns: readonly Column[], { cells }: Row): number {
  const next = columns.findIndex(
    ({ name, place }, at) => at > 0 && (cells[name] !== undefined || place === 'value'),
  );
  return Math.max(1, next);
}

/** Converts a number in Portuguese notation to the language's. */
function inLanguage(text: string, { language }: Writer): string {
  const written = text.replace('-', '−');
  return language === 'en' ? written.replace(/[.,]/g, (sign) => (sign === '.' ? ',' : '.')) : written;
}

const percents = new Map<string, Intl.NumberFormat>();

/** A percentage with one decimal, rounded exactly as text. */
function percent(text: string, isSigned: boolean, { language }: Writer): string {
  if (Number.isNaN(Number(text))) return text;
  const [least, signDisplay] = [Number(text) === 100 ? 0 : 1, isSigned ? 'exceptZero' : 'auto'] as const;
  const options = { minimumFractionDigits: least, maximumFractionDigits: 1, signDisplay };
  const name = `${language} ${least} ${signDisplay}`;
  const format = percents.get(name) ?? new Intl.NumberFormat(language, options);
  percents.set(name, format);
  return `${format.format(text as `${number}`).replace('-', '−')}%`;
}

/** A key in nine characters: `4226…4105`. */
function shortKey(key: string): string {
  return key.length > 12 ? `${key.slice(0, 4)}…${key.slice(-4)}` : key;
}

/** A formatted cell; a dash for a missing number. */
export function cellText(column: Column, row: Row, writer: Writer): string {
  const value = row.cells[column.name];
  if (value === undefined || value === null)
    return isNumber(column) && column.kind !== 'change' && column.kind !== 'difference' ? '–' : '';
  if (typeof value !== 'string') return writer.text(value);
  switch (column.kind) {
    case 'money':
      return inLanguage(money(value), writer);
    case 'difference':
      return `${value.startsWith('-') ? '' : '+'}${inLanguage(money(value), writer)}`;
    case 'number': {
      const [number = '', ...unit] = value.split(' ');
      return value.includes('|') ? value : [inLanguage(quantity(number), writer), ...unit].join(' ');
    }
    case 'share':
    case 'change':
      return percent(value, column.kind === 'change', writer);
    case 'day':
      return writer.day(value);
    case 'id':
      return maskTaxId(value);
    case 'key':
      return shortKey(value);
    default:
      return value;
  }
}

/** Comparator of rows by a column, empty cells last. */
export function compareRows(column: Column, isDescending: boolean, writer: Writer) {
  const collator = new Intl.Collator(writer.language, { numeric: true });
  const way = isDescending ? -1 : 1;
  const sortedBy = ({ cells }: Row) =>
    column.kind === 'text' ? writer.text(cells[column.name]) : cells[column.name];
  return (one: Row, other: Row): number => {
    const [a, b] = [sortedBy(one), sortedBy(other)];
    if (!a || !b) return a === b ? 0 : a ? -1 : 1;
    if (isNumber(column)) return way * (Number.parseFloat(String(a)) - Number.parseFloat(String(b)));
    return way * collator.compare(String(a), String(b));
  };
}

const DECIMAL = /^-?\d+(?:\.\d+)?$/;

function plain(column: Column, row: Row, writer: Writer): string {
  const value = row.cells[column.name];
  const detail = row.details?.[column.name];
  if (typeof value === 'string' && DECIMAL.test(value)) {
    if (isNumber(column)) return value.replace('.', ',');
    // A leading tab keeps identifiers text: spreadsheets would turn 44 digits into 3.5E+43.
    if (detail === undefined) return `\t${value}`;
  }
  const isIdentifier = column.kind === 'key' || column.kind === 'day';
  const words = isIdentifier ? writer.text(value) : `${writer.text(value)} ${writer.text(detail)}`;
  const text = withoutFormula(words.trim());
  return isIdentifier && text !== '' ? `\t${text}` : text;
}

/** Rows as CSV for Brazilian spreadsheets: semicolons, decimal comma, ISO 8601 days. */
export function csvOf(columns: readonly Column[], rows: readonly Row[], writer: Writer): string {
  return [
    spreadsheetLine(columns.map(({ heading }) => withoutFormula(writer.text(heading)))),
    ...rows.map((row) => spreadsheetLine(columns.map((column) => plain(column, row, writer)))),
  ].join('');
}

/** A text as a CSS string: all but letters, digits and harmless signs are escaped by code. */
export function cssString(text: string): string {
  const escaped = text.replace(
    /[^\p{L}\p{N} .,:·/-]/gu,
    (sign) => `\\${(sign.codePointAt(0) ?? 0).toString(16)} `,
  );
  return `"${escaped}"`;
}
