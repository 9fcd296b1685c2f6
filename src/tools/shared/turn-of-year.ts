import type { DocumentArea } from '../../archive/references.ts';
import type { CallContext } from '../../company/call-context.ts';
import { TAXES_IN_PRICE_FROM } from '../../documents/rules/rule.ts';

/** Says that prices changed their meaning within the days of an answer, for goods. */
export function turnOfYearSentences(
  { area, from, to }: { readonly area: DocumentArea; readonly from: string; readonly to: string },
  { translator: { say } }: CallContext,
): string[] {
  const spansYears = from < TAXES_IN_PRICE_FROM && to >= TAXES_IN_PRICE_FROM;
  return area === 'nfe' && spansYears ? [say('analysis.turn_of_year')] : [];
}
