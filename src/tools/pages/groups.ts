import { addDays, firstDay, lastDay, type Period } from '../../archive/days.ts';
import { addDecimals, compareDecimals, negateDecimal } from '../../documents/decimals.ts';
import { maskTaxId } from '../../documents/identity/tax-ids.ts';
import { kindName } from '../../documents/summary/summary.ts';
import { cfopWords } from '../../documents/tables/cfop.ts';
import { pageMessages } from '../../messages/apart/pages.ts';
import { textIn } from '../../messages/message.ts';
import type { Call, Column, Row, Table } from '../../page/page.ts';
import { measureText, othersThan, sharedMeasures, sharesOf } from '../query/rows.ts';
import type { Answered, Question } from './asked.ts';
import { comparedName, groupNoun } from './headings.ts';
import { column, present, type Voice } from './voice.ts';

type Measures = Readonly<Record<string, string>>;

export interface GroupRow {
  readonly document?: string | undefined;
  readonly group: Readonly<Record<string, string>>;
  readonly measures: Measures;
  readonly unit?: string | undefined;
  readonly quantities?: readonly Readonly<Record<string, string>>[] | undefined;
  readonly share?: Measures | undefined;
  readonly others?: boolean | undefined;
  readonly previous?: Measures | undefined;
  readonly change?: Readonly<Record<string, string | null>> | undefined;
}

/** The sum over all groups of a kind of document. */
export type SumRow = Omit<GroupRow, 'group'> & { readonly document: string };

/** An answer of groups, as `query_documents` gives it. */
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
export interface KindGroups {
  readonly area: string;
  readonly groupBy: readonly string[];
  readonly measures: readonly string[];
  readonly main: string;
  /** Measures of which rows are parts. */
  readonly parts: readonly string[];
  readonly rows: readonly GroupRow[];
  /** What the rows leave out, together. */
  readonly others: GroupRow | undefined;
  readonly sum: GroupRow;
}

const parties = ['issuer', 'recipient', 'counterparty', 'payer'];
const counts = new Set(['count', 'items', 'quantity', 'weight']);

/** Whether a measure is an amount in reais. */
export const isMoney = (measure: string): boolean => !counts.has(measure);

type MeasureName = Parameters<typeof sharedMeasures>[0][number];

/** The rows of each kind of document, which are never added up together. */
export function kindsOf(answer: AnsweredGroups, { call, subject }: Question): KindGroups[] {
  const groupBy = (call.args.group_by as string[] | undefined) ?? [];
  const basis = Object.values(answer.meanings ?? {}).includes('items') ? 'items' : 'documents';
  const areas = answer.sums.length > 0 ? answer.sums.map(({ document }) => document) : subject.areas;
  const order = String(call.args.order_by ?? '').replace(/^[-+]/, '');
  return areas.map((area) => {
    const own = answer.rows.filter(({ document = area }) => document === area);
    const sum = { group: {}, measures: {}, ...answer.sums.find(({ document }) => document === area) };
    const rows = own.filter(({ others }) => others !== true);
    const measures = [...new Set([sum, ...rows].flatMap((one) => Object.keys(one.measures)))];
    const parts = sharedMeasures(measures as MeasureName[], basis);
    const main = [order, 'total', 'due', 'services', ...parts, ...measures].find((name) =>
      measures.includes(name),
    );
    const isCut = areas.length === 1 ? rows.length < answer.total_groups : answer.next_cursor !== undefined;
    const rest = own.find(({ others }) => others === true);
    const left = othersThan(
      rows.map((row) => row.measures),
      sum.measures,
      parts,
    ) as Measures;
    const others = isCut && groupBy.length > 0 ? (rest ?? { group: {}, measures: left }) : undefined;
    return { area, groupBy, measures, main: main ?? 'count', parts, rows, sum, others };
  });
}

/** `NF-e`, `notas`: what is counted. */
export function counted(area: string, count: string | number, { page }: Voice): string {
  const name =
    area === 'nfe' ? 'count.nfe' : area === 'nfse' || area === 'cte' ? 'count.other' : 'count.documents';
  return page(name, { count: Number(count), kind: kindName(area) });
}

/** The value of a group in words. */
export function groupText(grouping: string, { group }: GroupRow, area: string, voice: Voice): string {
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
  if (grouping === 'purpose' && area !== 'nfe') return value;
  if (['nature', 'regime', 'purpose', 'event'].includes(grouping)) {
    const values = value.split('+').map((one) => voice.name(grouping, one.trim()));
    return values.join(', ');
  }
  return value;
}

/** The words for a row's CFOP. */
export function cfopDetail({ group }: GroupRow, { language }: Voice): Row['details'] | undefined {
  const words = group.cfop === undefined ? undefined : cfopWords(group.cfop);
  return words && { cfop: textIn(words, language) };
}

/** How a measure is written, and where it goes in a narrow window. */
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
/** Groups that no filter lets in. */
const withoutFilter = new Set(['kind', 'item']);
/** Arguments of a question for groups that one for their documents does not have. */
const ofGroups = new Set(['group_by', 'measures', 'order_by', 'limit', 'share', 'compare']);

