import type { Period } from '../../documents/days.ts';
import { amounts } from '../../documents/summary/amounts.ts';
import type { DocumentStatus, DocumentSummary } from '../../documents/summary/summary.ts';
import type { Nature } from '../../documents/tables/cfop.ts';
import type { DocumentArea, Scope } from '../references.ts';
import {
  type AmountMeasure,
  type DueGrouping,
  documentMeasures,
  type Grouping,
  type ItemOnlyMeasure,
  type TextPlace,
} from '../schema/measures.ts';
import type { DocumentSource } from '../schema/schema.ts';

/**
 * `counterparty` is the other party, and `state` and `city` are where it is: the recipient of what the company issued,
 * the issuer of what it received. `month` is `YYYY-MM`, `week` its Monday, both of the date the question is about.
 * A root is the first 8 positions of a CNPJ. `item` is the description as the file has it, `nature` what its CFOP means
 * for the company.
 */
export { type AmountMeasure, type Grouping, type ItemOnlyMeasure, textPlaces } from '../schema/measures.ts';

/**
 * `count` counts documents, `items` their lines. `quantity` and prices need a single unit: `average_price` is
 * `products` divided by `quantity`, the others the lowest and highest unit price, with four decimals. `due` sums the
 * instalments selected by `due_from` and `due_to`.
 */
export type Measure = 'count' | 'items' | 'due' | AmountMeasure | ItemOnlyMeasure;

type Values = readonly string[];

/** Groupings without a filter of their own: the period, a due day, or another filter selects the same. */
type UnfilteredGrouping = 'month' | 'week' | 'day' | 'issuer_root' | 'recipient_root' | 'item' | DueGrouping;

/** Values of groupings; several values of one are combined by "or". */
type GroupingFilters = { readonly [Name in Exclude<Grouping, UnfilteredGrouping>]?: Values };

/**
 * Filters are combined by "and", several values of one by "or". Parties are tax ids without mask, or CNPJ roots of 8
 * positions with all branches; cities are IBGE codes of 7 digits; `purpose` is finNFe or tpCTe, `credit_type`
 * tpNFCredito, `debit_type` tpNFDebito; units are upper case. `cfop` and `ncm` match by prefix, a whole code itself: `5`
 * is all CFOPs within the state, `7318` a heading. `pis_cofins_cst` is `PIS/COFINS` if they differ. `event`: see
 * `codesOfEvent`; `none`: without the recipient's manifestation; values joined by `+` must all be in effect. `text`
 * matches if every word occurs in the places of `text_in`, in any order, ignoring accents and case; a number of up to
 * three digits must be a whole word except in descriptions, since almost every key contains it.
 */
export interface Filters extends GroupingFilters {
  readonly nature?: readonly Nature[];
  readonly kind?: readonly DocumentSummary['kind'][];
  /** By default cancelled and denied documents are left out and counted in `left_out`. */
  readonly status?: readonly DocumentStatus[];
  readonly credit_type?: Values;
  readonly debit_type?: Values;
  /** Without leading zeros. */
  readonly number?: Values;
  readonly di?: Values;
  /** Due days of instalments, inclusive. */
  readonly due_from?: string;
  readonly due_to?: string;
  /** Includes test documents, which are otherwise left out and counted in `left_out`. */
  readonly withTest?: boolean;
  /** Lists cancelled and denied documents too, outside the sums. */
  readonly withVoid?: boolean;
  /** Decimal text, inclusive; of the document's total. */
  readonly min_total?: string;
  readonly max_total?: string;
  readonly text?: string;
  /** All places by default. */
  readonly text_in?: readonly TextPlace[];
  /** Whether matches count whole documents or items; by default as the question does. */
  readonly text_counts?: 'documents' | 'items';
  readonly source?: readonly DocumentSource[];
}

export interface Selection extends Scope, Period {
  /** Further companies, merged with the first: a document between two counts once, from its issuer's side. */
  readonly others?: readonly string[];
  readonly filters?: Filters;
}

export interface Order<Name extends string> {
  readonly by: Name;
  readonly descending?: boolean;
}

/**
 * Columns of a list. `references`: keys of documents that it refers to or carries; `events`: as in groups;
 * `due_dates`: those selected by `due_from` and `due_to`; `entered_on`: if known.
 */
export const listColumns = [
  'authorized_at',
  'cancelled_at',
  'entered_on',
  'references',
  'events',
  'payer',
  'due_dates',
  'purpose',
  'nature',
  'counterparty',
  ...documentMeasures,
] as const;

export type ListColumn = (typeof listColumns)[number];

/** Orders of a list; parties are ordered by name. */
export const listOrders = ['issued_at', ...listColumns] as const;

export type ListOrder = (typeof listOrders)[number];

