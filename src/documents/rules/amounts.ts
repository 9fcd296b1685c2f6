import { addDecimals, compareDecimals, isDecimal, negateDecimal, sameDecimal } from '../decimals.ts';
import type { Item } from '../summary/summary.ts';

/** As amounts are written, which are compared fastest. */
const ZERO = '0.00';

/** Whether an amount is there and more than a limit. What is no number is not. */
export function isMoreThan(amount: string | undefined, limit: string): amount is string {
  return amount !== undefined && isDecimal(amount) && compareDecimals(amount, limit) > 0;
}

export function isPositive(amount: string | undefined): amount is string {
  return isMoreThan(amount, ZERO);
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

/** Exempt, not taxed, suspended: the codes of the group ICMS40. */
const codes = new Set(['40', '41', '50']);

/** The layout whose ICMS40 has the relieved amount in vICMS; since 3.10 it is vICMSDeson. */
export const RELIEF_IN_VALUE = 'nfe 2.00';

/**
 * Whether an item's ICMS, where it gives any, is what it is relieved of and not what is due. Source: MOC NF-e, layout
 * 2.00, group ICMS40 (vICMS with motDesICMS) and NT 2013.005, which moves the amount to vICMSDeson.
 */
export function isRelieved({ cst }: Item): boolean {
  return cst !== undefined && codes.has(cst);
}
