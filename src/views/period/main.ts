import { periodViewMessages } from '../../messages/apart/views/period.ts';
import type { Sheet } from '../../sheets/sheet.ts';
import { sheetIn } from '../document/known.ts';
import { sheetElement } from '../document/sheet.ts';
import { button, el, listOf, textOf, type Unknown } from '../frame/dom.ts';
import {
  backButton,
  createCalls,
  errorText,
  type Frame,
  fullScreenButton,
  type Page,
  runPage,
} from '../frame/frame.ts';
import type { Speaker } from '../frame/words.ts';
import { basisOf, headingOf, sumsOf, type Told, toldBy, withWords } from './about.ts';
import { csvOf } from './cells.ts';
import { withDifferences } from './differences.ts';
import { copied, FIRST_ROWS, type Looking, measureOf, resultsPart, rowsFor } from './results.ts';
import { type Opening, type Table, tableOf } from './table.ts';

/** One answer and how the person looks at it. */
interface Look extends Looking {
  readonly tool: string;
  readonly args: Unknown;
  readonly told: Told;
}

const look = (tool: string, args: Unknown, told: Told): Look => ({
  tool,
  args,
  told,
  filter: '',
  sorting: undefined,
  shown: FIRST_ROWS,
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

function periodPage(frame: Frame): Page {
  let args: Unknown = {};
  let current: Look | undefined;
  let opened: Sheet | undefined;
  let leftover: string | undefined;
  /** Answers that were shown before this one, so that there is a way back. */
  const before: Look[] = [];
  const results = resultsPart();
  const calls = createCalls(frame);

  const say = () => frame.speaker();
  const canCall = () => frame.host()?.can('serverTools') === true;

  async function open(opening: Opening): Promise<void> {
    if (opening.what === 'group') {
      const result = await calls.ask('query_documents', opening.args, say().say('fetching', { format: '' }));
      if (result === undefined) return;
      if (current !== undefined) before.push(current);
      current = look('query_documents', opening.args, toldBy(result));
    } else {
      const result = await calls.ask(
        'get_document',
        { ...opening.named, format: 'xml' },
        say().say('opening'),
      );
      const sheet = result && sheetIn(result);
      if (sheet === undefined) return;
      opened = sheet;
      calls.tellModel(opening.named);
      frame.announce(sheet.head.title);
    }
    frame.changed();
    window.scrollTo(0, 0);
  }

  async function nextPage(): Promise<void> {
    if (current === undefined) return;
    const { tool, args: given, told } = current;
    const result = await calls.ask(
      tool,
      { ...given, cursor: told.answer.next_cursor },
      say().say('fetching', { format: '' }),
    );
    if (result === undefined || current === undefined) return;
    const next = toldBy(result);
    const answer = joined(told.answer, next.answer);
    current = { ...current, told: { ...next, answer }, shown: current.shown * 2 };
    frame.changed();
  }

  function tableNow({ told: { answer }, args: given, measure }: Look, speaker: Speaker): Table | undefined {
    const table = tableOf(answer, given, speaker);
    return table && withDifferences(table, measureOf({ measure }, table), answer, speaker);
  }

  const change = (changes: Partial<Look>) => {
    if (current !== undefined) current = { ...current, ...changes };
  };

  function showResults(table: Table, speaker: Speaker): void {
    if (current === undefined) return;
    results.show(current, table, speaker, {
      open: canCall() ? (opening) => void open(opening) : undefined,
      goesOn: textOf(current.told.answer.next_cursor) !== undefined,
      changed(changes) {
        change(changes);
        showResults(table, speaker);
      },
    });
  }

  function copy(table: Table, speaker: Speaker): void {
    if (current === undefined) return;
    const text = csvOf(table.columns, rowsFor(current, table, speaker), speaker);
    const isDone = copied(text);
    leftover = isDone ? undefined : text;
    frame.announce(speaker.say(isDone ? 'copied' : 'copy_here'));
    frame.changed();
  }

  function tools(now: Look, table: Table, speaker: Speaker): HTMLElement {
    const filter = el('input', {
      type: 'search',
      placeholder: speaker.say('filter'),
      'aria-label': speaker.say('filter'),
      value: now.filter,
      input: (event) => {
        change({ filter: (event.target as HTMLInputElement).value, shown: FIRST_ROWS });
        showResults(table, speaker);
      },
    });
    const choice = el(
      'select',
      {
        'aria-label': speaker.say('measure'),
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
      { class: 'tools', role: 'group', 'aria-label': speaker.say('actions') },
      before.length > 0 &&
        backButton(frame, () => {
          current = before.pop();
        }),
      filter,
      table.measures.length > 1 && table.form === 'groups' && choice,
      button(speaker.say('copy_csv'), () => copy(table, speaker)),
      fullScreenButton(frame),
    );
  }

  function documentParts(sheet: Sheet, speaker: Speaker): HTMLElement[] {
    const back = backButton(frame, () => {
      opened = undefined;
    });
    return [el('div', { class: 'tools' }, back), sheetElement(sheet, speaker)];
  }

  function periodParts(now: Look, plain: Speaker): (HTMLElement | undefined)[] {
    const { told } = now;
    const speaker = withWords(plain, told);
    const table = tableNow(now, speaker);
    if (table === undefined) return [el('p', { class: 'busy' }, speaker.say('nothing'))];
    showResults(table, speaker);
    const next = textOf(told.answer.next_cursor) !== undefined && canCall();
    return [
      headingOf(told.answer, table, speaker),
      basisOf(told, speaker),
      sumsOf(told.answer, speaker),
      tools(now, table, speaker),
      results.part,
      next
        ? button(speaker.say('next_page'), () => void nextPage(), {
            'aria-disabled': String(calls.busy !== undefined),
            class: 'next',
          })
        : undefined,
      leftover === undefined
        ? undefined
        : el(
            'textarea',
            { class: 'leftover', readonly: '', rows: 8, 'aria-label': speaker.say('copy_here') },
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
      calls.error = result.isError === true ? errorText(result) : undefined;
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
            : calls.error === undefined
              ? [el('p', { class: 'busy' }, speaker.say('waiting'))]
              : [];
      place.replaceChildren(...[...calls.status(), ...parts].filter((part) => part instanceof HTMLElement));
    },
  };
}

runPage(periodViewMessages, periodPage);
