import type { SavedFile } from '../../disk/new-file.ts';
import type { HeadingLanguage } from './column.ts';

/** Where an export goes and who watches it. */
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
