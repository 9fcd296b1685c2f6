import { type RawBuilder, sql } from 'kysely';
import {
  amountText,
  givenNames,
  isDueGrouping,
  isItemAmount,
  isItemGrouping,
  isItemOnlyMeasure,
  isRolledMeasure,
  rolledMeasures,
  unsplit,
} from '../schema/measures.ts';
import { type Db, rollupGroups } from '../schema/schema.ts';
import { allOf, isOneOf, placedInstallments } from '../schema/sql.ts';
import { type Rollup, type RollupGroup, rollups, type Sums } from '../write/sums.ts';
import {
  across,
  asksItems,
  type Basis,
  columnsFor,
  type Days,
  documentsFound,
  dueConditions,
  filtersIn,
  groupingConditions,
  installmentsOf,
  itemsFound,
  type Owned,
  statusAsked,
  within,
} from './conditions.ts';
import type {
  Filters,
  Grouping,
  ItemOnlyMeasure,
  LeftOut,
  LeftOutReason,
  Measure,
  Question,
  Selection,
  UnitQuantity,
} from './question.ts';

type Value = string | number | null;
type Row = Readonly<Record<string, Value>>;

/** Unit of an item `i` with a quantity. */
const unit = sql`case when i.quantity is not null then i.unit end`;

/** Goods with both price and quantity, in millionths. */
const priced = sql`sum(case when i.quantity is not null then i.products end)`;
const pricedQuantity = sql`sum(case when i.products is not null then i.quantity end)`;

const unlessMixed = (amount: RawBuilder<unknown>): RawBuilder<unknown> =>
  sql`case when count(distinct ${unit}) <= 1 then ${amount} end`;

/** Measures of a group of items `i`; null for mixed units. */
const ofOneUnit: Readonly<Record<ItemOnlyMeasure, RawBuilder<unknown>>> = {
  quantity: unlessMixed(sql`sum(i.quantity)`),
  // Floating point is for ordering only; the answer computes the exact quotient.
  average_price: unlessMixed(sql`cast(${priced} as double precision) / nullif(${pricedQuantity}, 0)`),
  min_price: unlessMixed(sql`min(i.unit_price)`),
  max_price: unlessMixed(sql`max(i.unit_price)`),
};

/** Whether a question's groups have quantities: those of instalments have none. */
export function hasQuantities({ measures, groupBy }: Pick<Question, 'measures' | 'groupBy'>): boolean {
  return measures.some(isItemOnlyMeasure) && !groupBy.some(isDueGrouping);
}

/** Unit columns of groups with quantities. */
export const unitColumns = sql`count(distinct ${unit}) as units, max(${unit}) as unit, ${priced} as priced,
  ${pricedQuantity} as priced_quantity`;

const textOf = (value: Value | undefined): string | undefined =>
  value === null || value === undefined ? undefined : String(value);

const keyColumn = (index: number): string => `k_${index}`;

/** The same of a displayed group `t`. */
export function shownUnits(groupBy: Question['groupBy']): RawBuilder<unknown> {
  const keys = groupBy.map((one, index) => sql`${sql.ref(`t.g_${one}`)} as ${sql.ref(keyColumn(index))}`);
  return sql.join([
    sql`t.units`,
    sql`t.unit`,
    sql`cast(t.priced as text) as priced`,
    sql`cast(t.priced_quantity as text) as priced_quantity`,
    ...keys,
  ]);
}

/** The only unit of a row's goods; undefined for none or several. */
export function unitOf({ units, unit: only }: Row): string | undefined {
  return Number(units) === 1 && only !== '' ? textOf(only) : undefined;
}

const pricePlaces = 4;

/** Millionths with four decimals. */
export function priceText(units: string): string {
  const [whole = '', decimals = ''] = amountText(units).split('.');
  return `${whole}.${decimals.padEnd(pricePlaces, '0')}`;
}

/** `products` divided by `quantity`, rounded half away from zero to four decimals; undefined without quantity. */
export function averagePrice(row: Row): string | undefined {
  const [sum, quantity] = [textOf(row.priced), textOf(row.priced_quantity)];
  if (sum === undefined || quantity === undefined || BigInt(quantity) === 0n) return undefined;
  const scale = 10n ** BigInt(pricePlaces);
  const [dividend, divisor] = [BigInt(sum) * scale * 2n, BigInt(quantity)];
  const size = (n: bigint) => (n < 0n ? -n : n);
  const units = (((size(dividend) / size(divisor) + 1n) / 2n) * 10n ** 6n) / scale;
  return priceText(String(dividend < 0n !== divisor < 0n ? -units : units));
}

