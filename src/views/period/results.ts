import { el } from '../frame/dom.ts';
import { keyboardKeeper } from '../frame/frame.ts';
import type { Speaker } from '../frame/words.ts';
import { extentOf, shownOf } from './about.ts';
import { cellText, compareCells } from './cells.ts';
import { chartOf } from './chart.ts';
import { gridOf, type Sorting } from './grid.ts';
import type { Opening, Row, Table } from './table.ts';

/** Copies a text; hosts don't grant their frames the newer clipboard API. */
export function copied(text: string): boolean {
  const area = el('textarea', { class: 'unseen', 'aria-hidden': 'true' });
  area.value = text;
  document.body.append(area);
  area.select();
  const isDone = document.execCommand('copy');
  area.remove();
  return isDone;
}

/** Rows that are shown before somebody asks for more; then as many again as there are. */
export const FIRST_ROWS = 100;

/** How a person looks at the rows of an answer. */
export interface Looking {
  readonly filter: string;
  readonly sorting: Sorting | undefined;
  readonly shown: number;
  readonly measure: string | undefined;
}

/** The measure that is drawn and added up. */
export function measureOf(
  { measure }: Pick<Looking, 'measure'>,
  { measures }: Pick<Table, 'measures'>,
): string {
  return measure ?? measures.find((name) => name === 'total') ?? measures[0] ?? '';
}

/** The rows that a filter leaves, in the order of the person's; what has nothing in that column comes last. */
export function rowsFor({ filter, sorting }: Looking, table: Table, speaker: Speaker): readonly Row[] {
  const words = filter.toLocaleLowerCase().split(/\s+/).filter(Boolean);
  const found =
    words.length === 0
      ? table.rows
      : table.rows.filter((row) => {
          const text = table.columns
            .map((column) => `${row.cells[column.name] ?? ''} ${cellText(column, row, speaker)}`)
            .join(' ')
            .toLocaleLowerCase();
          return words.every((word) => text.includes(word));
        });
  const column = table.columns.find(({ name }) => name === sorting?.by);
  if (column === undefined) return found;
  const compare = compareCells(column, new Intl.Collator(speaker.language, { numeric: true }));
  const isEmpty = (row: Row) => row.cells[column.name] === undefined;
  const sorted = found.filter((row) => !isEmpty(row)).toSorted(compare);
  return [...(sorting?.descending ? sorted.reverse() : sorted), ...found.filter(isEmpty)];
}

/** What a table of results asks for. */
interface Asking {
  readonly open: ((opening: Opening) => void) | undefined;
  /** The answer has more than what has come. */
  readonly goesOn: boolean;
  changed(changes: Partial<Looking>): void;
}

/** The chart, the count and the table; the count keeps its element so that changes are announced. */
export function resultsPart() {
  const [chart, rows] = [el('div'), el('div')];
  const count = el('p', { class: 'small', role: 'status' });
  const part = el('div', { class: 'results' }, chart, count, rows);
  const keepingKeyboard = keyboardKeeper(part);
  /** Shows rows as they are looked at. */
  const show = (looking: Looking, table: Table, speaker: Speaker, { open, goesOn, changed }: Asking) => {
    const { sorting, shown } = looking;
    const measure = measureOf(looking, table);
    const found = rowsFor(looking, table, speaker);
    const width = Math.max(240, Math.min(1100, document.documentElement.clientWidth - 26));
    const extent = extentOf(table, goesOn, speaker);
    const said = shownOf(found, table.rows.length, measure, table, speaker);
    const status = goesOn ? `${said} · ${speaker.say('goes_on')}` : said;
    const actions = {
      sort: (by: string) =>
        changed({ sorting: { by, descending: sorting?.by === by && !sorting.descending } }),
      more() {
        changed({ shown: shown * 2 });
        // Whoever asked for them is at the first that came.
        rows.querySelectorAll('tbody tr')[shown]?.querySelector('button')?.focus();
      },
      open,
    };
    keepingKeyboard(() => {
      chart.replaceChildren(chartOf(table, found, { measure, width, extent }, speaker) ?? '');
      if (count.textContent !== status) count.textContent = status;
      rows.replaceChildren(
        found.length === 0
          ? el('p', { class: 'busy' }, speaker.say('no_rows'))
          : gridOf(table.columns, found, { sorting, shown, title: speaker.say('rows') }, actions, speaker),
      );
    });
  };
  return { part, show };
}