/** Values by column; absent if the document lacks them. A party's name is under `<column>_name`. */
export type ColumnValues = Readonly<Record<string, string>>;

export interface AnswerPage {
  readonly limit: number;
  readonly offset?: number;
}

/** A question about sums. Groups are ordered by their values by default. */
export interface Question extends Selection, AnswerPage {
  readonly groupBy: readonly Grouping[];
  readonly measures: readonly Measure[];
  readonly orderBy?: Order<Grouping | Measure>;
}

export interface ListQuestion extends Selection, AnswerPage {
  readonly orderBy?: Order<ListOrder>;
  readonly columns?: readonly ListColumn[];
}

/**
 * Why documents of the period are not in an answer. `test`: test environment. `inexact`: an amount that can't be
 * stored exactly. `undated`: the day is known only as a window across the period's edge. `no_items`: no lines, where
 * the answer is on items. `not_to_manifest`: not for the company to manifest, because another company is the
 * recipient or it is the issuer itself.
 */
export type LeftOutReason =
  | 'cancelled'
  | 'denied'
  | 'test'
  | 'inexact'
  | 'undated'
  | 'no_items'
  | 'not_to_manifest';

export interface LeftOut {
  readonly reason: LeftOutReason;
  /** Documents that meet all other filters. */
  readonly count: number;
}

export const partyGroupings = ['issuer', 'recipient', 'counterparty', 'payer'] as const;

export type PartyGrouping = (typeof partyGroupings)[number];

export interface AnswerRow {
  /** By grouping; absent if the documents lack it. */
  readonly group: { readonly [Name in Grouping]?: string };
  readonly names: { readonly [Name in PartyGrouping]?: string };
  /** At least two decimals; null without a value, or for mixed units. */
  readonly measures: { readonly [Name in Measure]?: string | null };
  readonly unit?: string;
  /** Of mixed units, most frequent first. */
  readonly quantities?: readonly UnitQuantity[];
}

export type UnitQuantity = {
  readonly unit: string;
  readonly quantity: string;
  readonly average_price?: string;
  readonly min_price?: string;
  readonly max_price?: string;
};

/** Amounts outside the requested measures that a reader must know of. */
export interface Beside {
  /** Gross amount of services, whose total is net; present if the total was requested without it. */
  readonly services?: string;
  /** Simples credit, excluded from ICMS; present if ICMS was requested without it. */
  readonly icms_credit?: string;
  /** PIS, COFINS and CSLL withheld as one amount; in none of the three. */
  readonly contributions_withheld?: string;
}

/**
 * Amounts are summed over documents, or over items if a grouping, filter or measure is one of items (`basis`). An
 * item's `total` is its share of the document's total, `products` its gross value, freight and discount its own.
 * Document amounts that belong to no item form a line without codes, so that groups add up to the documents. Measures
 * of whole documents (`unavailable`) are null on items, to avoid double counting. Documents without items by nature
 * (CT-e, NFS-e) count as one item with their own codes and amounts.
 */
export interface Answer {
  readonly rows: readonly AnswerRow[];
  /** Of all groups, also those of other pages; a document counts once. */
  readonly sums: AnswerRow;
  readonly total_groups: number;
  /** Documents behind the whole answer. */
  readonly documents: number;
  readonly left_out: readonly LeftOut[];
  readonly basis: 'documents' | 'items';
  /** Rows that each measure sums. */
  readonly meanings: { readonly [Name in Measure]?: 'documents' | 'items' };
  readonly beside: Beside;
  /** Requested measures that the basis lacks. */
  readonly unavailable: readonly Measure[];
}

const only = (areas: readonly DocumentArea[], names: string) =>
  names.split(' ').map((name) => [name, areas] as const);

/** Kinds with fields that others lack. Source: docs/fiscal/layouts.md. */
const kindsWith = new Map<string, readonly DocumentArea[]>([
  ...Object.entries(amounts).map(([name, { of }]) => [name, of] as const),
  ...only(['nfe'], 'ncm unit credit_type debit_type items quantity average_price min_price max_price'),
  ...only(['nfe'], 'pis_cofins_cst di due due_from due_to due_dates due_day due_week due_month'),
  ...only(['nfe', 'cte'], 'cfop cst purpose'),
  ...only(['nfe', 'nfse'], 'item'),
  ...only(['nfse'], 'competence iss_city'),
  ...only(['cte'], 'payer origin_state destination_state'),
  // Search places and events.
  ...only(['nfe'], 'text_in.codes text_in.orders'),
  ...only(['nfe', 'nfse'], 'text_in.items'),
  ...only(['nfe', 'cte'], 'event.correction_letter'),
]);

/** Whether a kind supports a measure, grouping or filter. */
export function isAvailable(name: string, area: DocumentArea): boolean {
  return kindsWith.get(name)?.includes(area) ?? true;
}
