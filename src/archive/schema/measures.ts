import { isDecimal } from '../../documents/decimals.ts';
import { amountsWith } from '../../documents/summary/amounts.ts';

export const isAmong =
  <Name extends string>(names: readonly Name[]) =>
  (name: string): name is Name =>
    names.some((one) => one === name);

/** Groupings that belong to a document, and those that belong to each of its items. */
export const documentGroupings = [
  'issuer',
  'recipient',
  'counterparty',
  'state',
  'month',
  'week',
  'day',
  'kind',
  'status',
  'payer',
  'issuer_root',
  'recipient_root',
  'purpose',
  'city',
  'competence',
  'regime',
  'event',
  'iss_city',
  'origin_state',
  'destination_state',
] as const;
export const itemGroupings = [
  'cfop',
  'ncm',
  'cst',
  'class_trib',
  'pis_cofins_cst',
  'item',
  'nature',
  'unit',
] as const;
export const dueGroupings = ['due_day', 'due_week', 'due_month'] as const;

export type DueGrouping = (typeof dueGroupings)[number];
export type Grouping = (typeof documentGroupings)[number] | (typeof itemGroupings)[number] | DueGrouping;

export const isItemGrouping = isAmong(itemGroupings);
export const isDueGrouping = isAmong(dueGroupings);

/**
 * Places that a text is searched in. `names`: names, ids, number, key and subject; `items`: descriptions; `codes` and
 * `orders`: the issuer's item codes and the buyer's orders; `remarks`: see `remarksText`.
 */
export const textPlaces = ['names', 'items', 'codes', 'orders', 'remarks'] as const;

export type TextPlace = (typeof textPlaces)[number];

export const rolledMeasures = amountsWith('kept', 'sums');

/** Measures of items only. `quantity` is in their unit, the others are prices of one. */
export const itemOnlyMeasures = ['quantity', 'average_price', 'min_price', 'max_price'] as const;

export const itemAmounts = [...rolledMeasures, ...amountsWith('kept', 'lines')] as const;

/** Amounts, in reais but for the weight, that a document may have. */
export const amountMeasures = [...itemAmounts, ...amountsWith('kept', 'documents')] as const;

/** Measures that a document has by itself. */
export const documentMeasures = ['count', 'items', 'due', ...amountMeasures] as const;

/** The columns of `items` that hold amounts; those that are kept summed up come first, in their order. */
export const lineAmounts = [...itemAmounts, 'quantity', 'unit_price'] as const;

export type AmountMeasure = (typeof amountMeasures)[number];
export type ItemOnlyMeasure = (typeof itemOnlyMeasures)[number];

/** Withheld PIS, COFINS and CSLL that a document gives as one amount; in no measure. */
const unsplit = 'contributions_withheld';

export const documentAmounts = [...amountMeasures, unsplit] as const;

export const isRolledMeasure = isAmong(rolledMeasures);
export const isItemOnlyMeasure = isAmong(itemOnlyMeasures);

/** Whether items have an amount of their own, also where documents have it. */
export const isItemAmount = isAmong(itemAmounts);

/**
 * Exact millionths of a real or a unit of measure: a bigint only beyond safe integers, so that equal amounts are
 * equal values.
 */
export type Units = number | bigint;

const places = 6;
/** Ninety amounts of a hundred billion reais still fit into 64 bits. */
const largest = 10n ** 17n;

/** Parses millionths; undefined if the text is no number, or not exactly representable. */
export function unitsOf(text: string): Units | undefined {
  if (!isDecimal(text)) return undefined;
  const point = text.indexOf('.');
  const [whole, decimals] = point < 0 ? [text, ''] : [text.slice(0, point), text.slice(point + 1)];
  const kept = decimals.length > places ? decimals.replace(/(?<!0)0+$/, '') : decimals;
  if (kept.length > places) return undefined;
  const digits = whole + kept.padEnd(places, '0');
  const units = Number(digits);
  if (Number.isSafeInteger(units)) return units === 0 ? 0 : units;
  const exact = BigInt(digits);
  return exact >= largest || exact <= -largest ? undefined : exact;
}

/** The exact sum. */
export function plus(one: Units, other: Units): Units {
  if (typeof one === 'number' && typeof other === 'number') {
    const sum = one + other;
    if (Number.isSafeInteger(sum)) return sum;
  }
  const exact = BigInt(one) + BigInt(other);
  const units = Number(exact);
  return Number.isSafeInteger(units) ? units : exact;
}

/** The exact difference. */
export function less(one: Units, other: Units): Units {
  return plus(one, -other);
}

/** Formats millionths with at least two decimals. */
export function amountText(units: string): string {
  const negative = units.startsWith('-');
  const digits = units.slice(negative ? 1 : 0).padStart(places + 1, '0');
  const decimals = digits
    .slice(-places)
    .replace(/(?<!0)0+$/, '')
    .padEnd(2, '0');
  return `${negative ? '-' : ''}${digits.slice(0, -places)}.${decimals}`;
}
