import { addDays, earlier, later, monthsBetween, type Period, weekOf } from '../../documents/days.ts';
import { addDecimals, roundDecimal } from '../../documents/decimals.ts';
import type { Column, Row } from '../../page/page.ts';
import { differenceOf, type GroupRow, percentChange } from '../query/rows.ts';
import { gapsOf } from './asked.ts';
import {
  daysOfGroup,
  groupText,
  type KindGroups,
  measureColumn,
  measureColumns,
  rowWriter,
  shareOf,
  type TableOfKind,
} from './groups.ts';
import { column, groupNoun } from './voice.ts';

/** Rows that a table of time has at most; of more days only those with documents. */
const MOST_PERIODS = 400;
/** Months that stand side by side. */
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
export function periodTable(kind: KindGroups, grouping: string): TableOfKind {
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
      ...measureColumns(kind, ['wide', 'wide'], beside),
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
export function crossTable(kind: KindGroups): TableOfKind | undefined {
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
