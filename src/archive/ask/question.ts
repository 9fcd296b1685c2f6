import type { DocumentStatus, DocumentSummary } from '../../documents/summary/summary.ts';
import type { Nature } from '../../documents/tables/cfop.ts';
import type { Period } from '../days.ts';
import {
  type AmountMeasure,
  documentMeasures,
  type Grouping,
  type ItemOnlyMeasure,
} from '../schema/measures.ts';
import type { DocumentSource } from '../schema/schema.ts';
import type { Scope } from '../scope.ts';

/**
 * `counterparty` is the other party, and `state` and `city` are where it is: the recipient of what the company issued,
 * the issuer of what it received. `month` is `YYYY-MM`, `week` its Monday, both of the date the question is about.
 * A root is the first 8 positions of a CNPJ. `item` is the description as the file has it, `nature` what its CFOP means
 * for the company.
 */
export type { AmountMeasure, Grouping, ItemOnlyMeasure } from '../schema/measures.ts';

/**
 * `count` is of documents, `items` of lines of goods. `quantity` and the prices are of goods of one unit: `average_price`
 * is `products` by `quantity`, the others the lowest and highest unit value, all with four decimals. `due` is of the
 * instalments that `due_from` and `due_to` let in.
 */
export type Measure = 'count' | 'items' | 'due' | AmountMeasure | ItemOnlyMeasure;

/**
 * Where words are looked for. `names`: names, ids, number, key and subject of a document; `items`: descriptions; `codes`
 * and `orders`: the issuer's codes of items and the buyer's orders; `remarks`: see `remarksText`.
 */
export const textPlaces = ['names', 'items', 'codes', 'orders', 'remarks'] as const;

export type TextPlace = (typeof textPlaces)[number];

/**
 * Every filter given must hold. Of several values one must. `cfop` and `ncm` are met by their first digits: `5` is all
 * that leaves the state's own, `7318` a heading. Every word of `text` is looked for, in any order, in the places of
 * `text_in` without regard to accents and case; a number of up to three digits as a word of its own, but in
 * descriptions, since it is somewhere in almost every key.
 */
export interface Filters {
  /** Tax ids without mask; of 8 positions the root of a CNPJ, that is all its branches. */
  readonly issuer?: readonly string[];
  readonly recipient?: readonly string[];
  readonly counterparty?: readonly string[];
  /** Who takes and pays the carriage of a CT-e. */
  readonly payer?: readonly string[];
  /** Of each item, as the company sees it. */
  readonly nature?: readonly Nature[];
  /** finNFe, tpCTe. */
  readonly purpose?: readonly string[];
  /** tpNFCredito of credit notes, tpNFDebito of debit notes. */
  readonly credit_type?: readonly string[];
  readonly debit_type?: readonly string[];
  /** Without zeros at the beginning. */
  readonly number?: readonly string[];
  /** The other party's city, its IBGE code of 7 digits. */
  readonly city?: readonly string[];
  /** `YYYY-MM`. */
  readonly competence?: readonly string[];
  /**
   * What has happened to the document: see `codesOfEvent`; `none` where its recipient has registered nothing. Of several
   * joined by `+` all must stand.
   */
  readonly event?: readonly string[];
  /** The issuer's CRT. */
  readonly regime?: readonly string[];
  /** IBGE code of the city that the ISS of an NFS-e is due to. */
  readonly iss_city?: readonly string[];
  /** Of a CT-e. */
  readonly origin_state?: readonly string[];
  readonly destination_state?: readonly string[];
  /** Of each item; `PIS/COFINS` where they differ. */
  readonly pis_cofins_cst?: readonly string[];
  /** Numbers of import declarations. */
  readonly di?: readonly string[];
  /** Days, both included, on which an instalment is due. */
  readonly due_from?: string;
  readonly due_to?: string;
  /** Of each item, in capitals. */
  readonly unit?: readonly string[];
  readonly state?: readonly string[];
  readonly kind?: readonly DocumentSummary['kind'][];
  readonly cfop?: readonly string[];
  readonly ncm?: readonly string[];
  readonly cst?: readonly string[];
  readonly class_trib?: readonly string[];
  /** Without it, cancelled and denied documents are left out and counted in `left_out`. */
  readonly status?: readonly DocumentStatus[];
  /** Lists documents of the test environment too, which are left out and counted in `left_out` otherwise. */
  readonly withTest?: boolean;
  /** Lists cancelled and denied documents too, outside the sums; they are left out and counted otherwise. */
  readonly withVoid?: boolean;
  /** Decimal text; of the document's total, both included. */
  readonly min_total?: string;
  readonly max_total?: string;
  readonly text?: string;
  /** Where the words are looked for; everywhere unless given. */
  readonly text_in?: readonly TextPlace[];
  /** Whether whole documents or the items with the words count; unless given, as the rest of the question does. */
  readonly text_counts?: 'documents' | 'items';
  /** Who gave the document. */
  readonly source?: readonly DocumentSource[];
}

