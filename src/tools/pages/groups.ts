import {
  addDays,
  earlier,
  firstDay,
  lastDay,
  later,
  monthsBetween,
  type Period,
  weekOf,
} from '../../documents/days.ts';
import { addDecimals, compareDecimals, roundDecimal } from '../../documents/decimals.ts';
import { maskTaxId } from '../../documents/identity/tax-ids.ts';
import { kindName } from '../../documents/summary/summary.ts';
import { cfopWords } from '../../documents/tables/cfop.ts';
import { textIn } from '../../messages/message.ts';
import type { Call, Column, Row, Table } from '../../page/page.ts';
import {
  differenceOf,
  type GroupRow,
  measureText,
  othersThan,
  percentChange,
  type QueryOutput,
  sharedMeasures,
  sharesOf,
} from '../query/rows.ts';
import { gapsOf, type Question } from './asked.ts';
import { column, comparedName, groupNoun, isParty, present, type Voice } from './voice.ts';

const counts = new Set(['count', 'items', 'quantity', 'weight']);

/** Whether a measure is an amount in reais. */
export const isMoney = (measure: string): boolean => !counts.has(measure);

/** One kind of document of an answer: its rows, their sum, and the measure that the page is about (`main`). */
export type KindGroups = ReturnType<typeof kindsOf>[number];

/** Rows by kind of document; kinds are never summed together. */
export function kindsOf(answer: QueryOutput, question: Question) {
  const { rows: all = [], sums, meanings = {}, next_cursor: next, total_groups: groups = 0 } = answer;
  const { group_by: groupBy = [], order_by: order = '' } = question.call.args as {
    readonly group_by?: readonly string[];
    readonly order_by?: string;
  };
  const basis = Object.values(meanings).includes('items') ? 'items' : 'documents';
  const areas = sums.length > 0 ? sums.map(({ document }) => document) : question.subject.areas;
  return areas.map((area) => {
    const own = all.filter(({ document = area }) => document === area);
    const sum: GroupRow = { group: {}, measures: {}, ...sums.find(({ document }) => document === area) };
    const rows = own.filter(({ others }) => others !== true);
    const measures = [...new Set([sum, ...rows].flatMap((one) => Object.keys(one.measures)))];
    const parts = sharedMeasures(measures, basis);
    const preferred = [orderOf(order).by, 'total', 'due', 'services', ...parts, ...measures];
    const main = preferred.find((name) => measures.includes(name)) ?? 'count';
    const isCut = areas.length === 1 ? rows.length < groups : next !== undefined;
    const shown = rows.map((row) => row.measures);
    const rest: GroupRow = { group: {}, measures: othersThan(shown, sum.measures, parts) };
    /** Sum of the groups that are not rows. */
    const others = isCut && groupBy.length > 0 ? (own.find((row) => row.others) ?? rest) : undefined;
    /** Whether the rows add up to the sum of `main`. */
    const isParts = parts.includes(main);
    return { ...question, answer, area, groupBy, measures, main, isParts, rows, sum, others };
  });
}

/** A row's share of the sum of `main`. */
export function shareOf({ measures }: Pick<GroupRow, 'measures'>, { main, isParts, sum }: KindGroups) {
  return isParts ? sharesOf(measures, sum.measures, [main])[main] : undefined;
}

/** The value of a group in words. */
function groupText(grouping: string, { group }: GroupRow, { area, voice }: KindGroups): string {
  const value = group[grouping];
  const name = group[`${grouping}_name`];
  if (name !== undefined) return name;
  if (!value) return voice.page('none_given');
  if (isParty(grouping)) return maskTaxId(value);
  if (/month$|^competence$/.test(grouping)) return voice.month(value);
  if (/week$/.test(grouping)) return voice.page('week_of', { day: voice.shortDay(value) });
  if (/day$/.test(grouping)) return voice.day(value);
  if (grouping === 'kind') return kindName(value);
  if (grouping === 'status') return voice.status(value);
  const isCode = grouping === 'purpose' ? area === 'nfe' : ['nature', 'regime', 'event'].includes(grouping);
  const nameOf = (one: string) => (isCode ? voice.name(grouping, one.trim()) : one);
  return isCode ? value.split('+').map(nameOf).join(', ') : value;
}

/** Column of a measure, and its place in a narrow window. */
export function measureColumn(name: string, place: Column['place'], area: string, voice: Voice): Column {
  const { page } = voice;
  if (name === 'count') {
    const noun = area === 'nfe' ? 'notes' : 'documents';
    return column(name, page(`column.${noun}`), 'number', place, voice.pattern(`label.${noun}`));
  }
  const words = voice.name('column', name);
  return isMoney(name)
    ? column(name, page('column.reais', { name: words }), 'money', place, `${words} {value}`)
    : column(name, words, 'number', place, `${words} {value}`);
}

