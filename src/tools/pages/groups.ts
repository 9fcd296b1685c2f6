import { addDays, firstDay, lastDay, type Period } from '../../archive/days.ts';
import { addDecimals, compareDecimals, negateDecimal } from '../../documents/decimals.ts';
import { maskTaxId } from '../../documents/identity/tax-ids.ts';
import { kindName } from '../../documents/summary/summary.ts';
import { cfopWords } from '../../documents/tables/cfop.ts';
import { pageMessages } from '../../messages/apart/pages.ts';
import { textIn } from '../../messages/message.ts';
import type { Call, Column, Row, Table } from '../../page/page.ts';
import {
  type GroupRow,
  measureText,
  othersThan,
  type SumRow,
  sharedMeasures,
  sharesOf,
} from '../query/rows.ts';
import type { Answered, Question } from './asked.ts';
import { column, comparedName, groupNoun, present, type Voice } from './voice.ts';

/** A grouped answer of `query_documents`. */
export interface AnsweredGroups extends Answered {
  readonly rows: readonly GroupRow[];
  readonly sums: readonly SumRow[];
  readonly total_groups: number;
  readonly meanings?: Readonly<Record<string, 'documents' | 'items'>> | undefined;
  readonly compared_with?:
    | (Period & { readonly complete: boolean; readonly not_fetched_yet?: readonly Period[] | undefined })
    | undefined;
}

/** One kind of document of an answer: its rows, their sum, and the measure that the page is about. */
export interface KindGroups extends Question {
  readonly answer: AnsweredGroups;
  readonly area: string;
  readonly groupBy: readonly string[];
  readonly measures: readonly string[];
  readonly main: string;
  /** Whether the rows add up to the sum of `main`. */
  readonly isParts: boolean;
  readonly rows: readonly GroupRow[];
  /** Sum of the groups that are not rows. */
  readonly others: GroupRow | undefined;
  readonly sum: GroupRow;
}

const parties = ['issuer', 'recipient', 'counterparty', 'payer'];
const counts = new Set(['count', 'items', 'quantity', 'weight']);

/** Whether a measure is an amount in reais. */
export const isMoney = (measure: string): boolean => !counts.has(measure);

/** Rows by kind of document; kinds are never summed together. */
export function kindsOf(answer: AnsweredGroups, question: Question): KindGroups[] {
  const { call, subject } = question;
  const groupBy = (call.args.group_by as string[] | undefined) ?? [];
  const basis = Object.values(answer.meanings ?? {}).includes('items') ? 'items' : 'documents';
  const areas = answer.sums.length > 0 ? answer.sums.map(({ document }) => document) : subject.areas;
  const order = String(call.args.order_by ?? '').replace(/^[-+]/, '');
  return areas.map((area) => {
    const own = answer.rows.filter(({ document = area }) => document === area);
    const sum = { group: {}, measures: {}, ...answer.sums.find(({ document }) => document === area) };
    const rows = own.filter(({ others }) => others !== true);
    const measures = [...new Set([sum, ...rows].flatMap((one) => Object.keys(one.measures)))];
    const parts = sharedMeasures(measures, basis);
    const preferred = [order, 'total', 'due', 'services', ...parts, ...measures];
    const main = preferred.find((name) => measures.includes(name)) ?? 'count';
    const isCut = areas.length === 1 ? rows.length < answer.total_groups : answer.next_cursor !== undefined;
    const given = rows.map((row) => row.measures);
    const rest = { group: {}, measures: othersThan(given, sum.measures, parts) };
    const told = own.find(({ others }) => others === true);
    const others = isCut && groupBy.length > 0 ? (told ?? rest) : undefined;
    const isParts = parts.includes(main);
    return { ...question, answer, area, groupBy, measures, main, isParts, rows, sum, others };
  });
}

/** A row's share of the sum of `main`. */
export function shareOf({ measures }: Pick<GroupRow, 'measures'>, { main, isParts, sum }: KindGroups) {
  return isParts ? sharesOf(measures, sum.measures, [main])[main] : undefined;
}

/** A count with its noun: `3 notas`. */
export function counted(area: string, count: string | number, { page }: Voice): string {
  const name =
    area === 'nfe' ? 'count.nfe' : area === 'nfse' || area === 'cte' ? 'count.other' : 'count.documents';
  return page(name, { count: Number(count), kind: kindName(area) });
}

