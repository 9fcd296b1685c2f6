import { type RawBuilder, sql } from 'kysely';
import { isVoid } from '../../documents/summary/summary.ts';
import {
  documentGroupings,
  isDueGrouping,
  isItemAmount,
  isItemGrouping,
  isItemOnlyMeasure,
  isRolledMeasure,
  itemGroupings,
} from '../schema/measures.ts';
import { type Db, rollupGroups } from '../schema/schema.ts';
import { allOf, type Condition, isOneOf, matching, placedInstallments } from '../schema/sql.ts';
import { type Rollup, type RollupGroup, rollups, type Sums } from '../write/sums.ts';
import {
  asksItems,
  columnsFor,
  documentsFound,
  filtersIn,
  groupingCondition,
  installmentsOf,
  isDue,
  isOfStatus,
  itemsFound,
  type Owned,
} from './conditions.ts';
import type {
  Beside,
  Filters,
  Grouping,
  ItemOnlyMeasure,
  LeftOutReason,
  Measure,
  Question,
  Selection,
} from './question.ts';

/** Unit of an item `i` with a quantity. */
export const itemUnit = sql`case when i.quantity is not null then i.unit end`;

/** Goods with both price and quantity, in millionths. */
export const priced = sql`sum(case when i.quantity is not null then i.products end)`;
export const pricedQuantity = sql`sum(case when i.products is not null then i.quantity end)`;

const unlessMixed = (amount: RawBuilder<unknown>): RawBuilder<unknown> =>
  sql`case when count(distinct ${itemUnit}) <= 1 then ${amount} end`;

/** Measures of a group of items `i`; null for mixed units. */
const ofOneUnit: Readonly<Record<ItemOnlyMeasure, RawBuilder<unknown>>> = {
  quantity: unlessMixed(sql`sum(i.quantity)`),
  // Floating point is for ordering only; the answer computes the exact quotient.
  average_price: unlessMixed(sql`cast(${priced} as double precision) / nullif(${pricedQuantity}, 0)`),
  min_price: unlessMixed(sql`min(i.unit_price)`),
  max_price: unlessMixed(sql`max(i.unit_price)`),
};

/** Items if whole documents would include unrequested items, or lack the column. */
export function basisOf({ groupBy, measures, filters = {} }: Question): 'documents' | 'items' {
  if (groupBy.some(isDueGrouping)) return 'documents';
  const isOfItems =
    groupBy.some(isItemGrouping) ||
    measures.some(isItemOnlyMeasure) ||
    asksItems(filters) ||
    (filters.text !== undefined && filters.text_counts === 'items');
  return isOfItems ? 'items' : 'documents';
}

const contributions: readonly Measure[] = ['csll', 'pis_withheld', 'cofins_withheld'];

/** Amounts that a reader of these measures must know of. */
export function amountsBeside({ area, measures }: Pick<Question, 'area' | 'measures'>): (keyof Beside)[] {
  const isAskedWithout = (one: Measure, other: Measure) =>
    measures.includes(one) && !measures.includes(other);
  const besides: Readonly<Record<keyof Beside, boolean>> = {
    services: area === 'nfse' && isAskedWithout('total', 'services'),
    icms_credit: isAskedWithout('icms', 'icms_credit'),
    contributions_withheld: measures.some((one) => contributions.includes(one)),
  };
  return (Object.keys(besides) as (keyof Beside)[]).filter((one) => besides[one]);
}

/** Whether a filter allows exactly one value of a group. */
function isPinned(group: RollupGroup, filters: Filters): boolean {
  if (group === 'cfop' || group === 'ncm' || !(group in filters)) return false;
  const values = filters[group as keyof Filters];
  if (!Array.isArray(values) || values.length !== 1) return false;
  return !(group === 'issuer' || group === 'recipient') || String(values[0]).length !== 8;
}

/** A roll-up that can answer, and its rows `r` with any status, from the table to the last condition. */
type Rolled = NonNullable<ReturnType<typeof rolledUp>>;

