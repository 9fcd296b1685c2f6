import type { Language } from '../messages/index.ts';

/** A cell of a table. Texts are plain: whoever draws them escapes them. */
export interface Cell {
  readonly text: string;
  /** Follows the text, less prominent. */
  readonly detail?: string | undefined;
  /** A smaller line below. */
  readonly below?: string | undefined;
  /** An access key, whole, on a line of its own. */
  readonly key?: string | undefined;
  readonly isUrgent?: boolean | undefined;
  /** Length of a bar beside the text: 0 to 1 of the longest in its column. */
  readonly bar?: number | undefined;
}

export interface Column {
  readonly heading: string;
  /** `number`: aligned to the right, never broken; `share`: the same with a bar; `id`: never broken. */
  readonly form: 'text' | 'id' | 'number' | 'share';
  /** Left out on narrow screens. */
  readonly isOptional?: boolean;
}

export interface Table {
  readonly kind: 'table';
  readonly caption?: string | undefined;
  /** Follows the caption: unit, day. */
  readonly remark?: string | undefined;
  readonly columns: readonly Column[];
  readonly rows: readonly (readonly Cell[])[];
  readonly total?: readonly Cell[] | undefined;
}

/** Small print below a table, or what a section says in place of one. */
interface Note {
  readonly kind: 'note';
  readonly text: string;
}

/** Remarks, each on a line, led by what it is about. */
interface Remarks {
  readonly kind: 'remarks';
  readonly items: readonly { readonly about?: string | undefined; readonly text: string }[];
}

/** What the report rests on: label and text, with a digest where it is a file. */
interface Sources {
  readonly kind: 'sources';
  readonly items: readonly { readonly label: string; readonly text: string; readonly digest?: string }[];
}

export interface Task {
  readonly when: string;
  readonly isUrgent: boolean;
  readonly text: string;
  /** The id and the name of the section that it is about. */
  readonly section: { readonly id: string; readonly name: string };
  readonly amount?: string | undefined;
}

/** What to do first, by deadline. */
interface Tasks {
  readonly kind: 'tasks';
  readonly items: readonly Task[];
}

export type Block = Table | Note | Remarks | Sources | Tasks;

export interface Section {
  readonly id: string;
  readonly number?: number | undefined;
  readonly title: string;
  readonly intro?: string | undefined;
  readonly blocks: readonly Block[];
}

/** What a report says, however it is drawn. */
export interface Report {
  readonly language: Language;
  /** The answer in one line: the name of a window, the title of a PDF. */
  readonly answer: string;
  readonly company: { readonly name?: string | undefined; readonly id: string };
  readonly title: string;
  readonly summary: string;
  /** What changes how the figures are read. */
  readonly warnings: readonly string[];
  readonly figures: readonly { readonly label: string; readonly value: string; readonly remark: string }[];
  readonly sections: readonly Section[];
  readonly signatures: readonly { readonly label: string; readonly hint: string }[];
  /** At the foot of every page. */
  readonly foot: string;
  /** Words for a page number: `{page}` and `{pages}`. */
  readonly pageOf: string;
}
