import { isDecimal } from '../../documents/decimals.ts';

/**
 * Exact millionths of a real or a unit of measure: a bigint only beyond safe integers, so that equal amounts are
 * equal values.
 */
export type Units = number | bigint;

const places = 6;
/** Ninety amounts of a hundred billion reais still fit into 64 bits. */
const largest = 10n ** 17n;

/** A whole number as `Units`. */
function unitsFrom(whole: bigint): Units {
  const units = Number(whole);
  return Number.isSafeInteger(units) ? units : whole;
}

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
  return unitsFrom(BigInt(one) + BigInt(other));
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
