import type { DocumentSummary } from '../summary/summary.ts';
import type { RuleContext } from './facts.ts';
import { type DocumentFacts, eventFactsOf, factsOf, isInEffect } from './facts.ts';
import type {
  Accumulator,
  Deviation,
  DocumentRule,
  Finding,
  Rule,
  RuleCode,
  SetRule,
  Validity,
} from './rule.ts';
import { rules as allRules } from './table.ts';

/** Looks at documents one after the other, in any order. */
export interface Checker {
  /** What is wrong with this document by itself. */
  take(document: DocumentSummary): Finding[];
  /** What is wrong with the documents among themselves, after the last one. */
  finish(): Iterable<Finding>;
}

function finding(rule: RuleCode, about: DocumentFacts, { found, expected, values }: Deviation): Finding {
  const { kind, key, issuer, issuer_name, number, issued_at, total: amount } = about;
  return {
    rule,
    key,
    document: { kind, issuer, issuer_name, number, issued_at, amount },
    found,
    expected,
    values,
  };
}

/** Whether a rule holds for the day of issue. A dated rule is not asked of a document without a date. */
function holds(valid: Validity | undefined, issuedAt: string | undefined): boolean {
  if (valid === undefined) return true;
  const day = issuedAt?.slice(0, 10);
  return day !== undefined && day >= valid.from && (valid.to === undefined || day <= valid.to);
}

function applies({ kinds, valid }: DocumentRule, document: DocumentSummary): boolean {
  return kinds.includes(document.kind) && isInEffect(document) && holds(valid, document.issued_at);
}

/**
 * A run of rules over documents. Memory grows by small facts per document, not by its items: a hundred thousand fit.
 * @param rules those of the table that are wanted; all where absent
 */
export function createChecker(context: RuleContext = {}, rules: readonly Rule[] = allRules): Checker {
  const single = rules.filter((rule): rule is DocumentRule => rule.scope === 'document');
  const running = rules
    .filter((rule): rule is SetRule => rule.scope === 'set')
    .map((rule): { code: RuleCode; accumulator: Accumulator } => ({
      code: rule.code,
      accumulator: rule.begin(context),
    }));
  return {
    take(document) {
      const facts = factsOf(document, context);
      const events = eventFactsOf(document);
      for (const { accumulator } of running) {
        accumulator.take(facts);
        for (const event of events) accumulator.take(event);
      }
      const found: Finding[] = [];
      for (const rule of single) {
        if (!applies(rule, document)) continue;
        for (const deviation of rule.check(document, context)) {
          found.push(finding(rule.code, facts, deviation));
        }
      }
      return found;
    },
    *finish() {
      for (const { code, accumulator } of running) {
        for (const deviation of accumulator.finish()) {
          yield finding(code, deviation.about, deviation);
        }
      }
    },
  };
}
