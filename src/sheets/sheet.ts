/**
 * Content of a sheet: labelled blocks of text, for PDF and HTML alike. An empty value is a field of the form that the
 * document lacks.
 */
export interface Sheet {
  readonly form: SheetForm;
  readonly head: SheetHead;
  readonly blocks: readonly Block[];
  /** Marks across every page of an invalid document: `CANCELADA`. */
  readonly marks: readonly string[];
  /** Footer of every page: the producing program and the document's status. */
  readonly foot: string;
  /** Template of the page number, with `{page}` and `{pages}`; the forms' own if undefined. */
  readonly pageOf?: string;
}

/**
 * DANFE of an NF-e or NFC-e, DACTE of a CT-e, DANFSe of a national NFS-e; `mirror` is our own form for all other
 * documents, `report` a month closing.
 */
export type SheetForm = 'danfe' | 'nfce' | 'dacte' | 'danfse' | 'mirror' | 'report';

export interface SheetHead {
  readonly title: string;
  /** The title spelled out, one line each. */
  readonly subtitle: readonly string[];
  /** Name, then address and contact; empty if the form has a block for the issuer. */
  readonly issuer: readonly string[];
  /** Number, series and the like. The renderer adds the page number. */
  readonly facts: readonly Fact[];
  /** `0` or `1` in a box, with both meanings. */
  readonly flow?: { readonly code: string; readonly meanings: readonly string[] };
  readonly key?: string;
  /** The second bar code of some contingencies. */
  readonly secondCode?: { readonly label: string; readonly code: string };
  readonly qr?: string;
  /** Where to look the document up, or the contingency notice. */
  readonly consultation: string;
  /** A red warning in the form's head. */
  readonly warning?: string;
  readonly corner: readonly string[];
}

export interface Fact {
  readonly label: string;
  readonly value: string;
}

export type Align = 'right' | 'center';

export interface Field extends Fact {
  /** Per cent of the row. */
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
  /** Most lines of a cell; default 1. */
  readonly lines?: number;
  /** True for the column with the rows' bars. */
  readonly hasBars?: boolean;
}

export interface TableRow {
  readonly cells: readonly string[];
  readonly details?: readonly string[];
  /** A heading or sum of other rows. */
  readonly isBold?: boolean;
  readonly isUrgent?: boolean;
  /** Columns spanned by the first cell. */
  readonly span?: number;
  /** Length of the bar, in per cent. */
  readonly bar?: number | undefined;
}

export interface TableBlock {
  readonly kind: 'table';
  /** Empty if none is needed. */
  readonly title: string;
  readonly columns: readonly Column[];
  readonly rows: readonly TableRow[];
}

export interface TextBlock extends Placed {
  readonly kind: 'text';
  readonly parts: readonly Field[];
  /** Least and most lines; the rest continues at the end of the sheet, or is cut on a form of one page. */
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

/** Free texts side by side, with their least and most lines. */
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

/** States the number of omitted entries. */
export function andMore(left: number, what: string): Block[] {
  return left > 0 ? [sentence(`E MAIS ${left} ${what} NO XML`)] : [];
}

/** Fields in rows of `perRow`; `isFilled` pads the last row with empty boxes. */
export function inRows(fields: readonly Field[], perRow: number, isFilled = false): Field[][] {
  const rows = Math.ceil(fields.length / perRow);
  const missing = isFilled ? rows * perRow - fields.length : 0;
  const all = [...fields, ...Array.from({ length: missing }, () => field('', '', 100 / perRow))];
  return Array.from({ length: rows }, (_, i) => all.slice(i * perRow, (i + 1) * perRow));
}
