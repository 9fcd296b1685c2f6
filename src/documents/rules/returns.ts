import type { DocumentSummary } from '../summary/summary.ts';
import { absent, type Deviation } from './rule.ts';

const RETURN = '4';

/** Items of a return that don't name the document they go back to (DFeReferenciado). Source: rule VC02-14. */
export function checkReturnedItems({ purpose, items }: DocumentSummary): Deviation[] {
  const lacking = purpose === RETURN ? items.filter(({ reference }) => reference === undefined) : [];
  if (lacking.length === 0) return [];
  const found = String(items.length - lacking.length);
  return [{ found, expected: String(items.length), values: { item: lacking[0]?.number ?? absent } }];
}
