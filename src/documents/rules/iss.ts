import { addDecimals, compareDecimals, isDecimal, negateDecimal } from '../decimals.ts';
import type { DocumentSummary } from '../summary/summary.ts';
import { isPositive, isWithinACent } from './amounts.ts';
import { absent, type Deviation } from './rule.ts';

/**
 * Marked as withheld, and there is no ISS to withhold. A provider under the Simples pays its ISS with the rest of its
 * taxes, and its notes need not show it.
 */
export function checkWithheldFlag({ iss_withheld, totals, issuer }: DocumentSummary): Deviation[] {
  if (issuer?.is_under_simples === true) return [];
  if (iss_withheld !== true || isPositive(totals.iss) || isPositive(totals.iss_withheld)) return [];
  return [{ found: totals.iss ?? absent, expected: '> 0' }];
}

/** Marked as withheld, and what was withheld in all is less than the ISS. */
export function checkWithheldAmount({ iss_withheld, totals }: DocumentSummary): Deviation[] {
  const { withheld } = totals;
  const iss = totals.iss_withheld ?? totals.iss;
  if (iss_withheld !== true || !isPositive(iss)) return [];
  const isCovered =
    withheld !== undefined &&
    isDecimal(withheld) &&
    (compareDecimals(withheld, iss) >= 0 || isWithinACent(withheld, iss));
  return isCovered ? [] : [{ found: withheld ?? absent, expected: `>= ${iss}` }];
}

/** Not marked as withheld, and the net value is the gross value less exactly the ISS. */
export function checkDeducted({ iss_withheld, totals }: DocumentSummary): Deviation[] {
  const { iss, services, total, discount } = totals;
  if (iss_withheld !== false || !isPositive(iss) || isPositive(discount)) return [];
  if (services === undefined || total === undefined) return [];
  const withoutIss = addDecimals([services, negateDecimal(iss)]);
  if (withoutIss === undefined || !isWithinACent(withoutIss, total)) return [];
  return [{ found: total, expected: services, values: { iss } }];
}
