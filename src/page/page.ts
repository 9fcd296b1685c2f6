import { maskTaxId } from '../documents/identity/tax-ids.ts';
import { spreadsheetLine, withoutFormula } from '../documents/untrusted.ts';
import type { Language, Message } from '../messages/message.ts';
import { money, quantity } from '../sheets/printed.ts';
import type { Sheet } from '../sheets/sheet.ts';

/**
 * What a view shows. The server builds it beside the answer, in both languages; the view chooses the language, writes
 * amounts and days in it, sorts and filters.
 */
export interface Page {
  /** Whose documents; several companies stand as a list of their ids. */
  readonly company?: { readonly name?: string | undefined; readonly id: string } | undefined;
  /** Stands before the company: `Entrada de`. */
  readonly role?: Text | undefined;
  readonly heading: Text;
  /** The heading with its answer, in one line. */
  readonly answer: Text;
  readonly figures: readonly Figure[];
  /** What changes the reading of the page. */
  readonly notices: readonly Notice[];
  /** What happened to a document, in the order of time. */
  readonly states?: readonly State[];
  /** Why there is nothing. */
  readonly reasons?: readonly Text[];
  /** What the page rests on, in one line, and behind it in sentences. */
  readonly basis?: { readonly line: Text; readonly sentences: readonly Text[] };
  /** Findings, deadline and authenticity of a document. */
  readonly checks?: readonly Check[];
  readonly parties?: readonly Party[];
  readonly tables: readonly Table[];
  readonly notes?: readonly Text[];
  /** Questions that follow: days that are missing, the next page. */
  readonly presses: readonly Press[];
  readonly document?: DocumentActions;
}

/** The same in both languages, or one for each. */
export type Text = string | Message;

export type Tone = 'bad' | 'soon';

export interface Figure {
  /** The others explain it. */
  readonly leads?: boolean;
  readonly value: Text;
  readonly before?: Text | undefined;
  /** Stands in bold, between what comes before it and the note. */
  readonly strong?: Text | undefined;
  readonly note: Text;
  readonly tone?: Tone | undefined;
  /** Of what is cancelled or a test. */
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
  /** First what it is, then what follows from it. */
  readonly lines: readonly (readonly [what: Text, more?: Text])[];
  readonly press?: Press | undefined;
}

export interface Party {
  readonly role: Text;
  readonly name: string;
  readonly lines: readonly Text[];
}

/** A question for the server: only tools that read are called from here. */
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
  /** For more of the list, which stands below it. */
  readonly isMore?: boolean;
}

/** What can be done with the document that is shown. */
export interface DocumentActions {
  readonly title: string;
  readonly key?: string | undefined;
  /** How a call names it; undefined where it lacks what that takes. */
  readonly named?: Readonly<Record<string, unknown>> | undefined;
  /** The form (DANFE, DACTE, DANFSe), where the document's own text came along. */
  readonly sheet?: Sheet | undefined;
  /** An address of the state or the federation where it can be looked up. */
  readonly portal?: string | undefined;
}

/** How a cell is written: amounts, counts and percentages as numbers, days in the language's order. */
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
  /** Where it goes in a narrow window: first line left or right, the second line, or nowhere. */
  readonly place: 'name' | 'value' | 'below' | 'wide';
  /** Stands beside the value in the second line. */
  readonly label?: Text | undefined;
}

export interface Row {
  /** Texts of documents and plain numbers as they are; words in both languages. */
  readonly cells: Readonly<Record<string, Text | undefined>>;
  /** What stands behind a cell: the words for a code. */
  readonly details?: Readonly<Record<string, Text>>;
  readonly opens?: Call | undefined;
  /** Length of the bar, of a hundred. */
  readonly bar?: number | undefined;
  /** The period has not ended, or was asked about in part. */
  readonly isOpen?: boolean;
  readonly tone?: Tone | undefined;
  /** Number of a note of the page. */
  readonly mark?: string | undefined;
  /** Id of the section of a report that the row is about, which its cell `section` names. */
  readonly section?: string;
}

export interface Group {
  readonly heading: Text;
  readonly note?: Text | undefined;
  readonly tone?: Tone | undefined;
  readonly sum: string;
  readonly count: Text;
  readonly rows: readonly Row[];
  /** Rows that are shown before somebody asks for the others. */
  readonly shown: number;
}

export interface Table {
  /** A class of the style sheet for narrow windows. */
  readonly layout: 'rows' | 'periods' | 'cross' | 'pending' | 'plain';
  readonly caption: Text;
  /** Whether the caption is seen: where there are several tables. */
  readonly hasHeading?: boolean;
  readonly columns: readonly Column[];
  readonly groups?: readonly Group[];
  readonly rows: readonly Row[];
  /** What the page leaves out, together. */
  readonly others?: Row | undefined;
  /** Of everything, also of what is not shown. */
  readonly total?: Row | undefined;
  /** The column by which the rows came; sorting is offered only with it. */
  readonly sorted?: { readonly by: string; readonly descending: boolean } | undefined;
  /** Where the mean stands along the bars, of a hundred. */
  readonly mean?: number | undefined;
}

/** Writes texts and days in one language. */
export interface Writer {
  readonly language: Language;
  day(day: string): string;
  /** A text of the page in this language; empty if undefined. */
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

/** A number as the language has it, of one that is written in Portuguese. */
function inLanguage(text: string, { language }: Writer): string {
  const written = text.replace('-', '−');
  return language === 'en' ? written.replace(/[.,]/g, (sign) => (sign === '.' ? ',' : '.')) : written;
}

const percents = new Map<string, Intl.NumberFormat>();

/** A percentage with one decimal: as text it is rounded exactly. */
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

/** A cell as people read it; a dash for a number that the answer doesn't have. */
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

/** Orders two rows by a column, empty cells last. */
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
    // A tab in front keeps an identifier text in a spreadsheet, which else turns 44 digits into 3.5E+43.
    if (detail === undefined) return `\t${value}`;
  }
  const isIdentifier = column.kind === 'key' || column.kind === 'day';
  const words = isIdentifier ? writer.text(value) : `${writer.text(value)} ${writer.text(detail)}`;
  const text = withoutFormula(words.trim());
  return isIdentifier && text !== '' ? `\t${text}` : text;
}

/** Rows as a spreadsheet in Brazil opens them: semicolons, decimal comma, days as in ISO 8601. */
export function csvOf(columns: readonly Column[], rows: readonly Row[], writer: Writer): string {
  return [
    spreadsheetLine(columns.map(({ heading }) => withoutFormula(writer.text(heading)))),
    ...rows.map((row) => spreadsheetLine(columns.map((column) => plain(column, row, writer)))),
  ].join('');
}

/** A text as a CSS string: whatever is no letter, digit or harmless sign stands by its code. */
export function cssString(text: string): string {
  const escaped = text.replace(
    /[^\p{L}\p{N} .,:·/-]/gu,
    (sign) => `\\${(sign.codePointAt(0) ?? 0).toString(16)} `,
  );
  return `"${escaped}"`;
}
