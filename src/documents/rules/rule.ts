import type { DocumentKind, DocumentSummary } from '../summary/summary.ts';
import type { DocumentFacts, RuleContext } from './facts.ts';

/** Every rule of the table in `table.ts`. The catalogue must have words for each: a missing one is a type error. */
export type RuleCode =
  | 'items_against_products'
  | 'parts_against_total'
  | 'net_against_parts'
  | 'item_taxes_against_totals'
  | 'cfop_form'
  | 'cfop_against_flow'
  | 'cfop_against_states'
  | 'cte_cfop_against_route'
  | 'flow_against_direction'
  | 'cst_against_regime'
  | 'icms_not_due'
  | 'icms_due'
  | 'icms_st_not_due'
  | 'simples_credit_not_due'
  | 'simples_credit_due'
  | 'ipi_cst_against_flow'
  | 'ipi_not_due'
  | 'pis_cofins_not_due'
  | 'pis_cofins_due'
  | 'iss_withheld_without_iss'
  | 'iss_above_withheld'
  | 'iss_deducted_not_withheld'
  | 'ibs_cbs_missing'
  | 'ibs_cbs_missing_simples'
  | 'ibs_cbs_missing_nfse'
  | 'class_trib_form'
  | 'class_trib_against_cst'
  | 'ibs_cbs_not_due'
  | 'cbs_due'
  | 'cbs_test_rate'
  | 'ibs_cbs_items_against_totals'
  | 'duplicate_document'
  | 'duplicate_invoice'
  | 'freight_billed_twice'
  | 'number_gap'
  | 'cancelled_after_entry'
  | 'corrected_after_entry'
  | 'cte_without_nfe'
  | 'nfe_without_cte';

/** Days (`YYYY-MM-DD`) of issue a rule holds for, both included, and the day its dates were last looked up. */
export interface Validity {
  readonly from: string;
  readonly to?: string;
  readonly verified_on: string;
}

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
    readonly number?: string;
    readonly issued_at?: string;
  };
}

interface RuleBasis {
  readonly code: RuleCode;
  /** Where the rule is from: a law, a technical note or a manual, by the name people look it up by. */
  readonly source: string;
  /** Absent for what has always held. */
  readonly valid?: Validity;
}

/** A rule about one document by itself. It is asked for the kinds it names, and never for a note without effect. */
export interface DocumentRule extends RuleBasis {
  readonly scope: 'document';
  readonly kinds: readonly DocumentKind[];
  check(document: DocumentSummary, context: RuleContext): readonly Deviation[];
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

/** A rule about documents among themselves. */
export interface SetRule extends RuleBasis {
  readonly scope: 'set';
  begin(context: RuleContext): Accumulator;
}

export type Rule = DocumentRule | SetRule;
