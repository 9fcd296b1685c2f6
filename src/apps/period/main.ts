import { periodViewMessages } from '../../messages/apart/views/period.ts';
import type { Sheet } from '../../render/sheet.ts';
import { sheetIn } from '../document/known.ts';
import { sheetElement } from '../document/sheet.ts';
import { button, el } from '../frame/dom.ts';
import { errorText, type Frame, fullScreenButton, type Page, runPage } from '../frame/frame.ts';
import type { ToolResult } from '../frame/host.ts';
import { listOf, textOf, type Unknown } from '../frame/reading.ts';
import type { Speaker } from '../frame/words.ts';
import { basisOf, headingOf, shownOf, sumsOf } from './about.ts';
import { cellText, compareCells } from './cells.ts';
import { chartOf } from './chart.ts';
import type { Opening, Row, Table } from './columns.ts';
import { csvOf } from './csv.ts';
import { withDifferences } from './differences.ts';
import { gridOf, type Sorting } from './grid.ts';
import { tableOf } from './table-of-answer.ts';
import { type Told, toldBy, withWords } from './told.ts';

const ROWS_AT_ONCE = 100;

/** One answer and how the person looks at it. */
interface Look {
  readonly tool: string;
  readonly args: Unknown;
  readonly told: Told;
  readonly filter: string;
  readonly sorting: Sorting | undefined;
  readonly shown: number;
  readonly measure: string | undefined;
}

const look = (tool: string, args: Unknown, told: Told): Look => ({
  tool,
  args,
  told,
  filter: '',
  sorting: undefined,
  shown: ROWS_AT_ONCE,
  measure: undefined,
});

/** An answer with the entries of the pages before; what was still being fetched then is all in the newer one. */
function joined(before: Unknown, after: Unknown): Unknown {
  if (listOf(before.not_fetched_yet).length > 0) return after;
  const lists = ['rows', 'listed', 'pending'].filter((name) => Array.isArray(after[name]));
  return {
    ...after,
    ...Object.fromEntries(lists.map((name) => [name, [...listOf(before[name]), ...listOf(after[name])]])),
  };
}

function toolOf(answer: Unknown): string {
  return Array.isArray(answer.pending) ? 'list_pending_manifestations' : 'query_documents';
}

/** Puts a text where a paste finds it. A frame without the newer way may have the older one. */
async function copied(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    const area = el('textarea', { class: 'unseen', 'aria-hidden': 'true' });
    area.value = text;
    document.body.append(area);
    area.select();
    const isDone = document.execCommand('copy');
    area.remove();
    return isDone;
  }
}