/** Which documents: those a company has in a period. */
export interface Selection extends Scope, Period {
  /** Further companies, as if they were one: a document that two of them have counts once, as its issuer sees it. */
  readonly others?: readonly string[];
  readonly filters?: Filters;
}

export interface Order<Name extends string> {
  readonly by: Name;
  readonly descending?: boolean;
}

/**
 * What a list can tell of each document. `references` are keys of documents that it refers to or carries, `events` as
 * groups have them, `due_dates` those that `due_from` and `due_to` let in, `entered_on` where it is known.
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

/** What lists are ordered by; parties by their names. */
export const listOrders = ['issued_at', ...listColumns] as const;

export type ListOrder = (typeof listOrders)[number];

/** By column; what a document doesn't say is not there. A party has its name beside, under `<column>_name`. */
export type ColumnValues = Readonly<Record<string, string>>;

/** A question about sums. Without an order the groups come in the order of their own values. */
export interface Question extends Selection {
  readonly groupBy: readonly Grouping[];
  /** Sums over items also where whole documents would do, to go with an answer that rests on items. */
  readonly onItems?: boolean;
  readonly measures: readonly Measure[];
  readonly orderBy?: Order<Grouping | Measure>;
  readonly limit: number;
  readonly offset?: number;
}

/** Without an order the latest issued come first. */
export interface ListQuestion extends Selection {
  readonly orderBy?: Order<ListOrder>;
  /** What else to tell of each document. */
  readonly columns?: readonly ListColumn[];
  readonly limit: number;
  readonly offset?: number;
}

/**
 * Why documents of the period are not in an answer. `test`: from the test environment. `inexact`: with an amount that
 * the archive can't hold exactly. `undated`: whose day is known only as a window that crosses the period's edge.
 * `no_items`: without lines, where the answer rests on lines. `not_to_manifest`: not for the company to manifest,
 * because another is its recipient or the company itself its issuer.
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
  /** Documents that all the filters but this reason would have let in. */
  readonly count: number;
}

/** Groupings whose values are tax ids. */
export type PartyGrouping = 'issuer' | 'recipient' | 'counterparty' | 'payer';

export interface AnswerRow {
  /** By grouping; not there where the documents do not say. */
  readonly group: { readonly [Name in Grouping]?: string };
  /** The name last seen of each tax id in `group`. */
  readonly names: { readonly [Name in PartyGrouping]?: string };
  /** Amounts have at least two decimals; null where none is given, or where goods of several units would be added. */
  readonly measures: { readonly [Name in Measure]?: string | null };
  /** Where quantities or prices are asked for and the group has one unit. */
  readonly unit?: string;
  /** Where quantities or prices are asked for and the group has several units: each unit by itself. */
  readonly quantities?: readonly UnitQuantity[];
}

/** Goods of one unit in a group. */
export interface UnitQuantity {
  /** As the files have it, in capitals. */
  readonly unit: string;
  readonly quantity: string;
  readonly average_price?: string;
  /** Where they are asked for. */
  readonly min_price?: string;
  readonly max_price?: string;
}

/** What the documents of an answer have beside what was asked for, and what a reader of the answer must know of. */
export interface Beside {
  /** Credit that issuers under the Simples pass on, where ICMS is asked for and the credit isn't: it is not in it. */
  readonly icms_credit?: string;
  /** PIS, COFINS and CSLL kept back that documents give as one amount: it is in none of the three. */
  readonly contributions_withheld?: string;
}

/**
 * Amounts are summed over documents, or over items where a grouping, a filter or a measure belongs to items (`basis`).
 * Of an item, `total` is its part of the document's total, `products` its gross value, freight and discount its own;
 * what of a document's amounts belongs to no item is a line of its own without codes, so that the groups add up to what
 * the documents say. What only a whole document has (`unavailable`) is null there, so that nothing is counted twice. A
 * document without items by nature (CT-e, NFS-e) counts as one item with the document's own codes and amounts.
 */
export interface Answer {
  readonly rows: readonly AnswerRow[];
  readonly total_groups: number;
  /** Documents the whole answer rests on. */
  readonly documents: number;
  readonly left_out: readonly LeftOut[];
  readonly basis: 'documents' | 'items';
  /** What each measure is a sum over. */
  readonly meanings: { readonly [Name in Measure]?: 'documents' | 'items' };
  readonly beside: Beside;
  /** Measures asked for that the basis does not have. */
  readonly unavailable: readonly Measure[];
  /** Where the sums came from; either way they are the same. */
  readonly source: 'documents' | 'roll-up';
}