/** The value of a group in words. */
export function groupText(grouping: string, { group }: GroupRow, { area, voice }: KindGroups): string {
  const value = group[grouping];
  const name = group[`${grouping}_name`];
  if (name !== undefined) return name;
  if (value === undefined || value === '') return voice.page('none_given');
  if (parties.includes(grouping)) return maskTaxId(value);
  if (/month$|^competence$/.test(grouping)) return voice.month(value);
  if (/week$/.test(grouping)) return voice.page('week_of', { day: voice.shortDay(value) });
  if (/day$/.test(grouping)) return voice.day(value);
  if (grouping === 'kind') return kindName(value);
  if (grouping === 'status') return voice.tell(`status.${value}` as 'status.authorized', {});
  const isCode = grouping === 'purpose' ? area === 'nfe' : ['nature', 'regime', 'event'].includes(grouping);
  if (!isCode) return value;
  const values = value.split('+').map((one) => voice.name(grouping, one.trim()));
  return values.join(', ');
}

/** Column of a measure, and its place in a narrow window. */
export function measureColumn(name: string, place: Column['place'], area: string, voice: Voice): Column {
  const kind = isMoney(name) ? 'money' : 'number';
  if (name === 'count') {
    const noun = area === 'nfe' ? 'notes' : 'documents';
    const label = textIn(pageMessages[`label.${noun}`], voice.language);
    return { name, heading: voice.page(`column.${noun}`), kind, place, label };
  }
  const words = voice.name('column', name);
  const heading = isMoney(name) ? voice.page('column.reais', { name: words }) : words;
  return { name, heading, kind, place, label: `${words} {value}` };
}

/** Columns of the measures other than `main` and the count. */
export function furtherColumns(
  { measures, main, area, voice }: KindGroups,
  place: Column['place'],
): Column[] {
  const further = measures.filter((name) => name !== main && name !== 'count');
  return further.map((name) => measureColumn(name, place, area, voice));
}

const dayRanges: Readonly<Record<string, (value: string) => readonly [string, string]>> = {
  day: (day) => [day, day],
  week: (day) => [day, addDays(day, 6)],
  month: (month) => [firstDay(month), lastDay(month)],
};

/** First and last day of a group of time; undefined for another grouping. */
export function daysOfGroup(grouping: string, value: string): readonly [string, string] | undefined {
  return dayRanges[grouping]?.(value);
}

const filterNames: Readonly<Record<string, string>> = { issuer_root: 'issuer', recipient_root: 'recipient' };
/** Groupings without a filter. */
const withoutFilter = new Set(['kind', 'item']);
/** Arguments of grouped questions only. */
const ofGroups = new Set(['group_by', 'measures', 'order_by', 'limit', 'share', 'compare']);

/** Call that lists the documents of a group; undefined if no filter selects exactly these. */
function documentsOf({ group }: GroupRow, { area, groupBy, call, subject }: KindGroups): Call | undefined {
  const { from, to } = subject;
  const args: Record<string, unknown> = { ...call.args, document: area, from, to };
  for (const name of ofGroups) delete args[name];
  for (const grouping of groupBy) {
    const value = group[grouping];
    if (value === undefined || value === '' || withoutFilter.has(grouping)) return undefined;
    const days = daysOfGroup(grouping, value);
    const due = grouping.startsWith('due_') ? daysOfGroup(grouping.slice(4), value) : undefined;
    if (days !== undefined) {
      const [first, last] = days;
      args.from = first > from ? first : from;
      args.to = last < to ? last : to;
    } else if (due !== undefined) [args.due_from, args.due_to] = due;
    else args[filterNames[grouping] ?? grouping] = [value];
  }
  return groupBy.length === 0 ? undefined : { tool: 'query_documents', args };
}

/** Writer of rows with their call and a bar scaled to the largest row. */
export function rowWriter(
  rows: readonly Pick<GroupRow, 'measures'>[],
  kind: KindGroups,
): (row: GroupRow, cells: Row['cells']) => Row {
  const { main, voice } = kind;
  const values = rows.map(({ measures }) => measures[main] ?? '0');
  const largest = Number(values.reduce((most, one) => (compareDecimals(one, most) > 0 ? one : most), '0'));
  return (row, cells) => {
    const value = Number(row.measures[main] ?? 0);
    const length = Math.max(0.5, Math.round((value / largest) * 1000) / 10);
    const words = row.group.cfop === undefined ? undefined : cfopWords(row.group.cfop);
    return {
      cells,
      details: words && { cfop: textIn(words, voice.language) },
      opens: documentsOf(row, kind),
      bar: largest > 0 && value > 0 ? length : undefined,
    };
  };
}

