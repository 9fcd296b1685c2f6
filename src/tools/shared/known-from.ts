import * as z from 'zod';
import { monthOf } from '../../archive/days.ts';
import type { CallContext } from '../../company/call-context.ts';

/** The question's first day and the first known document. */
export interface FirstKnown {
  readonly company?: string | undefined;
  /** First day asked about, and the first day of the company's documents of the kind. */
  readonly from?: string;
  readonly firstDay?: string | undefined;
}

/** Output schema. */
export const knownFromShape = () => z.string().optional().describe('First document known here, after from');

/** First known day, if the period begins earlier. */
export function knownFrom({ from = '', firstDay }: FirstKnown): string | undefined {
  return firstDay !== undefined && from < firstDay ? firstDay : undefined;
}

/** Skipped within the first document's month; said once a conversation, and whenever nothing was found. */
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
