import type { SavedFile } from '../../disk/new-file.ts';

/** The languages a heading has; those of the catalogue. */
export type HeadingLanguage = 'pt-BR' | 'en';

export type Heading = Readonly<Record<HeadingLanguage, string>>;

/**
 * The form of a value. `code` is an identifier that must stay text whatever it looks like (key, NCM), `tax_id` one that a
 * workbook shows with its mask, `money` has two decimals and is added up, `number` has as many as the document gives and
 * is not, `date` is a day.
 */
export type ColumnKind = 'text' | 'code' | 'tax_id' | 'money' | 'number' | 'date';

export interface Column<Row> {
  readonly heading: Heading;
  readonly kind: ColumnKind;
  /** The value as the document has it: decimal text with a point, an ISO day; undefined leaves the cell empty. */
  readonly value: (row: Row, language: HeadingLanguage) => string | undefined;
}

/** How a table's rows are added up. */
export interface Totals<Row> {
  /** Rows of different groups are never added together. */
  readonly group: (row: Row) => string;
  /** What a row is counted as in the overview. */
  readonly status: (row: Row, language: HeadingLanguage) => string;
  readonly isLeftOut: (row: Row) => boolean;
  /** Decimal text. */
  readonly amount: (row: Row) => string | undefined;
}

export interface Table<Row> {
  /** The name of the sheet in a workbook. */
  readonly title: Heading;
  readonly columns: readonly Column<Row>[];
  readonly totals: Totals<Row>;
}

/** A line of what a workbook says of itself; a label alone is a sentence. */
export type Fact = readonly [label: string, value?: string];

export interface ExportOptions {
  /** Made where it is missing. */
  readonly folder: string;
  /** Of the file, without its ending. */
  readonly name: string;
  readonly language: HeadingLanguage;
  readonly signal?: AbortSignal;
  /** What a workbook's overview begins with, asked for when all rows are written. */
  readonly facts?: () => readonly Fact[];
  /** Rows written so far: now and then, and once at the end. */
  readonly onProgress?: (rows: number) => void;
}

export interface Exported extends SavedFile {
  readonly rows: number;
}

/** Rows to write; a list will do where there are few. */
export type Rows<Row> = AsyncIterable<Row> | Iterable<Row>;

const ROWS_BETWEEN_REPORTS = 500;

/** Hands rows on, counts them, reports, and stops when the signal fires. */
export function countedRows<Row>(rows: Rows<Row>, { signal, onProgress }: ExportOptions) {
  let count = 0;
  async function* counted(): AsyncGenerator<Row> {
    for await (const row of rows) {
      signal?.throwIfAborted();
      yield row;
      count++;
      if (count % ROWS_BETWEEN_REPORTS === 0) onProgress?.(count);
    }
    onProgress?.(count);
  }
  return {
    rows: counted(),
    get count() {
      return count;
    },
  };
}

const DAY = /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])/;

/** The day of an ISO date or time, as `YYYY-MM-DD`; undefined for anything else, which is then kept as text. */
export function dayOf(text: string): string | undefined {
  const day = DAY.exec(text)?.[0];
  if (day === undefined) return undefined;
  return new Date(`${day}T00:00:00Z`).toISOString().startsWith(day) ? day : undefined;
}
