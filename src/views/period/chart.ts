import { el, svg } from '../frame/dom.ts';
import type { Speaker } from '../frame/words.ts';
import { cellText } from './cells.ts';
import { sumOf } from './differences.ts';
import type { Column, Row, Table, Tone } from './table.ts';

/** One bar or point. */
interface Mark {
  readonly label: string;
  readonly value: number;
  readonly text: string;
  readonly tone?: Tone | undefined;
}

/** Bars of groups that are drawn; the table has all of them. */
const MOST_BARS = 12;
/** More points in time than this are a line. */
const MOST_COLUMNS = 40;
const MOST_POINTS = 400;
/** What a note is whose 90 days ended without a conclusive event. */
const TACIT = 'tacitly_confirmed';
const HEIGHT = 150;
/** Pixels of a letter of a label, generously. */
const LETTER = 8;

function short(text: string, most: number): string {
  return text.length > most ? `${text.slice(0, most - 1)}…` : text;
}

/** Bars that lie: what a group is called above its bar, so that long names have room. */
function lyingBars(marks: readonly Mark[], width: number): SVGElement[] {
  const most = Math.max(...marks.map(({ value }) => Math.abs(value)), 1e-9);
  return marks.map(({ label, value, text, tone = '' }, at) => {
    const y = at * 34;
    return svg(
      'g',
      {},
      svg('text', { x: 0, y: y + 12, class: 'name' }, short(label, width / LETTER)),
      svg('text', { x: width, y: y + 12, 'text-anchor': 'end', class: 'value' }, text),
      svg('rect', {
        x: 0,
        y: y + 17,
        width: Math.max(1, (Math.abs(value) / most) * width),
        height: 11,
        rx: 2,
        class: `bar ${tone}`,
      }),
    );
  });
}

/** Columns in time or, where there are many, a line; a few of the labels below them. */
function inTime(marks: readonly Mark[], width: number): SVGElement[] {
  const [high, low] = [
    Math.max(...marks.map(({ value }) => value), 0),
    Math.min(...marks.map(({ value }) => value), 0),
  ];
  const span = high - low || 1;
  const y = (value: number) => 16 + ((high - value) / span) * (HEIGHT - 40);
  const step = width / marks.length;
  const x = (at: number) => at * step + step / 2;
  const labels = Math.ceil(marks.length / Math.floor(width / 76));
  const names = marks.flatMap(({ label }, at) =>
    at % labels === 0
      ? [svg('text', { x: x(at), y: HEIGHT - 6, 'text-anchor': 'middle', class: 'name' }, label)]
      : [],
  );
  const base = svg('line', { x1: 0, x2: width, y1: y(0), y2: y(0), class: 'axis' });
  if (marks.length > MOST_COLUMNS) {
    const points = marks.map(({ value }, at) => `${x(at).toFixed(1)},${y(value).toFixed(1)}`).join(' ');
    return [base, svg('polyline', { points, class: 'line' }), ...names];
  }
  const bar = Math.min(48, step * 0.7);
  const columns = marks.map(({ label, value, text, tone = '' }, at) =>
    svg(
      'g',
      {},
      svg('title', {}, `${label}: ${text}`),
      svg('rect', {
        x: x(at) - bar / 2,
        y: Math.min(y(value), y(0)),
        width: bar,
        height: Math.max(1, Math.abs(y(value) - y(0))),
        rx: 2,
        class: `bar ${tone}`,
      }),
      step > 74 &&
        svg(
          'text',
          { x: x(at), y: Math.min(y(value), y(0)) - 4, 'text-anchor': 'middle', class: 'value' },
          text,
        ),
    ),
  );
  return [base, ...columns, ...names];
}

function markOf(row: Row, columns: readonly Column[], measure: Column, speaker: Speaker): Mark {
  const label = columns
    .map((column) => cellText(column, row, speaker))
    .filter(Boolean)
    .join(' · ');
  return {
    label,
    value: Number(row.cells[measure.name]),
    text: cellText(measure, row, speaker),
    tone: row.tone,
  };
}