export const differenceOf = (later: string | undefined, earlier: string | undefined): string | undefined =>
  later === undefined || earlier === undefined ? undefined : addDecimals([later, negateDecimal(earlier)]);

/** A group's measures, share and comparison. */
function amountsOf(row: GroupRow, kind: KindGroups): Row['cells'] {
  const { measures, main } = kind;
  return {
    ...Object.fromEntries(measures.map((name) => [name, measureText(row, name) || undefined])),
    share: row.share?.[main] ?? shareOf(row, kind),
    difference: differenceOf(row.measures[main], row.previous?.[main]),
    change: row.change?.[main] ?? undefined,
    previous: row.previous?.[main],
  };
}

/** A group's values, parties with their ids beside their names. */
function valuesOf(row: GroupRow, kind: KindGroups): Row['cells'] {
  const entries = kind.groupBy.flatMap((one) => [
    [one, groupText(one, row, kind)],
    [`${one}_id`, row.group[`${one}_name`] && row.group[one]],
  ]);
  return Object.fromEntries(entries);
}

function columnsOf(kind: KindGroups): Column[] {
  const { groupBy, measures, main, isParts, area, rows, sum, answer, subject, voice } = kind;
  const groups = groupBy.flatMap((one, at): Column[] => {
    const noun = groupNoun(one, subject.direction, voice);
    const heading = noun.charAt(0).toUpperCase() + noun.slice(1);
    const isNamed = parties.includes(one) && rows.some(({ group }) => group[`${one}_name`] !== undefined);
    return present<Column>(
      column(one, heading, 'text', at === 0 ? 'name' : 'below'),
      isNamed && column(`${one}_id`, 'CNPJ', 'id', 'wide'),
    );
  });
  const before = comparedName(answer.compared_with ?? subject, voice);
  const isFair = typeof sum.change?.[main] === 'string';
  const hasPrevious = !isFair && rows.some(({ previous }) => previous !== undefined);
  return present<Column>(
    ...groups,
    measures.includes('count') && main !== 'count' && measureColumn('count', 'below', area, voice),
    measureColumn(main, 'value', area, voice),
    isParts && column('share', voice.page('column.share'), 'share', 'below'),
    isFair && column('difference', voice.page('column.difference', { period: before }), 'difference', 'wide'),
    isFair && column('change', '%', 'change', 'below'),
    // Incomplete periods show amounts, but no change.
    hasPrevious && column('previous', voice.page('column.reais', { name: before }), 'money', 'wide'),
    ...furtherColumns(kind, 'below'),
  );
}

/** A table of a kind of document; of several kinds each says which. */
export type TableOfKind = Omit<Table, 'caption' | 'hasHeading'>;

/** The rows of a kind of document as a table. */
export function groupTable(kind: KindGroups): TableOfKind {
  const { groupBy, rows, others, sum, main, answer, call, voice } = kind;
  const write = rowWriter(rows, kind);
  const order = String(call.args.order_by ?? (others === undefined ? `-${main}` : groupBy[0]));
  const largestFirst = (one: GroupRow, other: GroupRow) =>
    compareDecimals(other.measures[main] ?? '0', one.measures[main] ?? '0');
  const left =
    answer.sums.length < 2
      ? voice.page('row.others', { count: answer.total_groups - rows.length })
      : voice.page('row.others_of_kind');
  const first = groupBy[0] ?? 'total';
  return {
    layout: 'rows',
    columns: columnsOf(kind),
    rows: (order === `-${main}` ? rows.toSorted(largestFirst) : rows).map((row) =>
      write(row, { ...valuesOf(row, kind), ...amountsOf(row, kind) }),
    ),
    others: others && { cells: { ...amountsOf(others, kind), [first]: left } },
    total: { cells: { ...amountsOf(sum, kind), [first]: voice.page('row.total') } },
    // Sorted by id, parties would seem unsorted to a reader.
    sorted: {
      by: parties.includes(order) ? '' : order.replace(/^[-+]/, ''),
      descending: order.startsWith('-'),
    },
  };
}
