import type { DocumentKind, DocumentSummary } from '../summary/summary.ts';
import { carriageRules, numberingRules } from './carriage.ts';
import { deadlineRules, reformEventRules } from './deadlines.ts';
import { duplicateRules, laterEventRules } from './duplicates.ts';
import {
  type DocumentFacts,
  eventFacts,
  eventsIn,
  factsNow,
  factsOf,
  isInEffect,
  type KnownNow,
  type OwnFacts,
  type RegisteredEvent,
  type RuleContext,
} from './facts.ts';
import { operationRules } from './operations.ts';
import { reformAmountRules } from './reform/amounts.ts';
import { classificationRules } from './reform/classification.ts';
import { missingGroupRules } from './reform/missing-groups.ts';
import type { Deviation, Finding, Rule, RuleCode, Validity } from './rule.ts';
import { situationRules } from './situations.ts';
import { serviceRules, totalRules } from './totals.ts';

export type { Covered, Stretch } from '../days.ts';
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

/**
 * Raise with every change of what a rule about a single document finds: results of earlier numbers are void.
 */
export const currentRules = 5;

/** What one rule found in a document by itself. */
export type Found = readonly [rule: RuleCode, deviations: readonly Deviation[]];

/** What a document gives a check, which depends on nothing but the document. */
export interface Judgement {
  readonly facts: OwnFacts;
  /** Those in its own file. */
  readonly events: readonly RegisteredEvent[];
  /** By the rules about one document by itself, as if it had effect; those that found nothing are not there. */
  readonly found: readonly Found[];
  /** A digit for each of these rules, in the order of `rules`: 1 where it applies to the document, else 0. */
  readonly applied: string;
}

const ownRules = rules.flatMap((rule) => (rule.check === undefined ? [] : { ...rule, check: rule.check }));

/** Whether a rule holds for the day of issue. A dated rule is not asked of a document without a date. */
function holds(valid: Validity | undefined, day: string | undefined): boolean {
  if (valid === undefined) return true;
  return day !== undefined && day >= valid.from && (valid.to === undefined || day <= valid.to);
}

/** Judges a document by itself. */
export function judge(document: DocumentSummary): Judgement {
  const day = document.issued_at?.slice(0, 10);
  const found: Found[] = [];
  let applied = '';
  for (const { code, kinds, valid, check } of ownRules) {
    const isAsked = kinds.includes(document.kind) && holds(valid, day);
    const deviations = isAsked ? check(document) : undefined;
    applied += deviations === undefined ? '0' : '1';
    if (deviations !== undefined && deviations.length > 0) found.push([code, deviations]);
  }
  return { facts: factsOf(document), events: eventsIn(document), found, applied };
}

/** Looks at documents one after the other, in any order. */
interface Checker {
  /** How many documents each rule applies to; rules among documents count when all is over. */
  readonly appliedTo: Map<RuleCode, number>;
  /** What is wrong with this document by itself; `now` is what is known of it beyond its file. */
  take(judgement: Judgement, now?: KnownNow): Finding[];
  /** A document that isn't looked at, and is there for rules that need more than those that are: so far the numbering. */
  takeBeside(judgement: Judgement, rule: RuleCode, now?: KnownNow): void;
  /** An event that is known apart from its document. */
  takeEvent(key: string, event: RegisteredEvent, status: KnownNow['status']): void;
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

/** Whether a rule counts for a document here, and not in another run over it. */
type Counts = (rule: RuleCode, about: DocumentFacts) => boolean;

/**
 * A run of the rules `asked` over documents of the `kinds` given; others are there for what these are linked with.
 * Memory grows by small facts per document: a hundred thousand fit.
 */
export function createChecker(
  context: RuleContext = {},
  asked: readonly Rule[] = rules,
  kinds?: readonly DocumentKind[],
  counts: Counts = () => true,
): Checker {
  const wanted = new Set(asked.map(({ code }) => code));
  const appliedTo = new Map<RuleCode, number>();
  /** Whether what a rule found is reported. */
  const countApplied = (code: RuleCode, facts: DocumentFacts): boolean => {
    const isCounted = counts(code, facts);
    if (isCounted) appliedTo.set(code, (appliedTo.get(code) ?? 0) + 1);
    return isCounted;
  };
  const isAsked = ({ kind }: DocumentFacts) => kinds === undefined || kinds.includes(kind);
  const running = asked.flatMap(({ code, begin }) =>
    begin === undefined ? [] : [{ code, accumulator: begin(context) }],
  );
  const takeFacts = (facts: DocumentFacts) => {
    for (const { accumulator } of running) accumulator.take(facts);
  };
  return {
    appliedTo,
    take({ facts: own, events, found, applied }, now) {
      const facts = factsNow(own, context, now);
      takeFacts(facts);
      for (const event of events) takeFacts(eventFacts(facts.key, event));
      if (!isInEffect(facts) || !isAsked(facts)) return [];
      const findings: Finding[] = [];
      const note = (code: RuleCode, deviations: readonly Deviation[]) => {
        for (const deviation of deviations) findings.push(finding(code, facts, deviation));
      };
      const ofRule = new Map(found);
      for (const [i, { code }] of ownRules.entries()) {
        if (applied[i] !== '1' || !wanted.has(code) || !countApplied(code, facts)) continue;
        note(code, ofRule.get(code) ?? []);
      }
      for (const { code, kinds: those, checkFacts } of asked) {
        const deviations = those.includes(facts.kind) ? checkFacts?.(facts, context) : undefined;
        if (deviations !== undefined && countApplied(code, facts)) note(code, deviations);
      }
      return findings;
    },
    takeBeside({ facts }, rule, now) {
      const known = factsNow(facts, context, now);
      for (const { code, accumulator } of running) if (code === rule) accumulator.take(known);
    },
    takeEvent(key, event, status) {
      takeFacts(eventFacts(key, event, status));
    },
    *finish() {
      for (const { code, accumulator } of running) {
        for (const { about, deviations } of accumulator.finish()) {
          if (!isAsked(about) || !countApplied(code, about)) continue;
          for (const deviation of deviations) yield finding(code, about, deviation);
        }
      }
    },
  };
}
