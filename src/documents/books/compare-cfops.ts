import { addDecimals, compareDecimals } from '../decimals.ts';
import type { Entry, KnownDocument } from './book.ts';
import { type BookFinding, differ, distance, type Sides } from './findings.ts';

/** Amounts by CFOP, of codes and amounts by turns. */
function sumsOf(pairs: readonly string[]): Map<string, string> {
  const sums = new Map<string, string>();
  for (let at = 0; at < pairs.length; at += 2) {
    const cfop = pairs[at] ?? '';
    sums.set(cfop, addDecimals([sums.get(cfop), pairs[at + 1]]) ?? '0.00');
  }
  return sums;
}

const codesOf = (sums: ReadonlyMap<string, string>) => [...sums.keys()].sort().join(', ');

/** From 2027 on the amounts of a book are without IBS, CBS and IS and those of the items with them. */
const SUMS_UNTIL = '2027-01-01';

/**
 * The CFOP of an entry against its document's items. What the company issued has the same codes with the same sums. Of
 * what came in only the first digit is certain: 5 becomes 1, 6 becomes 2, 7 becomes 3; the rest is by use.
 */
export function compareCfops(
  { cfops = [], isOwn, model }: Entry,
  document: KnownDocument,
  { toleranceTax }: Sides,
  areTotalsEqual: boolean,
):
  | Pick<BookFinding, 'finding' | 'certainty' | 'field' | 'ours' | 'theirs' | 'amount' | 'difference'>
  | undefined {
  const items = document.cfops ?? [];
  if (cfops.length === 0 || items.length === 0) return undefined;
  const theirs = sumsOf(cfops);
  const ours = sumsOf(items);
  const rest = ours.get('');
  ours.delete('');
  if (ours.size === 0) return undefined;
  const found = { finding: 'value_differs', certainty: 'certain', field: 'cfop' } as const;
  const codes = { ours: codesOf(ours), theirs: codesOf(theirs) };
  if (!isOwn) {
    if (model !== '55') return undefined;
    const first = (code: string) => code.charAt(0);
    const expected = new Set([...ours.keys()].map((code) => String(Number(first(code)) - 4)));
    const isOut = [...ours.keys()].every((code) => Number(first(code)) >= 5);
    return isOut && [...theirs.keys()].some((code) => !expected.has(first(code)))
      ? { ...found, ...codes }
      : undefined;
  }
  if (codes.ours !== codes.theirs) return { ...found, ...codes };
  const hasRest = rest !== undefined && compareDecimals(rest, '0.00') !== 0;
  if (!areTotalsEqual || hasRest || document.issued_at >= SUMS_UNTIL) return undefined;
  for (const [code, amount] of theirs) {
    const own = ours.get(code) ?? '0.00';
    if (!differ(own, amount, toleranceTax)) continue;
    const difference = distance(own, amount);
    return { ...found, ours: `${code} ${own}`, theirs: `${code} ${amount}`, difference, amount: difference };
  }
  return undefined;
}