function unitQuantity(row: Row, measures: Question['measures']): UnitQuantity {
  const average_price = averagePrice(row);
  const lowest = measures.includes('min_price') ? textOf(row.min_price) : undefined;
  const highest = measures.includes('max_price') ? textOf(row.max_price) : undefined;
  return {
    unit: String(row.unit),
    quantity: amountText(String(row.quantity)),
    ...(average_price === undefined ? {} : { average_price }),
    ...(lowest === undefined ? {} : { min_price: priceText(lowest) }),
    ...(highest === undefined ? {} : { max_price: priceText(highest) }),
  };
}

/** Units of each row with mixed units, most frequent first; empty for the others. */
export async function quantitiesOf(
  db: Db,
  question: Question,
  source: { readonly from: RawBuilder<unknown>; group(grouping: Grouping): RawBuilder<string> },
  rows: readonly Row[],
): Promise<readonly (readonly UnitQuantity[])[]> {
  if (!hasQuantities(question)) return [];
  const { groupBy, measures } = question;
  const keyOf = (row: Row) => JSON.stringify(groupBy.map((_, index) => row[keyColumn(index)]));
  const mixed = rows.filter(({ units }) => Number(units) > 1);
  if (mixed.length === 0) return [];
  const keys = groupBy.map((_, index) => sql.ref(keyColumn(index)));
  const values = mixed.map(
    (row) => sql`(${sql.join(groupBy.map((_, index) => sql`${row[keyColumn(index)]}`))})`,
  );
  const isMixed = keys.length === 0 ? sql`1 = 1` : sql`(${sql.join(keys)}) in (values ${sql.join(values)})`;
  const groups = groupBy.map((one, index) => sql`${source.group(one)} as ${sql.ref(keyColumn(index))}`);
  const by = sql.join([...groups, unit].map((_, index) => sql.lit(index + 1)));
  const sums = sql`count(*) as lines, cast(sum(i.quantity) as text) as quantity, cast(min(i.unit_price) as text) as min_price,
    cast(max(i.unit_price) as text) as max_price, cast(${priced} as text) as priced,
    cast(${pricedQuantity} as text) as priced_quantity`;
  const found = await sql<Row>`
    select * from (select ${sql.join([...groups, sql`${unit} as unit`])}, ${sums}
      from ${source.from} group by ${by}) t
    where t.unit is not null and ${isMixed} order by t.lines desc, t.unit`.execute(db);
  const byGroup = new Map<string, UnitQuantity[]>();
  for (const row of found.rows) {
    const key = keyOf(row);
    byGroup.set(key, [...(byGroup.get(key) ?? []), unitQuantity(row, measures)]);
  }
  return rows.map((row) => (Number(row.units) > 1 ? (byGroup.get(keyOf(row)) ?? []) : []));
}

export interface Source {
  readonly rollup?: Rollup;
  /** From the first table to the last condition. */
  readonly from: RawBuilder<unknown>;
  readonly group: (grouping: Grouping) => RawBuilder<string>;
  readonly measure: (measure: Measure) => RawBuilder<unknown>;
  /** Contributions given as one amount; absent in roll-ups. */
  readonly unsplit?: RawBuilder<unknown>;
}

/** Items if whole documents would include unrequested items, or lack the column. */
export function basisOf({
  groupBy,
  measures,
  onItems = false,
  filters = {},
}: Question): 'documents' | 'items' {
  if (groupBy.some(isDueGrouping)) return 'documents';
  const isOfItems =
    onItems ||
    groupBy.some(isItemGrouping) ||
    measures.some(isItemOnlyMeasure) ||
    asksItems(filters) ||
    (filters.text !== undefined && filters.text_counts === 'items');
  return isOfItems ? 'items' : 'documents';
}

/** Whether a filter allows exactly one value of a group. */
function isPinned(group: RollupGroup, filters: Filters): boolean {
  if (group === 'cfop' || group === 'ncm' || !(group in filters)) return false;
  const values = filters[group as keyof Filters];
  if (!Array.isArray(values) || values.length !== 1) return false;
  return !(group === 'issuer' || group === 'recipient') || String(values[0]).length !== 8;
}