/** Columns of the count, where it is not `main`, of `main`, and of the other measures around further ones. */
function measureColumns(
  { measures, main, area, voice }: KindGroups,
  place: Column['place'],
  beside: readonly (Column | false)[],
): Column[] {
  const others = measures.filter((name) => name !== main && name !== 'count');
  return present<Column>(
    measures.includes('count') && main !== 'count' && measureColumn('count', place, area, voice),
    measureColumn(main, 'value', area, voice),
    ...beside,
    ...others.map((name) => measureColumn(name, place, area, voice)),
  );
}

/** First and last day of a group of time; undefined for another grouping. */
function daysOfGroup(grouping: string, value: string): readonly [string, string] | undefined {
  if (grouping === 'day') return [value, value];
  if (grouping === 'week') return [value, addDays(value, 6)];
  return grouping === 'month' ? [firstDay(value), lastDay(value)] : undefined;
}

const filterNames: Readonly<Record<string, string>> = { issuer_root: 'issuer', recipient_root: 'recipient' };
/** Groupings without a filter. */
const withoutFilter = new Set(['kind', 'item']);
/** Arguments of grouped questions only. */
const ofGroups = new Set(['group_by', 'measures', 'order_by', 'limit', 'share', 'compare']);

/** Call that lists the documents of a group; undefined if no filter selects exactly these. */
function documentsOf({ group }: GroupRow, { area, groupBy, call, subject }: KindGroups): Call | undefined {
  const { from, to } = subject;
  const kept = Object.entries(call.args).filter(([name]) => !ofGroups.has(name));
  const args: Record<string, unknown> = { ...Object.fromEntries(kept), document: area, from, to };
  for (const grouping of groupBy) {
    const value = group[grouping];
    if (!value || withoutFilter.has(grouping)) return undefined;
    const days = daysOfGroup(grouping, value);
    const due = grouping.startsWith('due_') ? daysOfGroup(grouping.slice(4), value) : undefined;
    if (days !== undefined) Object.assign(args, { from: later(days[0], from), to: earlier(days[1], to) });
    else if (due !== undefined) [args.due_from, args.due_to] = due;
    else args[filterNames[grouping] ?? grouping] = [value];
  }
  return groupBy.length === 0 ? undefined : { tool: 'query_documents', args };
}

/** Writer of rows with their call and a bar scaled to the largest row. */
function rowWriter(
  rows: readonly Pick<GroupRow, 'measures'>[],
  kind: KindGroups,
): (row: GroupRow, cells: Row['cells']) => Row {
  const { main, voice } = kind;
  const [largest = '0'] = rows
    .map(({ measures }) => measures[main] ?? '0')
    .sort((a, b) => compareDecimals(b, a));
  return (row, cells) => {
    const value = Number(row.measures[main] ?? 0);
    const length = Math.max(0.5, Math.round((value / Number(largest)) * 1000) / 10);
    const words = row.group.cfop === undefined ? undefined : cfopWords(row.group.cfop);
    return {
      cells,
      details: words && { cfop: textIn(words, voice.language) },
      opens: documentsOf(row, kind),
      bar: value > 0 ? length : undefined,
    };
  };
}

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

function columnsOf(kind: KindGroups): Column[] {
  const { groupBy, main, isParts, rows, sum, answer, subject, voice } = kind;
  const groups = groupBy.flatMap((one, at): Column[] => {
    const noun = groupNoun(one, subject.direction, voice);
    const heading = noun.charAt(0).toUpperCase() + noun.slice(1);
    const isNamed = isParty(one) && rows.some(({ group }) => group[`${one}_name`] !== undefined);
    return present<Column>(
      column(one, heading, 'text', at === 0 ? 'name' : 'below'),
      isNamed && column(`${one}_id`, 'CNPJ', 'id', 'wide'),
    );
  });
  const before = comparedName(answer.compared_with ?? subject, voice);
  const isFair = typeof sum.change?.[main] === 'string';
  // Incomplete periods show amounts, but no change.
  const hasPrevious = !isFair && rows.some(({ previous }) => previous !== undefined);
  const beside = [
    isParts && column('share', voice.page('column.share'), 'share', 'below'),
    isFair && column('difference', voice.page('column.difference', { period: before }), 'difference', 'wide'),
    isFair && column('change', '%', 'change', 'below'),
    hasPrevious && column('previous', voice.page('column.reais', { name: before }), 'money', 'wide'),
  ];
  return [...groups, ...measureColumns(kind, 'below', beside)];
}

/** The name that an answer is ordered by, as `order_by` has it. */
export function orderOf(text: unknown) {
  const order = String(text);
  return { by: order.replace(/^[-+]/, ''), descending: order.startsWith('-') };
}

/** A table of a kind of document; of several kinds each says which. */
type TableOfKind = Omit<Table, 'caption' | 'hasHeading'>;

