import { addDecimals, compareDecimals, isDecimal } from '../decimals.ts';

/** Whether an amount is there and more than a limit. What is no number is not. */
export function isMoreThan(amount: string | undefined, limit: string): amount is string {
  return amount !== undefined && isDecimal(amount) && compareDecimals(amount, limit) > 0;
}

export function isPositive(amount: string | undefined): amount is string {
  return isMoreThan(amount, '0');
}

/** The sum of the amounts that are there; undefined where none is, or one is no number. */
export function sumOf(amounts: readonly (string | undefined)[]): string | undefined {
  return addDecimals(amounts.filter((amount) => amount !== undefined));
}