/** The smallest roll-up with all groups and filters of a question. */
function rolledUp(
  selection: Owned<Selection>,
  sums: Sums,
  of: Rollup['of'],
  groupBy: readonly Grouping[],
  countsDocuments: boolean,
) {
  const { tenant, company, area, from, to, direction, filters = {} } = selection;
  const asked = [...groupBy.filter((grouping) => grouping !== 'month'), ...filtersIn(filters)];
  const isIn = (names: readonly string[], name: string) => names.includes(name);
  const rollup = rollups.find(
    ({ name, groups, of: counted }) =>
      counted === of &&
      (sums.areWhole || name === 'days') &&
      asked.every((one) => isIn(groups, one)) &&
      // A document with several values of a group must not be counted twice in a row.
      (of === 'documents' ||
        !countsDocuments ||
        groups.every((group) => isIn(groupBy, group) || isPinned(group, filters))),
  );
  if (rollup === undefined) return undefined;
  const { name, groups } = rollup;
  const group = (one: RollupGroup): RawBuilder<string> =>
    sql.ref(`r.${one === 'month' ? one : rollupGroups[groups.indexOf(one)]}`);
  const place = { 'r.tenant': tenant, 'r.company': company, 'r.area': area, 'r.grouping': name };
  const isAsked = allOf([
    matching(place),
    // Only months verified as current.
    isOneOf(sql`r.month`, sums.months),
    direction && isOneOf(sql`r.direction`, [direction, 'both']),
    name === 'days' && sql`${group('day')} between ${from} and ${to}`,
    groupingCondition(filters, group, [...documentGroupings, ...itemGroupings]),
  ]);
  return { rollup, from: sql`rollups r where ${isAsked}`, group };
}

/** The roll-ups that answer a question and count its documents, as far as their grain fits. */
export function rollUps(question: Owned<Question>, sums: Sums) {
  const { groupBy, measures, basis } = question;
  const isSummed = (name: Measure | keyof Beside) =>
    name === 'count' || name === 'items' || isRolledMeasure(name);
  const of = basis === 'items' ? 'items' : 'documents';
  const asked = [...measures, ...amountsBeside(question)];
  const groups = asked.every(isSummed) && !groupBy.some(isDueGrouping);
  return {
    groups: groups ? rolledUp(question, sums, of, groupBy, measures.includes('count')) : undefined,
    census: rolledUp(question, sums, 'documents', [], true),
  };
}

/** Rows to group, from the first table to the last condition. */
export interface Source {
  readonly from: RawBuilder<unknown>;
  readonly group: (grouping: Grouping) => RawBuilder<string>;
  readonly measure: (measure: Measure | keyof Beside) => RawBuilder<unknown>;
}

const isCounted = (filters: Filters): Condition => allOf([isOfStatus(filters), sql`d.exclusion = ''`]);

function cachedSource({ filters = {} }: Question, { rollup, from, group }: Rolled): Source {
  const isOfDocuments = rollup.of === 'documents';
  const isSum = allOf([
    isOfDocuments && isOfStatus(filters, group('status')),
    isOfDocuments && sql`${group('exclusion')} = ''`,
  ]);
  return {
    from: sql`${from} and ${isSum}`,
    group,
    measure: (measure) => sql`sum(${sql.ref(`r.${measure === 'count' ? 'documents' : measure}`)})`,
  };
}

function documentSource(question: Owned<Question>): Source {
  const { filters = {} } = question;
  return {
    from: documentsFound(question, { more: isCounted(filters) }),
    group: columnsFor(question),
    measure(measure) {
      if (measure === 'count') return sql`count(*)`;
      if (measure === 'due') return sql`sum((select sum(n.due) from ${installmentsOf(filters)}))`;
      return sql`sum(${sql.ref(`d.${measure === 'items' ? 'item_count' : measure}`)})`;
    },
  };
}

