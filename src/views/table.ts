import { fill } from '../messages/message.ts';
import {
  type Call,
  type Column,
  cellText,
  compareRows,
  csvOf,
  type Group,
  isNumber,
  labelSpan,
  type Row,
  type Table,
} from '../page/page.ts';
import { keyGroups } from '../sheets/printed.ts';
import { button, type Child, el, type Speaker } from './dom.ts';
import { keepingFocus } from './keyboard.ts';

/** Rows shown at first; each request for more doubles them. */
const FIRST_ROWS = 100;
/** Rows from which a table can be filtered. */
const ROWS_TO_FILTER = 15;

/** Columns that a wide window holds. */
const MOST_COLUMNS = 9;

/** Layouts whose rows are cards in a narrow window. */
const cards = new Set(['rows', 'cross', 'pending']);

/** Characters; longer values may wrap. */
const LONGEST_WHOLE = 40;

/** Copies a text; hosts don't grant their frames the newer clipboard API. */
function copied(text: string): boolean {
  const area = el('textarea.sr', { 'aria-hidden': 'true' });
  area.value = text;
  document.body.append(area);
  area.select();
  const isDone = document.execCommand('copy');
  area.remove();
  return isDone;
}

/** Actions of the page that a table needs. */
export interface Actions {
  /** Undefined if the host doesn't let views call tools. */
  readonly open: ((call: Call) => void) | undefined;
  announce(text: string): void;
}

/** A button that copies a key; replaced by the whole key if copying fails. */
export function keyButton(
  key: string,
  text: string,
  speaker: Speaker,
  { announce }: Pick<Actions, 'announce'>,
): HTMLElement {
  const copy = (event: Event) => {
    const target = event.currentTarget as HTMLElement;
    const isDone = copied(key);
    target.textContent = isDone ? speaker.say('copied') : key;
    announce(isDone ? speaker.say('copied') : key);
    if (isDone) setTimeout(() => (target.textContent = text), 1500);
  };
  const label = speaker.say('copy_key', { key: keyGroups(key) });
  return button(text, copy, { class: 'quiet', 'data-key': key, 'aria-label': label });
}

function bar({ bar: length }: Row): HTMLElement {
  const inner = el('i');
  inner.style.width = `${Math.min(100, Math.max(0, Number(length) || 0))}%`;
  return el('span.bar', { 'aria-hidden': 'true' }, inner);
}

/** Content of a cell besides its bar. */
function contentOf(column: Column, row: Row, speaker: Speaker, actions: Actions, opens: boolean): Child[] {
  const text = cellText(column, row, speaker);
  const { cells, details = {}, opens: call, mark } = row;
  const key = cells[column.name];
  if (column.kind === 'key' && typeof key === 'string') return [keyButton(key, text, speaker, actions)];
  // Labels replace column headings in narrow windows.
  const hasLabel = column.place === 'below' && key !== undefined;
  const [before = '', after = ''] = hasLabel ? speaker.text(column.label).split('{value}') : [];
  const ofLabel = (words: string) => words !== '' && el('span.only-narrow', words);
  const { open } = actions;
  const detail = details[column.name];
  return [
    ofLabel(before),
    opens && call && open ? button(text, () => open(call), { class: 'link' }) : text,
    ofLabel(fill(after, { value: text })),
    detail !== undefined && el('span.detail', ` ${speaker.text(detail)}`),
    column.name === 'standing' &&
      mark !== undefined &&
      el('sup', { 'aria-label': speaker.say('note', { mark }) }, mark),
  ];
}

/** Columns with styles of their own. */
const named = new Set(['track', 'note', 'deadline', 'standing', 'authorized']);

function classesOf(column: Column, speaker: Speaker, row?: Row): string {
  const parts = [row?.cells[column.name], row?.details?.[column.name]].map((part) => speaker.text(part));
  const isLong = parts.some(({ length }) => length > LONGEST_WHOLE);
  const isEmpty = row !== undefined && row.cells[column.name] === undefined;
  return [
    isNumber(column) || column.kind === 'key' ? 'n' : '',
    column.kind,
    named.has(column.name) ? column.name : '',
    `at-${column.place}`,
    isEmpty ? 'none' : '',
    isLong && column.kind !== 'key' ? 'long' : '',
  ]
    .filter(Boolean)
    .join(' ');
}

