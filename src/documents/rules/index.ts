import type { DocumentArea } from '../days.ts';
import { type DocumentSummary, familyOf } from '../summary/summary.ts';
import { carriageRules } from './carriage.ts';
import { duplicateRules, numberingRules } from './duplicates.ts';
import { deadlineRules, laterEventRules, reformEventRules } from './events.ts';
import type { DocumentFacts, KnownNow, OwnFacts, RegisteredEvent, RuleContext } from './facts.ts';
import { eventFacts, eventsIn, factsNow, factsOf, isInEffect } from './facts.ts';
import { operationRules } from './operations.ts';
import { reformAmountRules } from './reform-amounts.ts';
import { classificationRules, missingGroupRules } from './reform-groups.ts';
import type { Deviation, Finding, Rule } from './rule.ts';
import { situationRules } from './situations.ts';
import { serviceRules, totalRules } from './totals.ts';

export { goodsExpectedBy, longestWait } from './carriage.ts';
export type { KnownNow, OwnFacts, RegisteredEvent, RuleContext } from './facts.ts';
export { factsOf } from './facts.ts';
export type { Deviation, Finding, Rule } from './rule.ts';

/** All fiscal checks, with texts, severity, source and, if dated, period of validity. */
export const rules: readonly Rule[] = [
  ...totalRules,
  ...operationRules,
  ...situationRules,
  ...serviceRules,
  ...missingGroupRules,
  ...classificationRules,
  ...reformAmountRules,
  ...duplicateRules,
  ...numberingRules,
  ...laterEventRules,
  ...deadlineRules,
  ...reformEventRules,
  ...carriageRules,
];

/** Increase whenever a rule about a single document changes: results of earlier versions become invalid. */
export const currentRules = 8;

/** Rules that check one document in isolation. */
export const ownRules = rules.filter(({ check }) => check !== undefined);

/** Results of `ownRules` with the facts that other rules need; depends on the document alone. */
export interface Judgement {
  readonly facts: OwnFacts;
  /** Events in the document's own file; the archive adds those from other files. */
  readonly events: readonly RegisteredEvent[];
  /** Results of `ownRules`, in the same order, as if the document were in effect; 0 for a rule that does not apply. */
  readonly verdicts: readonly (readonly Deviation[] | 0)[];
}

/** Applies the rules that check one document. Dated rules skip a document without a date. */
export function judge(document: DocumentSummary): Judgement {
  const day = document.issued_at?.slice(0, 10) ?? '';
  const verdicts = ownRules.map(({ kinds, valid, check }) => {
    const { from = '', to = day } = valid ?? {};
    const isAsked = kinds.includes(document.kind) && day >= from && day <= to;
    return (isAsked && check?.(document)) || 0;
  });
  return { facts: factsOf(document), events: eventsIn(document), verdicts };
}

/** Creates a finding of a rule about a document. */
export function findingOf(rule: Rule, about: OwnFacts, { found, expected, values }: Deviation): Finding {
  const { key, number, issuer, issuer_name, total } = about;
  return { rule, key, number, issuer, issuer_name, total, found, expected, values };
}

/**
 * Applies the rules in `asked` to documents of a family; other documents serve only as links.
 * Memory grows by a few facts per document: a hundred thousand fit.
 * @param counts called with each document that a rule applies to; its findings count if it returns true. Rules that
 * compare documents call it in `finish`
 */
export function createChecker(
  context: RuleContext = {},
  asked: readonly Rule[] = rules,
  family?: DocumentArea,
  counts: (rule: Rule, about: DocumentFacts) => boolean = () => true,
) {
  const isAsked = ({ kind }: DocumentFacts) => family === undefined || familyOf(kind) === family;
  const all: DocumentFacts[] = [];
  const otherNumbers: DocumentFacts[] = [];
  const findingsOf = (rule: Rule, about: DocumentFacts, deviations: readonly Deviation[]): Finding[] =>
    counts(rule, about) ? deviations.map((one) => findingOf(rule, about, one)) : [];
  const wanted = ownRules.map((rule) => asked.includes(rule));
  return {
    /** Findings about this document alone; `now` adds facts from outside its file. */
    take({ facts: own, events, verdicts }: Judgement, now?: KnownNow): Finding[] {
      const facts = factsNow(own, context, now);
      all.push(facts, ...events.map((event) => eventFacts(facts.key, event)));
      if (!isInEffect(facts) || !isAsked(facts)) return [];
      const byItself = ownRules.flatMap((rule, at) => {
        const deviations = verdicts[at];
        return deviations && wanted[at] ? findingsOf(rule, facts, deviations) : [];
      });
      const asKnown = asked.flatMap((rule) => {
        const deviations = rule.kinds.includes(facts.kind) ? rule.checkFacts?.(facts, context) : undefined;
        return deviations === undefined ? [] : findingsOf(rule, facts, deviations);
      });
      return [...byItself, ...asKnown];
    },
    /** Adds a document outside the selection, for the rule about the company's own numbers. */
    takeNumber({ facts }: Judgement, now?: KnownNow): void {
      otherNumbers.push(factsNow(facts, context, now));
    },
    *finish(): Iterable<Finding> {
      for (const rule of asked) {
        const facts = rule.needs === 'own_numbers' ? [...all, ...otherNumbers] : all;
        for (const { about, deviations } of rule.among?.(facts, context) ?? [])
          if (isAsked(about)) yield* findingsOf(rule, about, deviations);
      }
    },
  };
}
