import { namedByKey } from '../document/known.ts';
import { listOf, membersOf, textOf, type Unknown } from '../frame/dom.ts';
import type { Speaker } from '../frame/words.ts';

/** What a column holds, which decides how it is written, sorted and copied. */
type ColumnKind = 'text' | 'code' | 'money' | 'number' | 'day' | 'month' | 'word' | 'days' | 'difference';

export interface Column {
  readonly name: string;
  readonly heading: string;
  readonly kind: ColumnKind;
  /** Group of words for the values of a `word`. */
  readonly words?: string;
}

export interface Row {
  /** Values as they came, by the names of columns. */
  readonly cells: Readonly<Record<string, string | undefined>>;
  /** The kind of document, where rows of several may not be added up. */
  readonly document: string;
  /** What opens when the row is pressed. */
  readonly opens?: Opening | undefined;
  readonly tone?: Tone | undefined;
}

export type Tone = 'good' | 'soon' | 'bad';

/** A document, or the documents of a group. */
export type Opening =
  | { readonly what: 'document'; readonly named: Readonly<Record<string, unknown>> }
  | { readonly what: 'group'; readonly args: Readonly<Record<string, unknown>> };

/** What a view of a period shows, whatever it was answered by. */
export interface Table {
  readonly form: 'groups' | 'list' | 'pending';
  readonly columns: readonly Column[];
  readonly rows: readonly Row[];
  /** Rows of all pages; `rows` holds those fetched so far. Notes pending are asked about page by page: nobody knows. */
  readonly total?: number;
  /** Name of the column in whose order of time the rows are. */
  readonly time?: string | undefined;
  /** Columns that can be drawn and added up. */
  readonly measures: readonly string[];
}

/** First and last day of a group of time, by what it is grouped by. */
export interface Times {
  readonly day: (value: string) => readonly [string, string];
  readonly week: (value: string) => readonly [string, string];
  readonly month: (value: string) => readonly [string, string];
}

const MS_PER_DAY = 86_400_000;

/** A day so many days later; the same text where it is no day. */
function later(day: string, days: number): string {
  const at = Date.parse(`${day}T00:00:00Z`);
  return Number.isNaN(at) ? day : new Date(at + days * MS_PER_DAY).toISOString().slice(0, 10);
}

function monthLater(month: string, months: number): string {
  const [year = 0, number = 1] = month.split('-').map(Number);
  const at = new Date(Date.UTC(year, number - 1 + months, 1));
  return Number.isNaN(at.getTime()) ? month : at.toISOString().slice(0, 7);
}

/** A week is named by its Monday, a month by `YYYY-MM`. */
export const times: Times = {
  day: (day) => [day, day],
  week: (day) => [day, later(day, 6)],
  month: (month) => [`${month}-01`, later(`${monthLater(month, 1)}-01`, -1)],
};

/** The group of time before one. */
export function periodBefore(name: keyof Times, value: string): string {
  if (name === 'month') return monthLater(value, -1);
  return later(value, name === 'week' ? -7 : -1);
}

/** Groups whose value is the filter of another name, and those that no filter has. */
const filterNames: Readonly<Record<string, string>> = { issuer_root: 'issuer', recipient_root: 'recipient' };
const withoutFilter = new Set(['kind', 'item']);

/** The call that lists a group's documents: its values as filters, its time as first and last day. */
function drillDown(group: Unknown, document: string, args: Unknown): Opening | undefined {
  const {
    group_by: _by,
    measures: _measures,
    order_by: _order,
    cursor: _cursor,
    limit: _limit,
    ...asked
  } = args;
  let filtered: Unknown = document === '' ? asked : { ...asked, document };
  for (const [name, given] of Object.entries(group)) {
    if (name.endsWith('_name')) continue;
    const value = textOf(given);
    if (value === undefined || withoutFilter.has(name)) return undefined;
    if (name in times) {
      const [first, last] = times[name as keyof Times](value);
      const { from, to } = filtered;
      const isDay = (text: unknown): text is string =>
        typeof text === 'string' && /^\d{4}-\d{2}-\d{2}/.test(text);
      filtered = {
        ...filtered,
        from: isDay(from) && from > first ? from : first,
        to: isDay(to) && to.slice(0, 10) < last ? to : last,
      };
    } else {
      filtered = { ...filtered, [filterNames[name] ?? name]: [value] };
    }
  }
  return Object.keys(group).length === 0 ? undefined : { what: 'group', args: filtered };
}

