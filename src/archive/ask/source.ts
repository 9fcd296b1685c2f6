import type { RawBuilder } from 'kysely';
import { isItemOnlyMeasure, itemGroupings } from '../schema/measures.ts';
import { asksItems } from './conditions.ts';
import type { Grouping, Measure, Question } from './question.ts';

export type ItemGrouping = (typeof itemGroupings)[number];

/** Where the sums of an answer come from, as SQL. */
export interface Source {
  readonly name: 'documents' | 'roll-up';
  /** The grouping whose sums are read, see `summed_months`. */
  readonly grouping?: string;
  /** From the first table to the last condition. */
  readonly from: RawBuilder<unknown>;
  readonly group: (grouping: Grouping) => RawBuilder<string>;
  readonly measure: (measure: Measure) => RawBuilder<unknown>;
  /** The sum of what documents give of several contributions at once; not in a roll-up. */
  readonly unsplit?: RawBuilder<unknown>;
}

/** Months whose sums can stand for a selection's documents. */
export interface Sums {
  readonly months: readonly string[];
  /** Whether no document of these months is outside the selection: sums by day serve either way. */
  readonly areWhole: boolean;
}

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
