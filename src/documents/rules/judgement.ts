import type { DocumentSummary } from '../summary/summary.ts';
import { eventsIn, factsOf, type OwnFacts, type RegisteredEvent } from './facts.ts';
import type { Deviation, DocumentRule, RuleCode, Validity } from './rule.ts';
import { rules } from './table.ts';

/**
 * The number of the rules about one document by itself. What an earlier number found counts no more: to be raised with
 * every change of what one of these rules finds, or of the tables they look into.
 */
export const currentRules = 2;

/** What one rule found in a document by itself. */
export type Found = readonly [rule: RuleCode, deviations: readonly Deviation[]];

/** What a document gives a check, which depends on nothing but the document. */
export interface Judgement {
  readonly facts: OwnFacts;
  /** Those in its own file. */
  readonly events: readonly RegisteredEvent[];
  /** By the rules about one document by itself, as if it had effect; those that found nothing are not there. */
  readonly found: readonly Found[];
}

/** Whether a rule holds for the day of issue. A dated rule is not asked of a document without a date. */
function holds(valid: Validity | undefined, day: string | undefined): boolean {
  if (valid === undefined) return true;
  return day !== undefined && day >= valid.from && (valid.to === undefined || day <= valid.to);
}

const single = rules.filter((rule): rule is DocumentRule => rule.scope === 'document');

/** The rules that are asked of a kind of document. */
const singleOf = new Map<string, readonly DocumentRule[]>();

function rulesFor(kind: DocumentSummary['kind']): readonly DocumentRule[] {
  const known = singleOf.get(kind);
  if (known !== undefined) return known;
  const asked = single.filter(({ kinds }) => kinds.includes(kind));
  singleOf.set(kind, asked);
  return asked;
}

/** Judges a document by itself. */
export function judge(document: DocumentSummary): Judgement {
  const day = document.issued_at?.slice(0, 10);
  const found: Found[] = [];
  for (const { code, valid, check } of rulesFor(document.kind)) {
    if (!holds(valid, day)) continue;
    const deviations = check(document);
    if (deviations.length > 0) found.push([code, deviations]);
  }
  return { facts: factsOf(document), events: eventsIn(document), found };
}
