import type { SavedFile } from '../../disk/new-file.ts';

/** The languages a heading has; those of the catalogue. */
export type HeadingLanguage = 'pt-BR' | 'en';

export type Heading = Readonly<Record<HeadingLanguage, string>>;

/**
 * The form of a value. `code` is an identifier that must stay text whatever it looks like (key, tax id, NCM), `money`
 * has two decimals, `number` as many as the document gives, `date` is a day.
 */
export type ColumnKind = 'text' | 'code' | 'money' | 'number' | 'date';

export interface Column<Row> {
  readonly heading: Heading;
  readonly kind: ColumnKind;
  /** Its width in a workbook, where it differs from that of its kind. */
  readonly characters?: number;
  /** The value as the document has it: decimal text with a point, an ISO day; undefined leaves the cell empty. */
  readonly value: (row: Row, language: HeadingLanguage) => string | undefined;
}

export interface Table<Row> {
  /** The name of the sheet in a workbook. */
  readonly title: Heading;
  readonly columns: readonly Column<Row>[];
}

export interface ExportOptions {
  /** Made where it is missing. */
  readonly folder: string;
  /** Of the file, without its ending. */
  readonly name: string;
  readonly language: HeadingLanguage;
  readonly signal?: AbortSignal;
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
