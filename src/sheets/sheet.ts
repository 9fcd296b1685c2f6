/**
 * What a sheet shows: labelled blocks of text, for PDF and HTML alike. Empty: the form has it, the document
 * not.
 */
export interface Sheet {
  readonly form: SheetForm;
  readonly head: SheetHead;
  readonly blocks: readonly Block[];
  /** Marks across every page of a document that is not valid as it is: `CANCELADA`. */
  readonly marks: readonly string[];
  /** Says on every page what made the sheet and how it stands with the document. */
  readonly foot: string;
  /** The number of a page, with `{page}` and `{pages}`; in the words of the forms if undefined. */
  readonly pageOf?: string;
}

/**
 * DANFE of an NF-e and of an NFC-e, DACTE of a CT-e, DANFSe of a national NFS-e; `mirror` is a form of our own for all
 * others, and `report` a month closing.
 */
export type SheetForm = 'danfe' | 'nfce' | 'dacte' | 'danfse' | 'mirror' | 'report';

export interface SheetHead {
  readonly title: string;
  /** The title spelled out, one line each. */
  readonly subtitle: readonly string[];
  /** Name first, then address and what else stands with it; empty where the form has its issuer in a block. */
  readonly issuer: readonly string[];
  /** Number, series and the like. The sheet's own number is added by who lays it out. */
  readonly facts: readonly Fact[];
  /** `0` or `1` in its box, with what the two mean. */
  readonly flow?: { readonly code: string; readonly meanings: readonly string[] };
  readonly key?: string;
  /** The second bar code of some contingencies. */
  readonly secondCode?: { readonly label: string; readonly code: string };
  readonly qr?: string;
  /** Where the document can be looked up, or what a contingency has to say instead. */
  readonly consultation: string;
  /** A warning that the form has in its head, in red. */
  readonly warning?: string;
  readonly corner: readonly string[];
}

export interface Fact {
  readonly label: string;
  readonly value: string;
}

export type Align = 'right' | 'center';

export interface Field extends Fact {
  /** Its part of the row, of a hundred. */
  readonly width: number;
  readonly align?: Align;
}

export type Block = FieldBlock | TableBlock | TextBlock | SentenceBlock;

interface Placed {
  readonly title?: string;
  /** `top`: before the head of the first page; `every`: on every page; `bottom`: at the end of the first page. */
  readonly place?: 'top' | 'every' | 'bottom';
}

export interface FieldBlock extends Placed {
  readonly kind: 'fields';
  readonly rows: readonly (readonly Field[])[];
}

export interface Column {
  readonly heading: string;
  readonly width: number;
  readonly align?: Align;
  /** Lines that a cell may have; one where not given. */
  readonly lines?: number;
  /** Whether the rows' bars are drawn in it. */
  readonly hasBars?: boolean;
}

export interface TableRow {
  readonly cells: readonly string[];
  readonly details?: readonly string[];
  /** It heads or sums up others. */
  readonly isBold?: boolean;
  readonly isUrgent?: boolean;
  /** Columns that its first cell spans. */
  readonly span?: number;
  /** Length of its bar, of a hundred. */
  readonly bar?: number | undefined;
}

export interface TableBlock {
  readonly kind: 'table';
  /** Empty for a table that needs none. */
  readonly title: string;
  readonly columns: readonly Column[];
  readonly rows: readonly TableRow[];
}

export interface TextBlock extends Placed {
  readonly kind: 'text';
  readonly parts: readonly Field[];
  /** Lines it takes at least and at most; what is over goes on at the end, or is cut on a form of one page. */
  readonly lines: { readonly least: number; readonly most: number };
}

interface SentenceBlock extends Placed {
  readonly kind: 'sentence';
  readonly text: string;
}

/** A field of a row; absent values are empty. */
export function field(label: string, value: string | undefined, width: number, align?: Align): Field {
  return { label, value: value ?? '', width, ...(align && { align }) };
}

/** Rows of fields below a title. */
export function fieldBlock(
  title: string | undefined,
  rows: readonly (readonly Field[])[],
  place?: Placed['place'],
): FieldBlock {
  return { kind: 'fields', title, rows, place };
}

/** Free texts side by side, with the lines they take at least and at most. */
export function textBlock(
  title: string | undefined,
  parts: readonly Field[],
  [least, most]: readonly [least: number, most: number],
  place?: Placed['place'],
): TextBlock {
  return { kind: 'text', title, parts, lines: { least, most }, place };
}

/** A single line instead of a block. */
export function sentence(text: string): SentenceBlock {
  return { kind: 'sentence', text };
}

/** Says how many entries a sheet leaves out. */
export function andMore(left: number, what: string): Block[] {
  return left > 0 ? [sentence(`E MAIS ${left} ${what} NO XML`)] : [];
}

/** Fields in rows of so many; the last row may be filled up with empty boxes. */
export function inRows(fields: readonly Field[], perRow: number, isFilled = false): Field[][] {
  const rows = Math.ceil(fields.length / perRow);
  const missing = isFilled ? rows * perRow - fields.length : 0;
  const all = [...fields, ...Array.from({ length: missing }, () => field('', '', 100 / perRow))];
  return Array.from({ length: rows }, (_, i) => all.slice(i * perRow, (i + 1) * perRow));
}
