import { type RawBuilder, sql } from 'kysely';
import { firstDay, lastDay, monthOf } from '../../days.ts';
import {
  type ItemRollup,
  itemColumn,
  itemRollups,
  otherCity,
  otherState,
  type RolledGrouping,
} from '../rollups/rollups.ts';
import {
  givenName,
  isItemAmount,
  isItemOnlyMeasure,
  isRolledMeasure,
  itemGroupings,
  unsplit,
} from '../schema/measures.ts';
import { allOf, type Condition, isOneOf } from '../schema/sql.ts';
import {
  asksItems,
  beginsWithOneOf,
  documentConditions,
  isParty,
  itemConditions,
  natureOfItem,
  type Owned,
  placedDocuments,
  placedWithin,
  rootOf,
  statusAsked,
} from './conditions.ts';
import type { Filters, Grouping, Measure, Question, Selection } from './question.ts';
import { ofOneUnit } from './unit-measures.ts';
import { itemsWith, wordsInDocument } from './words.ts';

type ItemGrouping = (typeof itemGroupings)[number];
type DocumentGrouping = Exclude<Grouping, ItemGrouping>;

/** Where the sums of an answer come from, as SQL. */
export interface Source {
  readonly name: 'documents' | 'roll-up';
  /** From the first table to the last condition. */
  readonly from: RawBuilder<unknown>;
  readonly group: (grouping: Grouping) => RawBuilder<string>;
  readonly measure: (measure: Measure) => RawBuilder<unknown>;
  /** The sum of what documents give of several contributions at once; not in a roll-up. */
  readonly unsplit?: RawBuilder<unknown>;
}

/** Roll-ups that a selection can be answered from: those by days, those by months too, or none. */
export type Reach = 'days' | 'months' | undefined;

export function isItemGrouping(grouping: Grouping): grouping is ItemGrouping {
  return itemGroupings.some((one) => one === grouping);
}

/**
 * Whether an answer must be made of items: whole documents would bring in what was not asked for, or don't have it.
 */
export function basisOf({
  groupBy,
  measures,
  onItems = false,
  filters = {},
}: Question): 'documents' | 'items' {
  const isOfItems =
    onItems || groupBy.some(isItemGrouping) || measures.some(isItemOnlyMeasure) || asksItems(filters);
  return isOfItems ? 'items' : 'documents';
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
  payer: sql`d.payer`,
  issuer_root: rootOf(sql`d.issuer`),
  recipient_root: rootOf(sql`d.recipient`),
  purpose: sql`d.purpose`,
  city: otherCity,
  competence: sql`d.competence`,
  regime: sql`d.regime`,
};

/** The value of a grouping of an item `i` of a document `d` placed by `p`. */
function groupOfItem(grouping: Grouping, question: Question): RawBuilder<string> {
  if (!isItemGrouping(grouping)) return rawGroups[grouping];
  if (grouping === 'nature') return natureOfItem(question);
  return grouping === 'unit' ? sql<string>`i.unit` : itemColumn(grouping);
}

/** Of each document itself. */
function documentSource(question: Owned<Question>): Source {
  const filters = question.filters ?? {};
  const conditions = [
    placedWithin(question),
    ...documentConditions(filters),
    ...wordsInDocument(question),
    ...statusAsked(filters, sql`d.status`),
    sql<boolean>`d.exclusion = ''`,
  ];
  return {
    name: 'documents',
    from: sql`${placedDocuments} where ${allOf(conditions)}`,
    group: (grouping) => groupOfItem(grouping, question),
    measure(measure) {
      if (measure === 'count') return sql`count(*)`;
      return measure === 'items' ? sql`sum(d.item_count)` : sql`sum(${sql.ref(`d.${measure}`)})`;
    },
    unsplit: sql`sum(${sql.ref(`d.${unsplit}`)})`,
  };
}

/** Of each item. */
function itemSource(question: Owned<Question>): Source {
  const filters = question.filters ?? {};
  const { tables, on } = itemsWith(question);
  const from =
    filters.text === undefined
      ? sql`placements p, documents d, ${tables}`
      : sql`${tables} cross join placements p cross join documents d`;
  const conditions = [
    ...on,
    placedWithin(question),
    ...documentConditions(filters),
    ...itemConditions(filters, question),
    ...statusAsked(filters, sql`d.status`),
    sql<boolean>`d.exclusion = ''`,
  ];
  return {
    name: 'documents',
    from: sql`${from} where i.document_id = p.document_id and d.tenant = p.tenant and d.id = p.document_id and ${allOf(conditions)}`,
    group: (grouping) => groupOfItem(grouping, question),
    measure(measure) {
      if (measure === 'count') return sql`count(distinct p.document_id)`;
      if (measure === 'items') return sql`sum(case when i.line > 0 then 1 else 0 end)`;
      if (isItemOnlyMeasure(measure)) return ofOneUnit[measure];
      // What only a whole document has, the line that stands for one has.
      return isItemAmount(measure)
        ? sql`sum(${sql.ref(`i.${measure}`)})`
        : sql`sum(case when i.line = 0 then ${sql.ref(`d.${measure}`)} end)`;
    },
    unsplit: sql`sum(case when i.line = 0 then ${sql.ref(`d.${unsplit}`)} end)`,
  };
}

