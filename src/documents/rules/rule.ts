import type { DocumentKind, DocumentSummary } from '../summary/summary.ts';
import type { DocumentFacts, RuleContext } from './facts.ts';

/** The code of a rule of the table in `table.ts`. */
export type RuleCode = string;

/** What a person reads, in Portuguese and in English; names in braces are values of a finding. */
export type Words = readonly [portuguese: string, english: string];

/** Days (`YYYY-MM-DD`) of issue a rule holds for, both included. */
export interface Validity {
  readonly from: string;
  readonly to?: string;
}

/** Where a rule is from, by the name people look it up by, and the day (`YYYY-MM-DD`) that was last done. */
export interface Basis {
  readonly source: string;
  readonly verified_on: string;
}

/**
 * `error`: two statements of the document contradict each other, or it says what can't be. `warning`: something is
 * missing, late or likely to be wrong, and may turn out right. `info`: right as it is, and good to know.
 */
export type Severity = 'error' | 'warning' | 'info';

/** What a value is shown as where the document does not give it, which is not the same as zero. */
export const absent = '-';

/** What a rule found in a document: two values as the document has them, or codes, and what else the words need. */
export interface Deviation {
  readonly found: string;
  readonly expected: string;
  /** E.g. `item` (nItem), `field` (the schema's name of an amount), `cst`. */
  readonly values?: Readonly<Record<string, string>>;
}

/** A deviation with its rule and the document it is about. */
export interface Finding extends Deviation {
  readonly rule: RuleCode;
  readonly key?: string;
  readonly document: {
    readonly kind: DocumentKind;
    readonly issuer?: string;
    readonly issuer_name?: string;
    readonly number?: string;
    readonly issued_at?: string;
    /** Decimal text of its total; an NFS-e's gross value where it names no net value. */
    readonly amount?: string;
  };
}

/** A source, and the day it was looked up; the days stand in docs/fiscal/checks.md and docs/fiscal/reform.md. */
export function verified(source: string, verified_on = '2026-11-22'): Basis {
  return { source, verified_on };
}

/** The kinds of documents that rules are about. */
export const kinds = {
  nfe: ['nfe'],
  notes: ['nfe', 'nfce'],
  cte: ['cte'],
  carriages: ['cte', 'cteos'],
  nfse: ['nfse'],
  coded: ['nfe', 'nfce', 'cte', 'cteos'],
  all: ['nfe', 'nfce', 'cte', 'cteos', 'nfse'],
} as const satisfies Record<string, readonly DocumentKind[]>;

interface RuleBasis extends Basis {
  readonly code: RuleCode;
  readonly severity: Severity;
  readonly title: Words;
  /** What was found. */
  readonly finding: Words;
  /** What to do about it. */
  readonly todo: Words;
  /** Absent for what has always held. */
  readonly valid?: Validity;
}

/**
 * A rule about one document by itself, which looks at nothing else: neither who asks nor what is known besides, so that
 * it is asked once. It is asked for the kinds it names, and nothing it finds in a note without effect is told.
 */
export interface DocumentRule extends RuleBasis {
  readonly scope: 'document';
  readonly kinds: readonly DocumentKind[];
  check(document: DocumentSummary): readonly Deviation[];
}

/** A rule about one document as somebody looks at it now. Never asked for a note without effect. */
export interface FactsRule extends RuleBasis {
  readonly scope: 'facts';
  readonly kinds: readonly DocumentKind[];
  check(facts: DocumentFacts, context: RuleContext): readonly Deviation[];
}

/** Looks at documents one after the other and keeps small facts only. */
export interface Accumulator {
  take(facts: DocumentFacts): void;
  /** What was found, after the last document. */
  finish(): Iterable<SetDeviation>;
}

/** A deviation and the document it is told of. */
export interface SetDeviation extends Deviation {
  readonly about: DocumentFacts;
}

/** A rule about documents among themselves; its findings are of the kinds it names. */
export interface SetRule extends RuleBasis {
  readonly scope: 'set';
  readonly kinds: readonly DocumentKind[];
  begin(context: RuleContext): Accumulator;
}

/**
 * A rule about a document's own text as it arrived, which not every document that is known still has. It takes long: it
 * runs only where it is named.
 */
export interface TextRule extends RuleBasis {
  readonly scope: 'text';
  readonly kinds: readonly DocumentKind[];
}

export type Rule = DocumentRule | FactsRule | SetRule | TextRule;
