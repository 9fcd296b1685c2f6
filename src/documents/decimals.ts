import { Big } from 'big.js';

const DECIMAL = /^-?\d{1,20}(?:\.\d{1,20})?$/;

/** Whether a text is a number as fiscal files write it: digits, at most one point, no exponent, no separators. */
export function isDecimal(text: string): boolean {
  return DECIMAL.test(text);
}

const MINUS = 0x2d;
const POINT = 0x2e;
const ZERO = 0x30;
/** A sum of so many digits stays within what a double holds exactly. */
const LONGEST_AMOUNT = 16;

/** An amount of money (`-12.50`) in cents; NaN for what is written otherwise or too long to be exact. */
function centsIn(text: string): number {
  const point = text.length - 3;
  const start = text.charCodeAt(0) === MINUS ? 1 : 0;
  if (point <= start || text.length > LONGEST_AMOUNT) return Number.NaN;
  let cents = 0;
  for (let i = start; i < text.length; i++) {
    const digit = text.charCodeAt(i) - ZERO;
    if (i === point) {
      if (digit !== POINT - ZERO) return Number.NaN;
    } else {
      if (digit < 0 || digit > 9) return Number.NaN;
      cents = cents * 10 + digit;
    }
  }
  return start === 0 ? cents : -cents;
}

const twoDigits = Array.from({ length: 100 }, (_, cents) => String(cents).padStart(2, '0'));

function fromCents(cents: number): string {
  const amount = Math.abs(cents);
  const rest = amount % 100;
  return `${cents < 0 ? '-' : ''}${(amount - rest) / 100}.${twoDigits[rest]}`;
}

/** The sum where all parts are amounts and it stays exact, as in nearly every document; else NaN. */
function sumOfCents(parts: readonly (string | undefined)[]): number {
  let sum = 0;
  for (const part of parts) {
    if (part === undefined) continue;
    sum = Math.abs(sum) > Number.MAX_SAFE_INTEGER / 2 ? Number.NaN : sum + centsIn(part);
  }
  return sum;
}

function decimalPlaces(text: string): number {
  const point = text.indexOf('.');
  return point === -1 ? 0 : text.length - point - 1;
}

/**
 * The sum, in plain notation with as many decimal places as the longest of the parts. Undefined where there is no
 * part, or one is not a number: a sum of half the parts would be a wrong answer.
 */
export function addDecimals(parts: readonly string[]): string | undefined {
  return addGiven(parts);
}

/** The same of parts of which any may be missing: the sum of those that are there. */
export function addGiven(parts: readonly (string | undefined)[]): string | undefined {
  if (parts.every((part) => part === undefined)) return undefined;
  const cents = sumOfCents(parts);
  if (!Number.isNaN(cents)) return fromCents(cents);
  const given = parts.filter((part) => part !== undefined);
  if (!given.every(isDecimal)) return undefined;
  const places = given.reduce((most, part) => Math.max(most, decimalPlaces(part)), 0);
  return given.reduce((sum, part) => sum.plus(part), new Big(0)).toFixed(places);
}

/** The same number with the other sign. */
export function negateDecimal(text: string): string {
  return text.startsWith('-') ? text.slice(1) : `-${text}`;
}

/** Negative, 0 or positive, as the first is less than, equal to or more than the second. Both must be decimals. */
export function compareDecimals(first: string, second: string): number {
  if (first === second) return 0;
  const difference = centsIn(first) - centsIn(second);
  return Number.isNaN(difference) ? new Big(first).cmp(second) : difference;
}

/** Whether two texts are the same number: `10` and `10.00` are. What is no number equals only itself. */
export function sameDecimal(first: string, second: string): boolean {
  if (first === second) return true;
  return isDecimal(first) && isDecimal(second) && compareDecimals(first, second) === 0;
}
