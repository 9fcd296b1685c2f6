/** What a column holds, which decides how it is written, sorted and copied. */
export type ColumnKind =
  | 'text'
  | 'code'
  | 'money'
  | 'number'
  | 'day'
  | 'month'
  | 'word'
  | 'days'
  | 'difference';

export interface Column {
  readonly name: string;
  readonly heading: string;
  readonly kind: ColumnKind;
  /** Group of words for the values of a `word`. */
  readonly words?: string;
}

export interface Row {
  /** Values as they came, by the names of columns. */
  readonly cells: Readonly<Record<string, string | undefined>>;
  /** The kind of document, where rows of several may not be added up. */
  readonly document: string;
  /** What opens when the row is pressed. */
  readonly opens?: Opening | undefined;
  readonly tone?: Tone | undefined;
}

export type Tone = 'good' | 'soon' | 'bad';

/** A document, or the documents of a group. */
export type Opening =
  | { readonly what: 'document'; readonly named: Readonly<Record<string, unknown>> }
  | { readonly what: 'group'; readonly args: Readonly<Record<string, unknown>> };

/** What a view of a period shows, whatever it was answered by. */
export interface Table {
  readonly form: 'groups' | 'list' | 'pending';
  readonly columns: readonly Column[];
  readonly rows: readonly Row[];
  /** Rows of all pages; `rows` holds those fetched so far. Notes pending are asked about page by page: nobody knows. */
  readonly total?: number;
  /** Name of the column in whose order of time the rows are. */
  readonly time?: string | undefined;
  /** Columns that can be drawn and added up. */
  readonly measures: readonly string[];
}
