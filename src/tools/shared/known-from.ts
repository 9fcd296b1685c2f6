import * as z from 'zod';
import { monthOf } from '../../archive/days.ts';
import type { CallContext } from '../../company/call-context.ts';

/** What an answer's basis says of the beginning of what is known. */
export interface FirstKnown {
  readonly company?: string | undefined;
  /** The first day asked about, and that of the first document known here of the company and kind. */
  readonly from?: string;
  readonly firstDay?: string | undefined;
}

/** Part of output schemas. */
export const knownFromShape = () => z.string().optional().describe('First document known here, after from');

/** The day from which documents are known here, where the period begins earlier. */
export function knownFrom({ from = '', firstDay }: FirstKnown): string | undefined {
  return firstDay !== undefined && from < firstDay ? firstDay : undefined;
}

/** Days of the first document's own month are no news. A conversation needs it once, and wherever nothing was found. */
export function knownFromSentences(
  basis: FirstKnown,
  documents: number,
  { isDue, translator: { say, day } }: CallContext,
): string[] {
  const first = knownFrom(basis);
  if (first === undefined || monthOf(basis.from ?? '') >= monthOf(first)) return [];
  const isNew = isDue(`known_from ${basis.company} ${first}`);
  return isNew || documents === 0 ? [say('analysis.known_from', { day: day(first) })] : [];
}
