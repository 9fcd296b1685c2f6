import { type RawBuilder, sql } from 'kysely';
import {
  allOf,
  type Condition,
  documentConditions,
  isOneOf,
  itemConditions,
  placedWithin,
  statusAsked,
  textInDocument,
  textInLine,
} from './conditions.ts';
import { firstDay, lastDay, monthOf } from './days.ts';
import {
  type AmountMeasure,
  amountMeasures,
  type Filters,
  type Grouping,
  itemGroupings,
  type Measure,
  type Question,
  type Selection,
} from './question.ts';
import { type ItemRollup, itemColumn, itemRollups, otherState } from './rollups.ts';
import { givenName } from './schema.ts';

type ItemGrouping = (typeof itemGroupings)[number];
type DocumentGrouping = Exclude<Grouping, ItemGrouping>;

/** Where the sums of an answer come from, as SQL. */
export interface Source {
  readonly name: 'documents' | 'roll-up';
  /** From the first table to the last condition. */
  readonly from: RawBuilder<unknown>;
  readonly group: (grouping: Grouping) => RawBuilder<string>;
  readonly measure: (measure: Measure) => RawBuilder<unknown>;
}

export function isItemGrouping(grouping: Grouping): grouping is ItemGrouping {
  return itemGroupings.some((one) => one === grouping);
}

function isAmount(measure: Measure): measure is AmountMeasure {
  return amountMeasures.some((one) => one === measure);
}

/** Whether an answer must be made of items: whole documents would bring in what was not asked for. */
export function basisOf({ groupBy, filters = {} }: Question): 'documents' | 'items' {
  return groupBy.some(isItemGrouping) || itemConditions(filters).length > 0 ? 'items' : 'documents';
}

const rawGroups: Record<DocumentGrouping, RawBuilder<string>> = {
  issuer: sql`d.issuer`,
  recipient: sql`d.recipient`,
  state: otherState,
  month: sql`p.month`,
  week: sql`p.week`,
  day: sql`p.day`,
  kind: sql`d.kind`,
  status: sql`d.status`,
};

/** Of each document itself. */
function documentSource(question: Question): Source {
  const filters = question.filters ?? {};
  const conditions = [
    placedWithin(question),
    ...documentConditions(filters),
    ...textInDocument(filters),
    ...statusAsked(filters, sql`d.status`),
    sql<boolean>`d.exclusion = ''`,
  ];
  return {
    name: 'documents',
    from: sql`placements p join documents d on d.id = p.document_id where ${allOf(conditions)}`,
    group: (grouping) => (isItemGrouping(grouping) ? itemColumn(grouping) : rawGroups[grouping]),
    measure(measure) {
      if (measure === 'count') return sql`count(*)`;
      return measure === 'items' ? sql`sum(d.item_count)` : sql`sum(${sql.ref(`d.${measure}`)})`;
    },
  };
}

/** Of each item. */
function itemSource(question: Question): Source {
  const filters = question.filters ?? {};
  const conditions = [
    placedWithin(question),
    ...documentConditions(filters),
    ...itemConditions(filters),
    ...textInLine(filters),
    ...statusAsked(filters, sql`d.status`),
    sql<boolean>`d.exclusion = ''`,
  ];
  return {
    name: 'documents',
    from: sql`placements p join documents d on d.id = p.document_id join items i on i.document_id = p.document_id
      where ${allOf(conditions)}`,
    group: (grouping) => (isItemGrouping(grouping) ? itemColumn(grouping) : rawGroups[grouping]),
    measure(measure) {
      if (measure === 'count') return sql`count(distinct p.document_id)`;
      if (measure === 'items') return sql`sum(case when i.line > 0 then 1 else 0 end)`;
      return sql`sum(${sql.ref(`i.${measure}`)})`;
    },
  };
}

/** Rows of a roll-up `r` of a selection whose months are whole. */
export function rollupWithin({ company, area, by, direction, from, to }: Selection): Condition {
  return allOf([
    sql<boolean>`r.company = ${company}`,
    sql<boolean>`r.area = ${area}`,
    sql<boolean>`r.date_field = ${by}`,
    sql<boolean>`r.month >= ${monthOf(from)}`,
    sql<boolean>`r.month <= ${monthOf(to)}`,
    ...(direction === undefined ? [] : isOneOf(sql`r.direction`, [direction, 'both'])),
  ]);
}

