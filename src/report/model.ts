import type { Language } from '../messages/index.ts';
import type { Table } from '../page/page.ts';

/** A part of a section: a table as views have them, or small print. */
export type Block = Table | string;

export interface Section {
  readonly id: string;
  readonly number?: number | undefined;
  readonly title: string;
  readonly intro?: string | undefined;
  readonly blocks: readonly Block[];
}

/** What a report says, in one language and however it is drawn. */
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
  /** Words for rows that a group leaves out: `{count}`. */
  readonly more: string;
}
