import { addDays, earlier, monthsBetween, type Period, weekOf } from '../../archive/days.ts';
import { addDecimals, roundDecimal } from '../../documents/decimals.ts';
import { kindName } from '../../documents/summary/summary.ts';
import { cfopWords } from '../../documents/tables/cfop-words.ts';
import type { Column, Row, Table, Text } from '../../views/page.ts';
import { sharesOf } from '../query/shares.ts';
import type { Answered, Asked } from './answered.ts';
import {
  type AnsweredGroups,
  barScale,
  daysOfGroup,
  differenceOf,
  documentsOf,
  type GroupRow,
  groupText,
  type KindGroups,
  measureColumn,
} from './groups.ts';
import { groupNoun } from './headings.ts';

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

/** Whether the question, its gaps or today cut a group of time, and what to say of it. */
function openNote(
  days: readonly [string, string],
  answer: Answered,
  { subject, speak }: Asked,
): Text | undefined {
  const [first, last] = days;
  const gaps = [...(answer.missing ?? []), ...(answer.not_fetched_yet ?? [])];
  if (gaps.some((gap) => gap.from <= last && gap.to.slice(0, 10) >= first))
    return speak(({ page }) => page('row.days_missing'));
  const isUnderWay = last >= subject.today && subject.to >= subject.today;
  if (isUnderWay && first <= subject.today)
    return speak(({ page, shortDay }) =>
      first === last ? page('row.today') : page('row.under_way', { day: shortDay(subject.today) }),
    );
  const [from, to] = [first < subject.from ? subject.from : first, last > subject.to ? subject.to : last];
  if (from === first && to === last) return undefined;
  return speak(({ page, shortDay }) => page('row.part', { from: shortDay(from), to: shortDay(to) }));
}

/** The only grouping of an answer, where it is one of time that its rows have all periods of. */
export function timeGrouping({ groupBy, others }: KindGroups): string | undefined {
  const [only, ...rest] = groupBy;
  return rest.length === 0 && others === undefined && /^(day|week|month)$/.test(only ?? '')
    ? only
    : undefined;
}

/** A table of all days, weeks or months, also of those without documents; months are compared with the month before. */
export function periodTable(kind: KindGroups, grouping: string, answer: AnsweredGroups, asked: Asked): Table {
  const { rows, area, main, measures, sums, parts } = kind;
  const { speak, call, subject } = asked;
  const byValue = new Map(rows.map((row) => [row.group[grouping] ?? '', row]));
  // Days to come are no days without documents.
  const known = { from: answer.from, to: earlier(answer.to, subject.today) };
  const filled = call.args.by === 'entry' ? [] : periodsOf(grouping, known);
  const values = [...new Set([...filled, ...byValue.keys()])].filter((one) => one !== '').sort();
  const unknown = rows.filter(({ group }) => !group[grouping]);
  const bar = barScale(rows, main);
  const none = (value: string): GroupRow => ({ group: { [grouping]: value }, measures: {} });
  const periods = values.map((value) => {
    const row = byValue.get(value) ?? none(value);
    const days = daysOfGroup(grouping, value) ?? [value, value];
    return { row, note: openNote(days, answer, asked) };
  });
  const closed = periods.filter(({ note }) => note === undefined);
  const sum = addDecimals(closed.map(({ row }) => row.measures[main]));
  const isCompared = grouping === 'month' && parts.includes(main);
  const others = measures.filter((name) => name !== main && name !== 'count');
  const table = periods.map(({ row, note }, at): Row => {
    const before = periods[at - 1];
    const isFair = isCompared && note === undefined && before !== undefined && before.note === undefined;
    const [value, earlier] = [row.measures[main] ?? '0', before?.row.measures[main] ?? '0'];
    const difference = isFair ? differenceOf(value, earlier) : undefined;
    const isEmpty = byValue.get(row.group[grouping] ?? '') === undefined;
    return {
      cells: {
        [grouping]: groupText(grouping, row, area, asked),
        ...Object.fromEntries(measures.map((name) => [name, row.measures[name]])),
        ...(isEmpty && measures.includes('count') && note === undefined && { count: '0' }),
        difference,
        change: difference === undefined || Number(earlier) === 0 ? undefined : percent(difference, earlier),
      },
      ...(note !== undefined && { details: { [grouping]: note }, isOpen: true }),
      opens: isEmpty ? undefined : documentsOf(row, area, asked),
      bar: bar(row),
    };
  });
  const largest = Math.max(...rows.map((row) => Number(row.measures[main] ?? 0)));
  const mean =
    grouping === 'month' && closed.length > 2 && sum !== undefined ? Number(sum) / closed.length : undefined;
  const heading = speak((voice) => voice.name('column', grouping));
  const compared: Column[] = isCompared
    ? [
        {
          name: 'difference',
          heading: speak(({ page }) => page('column.difference_before')),
          kind: 'difference',
          place: 'wide',
        },
        { name: 'change', heading: '%', kind: 'change', place: 'below' },
      ]
    : [];
  return {
    layout: 'periods',
    caption: kindName(area),
    hasHeading: answer.sums.length > 1,
    columns: [
      { name: grouping, heading, kind: 'text', place: 'name' },
      ...(measures.includes('count') && main !== 'count'
        ? [measureColumn('count', 'wide', asked, area)]
        : []),
      measureColumn(main, 'value', asked, area),
      {
        name: 'track',
        heading: mean === undefined ? '' : speak(({ page }) => page('column.mean')),
        kind: 'share',
        place: 'below',
      },
      ...compared,
      ...others.map((name) => measureColumn(name, 'wide', asked, area)),
    ],
    groups: [],
    rows: [
      ...table,
      ...unknown.map(
        (row): Row => ({
          cells: { [grouping]: groupText(grouping, row, area, asked), ...row.measures },
          bar: bar(row),
        }),
      ),
    ],
    total: { cells: { [grouping]: speak(({ page }) => page('row.total')), ...sums } },
    mean: mean === undefined || largest <= 0 ? undefined : Math.round((mean / largest) * 1000) / 10,
  };
}