/** Measures that are counted, not paid. */
const counted = new Set(['count', 'items', 'quantity']);
/** Groups whose values have words. */
const worded: Readonly<Record<string, string>> = {
  status: 'status',
  nature: 'nature',
  kind: 'kind',
  document: 'kind',
};

/** Days left from which a deadline is near, and very near. */
const SOON_DAYS = 30;
const NEAR_DAYS = 7;

function columnOf(name: string, kind: ColumnKind, speaker: Speaker): Column {
  const heading = speaker.name('column', name);
  return { name, heading, kind, ...(kind === 'word' && { words: worded[name] ?? name }) };
}

function groupKind(name: string): ColumnKind {
  if (name in worded) return 'word';
  if (name === 'month' || name === 'competence') return 'month';
  if (name === 'day' || name === 'week') return 'day';
  return name.endsWith('_name') || name === 'item' ? 'text' : 'code';
}

/** Every name that some entry has, each once, in the order of their first. */
function namesIn(all: readonly Unknown[]): string[] {
  return [...new Set(all.flatMap((one) => Object.keys(one)))];
}

/** A measure of a group; quantities in several units stand one beside the other. */
function measured(row: Unknown, name: string): string | undefined {
  const own = textOf(membersOf(row.measures)[name]);
  const unit = textOf(row.unit);
  if (own !== undefined) return name === 'quantity' && unit ? `${own} ${unit}` : own;
  const parts = listOf(row.quantities).map(membersOf);
  return (
    parts.flatMap((one) => (one[name] === undefined ? [] : `${one[name]} ${one.unit}`)).join(' | ') ||
    undefined
  );
}

function groups(answer: Unknown, args: Unknown, speaker: Speaker): Table {
  const rows = listOf(answer.rows)
    .map(membersOf)
    .filter(({ others }) => others !== true);
  const groupings = namesIn(rows.map(({ group }) => membersOf(group)));
  const fromUnits = rows.flatMap(({ quantities }) =>
    listOf(quantities).flatMap((one) => Object.keys(membersOf(one))),
  );
  const measures = [
    ...new Set([
      ...namesIn(rows.map((row) => membersOf(row.measures))),
      ...fromUnits.filter((name) => name !== 'unit'),
    ]),
  ];
  const isOfSeveral = rows.some(({ document }) => document !== undefined);
  // The name says more than the number that it belongs to.
  const ordered = groupings
    .filter((name) => !name.endsWith('_name'))
    .flatMap((name) => (groupings.includes(`${name}_name`) ? [`${name}_name`, name] : [name]));
  const time = groupings.find((name): name is keyof Times => name in times);
  return {
    form: 'groups',
    total: answer.total_groups as number,
    columns: [
      ...(isOfSeveral ? [columnOf('document', 'word', speaker)] : []),
      ...ordered.map((name) => columnOf(name, groupKind(name), speaker)),
      ...measures.map((name) => columnOf(name, counted.has(name) ? 'number' : 'money', speaker)),
    ],
    rows: rows.map((row): Row => {
      const document = textOf(row.document) ?? '';
      const group = membersOf(row.group);
      const cells = Object.fromEntries([
        ['document', document],
        ...groupings.map((name) => [name, textOf(group[name])]),
        ...measures.map((name) => [name, measured(row, name)]),
      ]);
      return { cells, document, opens: drillDown(group, document, args) };
    }),
    time,
    measures: measures.filter((name) => rows.some((row) => membersOf(row.measures)[name] !== undefined)),
  };
}

/** How a document of a list is named in a call: by key, or an NFS-e by its issuer, who is the company where none is told. */
function opening(one: Unknown, company?: string): Opening | undefined {
  const byKey = namedByKey(textOf(one.key) ?? '');
  if (byKey !== undefined) return { what: 'document', named: byKey };
  const [number, day] = [textOf(one.number), textOf(one.issued_at)?.slice(0, 10)];
  const issuer_cnpj = textOf(membersOf(one.issuer).id) ?? company;
  if (one.document !== 'nfse' || !number || !day || !issuer_cnpj) return undefined;
  return { what: 'document', named: { document: 'nfse', number, issue_date: day, issuer_cnpj } };
}

