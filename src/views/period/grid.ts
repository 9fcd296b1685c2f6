import { quantity } from '../../sheets/printed.ts';
import { button, el } from '../frame/dom.ts';
import type { Speaker } from '../frame/words.ts';
import { cellText, inLanguage } from './cells.ts';
import type { Column, Opening, Row, Tone } from './table.ts';

export interface Sorting {
  readonly by: string;
  readonly descending: boolean;
}

/** What a table does when somebody presses something in it. */
export interface GridActions {
  sort(by: string): void;
  open?: ((opening: Opening) => void) | undefined;
  more(): void;
}

/** Days left from which ciência is urgent. */
const NEAR_DAYS = 3;

const isNumeric = ({ kind }: Column) => kind === 'money' || kind === 'number' || kind === 'difference';

/** How near the last day of ciência is: it has ten in all. A day that is past says so in words. */
function ownTone({ cells }: Row): Tone | undefined {
  const days = Number(cells.days_left_ciencia);
  return days >= 0 ? (days <= NEAR_DAYS ? 'bad' : 'soon') : undefined;
}

function cellOf(column: Column, row: Row, speaker: Speaker): HTMLElement {
  const text = cellText(column, row, speaker);
  const { percent } = row.cells;
  const isDifference = column.kind === 'difference';
  const tones: Readonly<Record<string, Tone | undefined>> = {
    days_left_conclusive: row.tone,
    days_left_ciencia: ownTone(row),
    status: row.tone,
  };
  const kind = isNumeric(column) ? 'right' : column.name === 'key' ? 'key' : column.kind;
  const rest =
    isDifference &&
    percent !== undefined &&
    el(
      'span',
      { class: 'small' },
      ` (${Number(percent) > 0 ? '+' : ''}${inLanguage(quantity(percent), speaker)}%)`,
    );
  return el(
    'td',
    { role: 'cell', class: `${kind} ${tones[column.name] ?? ''}`, 'data-label': column.heading },
    text,
    rest,
  );
}

/** A table whose headings sort it. Rows that open something have a button in their first cell, for who has no mouse. */
export function gridOf(
  columns: readonly Column[],
  rows: readonly Row[],
  {
    sorting,
    shown,
    title,
  }: { readonly sorting: Sorting | undefined; readonly shown: number; readonly title: string },
  actions: GridActions,
  speaker: Speaker,
): HTMLElement {
  const headings = columns.map((column) => {
    const isSorted = sorting?.by === column.name;
    return el(
      'th',
      {
        scope: 'col',
        role: 'columnheader',
        class: isNumeric(column) ? 'right' : undefined,
        'aria-sort': isSorted ? (sorting.descending ? 'descending' : 'ascending') : 'none',
      },
      button(column.heading, () => actions.sort(column.name), { class: 'plain' }),
    );
  });
  const { open } = actions;
  const lines = rows.slice(0, shown).map((row) => {
    const { opens } = row;
    const canOpen = opens !== undefined && open !== undefined;
    const cells = columns.map((column) => cellOf(column, row, speaker));
    const [first] = cells;
    if (canOpen && first !== undefined) {
      const label = first.textContent || '…';
      first.replaceChildren(button(label, () => open(opens), { class: 'link' }));
    }
    return el('tr', { role: 'row' }, ...cells);
  });
  const left = rows.length - lines.length;
  return el(
    'div',
    { class: 'scroll grid', tabindex: 0, role: 'region', 'aria-label': title },
    el(
      'table',
      { role: 'table' },
      el('caption', { class: 'unseen' }, title),
      el('thead', { role: 'rowgroup' }, el('tr', { role: 'row' }, ...headings)),
      el('tbody', { role: 'rowgroup' }, ...lines),
    ),
    left > 0 &&
      button(speaker.say('more_rows', { shown: lines.length, total: rows.length }), () => actions.more(), {
        class: 'more',
      }),
  );
}