function percent(difference: string, before: string): string {
  return ((Number(difference) / Math.abs(Number(before))) * 100).toFixed(2);
}

/** The mean of the months that are whole; undefined for fewer than three. */
export function meanOf(
  table: Table,
  main: string,
): { readonly value: string; readonly months: number } | undefined {
  const closed = table.rows.filter(({ isOpen }) => isOpen !== true);
  const sum = addDecimals(closed.map(({ cells }) => String(cells[main] ?? '0')));
  if (table.mean === undefined || sum === undefined) return undefined;
  return { value: roundDecimal(String(Number(sum) / closed.length), 2), months: closed.length };
}

/** Months side by side, where rows are of one grouping and a few months, and all of them came. */
export function crossTable(kind: KindGroups, answer: AnsweredGroups, asked: Asked): Table | undefined {
  const { groupBy, rows, others, main, parts, area, sums } = kind;
  const grouping = groupBy.find((one) => one !== 'month');
  const months = monthsBetween(answer.from, earlier(answer.to, asked.subject.today), MOST_MONTHS) ?? [];
  const isFitting =
    groupBy.length === 2 &&
    months.length > 0 &&
    rows.every(({ group }) => months.includes(group.month ?? ''));
  if (!isFitting || grouping === undefined || others !== undefined || !parts.includes(main)) return undefined;
  const { speak, subject } = asked;
  const byGroup = new Map<string, GroupRow[]>();
  for (const row of rows) {
    const value = row.group[grouping] ?? '';
    byGroup.set(value, [...(byGroup.get(value) ?? []), row]);
  }
  const sumsOf = (list: readonly GroupRow[]) => ({
    [main]: addDecimals(list.map(({ measures }) => measures[main])) ?? '0',
  });
  const inMonths = (list: readonly GroupRow[]) =>
    Object.fromEntries(
      months.map((month) => [
        month,
        addDecimals(list.filter(({ group }) => group.month === month).map(({ measures }) => measures[main])),
      ]),
    );
  const groups = [...byGroup.values()].map((list) => ({
    group: list[0]?.group ?? {},
    measures: sumsOf(list),
    list,
  }));
  const bar = barScale(groups, main);
  const ofGrouping = {
    ...asked,
    call: { ...asked.call, args: { ...asked.call.args, group_by: [grouping] } },
  };
  const shareOf = (of: GroupRow['measures']) => sharesOf(of, sums, [main as 'total'])[main];
  const noteOf = (month: string) =>
    openNote(daysOfGroup('month', month) ?? ['', ''], answer, asked) !== undefined;
  return {
    layout: 'cross',
    caption: kindName(area),
    hasHeading: answer.sums.length > 1,
    columns: [
      {
        name: grouping,
        heading: speak((voice) => groupNoun(grouping, subject.direction, voice)),
        kind: 'text',
        place: 'name',
      },
      ...months.map((month): Column => {
        const heading = speak((voice) => `${voice.month(month)}${noteOf(month) ? ' …' : ''}`);
        const label = speak((voice) => `${voice.month(month).slice(0, 3)} {value}`);
        return { name: month, heading, kind: 'money', place: 'below', label };
      }),
      { ...measureColumn(main, 'value', asked, area) },
      { name: 'share', heading: speak(({ page }) => page('column.share')), kind: 'share', place: 'wide' },
    ],
    groups: [],
    rows: groups
      .toSorted((one, other) => Number(other.measures[main]) - Number(one.measures[main]))
      .map(({ list, ...row }): Row => {
        const words = row.group.cfop === undefined ? undefined : cfopWords(row.group.cfop);
        return {
          cells: {
            [grouping]: groupText(grouping, row, area, asked),
            ...inMonths(list),
            ...row.measures,
            share: shareOf(row.measures),
          },
          ...(words && grouping === 'cfop' && { details: { cfop: words } }),
          opens: documentsOf(row, area, ofGrouping),
          bar: bar(row),
        };
      }),
    total: {
      cells: {
        [grouping]: speak(({ page }) => page('row.total')),
        ...inMonths(rows),
        ...sums,
        share: shareOf(sums),
      },
    },
    sorted: { by: main, descending: true },
  };
}