/** Rows of a roll-up `r` of what is selected, whenever they are. */
function ofSelection({ tenant, company, area, by, direction }: Owned<Selection>): Condition[] {
  return [
    sql<boolean>`r.tenant = ${tenant}`,
    sql<boolean>`r.company = ${company}`,
    sql<boolean>`r.area = ${area}`,
    sql<boolean>`r.date_field = ${by}`,
    ...(direction === undefined ? [] : isOneOf(sql`r.direction`, [direction, 'both'])),
  ];
}

/** Rows of a roll-up `r` by month, of a selection whose months are whole. */
function inMonths(selection: Owned<Selection>): Condition[] {
  const { from, to } = selection;
  return [
    ...ofSelection(selection),
    sql<boolean>`r.month >= ${monthOf(from)}`,
    sql<boolean>`r.month <= ${monthOf(to)}`,
  ];
}

/** What is asked of a row of the documents' roll-ups, but for its status. */
function rollupConditions(filters: Filters): Condition[] {
  return [
    ...isParty(sql`r.issuer`, filters.issuer),
    ...isParty(sql`r.recipient`, filters.recipient),
    ...isOneOf(sql`r.state`, filters.state),
    ...isOneOf(sql`r.kind`, filters.kind),
  ];
}

function rollupMeasure(measure: Measure): RawBuilder<unknown> {
  if (!isRolledMeasure(measure)) return sql`sum(${sql.ref(measure === 'count' ? 'r.documents' : 'r.items')})`;
  const given = sql.ref(`r.${givenName(measure)}`);
  return sql`case when sum(${given}) > 0 then sum(${sql.ref(`r.${measure}`)}) end`;
}

/**
 * Rows of a roll-up over documents that are of a selection, with any status; undefined where none has all that is
 * filtered or grouped by.
 */
export function rolledDocumentsOf(
  selection: Owned<Selection>,
  reach: Reach,
  groupBy: readonly Grouping[] = [],
): RawBuilder<unknown> | undefined {
  const { filters = {}, from, to } = selection;
  const has = (groupings: ReadonlySet<Grouping>, known: ReadonlySet<string>) =>
    groupBy.every((grouping) => groupings.has(grouping)) &&
    filtersIn(filters).every((name) => known.has(name));
  if (reach !== undefined && has(dayGroupings, dayFilters)) {
    const days = [
      sql<boolean>`r.from_day >= ${from}`,
      sql<boolean>`r.from_day <= ${to}`,
      sql<boolean>`r.to_day <= ${to}`,
    ];
    return sql`day_rollup r where ${allOf([...ofSelection(selection), ...days, ...rollupConditions(filters)])}`;
  }
  if (reach !== 'months' || !has(monthGroupings, monthFilters)) return undefined;
  return sql`document_rollup r where ${allOf([...inMonths(selection), ...rollupConditions(filters)])}`;
}

/** The same of what may be of a selection or not: its window goes beyond it. */
export function rolledAcross(selection: Owned<Selection>, reach: Reach): RawBuilder<unknown> | undefined {
  const { filters = {}, from, to } = selection;
  if (reach === undefined || !filtersIn(filters).every((name) => dayFilters.has(name))) return undefined;
  const days = [
    sql<boolean>`r.from_day <= ${to}`,
    sql<boolean>`r.to_day >= ${from}`,
    sql<boolean>`(r.from_day < ${from} or r.to_day > ${to})`,
  ];
  return sql`day_rollup r where ${allOf([...ofSelection(selection), ...days, ...rollupConditions(filters)])}`;
}

function documentRollupSource(question: Owned<Question>, reach: Reach): Source | undefined {
  const { filters = {}, groupBy } = question;
  const rows = rolledDocumentsOf(question, reach, groupBy);
  if (rows === undefined) return undefined;
  const conditions = [...statusAsked(filters, sql`r.status`), sql<boolean>`r.exclusion = ''`];
  return {
    name: 'roll-up',
    from: sql`${rows} and ${allOf(conditions)}`,
    group: (grouping) => sql.ref<string>(`r.${grouping}`),
    measure: rollupMeasure,
  };
}