/** The smallest roll-up with all groups and filters of a question. */
function rollupFor(
  { filters = {} }: Selection,
  of: Rollup['of'],
  groupBy: readonly Grouping[],
  sums: Sums | undefined,
  countsDocuments: boolean,
): Rollup | undefined {
  if (sums === undefined) return undefined;
  const asked = [...groupBy.filter((grouping) => grouping !== 'month'), ...filtersIn(filters)];
  return rollups.find(
    (rollup) =>
      rollup.of === of &&
      (sums.areWhole || rollup.name === 'days') &&
      asked.every((one) => rollup.groups.some((group) => group === one)) &&
      // A document with several values of a group must not be counted twice in a row.
      (of === 'documents' ||
        !countsDocuments ||
        rollup.groups.every((group) => groupBy.some((one) => one === group) || isPinned(group, filters))),
  );
}

function rolledColumn({ groups }: Rollup, group: RollupGroup): RawBuilder<string> {
  return sql.ref<string>(`r.${group === 'month' ? group : rollupGroups[groups.indexOf(group)]}`);
}

/** Rows `r` of a roll-up for a selection, with any status. */
function rolledRows(selection: Owned<Selection>, { months }: Sums, rollup: Rollup): RawBuilder<unknown> {
  const { tenant, company, area, from, to, direction, filters = {} } = selection;
  const column = (group: RollupGroup) => rolledColumn(rollup, group);
  const conditions = [
    sql<boolean>`r.tenant = ${tenant}`,
    sql<boolean>`r.company = ${company}`,
    sql<boolean>`r.area = ${area}`,
    sql<boolean>`r."grouping" = ${rollup.name}`,
    // Only months verified as current.
    ...isOneOf(sql`r.month`, months),
    ...(direction === undefined ? [] : isOneOf(sql`r.direction`, [direction, 'both'])),
    ...(rollup.name === 'days' ? [sql<boolean>`${column('day')} between ${from} and ${to}`] : []),
    ...groupingConditions(filters, column, 'documents'),
    ...groupingConditions(filters, column, 'items'),
  ];
  return sql`rollups r where ${allOf(conditions)}`;
}

function rolledMeasure(measure: Measure): RawBuilder<unknown> {
  if (!isRolledMeasure(measure)) return sql`sum(${sql.ref(measure === 'count' ? 'r.documents' : 'r.items')})`;
  const given = sql.ref(`r.${givenNames[rolledMeasures.indexOf(measure)]}`);
  return sql`case when sum(${given}) > 0 then sum(${sql.ref(`r.${measure}`)}) end`;
}

function cachedSource(question: Owned<Question>, sums: Sums | undefined): Source | undefined {
  const { filters = {}, groupBy, measures } = question;
  const isSummed = (name: Measure) => name === 'count' || name === 'items' || isRolledMeasure(name);
  if (sums === undefined || !measures.every(isSummed)) return undefined;
  const rollup = rollupFor(question, basisOf(question), groupBy, sums, measures.includes('count'));
  if (rollup === undefined) return undefined;
  const column = (group: RollupGroup) => rolledColumn(rollup, group);
  const counted =
    rollup.of === 'documents'
      ? [...statusAsked(filters, column('status')), sql<boolean>`${column('exclusion')} = ''`]
      : [];
  const rows = rolledRows(question, sums, rollup);
  return { rollup, from: sql`${rows} and ${allOf(counted)}`, group: column, measure: rolledMeasure };
}

const countedOnly = (filters: Filters) => [
  ...statusAsked(filters, sql`d.status`),
  sql<boolean>`d.exclusion = ''`,
];

function documentSource(question: Owned<Question>): Source {
  const { filters = {} } = question;
  const due = sql`(select sum(n.due) from ${installmentsOf(filters)})`;
  return {
    from: documentsFound(question, 'documents', within, countedOnly(filters)),
    group: columnsFor(question),
    measure(measure) {
      if (measure === 'count') return sql`count(*)`;
      if (measure === 'due') return sql`sum(${due})`;
      return measure === 'items' ? sql`sum(d.item_count)` : sql`sum(${sql.ref(`d.${measure}`)})`;
    },
    unsplit: sql`sum(${sql.ref(`d.${unsplit}`)})`,
  };
}

/** Sums over instalments, which have no document amounts. */
function dueSource(question: Owned<Question>): Source {
  const { filters = {} } = question;
  const counted = [...countedOnly(filters), ...dueConditions(filters)];
  return {
    from: documentsFound(question, 'documents', within, counted, placedInstallments),
    group: columnsFor(question),
    measure(measure) {
      if (measure === 'count') return sql`count(distinct p.document_id)`;
      return measure === 'due' ? sql`sum(n.due)` : sql`null`;
    },
  };
}

