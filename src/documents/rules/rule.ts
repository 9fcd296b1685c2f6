import { compareDecimals, distance, isDecimal, sameDecimal } from '../decimals.ts';
import type { Facts } from '../problems.ts';
import type { DocumentKind, DocumentSummary, Item } from '../summary/summary.ts';
import type { DocumentFacts, RuleContext } from './facts.ts';

/** Portuguese and English text; names in braces are replaced by values of a finding. */
export type Words = readonly [portuguese: string, english: string];

/** Source of a rule, and the day (`YYYY-MM-DD`) it was last verified. */
type Basis = Required<Facts<'source verified_on'>>;

/** `error`: contradictory or impossible statements. `warning`: missing, late or likely wrong. `info`: correct. */
export const severities = ['error', 'warning', 'info'] as const;

type Severity = (typeof severities)[number];

/** Placeholder for a value that the document does not give, as opposed to zero. */
export const absent = '-';

/** Two values or codes that differ, and further values for the text. */
export interface Deviation {
  readonly found: string;
  readonly expected: string;
  /** E.g. `item` (nItem), `field` (the schema's name of an amount), `cst`. */
  readonly values?: Readonly<Record<string, string>>;
}

/** A deviation with its rule and document. */
export interface Finding
  extends Deviation,
    Pick<DocumentFacts, 'key' | 'number' | 'issuer' | 'issuer_name' | 'total'> {
  readonly rule: Rule;
}

/** A document covered by a rule that compares documents, and its deviations. */
export interface Examined {
  readonly about: DocumentFacts;
  readonly deviations: readonly Deviation[];
}

/** Deviations in a document; undefined if the rule does not apply to it. */
export type Verdict = readonly Deviation[] | undefined;

export type Check = (document: DocumentSummary) => Verdict;

/** Checks each subject; undefined (not applicable) without subjects. */
export function inEach<T>(subjects: readonly T[], check: (subject: T) => readonly Deviation[]): Verdict {
  return subjects.length === 0 ? undefined : subjects.flatMap(check);
}

/** A rule has one of three checks, or reads the document's text. */
export interface Rule extends Basis {
  readonly code: string;
  readonly severity: Severity;
  readonly kinds: readonly DocumentKind[];
  /** Days (`YYYY-MM-DD`) of issue covered, inclusive; absent for rules without dates. */
  readonly valid?: { readonly from: string; readonly to?: string };
  readonly title: Words;
  readonly finding: Words;
  readonly todo: Words;
  check?(document: DocumentSummary): Verdict;
  checkFacts?(facts: DocumentFacts, context: RuleContext): Verdict;
  /** Compares documents with each other, in any order; yields every document that the rule applies to. */
  among?(facts: readonly DocumentFacts[], context: RuleContext): Iterable<Examined>;
  /**
   * Input besides the documents of its kinds: their text (such a rule runs only if named), their entry dates, linked
   * documents, or all of the company's own numbers.
   */
  readonly needs?: 'text' | 'entry_days' | 'linked' | 'own_numbers';
}

/** Creates a rule. */
export function rule(
  code: string,
  severity: Severity,
  kinds: readonly DocumentKind[],
  basis: Basis,
  parts: Omit<Rule, 'code' | 'severity' | 'kinds' | keyof Basis>,
): Rule {
  return { code, severity, kinds, ...basis, ...parts };
}

/** A source with the day it was last verified; docs/fiscal/checks.md and docs/fiscal/reform.md list the days. */
export function verified(source: string, verified_on = '2026-11-22'): Basis {
  return { source, verified_on };
}

export const kinds = {
  nfe: ['nfe'],
  notes: ['nfe', 'nfce'],
  cte: ['cte'],
  carriages: ['cte', 'cteos'],
  nfse: ['nfse'],
  coded: ['nfe', 'nfce', 'cte', 'cteos'],
  all: ['nfe', 'nfce', 'cte', 'cteos', 'nfse'],
} as const satisfies Record<string, readonly DocumentKind[]>;

/** True if an amount is present, numeric and above a limit. */
export function isMoreThan(amount: string | undefined, limit: string): amount is string {
  return amount !== undefined && isDecimal(amount) && compareDecimals(amount, limit) > 0;
}

export function isPositive(amount: string | undefined): amount is string {
  return isMoreThan(amount, '0.00');
}

/**
 * True if equal within a cent of rounding; a text that is no number equals only itself. Source: docs/fiscal/checks.md,
 * totals.
 */
export function isWithinACent(first: string, second: string): boolean {
  if (sameDecimal(first, second)) return true;
  return isDecimal(first) && isDecimal(second) && compareDecimals(distance(first, second), '0.01') <= 0;
}

/** Layout whose ICMS40 has the relieved amount in vICMS; since 3.10 it is in vICMSDeson. */
export const RELIEF_IN_VALUE = 'nfe 2.00';

/** ICMS codes of fuels taxed in a single phase. */
export const singlePhaseCodes = new Set<string | undefined>(['02', '15', '53', '61']);

/** Exempt, not taxed, suspended: codes of the group ICMS40. */
const reliefCodes = new Set<string | undefined>(['40', '41', '50']);

/** True for ICMS that is relieved and not due. Source: MOC NF-e 2.00, ICMS40 (motDesICMS); NT 2013.005. */
export function isRelieved({ cst }: Item): boolean {
  return reliefCodes.has(cst);
}

/** From this day `vProd` includes IBS, CBS and IS, except for imports. Source: NT 2026.008 v1.00. */
export const TAXES_IN_PRICE_FROM = '2027-01-01';