/** Sums over instalments, which have no document amounts. */
function dueSource(question: Owned<Question>): Source {
  const { filters = {} } = question;
  const more = allOf([isCounted(filters), isDue(filters)]);
  return {
    from: documentsFound(question, { more, tables: placedInstallments }),
    group: columnsFor(question),
    measure(measure) {
      if (measure === 'count') return sql`count(distinct p.document_id)`;
      return measure === 'due' ? sql`sum(n.due)` : sql`cast(null as bigint)`;
    },
  };
}

function itemSource(question: Owned<Question>): Source {
  return {
    from: itemsFound(question),
    group: columnsFor(question),
    measure(measure) {
      if (measure === 'count') return sql`count(distinct p.document_id)`;
      if (measure === 'items') return sql`sum(case when i.line > 0 then 1 else 0 end)`;
      if (measure === 'due') return sql`cast(null as bigint)`;
      if (isItemOnlyMeasure(measure)) return ofOneUnit[measure];
      if (isItemAmount(measure)) return sql`sum(${sql.ref(`i.${measure}`)})`;
      // Measures of whole documents come from the line that represents them.
      return sql`sum(case when i.line = 0 then ${sql.ref(`d.${measure}`)} end)`;
    },
  };
}

/** Chooses cached sums if there are any, otherwise instalments, items or documents; the sums are equal. */
export function sourceOf(question: Owned<Question>, rolled: Rolled | undefined): Source {
  if (rolled !== undefined) return cachedSource(question, rolled);
  if (question.groupBy.some(isDueGrouping)) return dueSource(question);
  return question.basis === 'items' ? itemSource(question) : documentSource(question);
}

interface Tally {
  readonly status: string;
  readonly exclusion: string;
  readonly documents: number;
  readonly lined: number;
}

/** Why documents of this status are left out; undefined if they are not. */
function reasonFor(
  { status, exclusion }: Tally,
  { basis, filters: { status: asked, withTest = false, withVoid = false } = {} }: Owned<Selection>,
): LeftOutReason | undefined {
  if (exclusion === 'test' && !withTest) return exclusion;
  if (exclusion === 'inexact' && basis !== 'list') return exclusion;
  if (asked !== undefined || withVoid) return undefined;
  return isVoid(status) ? status : undefined;
}

/** Counts a selection's documents, and those left out by reason. */
export async function takeCensus(db: Db, selection: Owned<Selection>, rolled?: Rolled) {
  const { by, basis, filters = {} } = selection;
  const isOfItems = basis === 'items';
  const [status, exclusion] = rolled
    ? [rolled.group('status'), rolled.group('exclusion')]
    : [sql`d.status`, sql`d.exclusion`];
  const counted = rolled
    ? sql`sum(r.documents) as documents, sum(r.lined) as lined from ${rolled.from}`
    : sql`count(*) as documents, sum(d.has_lines) as lined from ${documentsFound(selection)}`;
  const isAsked = allOf([filters.status && isOneOf(status, filters.status)]);
  const { rows } = await sql<Tally>`
    select ${status} as status, ${exclusion} as exclusion, ${counted} and ${isAsked} group by 1, 2`.execute(
    db,
  );
  const counts = new Map<LeftOutReason, number>();
  const leaveOut = (reason: LeftOutReason, count: number) => {
    if (count > 0) counts.set(reason, (counts.get(reason) ?? 0) + count);
  };
  let all = 0;
  for (const tally of rows) {
    const [documents, lined] = [Number(tally.documents), Number(tally.lined)];
    const reason = reasonFor(tally, selection);
    if (reason === undefined) all += isOfItems ? lined : documents;
    if (reason !== undefined) leaveOut(reason, documents);
    else if (isOfItems) leaveOut('no_items', documents - lined);
  }
  // Documents issued have a day.
  if (by !== 'issue') {
    const undated = await sql<{ documents: number }>`
      select count(*) as documents from ${documentsFound(selection, { days: 'across' })}`.execute(db);
    leaveOut('undated', Number(undated.rows[0]?.documents ?? 0));
  }
  return { documents: all, left_out: [...counts].map(([reason, count]) => ({ reason, count })) };
}
