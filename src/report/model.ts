import { oneLine } from '../documents/untrusted.ts';
import { dayFormat, type Language, textIn } from '../messages/message.ts';
import {
  type Column,
  cellText,
  type Group,
  isNumber,
  labelSpan,
  type Row,
  type Table,
  type Writer,
} from '../page/page.ts';
import { keyGroups } from '../sheets/printed.ts';

/** A part of a section: a view's table, or small print. */
export type Block = Table | string;

export interface Section {
  readonly id: string;
  readonly number?: number | undefined;
  readonly title: string;
  readonly intro?: string | undefined;
  readonly blocks: readonly Block[];
}

/** Content of a report in one language, for any renderer. */
export interface Report {
  readonly language: Language;
  /** The answer in one line, used as window and PDF title. */
  readonly answer: string;
  readonly company: { readonly name?: string | undefined; readonly id: string };
  readonly title: string;
  readonly summary: string;
  /** Warnings above the figures. */
  readonly warnings: readonly string[];
  readonly figures: readonly { readonly label: string; readonly value: string; readonly remark: string }[];
  readonly sections: readonly Section[];
  readonly signatures: readonly { readonly label: string; readonly hint: string }[];
  /** Footer of every page. */
  readonly foot: string;
  /** Template of a page number, with `{page}` and `{pages}`. */
  readonly pageOf: string;
  /** Template for the hidden rows of a group, with `{count}`. */
  readonly more: string;
}

/** A cell of the report, with unescaped texts. */
export interface DrawnCell {
  readonly text: string;
  /** Less prominent text after it. */
  readonly detail?: string | undefined;
  /** A longer detail, smaller, on a separate line. */
  readonly below?: string | undefined;
  /** A full access key, on a separate line. */
  readonly key?: string | undefined;
  readonly isUrgent: boolean;
  /** Length of a bar beside the text, in per cent. */
  readonly bar?: number | undefined;
  /** Id of the section named by the text. */
  readonly section?: string | undefined;
  /** First column, and number of columns spanned. */
  readonly at: number;
  readonly span: number;
}

export interface DrawnColumn {
  readonly heading: string;
  /** Only `text` wraps; `share` has space for a bar. */
  readonly form: 'text' | 'whole' | 'number' | 'share';
  /** Hidden on narrow screens. */
  readonly isOptional: boolean;
}

export interface DrawnRow {
  /** A heading or sum of other rows. */
  readonly isBold: boolean;
  readonly cells: readonly DrawnCell[];
}

export interface DrawnTable {
  readonly caption?: string | undefined;
  readonly columns: readonly DrawnColumn[];
  readonly rows: readonly DrawnRow[];
  readonly total?: DrawnRow | undefined;
}

/** Characters; a longer detail goes on a separate line. */
const LONGEST_DETAIL = 100;

function writerOf({ language }: Report): Writer {
  const text: Writer['text'] = (one = '') => oneLine(typeof one === 'string' ? one : textIn(one, language));
  return { language, text, day: dayFormat(language) };
}

function formOf(column: Column): DrawnColumn['form'] {
  if (column.kind === 'text') return 'text';
  if (column.kind === 'share') return 'share';
  return isNumber(column) ? 'number' : 'whole';
}

/** A page's table for paper: full keys below their notes, groups with the rows shown initially. */
export function drawnTable(table: Table, report: Report): DrawnTable {
  const writer = writerOf(report);
  const columns = table.columns.filter(({ kind }) => kind !== 'key');
  const keys = table.columns.find(({ kind }) => kind === 'key');
  const noteColumn = columns.find(({ name }) => name === 'note') ?? columns[0];
  const cellOf = (column: Column, row: Row, at: number, span: number): DrawnCell => {
    const detail = writer.text(row.details?.[column.name]);
    const isLong = detail.length > LONGEST_DETAIL;
    const key = column === noteColumn && keys !== undefined ? writer.text(row.cells[keys.name]) : '';
    const mark = column.name === 'standing' && row.mark !== undefined ? ` (${writer.text(row.mark)})` : '';
    return {
      text: oneLine(cellText(column, row, writer)) + mark,
      detail: isLong ? undefined : detail || undefined,
      below: isLong ? detail : undefined,
      key: key === '' ? undefined : keyGroups(key),
      isUrgent: at === 0 && row.tone === 'bad',
      bar: column.kind === 'share' ? row.bar : undefined,
      section: column.name === 'section' ? row.section : undefined,
      at,
      span,
    };
  };
  const rowOf = (row: Row, isSum = false, isBold = isSum): DrawnRow => {
    const span = isSum ? labelSpan(columns, row) : 1;
    const cells = columns.map((column, at) => cellOf(column, row, at, at === 0 ? span : 1));
    return { isBold, cells: cells.filter(({ at }) => at === 0 || at >= span) };
  };
  const groupRows = ({ heading, note, total: all, count, sum, rows, shown, tone }: Group): DrawnRow[] => {
    const [first = '', value = ''] = [columns[0]?.name, columns.find(({ place }) => place === 'value')?.name];
    const name = `${writer.text(heading)}, ${writer.text(count)}`;
    const details = note === undefined ? {} : { [first]: note };
    const left = all - Math.min(shown, rows.length);
    const more = { cells: { [first]: report.more.replace('{count}', String(left)) } };
    return [
      rowOf({ cells: { [first]: name, [value]: sum }, details, tone }, true),
      ...rows.slice(0, shown).map((row) => rowOf(row)),
      ...(left > 0 && shown > 0 ? [rowOf(more, true, false)] : []),
    ];
  };
  const { caption, hasHeading, groups = [], rows, others, total } = table;
  return {
    caption: hasHeading ? writer.text(caption) : undefined,
    columns: columns.map((column) => ({
      heading: writer.text(column.heading),
      form: formOf(column),
      isOptional: column.place === 'wide',
    })),
    rows: [
      ...groups.flatMap(groupRows),
      ...rows.map((row) => rowOf(row)),
      ...(others === undefined ? [] : [rowOf(others, true, false)]),
    ],
    total: total && rowOf(total, true),
  };
}