/** What is asked of a row of the documents' roll-up, but for its status. */
export function rollupConditions(filters: Filters): Condition[] {
  return [
    ...isOneOf(sql`r.issuer`, filters.issuer),
    ...isOneOf(sql`r.recipient`, filters.recipient),
    ...isOneOf(sql`r.state`, filters.state),
    ...isOneOf(sql`r.kind`, filters.kind),
  ];
}

function rollupMeasure(measure: Measure): RawBuilder<unknown> {
  if (!isAmount(measure)) return sql`sum(${sql.ref(measure === 'count' ? 'r.documents' : 'r.items')})`;
  const given = sql.ref(`r.${givenName(measure)}`);
  return sql`case when sum(${given}) > 0 then sum(${sql.ref(`r.${measure}`)}) end`;
}

function documentRollupSource(question: Question): Source {
  const filters = question.filters ?? {};
  const conditions = [
    rollupWithin(question),
    ...rollupConditions(filters),
    ...statusAsked(filters, sql`r.status`),
    sql<boolean>`r.exclusion = ''`,
  ];
  return {
    name: 'roll-up',
    from: sql`document_rollup r where ${allOf(conditions)}`,
    group: (grouping) => sql.ref<string>(`r.${grouping}`),
    measure: rollupMeasure,
  };
}

function itemRollupSource(question: Question, { name, groups }: ItemRollup): Source {
  return {
    name: 'roll-up',
    from: sql`item_rollup r where r."grouping" = ${name} and ${rollupWithin(question)}`,
    group(grouping) {
      if (grouping === groups[0]) return sql<string>`r.first_value`;
      return grouping === groups[1] ? sql<string>`r.second_value` : sql.ref<string>(`r.${grouping}`);
    },
    measure: rollupMeasure,
  };
}

const rolledUpGroupings = new Set<Grouping>(['issuer', 'recipient', 'state', 'month', 'kind', 'status']);
const rolledUpFilters = new Set<string>([
  'issuer',
  'recipient',
  'state',
  'kind',
  'status',
] satisfies (keyof Filters)[]);

function filtersIn(filters: Filters | undefined): string[] {
  return Object.entries(filters ?? {}).flatMap(([name, value]) => (value === undefined ? [] : [name]));
}

function itemRollupFor(question: Question): ItemRollup | undefined {
  const asked = question.groupBy.filter(isItemGrouping);
  const others = question.groupBy.filter((grouping) => !isItemGrouping(grouping));
  if (others.some((grouping) => grouping !== 'month') || filtersIn(question.filters).length > 0)
    return undefined;
  return itemRollups.find(
    ({ groups }) => groups.length === asked.length && groups.every((group) => asked.includes(group)),
  );
}

/** Whether documents of the selection's months can be counted by roll-ups. */
export function hasRolledUpFilters({ filters }: Selection): boolean {
  return filtersIn(filters).every((name) => rolledUpFilters.has(name));
}

function rollupSource(question: Question): Source | undefined {
  if (basisOf(question) === 'items') {
    const rollup = itemRollupFor(question);
    return rollup && itemRollupSource(question, rollup);
  }
  const isRolledUp = question.groupBy.every((grouping) => rolledUpGroupings.has(grouping));
  return isRolledUp && hasRolledUpFilters(question) ? documentRollupSource(question) : undefined;
}

/**
 * Decides where an answer's sums come from. A roll-up serves where its grain is that of the question and, as
 * `monthsAreWhole` says, no document of its months lies outside of the period. Both ways give the same sums.
 */
export function planSource(question: Question, monthsAreWhole: boolean): Source {
  const rolledUp = monthsAreWhole ? rollupSource(question) : undefined;
  return rolledUp ?? (basisOf(question) === 'items' ? itemSource(question) : documentSource(question));
}

/**
 * A document placed in the months of the selection but not surely in its period, or in no month: as long as there is
 * one, months can't stand for the period.
 */
export function outsideOfPeriod({ company, area, by, from, to }: Selection): RawBuilder<{ found: number }> {
  const placed = sql`p.company = ${company} and p.area = ${area} and p.date_field = ${by}`;
  return sql<{ found: number }>`
    select case when exists (
        select 1 from placements p where ${placed} and p.from_day >= ${firstDay(monthOf(from))} and p.from_day < ${from})
      or exists (
        select 1 from placements p where ${placed} and p.from_day >= ${firstDay(monthOf(to))}
          and p.from_day <= ${lastDay(monthOf(to))} and p.to_day > ${to})
      or exists (
        select 1 from document_rollup r
        where r.company = ${company} and r.area = ${area} and r.date_field = ${by} and r.month = '')
      then 1 else 0 end as found`;
}