/** The question for the documents of a group; undefined where no filter lets in just these. */
export function documentsOf(row: GroupRow, { area, groupBy }: KindGroups, question: Question) {
  const { from, to } = question.subject;
  const kept = Object.entries(question.call.args).filter(([name]) => !ofGroups.has(name));
  let args: Record<string, unknown> = { ...Object.fromEntries(kept), document: area, from, to };
  for (const grouping of groupBy) {
    const value = row.group[grouping];
    if (value === undefined || value === '' || withoutFilter.has(grouping)) return undefined;
    const days = daysOfGroup(grouping, value);
    const due = grouping.startsWith('due_') ? daysOfGroup(grouping.slice(4), value) : undefined;
    if (days !== undefined) {
      const [first, last] = days;
      args = { ...args, from: first > from ? first : from, to: last < to ? last : to };
    } else if (due !== undefined) args = { ...args, due_from: due[0], due_to: due[1] };
    else args = { ...args, [filterNames[grouping] ?? grouping]: [value] };
  }
  return groupBy.length === 0 ? undefined : ({ tool: 'query_documents', args } satisfies Call);
}

/** What the largest row is to the bars. */
export function barScale(rows: readonly GroupRow[], main: string): (row: GroupRow) => number | undefined {
  const values = rows.map((row) => row.measures[main] ?? '0');
  const largest = Number(values.reduce((most, one) => (compareDecimals(one, most) > 0 ? one : most), '0'));
  return ({ measures }) => {
    const value = Number(measures[main] ?? 0);
    return largest > 0 && value > 0 ? Math.max(0.5, Math.round((value / largest) * 1000) / 10) : undefined;
  };
}

export const differenceOf = (later: string | undefined, earlier: string | undefined): string | undefined =>
  later === undefined || earlier === undefined ? undefined : addDecimals([later, negateDecimal(earlier)]);

/** A group's measures, share and comparison. */
function amountsOf(row: GroupRow, { measures, main, parts, sum }: KindGroups): Row['cells'] {
  const shared = parts.includes(main) ? [main as MeasureName] : [];
  return {
    ...Object.fromEntries(measures.map((name) => [name, measureText(row, name) || undefined])),
    share: row.share?.[main] ?? sharesOf(row.measures, sum.measures, shared)[main],
    difference: differenceOf(row.measures[main], row.previous?.[main]),
    change: row.change?.[main] ?? undefined,
    previous: row.previous?.[main],
  };
}

/** A group's values, parties with their ids beside their names. */
function valuesOf(row: GroupRow, { groupBy, area }: KindGroups, voice: Voice): Row['cells'] {
  const entries = groupBy.flatMap((one) => [
    [one, groupText(one, row, area, voice)],
    [`${one}_id`, row.group[`${one}_name`] && row.group[one]],
  ]);
  return Object.fromEntries(entries);
}

function columnsOf(kind: KindGroups, answer: AnsweredGroups, { subject, voice }: Question): Column[] {
  const { groupBy, measures, main, parts, area, rows, sum } = kind;
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
  return [
    ...groups,
    ...present<Column>(
      measures.includes('count') && main !== 'count' && measureColumn('count', 'below', area, voice),
      measureColumn(main, 'value', area, voice),
      parts.includes(main) && column('share', voice.page('column.share'), 'share', 'below'),
      isFair &&
        column('difference', voice.page('column.difference', { period: before }), 'difference', 'wide'),
      isFair && column('change', '%', 'change', 'below'),
      // Of what is incomplete the amounts are shown, and no variation.
      hasPrevious && column('previous', voice.page('column.reais', { name: before }), 'money', 'wide'),
    ),
    ...measures
      .filter((name) => name !== main && name !== 'count')
      .map((name) => measureColumn(name, 'below', area, voice)),
  ];
}

/** The rows of a kind of document as a table, the largest bar for the largest row. */
export function groupTable(kind: KindGroups, answer: AnsweredGroups, question: Question): Table {
  const { groupBy, rows, others, sum, main, area } = kind;
  const { call, voice } = question;
  const bar = barScale(rows, main);
  const order = String(call.args.order_by ?? (others === undefined ? `-${main}` : groupBy[0]));
  const largestFirst = (one: GroupRow, other: GroupRow) =>
    compareDecimals(other.measures[main] ?? '0', one.measures[main] ?? '0');
  const isOne = answer.sums.length < 2;
  const left = isOne
    ? voice.page('row.others', { count: answer.total_groups - rows.length })
    : voice.page('row.others_of_kind');
  const first = groupBy[0] ?? 'total';
  return {
    layout: 'rows',
    caption: kindName(area),
    hasHeading: !isOne,
    columns: columnsOf(kind, answer, question),
    rows: (order === `-${main}` ? rows.toSorted(largestFirst) : rows).map(
      (row): Row => ({
        cells: { ...valuesOf(row, kind, voice), ...amountsOf(row, kind) },
        details: cfopDetail(row, voice),
        opens: documentsOf(row, kind, question),
        bar: bar(row),
      }),
    ),
    others: others && { cells: { ...amountsOf(others, kind), [first]: left } },
    total: { cells: { ...amountsOf(sum, kind), [first]: voice.page('row.total') } },
    // Ids put parties into an order that is none to the eye.
    sorted: {
      by: parties.includes(order) ? '' : order.replace(/^[-+]/, ''),
      descending: order.startsWith('-'),
    },
  };
}