function rowElement(table: Table, row: Row, speaker: Speaker, actions: Actions, isRest = false): HTMLElement {
  const opening = table.columns.find(({ name }) => name === 'note') ?? table.columns[0];
  const span = isRest ? labelSpan(table.columns, row) : 1;
  const cells = table.columns.flatMap((column, at) => {
    if (at > 0 && at < span) return [];
    const content = contentOf(column, row, speaker, actions, column === opening);
    const isBar = column.kind === 'share' && !isRest && (row.bar !== undefined || column.name === 'track');
    const parts = [isBar && bar(row), ...(column.name === 'track' ? [] : content)];
    const attributes = {
      class: classesOf(column, speaker, row),
      scope: at === 0 ? 'row' : undefined,
      colspan: at === 0 && span > 1 ? span : undefined,
    };
    return el(at === 0 ? 'th' : 'td', attributes, ...parts);
  });
  const classes = [row.isOpen && 'open', row.tone, isRest && 'rest'].filter(Boolean).join(' ');
  return el('tr', { class: classes || undefined }, ...cells);
}

function groupElement(
  { heading, note, tone, sum, count }: Group,
  { columns }: Table,
  speaker: Speaker,
): HTMLElement {
  const value = columns.find(({ place }) => place === 'value');
  const at = value === undefined ? 1 : columns.indexOf(value);
  const written = value === undefined ? sum : cellText(value, { cells: { [value.name]: sum } }, speaker);
  const more = note !== undefined && el('span', ` ${speaker.text(note)}`);
  return el(
    'tr',
    { class: `grp ${tone ?? ''}` },
    el('th', { scope: 'rowgroup', colspan: at }, speaker.text(heading), more),
    el('td.n at-value', written),
    el('td.n id', { colspan: columns.length - at - 1 }, speaker.text(count)),
  );
}

