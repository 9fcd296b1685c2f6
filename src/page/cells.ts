import { maskTaxId } from '../documents/identity/tax-ids.ts';
import type { Language } from '../messages/message.ts';
import { money, quantity } from '../sheets/printed.ts';
import type { Column, ColumnKind, Row, Text } from './page.ts';

/** Writes texts and days in one language. */
export interface Writer {
  readonly language: Language;
  day(day: string): string;
  /** A text of the page in this language; nothing for what is none. */
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

/** The order of two rows by a column; what has nothing in it comes last. */
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

/** What a spreadsheet takes for the beginning of a formula. Text by strangers must not become one. */
const FORMULA = /^[=+\-@\t\r\n]/;
function harmless(text: string): string {
  return FORMULA.test(text.trim()) ? `'${text.trim()}` : text.trimEnd();
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
  const text =
    column.kind === 'key' || column.kind === 'day'
      ? `\t${writer.text(value)}`
      : `${writer.text(value)} ${writer.text(detail)}`;
  return harmless(text);
}

function line(cells: readonly string[]): string {
  const quoted = cells.map((cell) => (/[";\r\n\t]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell));
  return `${quoted.join(';')}\r\n`;
}

/** Rows as a spreadsheet in Brazil opens them: semicolons, decimal comma, days as in ISO 8601. */
export function csvOf(columns: readonly Column[], rows: readonly Row[], writer: Writer): string {
  return [
    line(columns.map(({ heading }) => harmless(writer.text(heading)))),
    ...rows.map((row) => line(columns.map((column) => plain(column, row, writer)))),
  ].join('');
}
