import { Big } from 'big.js';

const DECIMAL = /^-?\d{1,20}(?:\.\d{1,20})?$/;

/** Whether a text is a number as fiscal files write it: digits, at most one point, no exponent, no separators. */
export function isDecimal(text: string): boolean {
  return DECIMAL.test(text);
}

function decimalPlaces(text: string): number {
  const point = text.indexOf('.');
  return point === -1 ? 0 : text.length - point - 1;
}

/** A sum of so many digits and parts stays within what a double holds exactly. */
const EXACT_DIGITS = 14;
const EXACT_PARTS = 90;

/** The digits as a whole number of the smallest unit: `12.5` with two places is 1250. */
function inUnits(text: string, places: number): number {
  return Number(text.replace('.', '')) * 10 ** (places - decimalPlaces(text));
}

function fromUnits(units: number, places: number): string {
  if (places === 0) return String(units);
  const digits = String(Math.abs(units)).padStart(places + 1, '0');
  return `${units < 0 ? '-' : ''}${digits.slice(0, -places)}.${digits.slice(-places)}`;
}

/**
 * The sum, in plain notation with as many decimal places as the longest of the parts. Undefined where there is no
 * part, or one is not a number: a sum of half the parts would be a wrong answer.
 */
export function addDecimals(parts: readonly string[]): string | undefined {
  if (parts.length === 0 || !parts.every(isDecimal)) return undefined;
  const places = Math.max(...parts.map(decimalPlaces));
  const digits = Math.max(...parts.map((part) => part.length + places - decimalPlaces(part)));
  if (digits <= EXACT_DIGITS && parts.length <= EXACT_PARTS) {
    return fromUnits(
      parts.reduce((sum, part) => sum + inUnits(part, places), 0),
      places,
    );
  }
  return parts.reduce((sum, part) => sum.plus(part), new Big(0)).toFixed(places);
}

/** The same number with the other sign. */
export function negateDecimal(text: string): string {
  return text.startsWith('-') ? text.slice(1) : `-${text}`;
}

/** Negative, 0 or positive, as the first is less than, equal to or more than the second. Both must be decimals. */
export function compareDecimals(first: string, second: string): number {
  return first === second ? 0 : new Big(first).cmp(second);
}

/** Whether two texts are the same number: `10` and `10.00` are. What is no number equals only itself. */
export function sameDecimal(first: string, second: string): boolean {
  if (first === second) return true;
  return isDecimal(first) && isDecimal(second) && compareDecimals(first, second) === 0;
}