function itemSource(question: Owned<Question>): Source {
  // Measures of whole documents come from the line that represents them.
  const ofWhole = (name: string) => sql`sum(case when i.line = 0 then ${sql.ref(`d.${name}`)} end)`;
  return {
    from: itemsFound(question),
    group: columnsFor(question),
    measure(measure) {
      if (measure === 'count') return sql`count(distinct p.document_id)`;
      if (measure === 'items') return sql`sum(case when i.line > 0 then 1 else 0 end)`;
      if (measure === 'due') return sql`null`;
      if (isItemOnlyMeasure(measure)) return ofOneUnit[measure];
      return isItemAmount(measure) ? sql`sum(${sql.ref(`i.${measure}`)})` : ofWhole(measure);
    },
    unsplit: ofWhole(unsplit),
  };
}

/** Chooses cached sums if their grain fits, otherwise documents or items; the sums are equal. */
export function planSource(question: Owned<Question>, sums: Sums | undefined): Source {
  if (question.groupBy.some(isDueGrouping)) return dueSource(question);
  const cached = cachedSource(question, sums);
  return cached ?? (basisOf(question) === 'items' ? itemSource(question) : documentSource(question));
}

/** Counts documents of any status, `within` the period or `across` its edge. */
function planCount(selection: Owned<Selection>, basis: Basis, sums: Sums | undefined, days: Days) {
  const rollup = rollupFor(selection, 'documents', [], sums, true);
  if (sums === undefined || rollup === undefined) {
    const from = documentsFound(selection, basis, days);
    const counts = { documents: sql`count(*)`, lined: sql`sum(d.has_lines)` };
    return { rollup: undefined, from, status: sql`d.status`, exclusion: sql`d.exclusion`, ...counts };
  }
  const from = rolledRows(selection, sums, rollup);
  const [status, exclusion] = [rolledColumn(rollup, 'status'), rolledColumn(rollup, 'exclusion')];
  return { rollup, from, status, exclusion, documents: sql`sum(r.documents)`, lined: sql`sum(r.lined)` };
}

interface Tally {
  readonly status: string;
  readonly exclusion: string;
  readonly documents: number;
  readonly lined: number;
}

export interface Census {
  readonly documents: number;
  readonly left_out: readonly LeftOut[];
}

/** Why this status is left out; undefined if it is not. */
function reasonFor(
  { status, exclusion }: Tally,
  { filters: { status: asked, withTest = false, withVoid = false } = {} }: Selection,
  basis: Basis,
): LeftOutReason | undefined {
  if (exclusion === 'test' && !withTest) return exclusion;
  if (exclusion === 'inexact' && basis !== 'list') return exclusion;
  if (asked !== undefined || withVoid) return undefined;
  return status === 'cancelled' || status === 'denied' ? status : undefined;
}

/** How a selection's documents are counted, and the roll-up that must be current. */
export function planCensus(selection: Owned<Selection>, basis: Basis, sums: Sums | undefined) {
  const counted = planCount(selection, basis, sums, within);
  // Sums are cached by date of issue only.
  const undated = selection.by === 'issue' ? undefined : planCount(selection, basis, undefined, across);

  async function take(db: Db): Promise<Census> {
    const counts = new Map<LeftOutReason, number>();
    const leaveOut = (reason: LeftOutReason, count: number) => {
      if (count > 0) counts.set(reason, (counts.get(reason) ?? 0) + count);
    };
    const asked = allOf(isOneOf(counted.status, selection.filters?.status));
    const { rows } = await sql<Tally>`
      select ${counted.status} as status, ${counted.exclusion} as exclusion,
        cast(${counted.documents} as bigint) as documents, cast(${counted.lined} as bigint) as lined
      from ${counted.from} and ${asked} group by 1, 2`.execute(db);
    let documents = 0;
    for (const tally of rows) {
      const reason = reasonFor(tally, selection, basis);
      if (reason !== undefined) {
        leaveOut(reason, tally.documents);
        continue;
      }
      documents += basis === 'items' ? tally.lined : tally.documents;
      if (basis === 'items') leaveOut('no_items', tally.documents - tally.lined);
    }
    if (undated !== undefined) {
      const all = await sql<{ documents: number | null }>`
        select cast(${undated.documents} as bigint) as documents from ${undated.from}`.execute(db);
      leaveOut('undated', Number(all.rows[0]?.documents ?? 0));
    }
    return { documents, left_out: [...counts].map(([reason, count]) => ({ reason, count })) };
  }

  return { rollup: counted.rollup, take };
}