/** The days of a list, each with the sum of its documents. */
function byDay(rows: readonly Row[], measure: Column, speaker: Speaker): Mark[] {
  const days = new Map<string, string[]>();
  for (const { cells } of rows) {
    const [day, value] = [cells.day, cells[measure.name]];
    if (day === undefined || value === undefined) continue;
    const values = days.get(day);
    if (values === undefined) days.set(day, [value]);
    else values.push(value);
  }
  return [...days]
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .flatMap(([day, values]) => {
      const total = sumOf(values);
      const row: Row = { document: '', cells: { [measure.name]: total } };
      return total === undefined
        ? []
        : [{ label: speaker.day(day), value: Number(total), text: cellText(measure, row, speaker) }];
    });
}

/** How many notes have how many days left, by which they are coloured. */
function byDeadline(rows: readonly Row[], speaker: Speaker): Mark[] {
  const parts: readonly (readonly [string, Tone | undefined])[] = [
    [speaker.say('within_week'), 'bad'],
    [speaker.say('within_month'), 'soon'],
    [speaker.say('later'), 'good'],
    [speaker.name('waiting', TACIT), undefined],
  ];
  const marks = parts.map(([label, tone]) => {
    const isIn = ({ cells, tone: own }: Row) => (tone === undefined ? cells.waiting === TACIT : own === tone);
    const value = rows.filter(isIn).length;
    return { label, value, text: String(value), tone };
  });
  return marks.filter(({ value, tone }) => value > 0 || tone !== undefined);
}

interface Drawing {
  /** Name of the column drawn. */
  readonly measure: string;
  /** In pixels. */
  readonly width: number;
  /** How much of the answer the rows are, for the title; empty where they are all of it. */
  readonly extent: string;
}

/** A chart of the rows shown; undefined where there is nothing to draw. */
export function chartOf(
  { form, columns, measures, time }: Table,
  rows: readonly Row[],
  { measure: measureName, width, extent }: Drawing,
  speaker: Speaker,
): HTMLElement | undefined {
  const measure = columns.find(({ name }) => name === measureName);
  if (measure === undefined || rows.length === 0) return undefined;
  const named = columns.filter(
    ({ name, kind }) =>
      !measures.includes(name) &&
      kind !== 'difference' &&
      (kind !== 'code' || !columns.some((one) => one.name === `${name}_name`)),
  );
  const inOrder = (form === 'groups' && time !== undefined) || form === 'list';
  const amountIn = ({ cells }: Row) => Number(cells[measure.name]);
  const ofGroups = () =>
    rows
      .filter((row) => Number.isFinite(amountIn(row)))
      .sort((a, b) =>
        time ? ((a.cells[time] ?? '') < (b.cells[time] ?? '') ? -1 : 1) : amountIn(b) - amountIn(a),
      )
      .slice(0, time ? MOST_POINTS : MOST_BARS)
      .map((row) => markOf(row, named, measure, speaker));
  const marks =
    form === 'pending'
      ? byDeadline(rows, speaker)
      : form === 'list'
        ? byDay(rows, measure, speaker).slice(0, MOST_POINTS)
        : ofGroups();
  if (marks.length < 2 && form !== 'pending') return undefined;
  const height = inOrder ? HEIGHT : marks.length * 34;
  const subject =
    form === 'pending'
      ? speaker.say('by_deadline')
      : speaker.say(inOrder ? 'in_time' : 'largest', { measure: measure.heading });
  const title = extent ? `${subject} · ${extent}` : subject;
  const picture = svg(
    'svg',
    {
      viewBox: `0 0 ${width} ${height}`,
      width: '100%',
      height,
      role: 'img',
      'aria-label': title,
    },
    ...(inOrder ? inTime(marks, width) : lyingBars(marks, width)),
  );
  return el('figure', { class: 'chart' }, el('figcaption', { class: 'small' }, title), picture);
}