/** The rows of a kind of document as a table, parties with their ids beside their names. */
export function groupTable(kind: KindGroups): TableOfKind {
  const { groupBy, rows, others, sum, main, answer, call, voice } = kind;
  const write = rowWriter(rows, kind);
  const order = orderOf(call.args.order_by ?? (others === undefined ? `-${main}` : groupBy[0]));
  const largestFirst = (one: GroupRow, other: GroupRow) =>
    compareDecimals(other.measures[main] ?? '0', one.measures[main] ?? '0');
  const valuesOf = (row: GroupRow) =>
    groupBy.flatMap((one) => [
      [one, groupText(one, row, kind)],
      [`${one}_id`, row.group[`${one}_name`] && row.group[one]],
    ]);
  const left =
    answer.sums.length < 2
      ? voice.page('row.others', { count: (answer.total_groups ?? 0) - rows.length })
      : voice.page('row.others_of_kind');
  const first = groupBy[0] ?? 'total';
  return {
    layout: 'rows',
    columns: columnsOf(kind),
    rows: (order.by === main && order.descending ? rows.toSorted(largestFirst) : rows).map((row) =>
      write(row, { ...Object.fromEntries(valuesOf(row)), ...amountsOf(row, kind) }),
    ),
    others: others && { cells: { ...amountsOf(others, kind), [first]: left } },
    total: { cells: { ...amountsOf(sum, kind), [first]: voice.page('row.total') } },
    // Sorted by id or code, names would seem unsorted to a reader.
    sorted: rows.some(({ group }) => `${order.by}_name` in group) ? { ...order, by: '' } : order,
  };
}

/** Rows that a table of time has at most; of more days only those with documents. */
const MOST_PERIODS = 400;
/** Most months shown side by side. */
const MOST_MONTHS = 4;

/** Every day, week or month of a period, as groups name them. */
function periodsOf(grouping: string, { from, to }: Period): readonly string[] {
  if (grouping === 'month') return monthsBetween(from, to, MOST_PERIODS) ?? [];
  const [step, first] = grouping === 'week' ? [7, weekOf(from)] : [1, from];
  const all: string[] = [];
  for (let day = first; day <= to && all.length <= MOST_PERIODS; day = addDays(day, step)) all.push(day);
  return all.length > MOST_PERIODS ? [] : all;
}

/** Note on a time group cut by the question's period, by gaps or by today; undefined for a whole one. */
function openNote(grouping: string, value: string, { answer, subject, voice }: KindGroups) {
  const { page, shortDay } = voice;
  const { from, to, today } = subject;
  const [first, last] = daysOfGroup(grouping, value) ?? [value, value];
  const isDay = first === last;
  if (gapsOf(answer).some((gap) => gap.from <= last && gap.to.slice(0, 10) >= first))
    return page(isDay ? 'row.not_read' : 'row.days_missing');
  if (last >= today && to >= today && first <= today)
    return isDay ? page('row.today') : page('row.under_way', { day: shortDay(today) });
  if (from <= first && to >= last) return undefined;
  return page('row.part', { from: shortDay(later(first, from)), to: shortDay(earlier(last, to)) });
}

/** The answer's time grouping, if it is the only one and no periods are cut off. */
export function timeGrouping({ groupBy, others }: KindGroups): string | undefined {
  const [only = '', ...rest] = groupBy;
  return rest.length === 0 && others === undefined && /^(day|week|month)$/.test(only) ? only : undefined;
}

