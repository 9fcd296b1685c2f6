import { type RawBuilder, sql } from 'kysely';
import type { ItemOnlyMeasure } from '../schema/measures.ts';

/** The unit of an item `i` that gives a quantity. */
export const unit = sql`case when i.quantity is not null then i.unit end`;

/** The goods that have both a price and a quantity, in millionths. */
export const priced = sql`sum(case when i.quantity is not null then i.products end)`;
export const pricedQuantity = sql`sum(case when i.products is not null then i.quantity end)`;

function unlessMixed(amount: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`case when count(distinct ${unit}) <= 1 then ${amount} end`;
}

/** Measures of a group of items `i`, null where it has goods of several units. */
export const ofOneUnit: Readonly<Record<ItemOnlyMeasure, RawBuilder<unknown>>> = {
  quantity: unlessMixed(sql`sum(i.quantity)`),
  // In floating point it only orders; the answer has the exact quotient.
  average_price: unlessMixed(sql`cast(${priced} as double precision) / nullif(${pricedQuantity}, 0)`),
  min_price: unlessMixed(sql`min(i.unit_price)`),
  max_price: unlessMixed(sql`max(i.unit_price)`),
};
