import { type RawBuilder, sql } from 'kysely';
import { amountText, isDueGrouping, isItemOnlyMeasure } from '../schema/measures.ts';
import type { Db } from '../schema/schema.ts';
import type { Grouping, ItemOnlyMeasure, Question, UnitQuantity } from './question.ts';

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
export const ofOneUnit: Readonly<Record<ItemOnlyMeasure, RawBuilder<unknown>>> = {
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
