import type { DocumentKind, DocumentSummary } from '../summary/summary.ts';
import { carriageRules } from './carriage.ts';
import { duplicateRules, numberingRules } from './duplicates.ts';
import { deadlineRules, laterEventRules, reformEventRules } from './events.ts';
import type { DocumentFacts, KnownNow, OwnFacts, RegisteredEvent, RuleContext } from './facts.ts';
import { eventFacts, eventsIn, factsNow, factsOf, isInEffect } from './facts.ts';
import { operationRules } from './operations.ts';
import { reformAmountRules } from './reform-amounts.ts';
import { classificationRules, missingGroupRules } from './reform-groups.ts';
import type { Deviation, Finding, Rule, RuleCode } from './rule.ts';
import { situationRules } from './situations.ts';
import { serviceRules, totalRules } from './totals.ts';

export { goodsExpectedBy, longestWait } from './carriage.ts';
export type { KnownNow, OwnFacts, RegisteredEvent, RuleContext } from './facts.ts';
export type { Finding, Rule, RuleCode } from './rule.ts';

/** Every fiscal check there is, with its words, how grave it is, where it is from and, where it is dated, since when. */
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

/** Raise with every change of what a rule about a single document finds: results of earlier numbers are void. */
export const currentRules = 7;

/** Results of the rules about one document, with its facts for all others; depends on the document alone. */
export interface Judgement {
  readonly facts: OwnFacts;
  readonly events: readonly RegisteredEvent[];
  /** By the rules about one document by itself, as if it had effect; those that found nothing are not there. */
  readonly found: readonly (readonly [rule: RuleCode, deviations: readonly Deviation[]])[];
  /** A digit for each of these rules, in the order of `rules`: 1 where it applies to the document, else 0. */
  readonly applied: string;
}

const ownRules = rules.filter(({ check }) => check !== undefined);

/** Applies the rules about one document. Dated rules skip a document without a date. */
export function judge(document: DocumentSummary): Judgement {
  const day = document.issued_at?.slice(0, 10) ?? '';
  const found: [RuleCode, readonly Deviation[]][] = [];
  let applied = '';
  for (const rule of ownRules) {
    const { from = '', to = day } = rule.valid ?? {};
    const isAsked = rule.kinds.includes(document.kind) && day >= from && day <= to;
    const deviations = isAsked ? rule.check?.(document) : undefined;
    applied += deviations === undefined ? '0' : '1';
    if (deviations !== undefined && deviations.length > 0) found.push([rule.code, deviations]);
  }
  return { facts: factsOf(document), events: eventsIn(document), found, applied };
}

interface Checker {
  /** Number of documents each rule applies to; rules among documents count in `finish`. */
  readonly appliedTo: Map<RuleCode, number>;
  /** Findings about this document alone; `now` adds facts from outside its file. */
  take(judgement: Judgement, now?: KnownNow): Finding[];
  /** A document outside the selection that a rule compares with, so far the numbering. */
  takeBeside(judgement: Judgement, rule: RuleCode, now?: KnownNow): void;
  takeEvent(key: string, event: RegisteredEvent, status: KnownNow['status']): void;
  finish(): Iterable<Finding>;
}

/**
 * A run of the rules `asked` over documents of the `kinds` given; others are there for what these are linked with.
 * Memory grows by small facts per document: a hundred thousand fit.
 * @param counts whether a rule counts for a document here, and not in another run over it
 */
export function createChecker(
  context: RuleContext = {},
  asked: readonly Rule[] = rules,
  kinds?: readonly DocumentKind[],
  counts: (rule: RuleCode, about: DocumentFacts) => boolean = () => true,
): Checker {
  const wanted = new Set(asked.map(({ code }) => code));
  const appliedTo = new Map<RuleCode, number>();
  const isAsked = ({ kind }: DocumentFacts) => kinds === undefined || kinds.includes(kind);
  const all: DocumentFacts[] = [];
  const beside = new Map<RuleCode, DocumentFacts[]>();
  /** Counts a document that a rule applies to, and gives what is reported of it. */
  const findingsOf = (rule: RuleCode, about: DocumentFacts, deviations: readonly Deviation[]): Finding[] => {
    if (!counts(rule, about)) return [];
    appliedTo.set(rule, (appliedTo.get(rule) ?? 0) + 1);
    const { kind, key, issuer, issuer_name, number, issued_at, total: amount } = about;
    const document = { kind, issuer, issuer_name, number, issued_at, amount };
    return deviations.map(({ found, expected, values }) => {
      return { rule, key, document, found, expected, values };
    });
  };
  return {
    appliedTo,
    take({ facts: own, events, found, applied }, now) {
      const facts = factsNow(own, context, now);
      all.push(facts, ...events.map((event) => eventFacts(facts.key, event)));
      if (!isInEffect(facts) || !isAsked(facts)) return [];
      const ofRule = new Map(found);
      const byItself = ownRules.flatMap(({ code }, at) =>
        applied[at] === '1' && wanted.has(code) ? findingsOf(code, facts, ofRule.get(code) ?? []) : [],
      );
      const asKnown = asked.flatMap(({ code, kinds: those, checkFacts }) => {
        const deviations = those.includes(facts.kind) ? checkFacts?.(facts, context) : undefined;
        return deviations === undefined ? [] : findingsOf(code, facts, deviations);
      });
      return [...byItself, ...asKnown];
    },
    takeBeside({ facts }, rule, now) {
      const known = beside.get(rule) ?? [];
      beside.set(rule, known);
      known.push(factsNow(facts, context, now));
    },
    takeEvent(key, event, status) {
      all.push(eventFacts(key, event, status));
    },
    *finish() {
      for (const { code, among } of asked)
        for (const { about, deviations } of among?.([...all, ...(beside.get(code) ?? [])], context) ?? [])
          if (isAsked(about)) yield* findingsOf(code, about, deviations);
    },
  };
}
