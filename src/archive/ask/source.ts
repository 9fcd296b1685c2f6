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
import {
  allOf,
  anyOf,
  type Condition,
  derivedGroups,
  isOneOf,
  placedInstallments,
  select,
} from '../schema/sql.ts';
import { type Rollup, rollups, type Sums, summedRows } from '../write/sums.ts';
import {
  asksItems,
  type Column,
  columnsFor,
  documentsFound,
  filtersIn,
  groupingCondition,
  installmentsOf,
  isDue,
  isOfStatus,
  isPlaced,
  itemsFound,
  type Owned,
  wholeCodes,
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

/** Whether a filter allows exactly one value of a group: no beginning of a code, no root of a CNPJ. */
function isPinned(group: Grouping, filters: Filters): boolean {
  const values = filters[group as keyof Filters];
  if (!Array.isArray(values) || values.length !== 1) return false;
  const { length } = String(values[0]);
  if (group === 'issuer' || group === 'recipient') return length !== 8;
  return group === 'cfop' || group === 'ncm' ? length === wholeCodes[group] : true;
}

const isDerived = (name: string): name is keyof typeof derivedGroups => name in derivedGroups;
const isCommon = (name: string) => name === 'month' || name === 'status';

/** A roll-up that can answer, and its rows `r` with any status, from the table to the last condition. */
type Rolled = NonNullable<ReturnType<typeof rolledUp>>;

interface AskedSums {
  /** Of either if undefined. */
  readonly of?: Rollup['of'];
  readonly groupBy: readonly Grouping[];
  readonly measures: readonly string[];
  readonly countsDocuments: boolean;
}

/** The smallest roll-up with all groups and filters of a question. */
function rolledUp(
  selection: Owned<Selection>,
  { months, rest }: Sums,
  { of, groupBy, measures, countsDocuments }: AskedSums,
) {
  const { direction, filters = {} } = selection;
  const asked = [...groupBy, ...filtersIn(filters)]
    .flatMap((name): readonly string[] => (isDerived(name) ? derivedGroups[name].of : [name]))
    .filter((name) => !isCommon(name));
  const rollup = rollups.find(
    (one) =>
      (of ?? one.of) === one.of &&
      asked.every((name) => one.groups.some((group) => group === name)) &&
      // A document with several values of a group must not be counted twice in a row.
      (one.of === 'documents' ||
        !countsDocuments ||
        one.groups.every((group) => groupBy.includes(group) || isPinned(group, filters))),
  );
  if (rollup === undefined) return undefined;
  const groups: readonly string[] = rollup.groups;
  const column = (name: string) => sql.ref<string>(`r.${rollupGroups[groups.indexOf(name)] ?? name}`);
  const group = (name: string) => (isDerived(name) ? derivedGroups[name].value(column) : column(name));
  const meets = (of: Column) => groupingCondition(filters, of, [...documentGroupings, ...itemGroupings]);
  const days = rest.map(({ from, to }) => sql<boolean>`p.from_day between ${from} and ${to}`);
  const isRest = allOf([isPlaced(selection), anyOf(days), meets(columnsFor(selection))]);
  const rows = summedRows(selection, rollup, months, rest.length > 0 ? isRest : undefined, measures);
  const isAsked = allOf([direction && isOneOf(sql`r.direction`, [direction, 'both']), meets(group)]);
  return { rollup, from: sql`${rows} r where ${isAsked}`, group };
}

/** The roll-ups that answer a question and count its documents, as far as their grain fits. */
export function rollUps(question: Owned<Question>, sums: Sums) {
  const { groupBy, measures, basis } = question;
  const asked = [...measures, ...amountsBeside(question)].filter((one) => one !== 'count' && one !== 'items');
  const isSummed = asked.every(isRolledMeasure) && !groupBy.some(isDueGrouping);
  const of = basis === 'items' ? 'items' : 'documents';
  const countsDocuments = measures.includes('count');
  return {
    groups: isSummed
      ? rolledUp(question, sums, { of, groupBy, measures: asked, countsDocuments })
      : undefined,
    census: rolledUp(question, sums, { groupBy: [], measures: [], countsDocuments: true }),
  };
}

/** Rows to group, from the first table to the last condition. */
export interface Source {
  readonly from: RawBuilder<unknown>;
  readonly group: (grouping: Grouping) => RawBuilder<string>;
  readonly measure: (measure: Measure | keyof Beside) => RawBuilder<unknown>;
}

const isCounted = (filters: Filters): Condition => allOf([isOfStatus(filters), sql`d.exclusion = ''`]);

function cachedSource({ filters = {} }: Question, { from, group }: Rolled): Source {
  const isSum = allOf([isOfStatus(filters, group('status')), sql`${group('exclusion')} = ''`]);
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

/** A selection's documents of one status. */
export interface Tally {
  readonly status: string;
  readonly exclusion: string;
  readonly documents: number;
  readonly lined: number;
}

/** Counts a selection's documents by status. @param sums of them, each with a name */
export async function tallied(
  db: Db,
  selection: Owned<Selection>,
  rolled?: Rolled,
  sums: readonly RawBuilder<unknown>[] = [],
): Promise<Tally[]> {
  const { filters = {} } = selection;
  const [status, exclusion] = rolled
    ? [rolled.group('status'), rolled.group('exclusion')]
    : [sql`d.status`, sql`d.exclusion`];
  const counts = rolled
    ? sql`sum(r.documents) as documents, sum(r.lined) as lined`
    : sql`count(*) as documents, sum(d.has_lines) as lined`;
  const columns = [sql`${status} as status`, sql`${exclusion} as exclusion`, counts, ...sums];
  const isAsked = allOf([filters.status && isOneOf(status, filters.status)]);
  return select<Tally>(
    db,
    sql`select ${sql.join(columns)} from ${rolled?.from ?? documentsFound(selection)} and ${isAsked} group by 1, 2`,
  );
}

/** Why documents of this status are left out; undefined if they are not. */
export function reasonFor(
  { status, exclusion }: Tally,
  { basis, filters: { status: asked, withTest = false, withVoid = false } = {} }: Owned<Selection>,
): LeftOutReason | undefined {
  if (exclusion === 'test' && !withTest) return exclusion;
  if (exclusion === 'inexact' && basis !== 'list') return exclusion;
  if (asked !== undefined || withVoid) return undefined;
  return isVoid(status) ? status : undefined;
}

/** Counts documents, and those left out by reason. */
export async function takeCensus(db: Db, selection: Owned<Selection>, tallies: readonly Tally[]) {
  const { by, basis } = selection;
  const isOfItems = basis === 'items';
  const counts = new Map<LeftOutReason, number>();
  const leaveOut = (reason: LeftOutReason, count: number) => {
    if (count > 0) counts.set(reason, (counts.get(reason) ?? 0) + count);
  };
  let all = 0;
  for (const tally of tallies) {
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
