import { isDecimal } from '../../documents/decimals.ts';

/**
 * Whole millionths of a real, or of a unit of measure: exact in every sum. A number wherever it holds them, which is far
 * quicker; a bigint beyond (from nine billion reais on), and nowhere else, so that equal amounts are equal values.
 * Source: the totals of all layouts have 2 decimals, some have 4.
 */
export type Units = number | bigint;

const places = 6;
/** Ninety of the largest amounts, of a hundred billion reais each, still add up within 64 bits. */
const largest = 10n ** 17n;

const scales = Array.from({ length: places + 1 }, (_, decimals) => 10 ** (places - decimals));

const [minus, point, zero, nine] = ['-', '.', '0', '9'].map((character) => character.charCodeAt(0));
/** What is longer may have more digits than a number holds. */
const longestPlain = 17;

/** The same as `unitsOf` for the common case; undefined where that has to decide. */
function plainUnitsOf(text: string): number | undefined {
  const { length } = text;
  const isNegative = text.charCodeAt(0) === minus;
  const start = isNegative ? 1 : 0;
  if (length === start || length > longestPlain) return undefined;
  let value = 0;
  let pointAt = length;
  for (let at = start; at < length; at++) {
    const code = text.charCodeAt(at);
    if (zero !== undefined && nine !== undefined && code >= zero && code <= nine) {
      value = value * 10 + (code - zero);
    } else if (code === point && pointAt === length && at > start && at < length - 1) pointAt = at;
    else return undefined;
  }
  let decimals = Math.max(0, length - 1 - pointAt);
  for (; decimals > places && value % 10 === 0; decimals--) value /= 10;
  const scale = scales[decimals];
  if (scale === undefined) return undefined;
  const units = value * scale;
  if (!Number.isSafeInteger(value) || !Number.isSafeInteger(units)) return undefined;
  return isNegative && units !== 0 ? -units : units;
}

/** A whole number as `Units`. */
function unitsFrom(whole: bigint): Units {
  const units = Number(whole);
  return Number.isSafeInteger(units) ? units : whole;
}

/** Millionths; undefined where the text is no number or has more decimals or digits than can be held exactly. */
export function unitsOf(text: string): Units | undefined {
  const plain = plainUnitsOf(text);
  if (plain !== undefined) return plain;
  if (!isDecimal(text)) return undefined;
  const [whole = '', decimals = ''] = text.split('.');
  const kept = decimals.replace(/(?<!0)0+$/, '');
  if (kept.length > places) return undefined;
  const units = BigInt(whole.replace('-', '') + kept.padEnd(places, '0'));
  if (units >= largest) return undefined;
  return unitsFrom(text.startsWith('-') ? -units : units);
}

/** The units that a database gave as the text of a whole number. */
export function unitsRead(digits: string): Units {
  const units = Number(digits);
  return Number.isSafeInteger(units) ? units : BigInt(digits);
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
