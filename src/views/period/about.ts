import { taxId } from '../../sheets/printed.ts';
import { VIEW_DATA } from '../document/known.ts';
import { el, listOf, membersOf, textOf, type Unknown } from '../frame/dom.ts';
import type { ToolResult } from '../frame/host.ts';
import type { Speaker } from '../frame/words.ts';
import { cellText } from './cells.ts';
import { sumOf } from './differences.ts';
import type { Row, Table } from './table.ts';

/** An answer about a period, and what came beside it. */
export interface Told {
  readonly answer: Unknown;
  /** What the answer rests on, in sentences, in each language. */
  readonly lines: Unknown;
  /** What columns and their values are called, in each language. */
  readonly words: Unknown;
}

export function toldBy({ structuredContent, _meta }: ToolResult): Told {
  const { lines, words } = membersOf(_meta?.[VIEW_DATA]);
  return {
    answer: membersOf(structuredContent),
    lines: membersOf(lines),
    words: membersOf(words),
  };
}

/** What the answer brought for a word; undefined where it brought none. */
function wordIn({ words }: Told, { language }: Speaker, key: string): string | undefined {
  if (!Object.hasOwn(words, key)) return undefined;
  const [portuguese, english] = listOf(words[key]);
  return textOf(language === 'en' ? english : portuguese);
}

/** A speaker that knows what the answer brought of words, too. What has no word is called by its name. */
export function withWords(speaker: Speaker, told: Told): Speaker {
  return {
    ...speaker,
    name: (group, value) =>
      wordIn(told, speaker, `${group}.${value}`) ?? speaker.name(group, value).replaceAll('_', ' '),
  };
}

/** The basis in words, with columns called as in the table; other names, of files for one, stay. */
function linesIn(speaker: Speaker, told: Told): string[] {
  const inWords = (name: string) => wordIn(told, speaker, `column.${name}`) ?? name;
  return listOf(told.lines[speaker.language]).flatMap(
    (line) => textOf(line)?.replace(/\bicms\b|\b[a-z]+_[a-z_]+(?![\w.])/g, inWords) ?? [],
  );
}

/** Company and days. */
export function headingOf(answer: Unknown, table: Table, speaker: Speaker): HTMLElement {
  const [from, to] = [textOf(answer.from), textOf(answer.to)];
  const days = from && to ? [speaker.day(from), speaker.day(to)].join(' – ') : '';
  const companies = (textOf(answer.company) ?? '').split(', ').map(taxId).join(', ');
  return el(
    'header',
    { class: 'about' },
    el('h1', { tabindex: -1 }, table.form === 'pending' ? speaker.say('pending') : days),
    el(
      'p',
      { class: 'small' },
      [table.form === 'pending' ? days : '', companies].filter(Boolean).join(' · '),
    ),
  );
}

function amountsOf(document: string, measures: Unknown, speaker: Speaker): HTMLElement {
  const row: Row = {
    document,
    cells: Object.fromEntries(Object.entries(measures).map(([name, value]) => [name, textOf(value)])),
  };
  const amounts = Object.keys(measures).map((name) => {
    const kind = name === 'count' || name === 'items' || name === 'quantity' ? 'number' : 'money';
    const heading = speaker.name('column', name);
    return el(
      'div',
      {},
      el('dt', {}, heading),
      el('dd', {}, cellText({ name, heading, kind }, row, speaker)),
    );
  });
  return el(
    'dl',
    { class: 'sum' },
    el('div', { class: 'kind' }, el('dd', {}, speaker.name('kind', document))),
    ...amounts,
  );
}

/** The sums of all that was asked about, of each kind of document by itself. */
export function sumsOf(answer: Unknown, speaker: Speaker): HTMLElement | undefined {
  const sums = listOf(answer.sums).map(membersOf);
  if (answer.pending !== undefined) {
    const { total, tacitly_confirmed: tacit } = answer;
    const counts = [
      [speaker.say('open_notes'), textOf(total)],
      [speaker.name('waiting', 'tacitly_confirmed'), textOf(tacit)],
    ] as const;
    return el(
      'dl',
      { class: 'sum' },
      ...counts.map(([name, value = '']) => el('div', {}, el('dt', {}, name), el('dd', {}, value))),
    );
  }
  if (sums.length === 0) return undefined;
  return el(
    'section',
    { class: 'sums', 'aria-label': speaker.say('totals') },
    ...sums.map(({ document, measures }) => amountsOf(textOf(document) ?? '', membersOf(measures), speaker)),
  );
}

/** How many of the rows a filter leaves, and their own sums: of each kind of document by itself. */
export function shownOf(
  rows: readonly Row[],
  all: number,
  measure: string,
  { columns }: Table,
  speaker: Speaker,
): string {
  const column = columns.find(({ name }) => name === measure);
  const count = speaker.say('shown', { shown: rows.length, total: all });
  if (column === undefined || rows.length === all) return count;
  const kinds = [...new Set(rows.map(({ document }) => document))];
  const sums = kinds.flatMap((kind) => {
    const values = rows.flatMap(({ document, cells }) => (document === kind ? (cells[measure] ?? []) : []));
    const total = sumOf(values);
    if (total === undefined) return [];
    const row: Row = { document: kind, cells: { [measure]: total } };
    return [`${kinds.length > 1 ? `${speaker.name('kind', kind)} ` : ''}${cellText(column, row, speaker)}`];
  });
  return sums.length === 0 ? count : `${count} · ${column.heading}: ${sums.join('; ')}`;
}

/** How much of the answer the rows are; empty where they are all of it. */
export function extentOf({ rows, total }: Table, goesOn: boolean, speaker: Speaker): string {
  const shown = rows.length;
  if (total !== undefined && shown < total) return speaker.say('shown', { shown, total });
  return goesOn ? speaker.say('goes_on') : '';
}

/** The basis of the answer as the server worded it: what is missing or left out, since when. */
export function basisOf(told: Told, speaker: Speaker): HTMLElement {
  const lines = linesIn(speaker, told);
  const isSilent = told.answer.complete === false && lines.length === 0;
  const all = isSilent ? [`⚠ ${speaker.say('incomplete')}`] : lines;
  return el(
    'div',
    { class: 'basis' },
    ...all.map((line) => el('p', { class: line.startsWith('⚠') ? 'bad' : 'small' }, line)),
  );
}
