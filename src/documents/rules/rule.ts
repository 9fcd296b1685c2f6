import type { DocumentKind, DocumentSummary } from '../summary/summary.ts';
import type { DocumentFacts, RuleContext } from './facts.ts';

/** Every rule of the table in `table.ts`. The catalogue must have words for each: a missing one is a type error. */
export type RuleCode =
  | 'items_against_products'
  | 'parts_against_total'
  | 'net_against_parts'
  | 'item_taxes_against_totals'
  | 'pis_cofins_items_against_totals'
  | 'cfop_form'
  | 'cfop_unknown'
  | 'cfop_against_flow'
  | 'cfop_against_states'
  | 'cte_cfop_against_route'
  | 'flow_against_direction'
  | 'return_without_reference'
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
  | 'ibs_cbs_missing_cte'
  | 'ibs_cbs_missing_nfse'
  | 'ibs_cbs_missing_nfse_simples'
  | 'ibs_cbs_cst_unknown'
  | 'class_trib_form'
  | 'class_trib_against_cst'
  | 'class_trib_unknown'
  | 'class_trib_out_of_document'
  | 'ibs_cbs_group'
  | 'ibs_cbs_not_due'
  | 'cbs_due'
  | 'ibs_cbs_rate'
  | 'cbs_against_base'
  | 'ibs_cbs_items_against_totals'
  | 'ibs_cbs_totals_missing'
  | 'total_with_ibs_cbs_missing'
  | 'total_with_ibs_cbs_inconsistent'
  | 'duplicate_document'
  | 'contents_differ'
  | 'text_against_signature'
  | 'duplicate_invoice'
  | 'freight_billed_twice'
  | 'number_gap'
  | 'cancelled_after_entry'
  | 'corrected_after_entry'
  | 'tacit_confirmation_near'
  | 'cte_disagreement_deadline'
  | 'cte_without_nfe'
  | 'nfe_without_cte';

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

interface RuleBasis extends Basis {
  readonly code: RuleCode;
  readonly severity: Severity;
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