function list(answer: Unknown, speaker: Speaker): Table {
  const listed = listOf(answer.listed).map(membersOf);
  const kinds = new Set(listed.map(({ document }) => document));
  const company = textOf(answer.company);
  /** The company itself stands in the heading of the answer. */
  const nameOfOther = (party: unknown): string | undefined => {
    const { id, name } = membersOf(party);
    return id === company ? undefined : (textOf(name) ?? textOf(id));
  };
  const rows = listed.map((one): Row => {
    return {
      document: textOf(one.document) ?? '',
      cells: {
        document: textOf(one.document),
        number: textOf(one.number),
        day: textOf(one.issued_at)?.slice(0, 10),
        entered_on: textOf(one.entered_on)?.slice(0, 10),
        issuer_name: nameOfOther(one.issuer),
        recipient_name: nameOfOther(one.recipient),
        total: textOf(membersOf(one.totals).total),
        status: textOf(one.status),
        key: textOf(one.key),
      },
      opens: opening(one, company),
      tone: one.status === 'authorized' ? undefined : 'bad',
    };
  });
  const has = (name: string) => rows.some(({ cells }) => cells[name] !== undefined);
  const columns: (readonly [string, ColumnKind])[] = [
    ...(kinds.size > 1 ? [['document', 'word'] as const] : []),
    ['number', 'code'],
    ['day', 'day'],
    ...(has('entered_on') ? [['entered_on', 'day'] as const] : []),
    ['issuer_name', 'text'],
    ...(has('recipient_name') ? [['recipient_name', 'text'] as const] : []),
    ['total', 'money'],
    ['status', 'word'],
    ['key', 'code'],
  ];
  return {
    form: 'list',
    total: answer.total as number,
    columns: columns.map(([name, kind]) => columnOf(name, kind, speaker)),
    rows,
    time: 'day',
    measures: ['total'],
  };
}

/** How near the last day of a conclusive event is. */
function toneOf(status: string | undefined, days: number | undefined): Tone | undefined {
  if (status === 'tacitly_confirmed' || days === undefined) return undefined;
  if (days <= NEAR_DAYS) return 'bad';
  return days <= SOON_DAYS ? 'soon' : 'good';
}

const pendingColumns: readonly (readonly [string, ColumnKind])[] = [
  ['days_left_conclusive', 'days'],
  ['conclusive_until', 'day'],
  ['days_left_ciencia', 'days'],
  ['waiting', 'word'],
  ['number', 'code'],
  ['issuer_name', 'text'],
  ['total', 'money'],
  ['authorized_at', 'day'],
  ['rests_on', 'word'],
  ['key', 'code'],
];

function pending(answer: Unknown, speaker: Speaker): Table {
  const rows = listOf(answer.pending).map((entry): Row => {
    const one = membersOf(entry);
    const status = textOf(one.status);
    const days = one.days_left_conclusive;
    const told = pendingColumns.map(([name]) => [name, textOf(one[name])]);
    const cells: Row['cells'] = { ...Object.fromEntries(told), waiting: status };
    return {
      cells: { ...cells, authorized_at: cells.authorized_at?.slice(0, 10) },
      document: 'nfe',
      opens: opening(one),
      tone: toneOf(status, typeof days === 'number' ? days : undefined),
    };
  });
  const columns = pendingColumns.map(([name, kind]) => columnOf(name, kind, speaker));
  return { form: 'pending', columns, rows, measures: ['total'] };
}

/** An answer about a period as a table; undefined for an answer about something else. */
export function tableOf(answer: Unknown, args: Unknown, speaker: Speaker): Table | undefined {
  if (Array.isArray(answer.pending)) return pending(answer, speaker);
  if (Array.isArray(answer.listed)) return list(answer, speaker);
  if (Array.isArray(answer.rows)) return groups(answer, args, speaker);
  return undefined;
}