/** A table of all days, weeks or months, also of those without documents; months are compared with the month before. */
function periodTable(kind: KindGroups, grouping: string): TableOfKind {
  const { rows, main, measures, sum, isParts, answer, call, subject, voice } = kind;
  const byValue = new Map(rows.map((row) => [row.group[grouping] ?? '', row]));
  // Future days are unknown, not empty.
  const known = { from: answer.from, to: earlier(answer.to, subject.today) };
  const filled = call.args.by === 'entry' ? [] : periodsOf(grouping, known);
  const values = [...new Set([...filled, ...byValue.keys()])].filter((one) => one !== '').sort();
  const isCompared = grouping === 'month' && isParts;
  const write = rowWriter(rows, kind);
  const cellsOf = (row: GroupRow) => ({ [grouping]: groupText(grouping, row, kind), ...row.measures });
  /** The amount of the period before, where that is whole. */
  let before: string | undefined;
  const table = values.map((value): Row => {
    const row: GroupRow = byValue.get(value) ?? { group: { [grouping]: value }, measures: {} };
    const note = openNote(grouping, value, kind);
    const isEmpty = !byValue.has(value);
    const amount = row.measures[main] ?? '0';
    const isFair = isCompared && note === undefined && before !== undefined;
    const written = write(row, {
      ...cellsOf(row),
      ...(isEmpty && measures.includes('count') && note === undefined && { count: '0' }),
      ...(isFair && { difference: differenceOf(amount, before) }),
      ...(isFair && { change: percentChange(amount, before) ?? undefined }),
    });
    before = note === undefined ? amount : undefined;
    return {
      ...written,
      ...(isEmpty && { opens: undefined }),
      ...(note !== undefined && { details: { [grouping]: note }, isOpen: true }),
    };
  });
  const unknown = rows.filter(({ group }) => !group[grouping]);
  const largest = Math.max(...rows.map((row) => Number(row.measures[main] ?? 0)));
  const mean = grouping === 'month' ? meanOf(table, main) : undefined;
  const beside = [
    column('track', mean === undefined ? '' : voice.page('column.mean'), 'share', 'below'),
    isCompared && column('difference', voice.page('column.difference_before'), 'difference', 'wide'),
    isCompared && column('change', '%', 'change', 'below'),
  ];
  return {
    layout: 'periods',
    columns: [
      column(grouping, voice.name('column', grouping), 'text', 'name'),
      ...measureColumns(kind, 'wide', beside),
    ],
    rows: [...table, ...unknown.map((row) => write(row, cellsOf(row)))],
    total: { cells: { [grouping]: voice.page('row.total'), ...sum.measures } },
    mean: mean === undefined || largest <= 0 ? undefined : Math.round((mean.exact / largest) * 1000) / 10,
  };
}

/** The mean of the months that are whole; undefined for fewer than three. */
export function meanOf(rows: readonly Row[], main: string) {
  const closed = rows.filter(({ isOpen }) => isOpen !== true);
  const sum = addDecimals(closed.map(({ cells }) => String(cells[main] ?? '0')));
  if (closed.length < 3 || sum === undefined) return undefined;
  const exact = Number(sum) / closed.length;
  return { exact, value: roundDecimal(String(exact), 2), months: closed.length };
}

/** Months side by side, for one grouping over a few months without rows cut off. */
function crossTable(kind: KindGroups): TableOfKind | undefined {
  const { groupBy, rows, others, main, isParts, area, sum, answer, subject, voice } = kind;
  const grouping = groupBy.find((one) => one !== 'month');
  const months = monthsBetween(answer.from, earlier(answer.to, subject.today), MOST_MONTHS) ?? [];
  const isOfMonths = months.length > 0 && rows.every(({ group }) => months.includes(group.month ?? ''));
  if (groupBy.length !== 2 || !isOfMonths || !isParts) return undefined;
  if (grouping === undefined || others !== undefined) return undefined;
  const added = (list: readonly GroupRow[]) => addDecimals(list.map(({ measures }) => measures[main]));
  const cellsOf = (list: readonly GroupRow[], measures: GroupRow['measures']) => ({
    ...Object.fromEntries(
      months.map((month) => [month, added(list.filter(({ group }) => group.month === month))]),
    ),
    ...measures,
    share: shareOf({ measures }, kind),
  });
  const groups = [...new Set(rows.map(({ group }) => group[grouping]))].map((value) => {
    const list = rows.filter(({ group }) => group[grouping] === value);
    return { list, row: { group: list[0]?.group ?? {}, measures: { [main]: added(list) ?? '0' } } };
  });
  const amount = ({ row }: (typeof groups)[number]) => Number(row.measures[main]);
  const sums = groups.map(({ row }) => row);
  const write = rowWriter(sums, { ...kind, groupBy: [grouping] });
  const monthColumn = (month: string): Column => {
    const words = voice.month(month);
    const heading = openNote('month', month, kind) === undefined ? words : `${words} …`;
    return column(month, heading, 'money', 'below', `${words.slice(0, 3)} {value}`);
  };
  return {
    layout: 'cross',
    columns: [
      column(grouping, groupNoun(grouping, subject.direction, voice), 'text', 'name'),
      ...months.map(monthColumn),
      measureColumn(main, 'value', area, voice),
      column('share', voice.page('column.share'), 'share', 'wide'),
    ],
    rows: groups
      .toSorted((one, other) => amount(other) - amount(one))
      .map(({ list, row }) =>
        write(row, { [grouping]: groupText(grouping, row, kind), ...cellsOf(list, row.measures) }),
      ),
    total: { cells: { [grouping]: voice.page('row.total'), ...cellsOf(rows, sum.measures) } },
    sorted: { by: main, descending: true },
  };
}

/** Table of a kind's groups: by time, with months side by side, or a row for each. */
export function kindTable(kind: KindGroups): Table {
  const time = timeGrouping(kind);
  const table = time === undefined ? (crossTable(kind) ?? groupTable(kind)) : periodTable(kind, time);
  return { ...table, caption: kindName(kind.area), hasHeading: kind.answer.sums.length > 1 };
}
