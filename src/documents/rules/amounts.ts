import { addDecimals, compareDecimals, isDecimal, negateDecimal, sameDecimal } from '../decimals.ts';

/** As amounts are written, which are compared fastest. */
const ZERO = '0.00';

/** Whether an amount is there and more than a limit. What is no number is not. */
export function isMoreThan(amount: string | undefined, limit: string): amount is string {
  return amount !== undefined && isDecimal(amount) && compareDecimals(amount, limit) > 0;
}

export function isPositive(amount: string | undefined): amount is string {
  return isMoreThan(amount, ZERO);
}

/** The sum of the amounts that are there; undefined where none is, or one is no number. */
export function sumOf(amounts: readonly (string | undefined)[]): string | undefined {
  return addDecimals(amounts.filter((amount) => amount !== undefined));
}

const ONE_CENT = '0.01';

/**
 * Whether two amounts are the same but for a cent, which two ways of rounding make. What is no number is not.
 * Source: docs/fiscal/checks.md, totals.
 */
export function isWithinACent(first: string, second: string): boolean {
  if (sameDecimal(first, second)) return true;
  if (!isDecimal(first) || !isDecimal(second)) return false;
  const difference = addDecimals([first, negateDecimal(second)])?.replace('-', '');
  return difference !== undefined && compareDecimals(difference, ONE_CENT) <= 0;
}