function itemRollupSource(question: Owned<Question>, { name, groups }: ItemRollup): Source {
  const column = (group: string) => {
    if (group === groups[0]) return sql<string>`r.first_value`;
    return group === groups[1] ? sql<string>`r.second_value` : sql.ref<string>(`r.${group}`);
  };
  const { issuer, recipient, cfop, ncm, cst, class_trib, nature, unit } = question.filters ?? {};
  const conditions = [
    sql<boolean>`r."grouping" = ${name}`,
    ...inMonths(question),
    ...isParty(column('issuer'), issuer),
    ...isParty(column('recipient'), recipient),
    ...beginsWithOneOf(column('cfop'), cfop),
    ...beginsWithOneOf(column('ncm'), ncm),
    ...isOneOf(column('cst'), cst),
    ...isOneOf(column('class_trib'), class_trib),
    ...isOneOf(column('nature'), nature),
    ...isOneOf(column('unit'), unit),
  ];
  return {
    name: 'roll-up',
    from: sql`item_rollup r where ${allOf(conditions)}`,
    group: column,
    measure: rollupMeasure,
  };
}

/** What the roll-ups over documents can be grouped and filtered by: the one by days, and the one by months. */
const dayGroupings = new Set<Grouping>(['state', 'day', 'week', 'month', 'kind', 'status']);
const monthGroupings = new Set<Grouping>(['issuer', 'recipient', 'state', 'month', 'kind', 'status']);
const dayFilters = new Set<string>(['state', 'kind', 'status'] satisfies (keyof Filters)[]);
const monthFilters = new Set<string>([...dayFilters, 'issuer', 'recipient'] satisfies string[]);

function filtersIn(filters: Filters | undefined): string[] {
  return Object.entries(filters ?? {}).flatMap(([name, value]) => (value === undefined ? [] : [name]));
}

/** Whether a filter lets one value of a grouping in and no other. */
function isPinned(group: RolledGrouping, filters: Filters): boolean {
  if (group === 'item' || group === 'cfop' || group === 'ncm') return false;
  const [only, ...more] = filters[group] ?? [];
  const isRoot = (group === 'issuer' || group === 'recipient') && only?.length === 8;
  return only !== undefined && more.length === 0 && !isRoot;
}

/** The smallest roll-up that has all that the question groups and filters by. */
function itemRollupFor({ groupBy, measures, filters = {} }: Question): ItemRollup | undefined {
  const asked = [...groupBy.filter((grouping) => grouping !== 'month'), ...filtersIn(filters)];
  return itemRollups.find(
    ({ groups }) =>
      asked.every((one) => groups.some((group) => group === one)) &&
      // A document with several values of a group must not be counted several times in one row.
      (!measures.includes('count') ||
        groups.every((group) => groupBy.includes(group) || isPinned(group, filters))),
  );
}

function rollupSource(question: Owned<Question>, reach: Reach): Source | undefined {
  if (!question.measures.every((name) => name === 'count' || name === 'items' || isRolledMeasure(name))) {
    return undefined;
  }
  if (basisOf(question) === 'documents') return documentRollupSource(question, reach);
  const rollup = reach === 'months' ? itemRollupFor(question) : undefined;
  return rollup && itemRollupSource(question, rollup);
}

/**
 * Decides where an answer's sums come from. A roll-up serves where its grain is that of the question, one by months
 * only where no document of them lies outside of the period. All ways give the same sums.
 */
export function planSource(question: Owned<Question>, reach: Reach): Source {
  const rolledUp = rollupSource(question, reach);
  return rolledUp ?? (basisOf(question) === 'items' ? itemSource(question) : documentSource(question));
}

/**
 * A document placed in the months of the selection but not surely in its period, or in no month: as long as there is
 * one, months can't stand for the period.
 */
export function outsideOfPeriod({
  tenant,
  company,
  area,
  by,
  from,
  to,
}: Owned<Selection>): RawBuilder<{ found: number }> {
  const placed = sql`p.tenant = ${tenant} and p.company = ${company} and p.area = ${area} and p.date_field = ${by}`;
  return sql<{ found: number }>`
    select case when exists (
        select 1 from placements p where ${placed} and p.from_day >= ${firstDay(monthOf(from))} and p.from_day < ${from})
      or exists (
        select 1 from placements p where ${placed} and p.from_day >= ${firstDay(monthOf(to))}
          and p.from_day <= ${lastDay(monthOf(to))} and p.to_day > ${to})
      or exists (
        select 1 from document_rollup r
        where r.tenant = ${tenant} and r.company = ${company} and r.area = ${area} and r.date_field = ${by} and r.month = '')
      then 1 else 0 end as found`;
}
