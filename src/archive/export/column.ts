/** The languages a heading has; those of the catalogue. */
export type HeadingLanguage = 'pt-BR' | 'en';

export type Heading = Readonly<Record<HeadingLanguage, string>>;

/**
 * How a value is written. `code` is an identifier that must stay text whatever it looks like (key, tax id, NCM),
 * `money` has two decimals, `number` as many as the document gives, `date` is a day.
 */
export type ColumnKind = 'text' | 'code' | 'money' | 'number' | 'date';

export interface Column<Row> {
  readonly heading: Heading;
  readonly kind: ColumnKind;
  /** How wide to show it, where that is not as wide as others of its kind. */
  readonly characters?: number;
  /** The value as the document has it: decimal text with a point, an ISO day; undefined leaves the cell empty. */
  readonly value: (row: Row, language: HeadingLanguage) => string | undefined;
}

/** What is exported as a table. */
export interface Table<Row> {
  /** Names the sheet of a workbook. */
  readonly title: Heading;
  readonly columns: readonly Column<Row>[];
}

const DAY = /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])/;

/** The day of an ISO date or time, as `YYYY-MM-DD`; undefined for anything else, which is then kept as text. */
export function dayOf(text: string): string | undefined {
  const day = DAY.exec(text)?.[0];
  if (day === undefined) return undefined;
  const exists = new Date(`${day}T00:00:00Z`).toISOString().startsWith(day);
  return exists ? day : undefined;
}