/** A table with its tools for filtering, sorting and copying. */
export function tableParts(
  table: Table,
  speaker: Speaker,
  actions: Actions,
): { tools: HTMLElement | undefined; element: HTMLElement } {
  const { columns, layout, total, others, groups = [], mean } = table;
  const rows = groups.length > 0 ? groups.flatMap((group) => group.rows) : table.rows;
  let { sorted } = table;
  let words: string[] = [];
  let most = FIRST_ROWS;
  /** Groups that are open to their last row. */
  const opened = new Set<Group>();
  const count = el('p.sr', { role: 'status' });
  const texts = new Map<Row, string>();
  const textOf = (row: Row): string => {
    const known = texts.get(row);
    if (known !== undefined) return known;
    const cells = columns.flatMap((column) => [
      speaker.text(row.cells[column.name]),
      cellText(column, row, speaker),
      speaker.text(row.details?.[column.name]),
    ]);
    const text = cells.join(' ').toLocaleLowerCase();
    texts.set(row, text);
    return text;
  };
  const found = (list: readonly Row[]): readonly Row[] => {
    const left =
      words.length === 0 ? list : list.filter((row) => words.every((word) => textOf(row).includes(word)));
    const column = sorted === table.sorted ? undefined : columns.find(({ name }) => name === sorted?.by);
    return column === undefined
      ? left
      : left.toSorted(compareRows(column, sorted?.descending === true, speaker));
  };
  const row = (one: Row | undefined, isRest = false) =>
    one && rowElement(table, one, speaker, actions, isRest);
  const body = (group?: Group) => {
    const list = found(group?.rows ?? rows);
    if (group !== undefined && words.length > 0 && list.length === 0) return undefined;
    const isWhole = group !== undefined && (opened.has(group) || words.length > 0);
    const shown = isWhole ? list.length : (group?.shown ?? most);
    const showMore = () => {
      if (group === undefined) most *= 2;
      else opened.add(group);
      draw();
    };
    const left = speaker.say('more', { count: list.length - shown });
    const more = el('td', { colspan: columns.length }, button(left, showMore, { class: 'quiet' }));
    return el(
      'tbody',
      group && groupElement(group, table, speaker),
      ...list.slice(0, shown).map((one) => row(one)),
      list.length > shown && el('tr.more', more),
      group === undefined && words.length === 0 && row(others, true),
    );
  };
  const sort = (by: string, descending: boolean) => {
    const isAsItCame = by === table.sorted?.by && descending === table.sorted.descending;
    sorted = isAsItCame ? table.sorted : { by, descending };
    draw();
  };
  const canSort = table.sorted !== undefined;
  const headings = columns.map((column) => {
    const { name, heading, kind } = column;
    const text = speaker.text(heading);
    const press = () => sort(name, sorted?.by === name ? !sorted.descending : isNumber(column));
    const isSortable = canSort && text !== '' && kind !== 'key';
    const attributes = { scope: 'col', class: classesOf(column, speaker) };
    return el('th', attributes, isSortable ? button(text, press) : text);
  });
  const head = el('thead', el('tr', ...headings));
  const element = el(
    'table',
    { class: cards.has(layout) ? `${layout} card` : layout },
    el('caption', { class: table.hasHeading ? undefined : 'sr' }, speaker.text(table.caption)),
    head,
    total && el('tfoot', row(total, true)),
  );
  const nothing = el('p.soft', speaker.say('no_rows'));
  const place = el(columns.length > MOST_COLUMNS ? 'div.table many' : 'div.table');
  element.style.setProperty('--months', String(columns.filter((one) => one.place === 'below').length));
  if (mean !== undefined) element.style.setProperty('--mean', `${mean}%`);
  const draw = () =>
    keepingFocus(place, () => {
      columns.forEach(({ name }, at) => {
        const way = sorted?.descending ? 'descending' : 'ascending';
        if (sorted?.by === name) headings[at]?.setAttribute('aria-sort', way);
        else headings[at]?.removeAttribute('aria-sort');
      });
      for (const old of [...element.tBodies]) old.remove();
      const bodies = groups.length > 0 ? groups.map(body) : [body()];
      head.after(...bodies.filter((one) => one !== undefined));
      const left = found(rows).length;
      const content = rows.length > 0 && left === 0 ? nothing : element;
      if (place.firstChild !== content) place.replaceChildren(content);
      const status = words.length === 0 ? '' : speaker.say('rows', { shown: left, total: rows.length });
      if (count.textContent !== status) count.textContent = status;
    });
  draw();
  place.addEventListener('showall', () => {
    most = rows.length;
    for (const group of groups) opened.add(group);
    draw();
  });
  if (!canSort && layout !== 'pending' && layout !== 'periods') return { tools: undefined, element: place };
  const filter = el('input', {
    type: 'search',
    placeholder: speaker.say('filter'),
    'aria-label': speaker.say('filter'),
    size: 18,
    input: ({ target }) => {
      words = (target as HTMLInputElement).value.toLocaleLowerCase().split(/\s+/).filter(Boolean);
      draw();
    },
  });
  const choices = columns.filter(({ kind, place: at }) => kind !== 'key' && at !== 'wide');
  const change = ({ target }: Event) => {
    const column = choices.find(({ name }) => name === (target as HTMLSelectElement).value);
    if (column !== undefined) sort(column.name, isNumber(column));
  };
  const options = choices.map(({ name, heading }) =>
    el('option', { value: name, selected: name === sorted?.by ? '' : undefined }, speaker.text(heading)),
  );
  const order = el('select', { change }, ...options);
  const copy = ({ target }: Event) => {
    const list = [...found(rows), ...[others, total].filter((one) => one !== undefined)];
    const text = csvOf(columns, list, speaker);
    const isDone = copied(text);
    const outcome = speaker.say(isDone ? 'copied' : 'copy_here');
    actions.announce(outcome);
    if (isDone) return;
    const area = el('textarea.leftover', { readonly: '', rows: 8, 'aria-label': outcome }, text);
    (target as HTMLElement).replaceWith(area);
    area.select();
  };
  const tools = el(
    'span.tools line next only-screen',
    rows.length >= ROWS_TO_FILTER && filter,
    canSort && rows.length > 2 && el('label.only-narrow soft', speaker.say('sort_by'), ' ', order),
    button(speaker.say('copy_csv'), copy, { class: 'quiet' }),
    count,
  );
  return { tools, element: place };
}