function periodPage(frame: Frame): Page {
  let args: Unknown = {};
  let current: Look | undefined;
  let opened: Sheet | undefined;
  let error: string | undefined;
  let busy: string | undefined;
  let leftover: string | undefined;
  /** Answers that were shown before this one, so that there is a way back. */
  const before: Look[] = [];
  const results = el('div', { class: 'results' });

  const say = () => frame.speaker();
  const canCall = () => frame.host()?.can('serverTools') === true;

  async function ask(tool: string, given: Unknown, doing: string): Promise<ToolResult | undefined> {
    const host = frame.host();
    if (host === undefined || busy !== undefined) return undefined;
    busy = doing;
    error = undefined;
    frame.changed();
    frame.announce(doing);
    try {
      const result = await host.call(tool, given);
      if (result.isError !== true) return result;
      error = errorText(result);
    } catch (reason) {
      error = reason instanceof Error ? reason.message : String(reason);
    } finally {
      busy = undefined;
      frame.changed();
    }
    return undefined;
  }

  async function open(opening: Opening): Promise<void> {
    if (opening.what === 'group') {
      const result = await ask('query_documents', opening.args, say().say('view.fetching', { format: '' }));
      if (result === undefined) return;
      if (current !== undefined) before.push(current);
      current = look('query_documents', opening.args, toldBy(result));
    } else {
      const result = await ask(
        'get_document',
        { ...opening.named, format: 'xml' },
        say().say('view.opening'),
      );
      const sheet = result && sheetIn(result);
      if (sheet === undefined) return;
      opened = sheet;
      tellModel(opening.named);
      frame.announce(sheet.head.title);
    }
    frame.changed();
    window.scrollTo(0, 0);
  }

  /** Which document the person looks at now: its kind and key, and nothing that the document says. */
  function tellModel(named: Unknown): void {
    const host = frame.host();
    if (host?.can('updateModelContext') !== true) return;
    const text = `The person opened ${Object.values(named).map(String).join(' ')} in the view.`;
    void host
      .request('ui/update-model-context', { content: [{ type: 'text', text }] })
      .catch(() => undefined);
  }

  async function nextPage(): Promise<void> {
    if (current === undefined) return;
    const { tool, args: given, told } = current;
    const result = await ask(
      tool,
      { ...given, cursor: told.answer.next_cursor },
      say().say('view.fetching', { format: '' }),
    );
    if (result === undefined || current === undefined) return;
    const next = toldBy(result);
    const answer = joined(told.answer, next.answer);
    current = { ...current, told: { ...next, answer }, shown: current.shown + ROWS_AT_ONCE };
    frame.changed();
  }

  function tableNow({ told: { answer }, args: given, measure }: Look, speaker: Speaker): Table | undefined {
    const table = tableOf(answer, given, speaker);
    const first = table && (measure ?? table.measures.find((name) => name === 'total') ?? table.measures[0]);
    return table && withDifferences(table, first ?? '', answer, speaker);
  }

  const measureOf = ({ measure }: Look, { measures }: Table): string =>
    measure ?? measures.find((name) => name === 'total') ?? measures[0] ?? '';

  function rowsNow({ filter, sorting }: Look, table: Table, speaker: Speaker): readonly Row[] {
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

  const change = (changes: Partial<Look>) => {
    if (current !== undefined) current = { ...current, ...changes };
  };

  /** The part that follows filter and order; whoever types keeps the field. */
  function showResults(table: Table, speaker: Speaker): void {
    if (current === undefined) return;
    const measure = measureOf(current, table);
    const rows = rowsNow(current, table, speaker);
    const focused = [...results.querySelectorAll('button')].indexOf(
      document.activeElement as HTMLButtonElement,
    );
    const width = Math.max(240, Math.min(1100, document.documentElement.clientWidth - 26));
    const { sorting, shown } = current;
    const again = () => showResults(table, speaker);
    const chart = chartOf(table, rows, measure, width, speaker);
    results.replaceChildren(
      ...(chart === undefined ? [] : [chart]),
      el('p', { class: 'small', role: 'status' }, shownOf(rows, table.rows.length, measure, table, speaker)),
      rows.length === 0
        ? el('p', { class: 'busy' }, speaker.say('view.no_rows'))
        : gridOf(
            table.columns,
            rows,
            { sorting, shown, title: speaker.say('view.rows') },
            {
              sort(by) {
                change({ sorting: { by, descending: sorting?.by === by && !sorting.descending } });
                again();
              },
              more() {
                change({ shown: shown + ROWS_AT_ONCE });
                again();
              },
              open: canCall() ? (opening) => void open(opening) : undefined,
            },
            speaker,
          ),
    );
    if (focused >= 0) results.querySelectorAll('button')[focused]?.focus();
  }

  async function copy(table: Table, speaker: Speaker): Promise<void> {
    if (current === undefined) return;
    const text = csvOf(table.columns, rowsNow(current, table, speaker), speaker);
    const isDone = await copied(text);
    leftover = isDone ? undefined : text;
    frame.announce(speaker.say(isDone ? 'view.copied' : 'view.copy_here'));
    frame.changed();
  }

  function tools(now: Look, table: Table, speaker: Speaker): HTMLElement {
    const filter = el('input', {
      type: 'search',
      placeholder: speaker.say('view.filter'),
      'aria-label': speaker.say('view.filter'),
      value: now.filter,
      input: (event) => {
        change({ filter: (event.target as HTMLInputElement).value, shown: ROWS_AT_ONCE });
        showResults(table, speaker);
      },
    });
    const choice = el(
      'select',
      {
        'aria-label': speaker.say('view.measure'),
        change: (event) => {
          change({ measure: (event.target as HTMLSelectElement).value });
          frame.changed();
        },
      },
      ...table.measures.map((name) =>
        el(
          'option',
          { value: name, selected: name === measureOf(now, table) ? '' : undefined },
          speaker.name('column', name),
        ),
      ),
    );
    return el(
      'div',
      { class: 'tools', role: 'toolbar', 'aria-label': speaker.say('view.actions') },
      before.length > 0 &&
        button(speaker.say('view.back'), () => {
          current = before.pop();
          frame.changed();
        }),
      filter,
      table.measures.length > 1 && table.form === 'groups' && choice,
      button(speaker.say('view.copy_csv'), () => void copy(table, speaker)),
      fullScreenButton(frame),
    );
  }

  function documentParts(sheet: Sheet, speaker: Speaker): HTMLElement[] {
    const back = () => {
      opened = undefined;
      frame.changed();
    };
    return [
      el('div', { class: 'tools' }, button(speaker.say('view.back'), back)),
      sheetElement(sheet, speaker),
    ];
  }

  function periodParts(now: Look, plain: Speaker): (HTMLElement | undefined)[] {
    const { told } = now;
    const speaker = withWords(plain, told);
    const table = tableNow(now, speaker);
    if (table === undefined) return [el('p', { class: 'busy' }, speaker.say('view.nothing'))];
    showResults(table, speaker);
    const next = textOf(told.answer.next_cursor) !== undefined && canCall();
    return [
      headingOf(told.answer, table, speaker),
      basisOf(told, speaker),
      sumsOf(told.answer, speaker),
      tools(now, table, speaker),
      results,
      next
        ? button(speaker.say('view.next_page'), () => void nextPage(), {
            disabled: busy === undefined ? undefined : '',
          })
        : undefined,
      leftover === undefined
        ? undefined
        : el(
            'textarea',
            { class: 'leftover', readonly: '', rows: 8, 'aria-label': speaker.say('view.copy_here') },
            leftover,
          ),
    ];
  }

  let drawing = 0;
  window.addEventListener('resize', () => {
    cancelAnimationFrame(drawing);
    drawing = requestAnimationFrame(() => {
      if (document.activeElement?.tagName !== 'INPUT') frame.changed();
    });
  });

  return {
    input(given) {
      args = given;
    },
    result(result) {
      const told = toldBy(result);
      error = result.isError === true ? errorText(result) : undefined;
      opened = undefined;
      before.length = 0;
      current = result.isError === true ? undefined : look(toolOf(told.answer), args, told);
    },
    show(place, speaker) {
      const parts =
        opened !== undefined
          ? documentParts(opened, speaker)
          : current !== undefined
            ? periodParts(current, speaker)
            : error === undefined
              ? [el('p', { class: 'busy' }, speaker.say('view.waiting'))]
              : [];
      place.replaceChildren(
        ...[
          busy === undefined ? undefined : el('p', { class: 'busy' }, busy),
          error === undefined ? undefined : el('p', { class: 'error', role: 'alert' }, error),
          ...parts,
        ].filter((part) => part !== undefined),
      );
    },
  };
}

runPage(periodViewMessages, periodPage);
