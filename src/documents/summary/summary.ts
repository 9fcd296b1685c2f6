import type { Family } from '../days.ts';
import type { NamesIn, Problem } from '../problems.ts';
import type { AmountName, AmountWith } from './amounts.ts';

/** `event` is something that happened to a document, `summary` the service's abridged note (resNFe). */
export type DocumentKind = 'nfe' | 'nfce' | 'cte' | 'cteos' | 'nfse' | 'event' | 'summary';

const kindNames: Readonly<Record<string, string>> = {
  nfe: 'NF-e',
  nfce: 'NFC-e',
  cte: 'CT-e',
  cteos: 'CT-e OS',
  nfse: 'NFS-e',
};

/** The field's own name of a kind, e.g. `NF-e`; an unknown kind as it is. */
export function kindName(kind: string): string {
  return Object.hasOwn(kindNames, kind) ? (kindNames[kind] ?? kind) : kind;
}

const families = {
  nfe: 'nfe',
  nfce: 'nfe',
  summary: 'nfe',
  event: 'nfe',
  cte: 'cte',
  cteos: 'cte',
  nfse: 'nfse',
} as const satisfies Readonly<Record<DocumentKind, Family>>;

/** The family that the service lists a kind with; an event by itself counts among NF-e. */
export function familyOf<Kind extends DocumentKind>(kind: Kind): (typeof families)[Kind] {
  return families[kind];
}

/** As the file itself shows. `no_protocol`: never sent, or a file without its authorisation. */
export type DocumentStatus = 'authorized' | 'cancelled' | 'denied' | 'no_protocol' | 'unknown';

/** A party of a document; without an id if the file has none. */
export interface Party {
  readonly id?: string;
  /** By its element, even if the digits are odd. */
  readonly id_type?: 'cnpj' | 'cpf' | 'foreign';
  readonly name?: string;
  readonly state?: string;
  readonly city?: string;
  /** IBGE code of the city, 7 digits. */
  readonly city_code?: string;
  /** Inscrição estadual, as in the file (`ISENTO` too). */
  readonly state_registration?: string;
  readonly municipal_registration?: string;
  /** CRT: 1 Simples, 2 Simples above the limit, 3 normal, 4 MEI. */
  readonly tax_regime?: string;
  /** Of an NFS-e's provider, where the note says whether it is under the Simples; MEI is. */
  readonly is_under_simples?: boolean;
  /** Of an NFS-e's provider under the Simples, where the note says whether it is an individual entrepreneur. */
  readonly is_mei?: boolean;
}

export interface Protocol {
  readonly number?: string;
  readonly code?: string;
  readonly at?: string;
}

/**
 * NF-e vNF, CT-e vTPrest and NFS-e net value are `total`; NFS-e gross value is `services`. `products_net` is vProdLiqTot,
 * `difal` vICMSUFDest; `irrf` to `iss_withheld` are taxes the taker keeps, `contributions_withheld` PIS, COFINS and CSLL
 * in one amount; `net_derived` is a net value worked out where the file names none.
 */
export type TotalName =
  | Exclude<AmountName, 'icms_credit' | 'weight'>
  | NamesIn<'receivable ipi_returned iss_base ibs_cbs_base ibs_mono cbs_mono total_with_ibs_cbs deductions'>
  | NamesIn<'withheld contributions_withheld net_derived cargo'>;

/** Rates are in per cent (pIBSUF, pIBSMun, pCBS). */
export type TaxName =
  | Exclude<AmountWith<'kept', 'sums' | 'lines'>, AmountWith<'items', 'parts'> | 'iss_withheld'>
  | NamesIn<'icms_rate icms_st_base ipi_cst pis_cst cofins_cst iss_base iss_rate ibs_cbs_cst class_trib'>
  | NamesIn<'ibs_cbs_base ibs_state_rate ibs_city_rate cbs_rate ibs_mono cbs_mono'>;

/** Decimal text by name. Amounts that the file omits are absent, not zero. */
export type Totals = { readonly [Name in TotalName]?: string };
export type Taxes = { readonly [Name in TaxName]?: string };

export interface Item {
  readonly number?: string;
  readonly code?: string;
  readonly description?: string;
  readonly ncm?: string;
  readonly cest?: string;
  readonly cfop?: string;
  readonly cst?: string;
  readonly origin?: string;
  readonly quantity?: string;
  readonly unit?: string;
  readonly unit_value?: string;
  /** Gross (vProd). */
  readonly total?: string;
  /** The item's part of the note's total, where it is another amount than `total`. Source: docs/fiscal/layouts.md. */
  readonly share?: string;
  /** vProdLiq: without IBS, CBS and IS, where the file names it. */
  readonly products_net?: string;
  readonly discount?: string;
  readonly freight?: string;
  readonly insurance?: string;
  readonly other?: string;
  readonly order?: string;
  readonly order_line?: string;
  readonly notes?: string;
  /** cProdANP: fuels and lubricants have one. */
  readonly fuel?: string;
  /** tpOp of a new vehicle: 2 is invoiced directly to the consumer. */
  readonly vehicle_operation?: string;
  /** PIS and COFINS of PISST and COFINSST, by substitution. */
  readonly pis_st?: string;
  readonly cofins_st?: string;
  /** indTot where it is 0: the item is not in the total of products. */
  readonly in_total?: string;
  /** Key of the document this item goes back to (DFeReferenciado). */
  readonly reference?: string;
  readonly taxes: Taxes;
}

export interface Service {
  /** Item of the service list or the city's own code. */
  readonly code?: string;
  readonly national_code?: string;
  readonly nbs?: string;
  /** IBGE code of the city where it was done, 7 digits, and of the one that the ISS is due to. */
  readonly city?: string;
  readonly iss_city?: string;
  readonly description?: string;
  /** ISS rate as in the file: 5.00 and 0.05 are both met for five per cent. */
  readonly rate?: string;
  readonly base?: string;
  readonly class_trib?: string;
}

/** `method` is tPag, `timing` indPag (0 at sight, 1 later). */
export interface Payment {
  readonly method?: string;
  readonly timing?: string;
  readonly amount?: string;
  /** xPag: in words, where the method is none of the table. */
  readonly description?: string;
}

export interface Installment {
  readonly number?: string;
  readonly due?: string;
  readonly amount?: string;
}

export interface Transport {
  /** modFrete: 0 issuer, 1 recipient, 2 third party, 3 and 4 own, 9 none. */
  readonly mode?: string;
  readonly carrier?: Party;
  readonly plate?: string;
  readonly volumes?: string;
  readonly net_weight?: string;
  readonly gross_weight?: string;
}

/** `city` is the IBGE code. */
export interface Place {
  readonly city?: string;
  readonly name?: string;
  readonly state?: string;
}

/** Another document this one speaks of: by key, or on paper by model, series, number, issuer. */
export interface Reference {
  readonly key?: string;
  readonly model?: string;
  readonly series?: string;
  readonly number?: string;
  readonly issuer?: string;
}

/** A payment that the document names (gPgtoVinc). It gives no amount, and proves no payment. */
export interface PaymentLink {
  readonly number?: string;
  readonly transaction?: string;
  readonly method?: string;
  /** Payee, who need not be the supplier. */
  readonly payee?: string;
  /** First eight positions of the payment provider's CNPJ. */
  readonly provider?: string;
}

export interface EventDetails {
  /** indAceitacao: 1 agrees, 0 does not. */
  readonly accepted?: string;
  /** indDeferimento. */
  readonly granted?: string;
  /** indQuitacao: 1. */
  readonly fully_paid?: string;
  readonly expected_delivery?: string;
  readonly transaction?: string;
  /** Of 110001: tpEvento and protocol of the event that it cancels. */
  readonly cancelled_code?: string;
  readonly cancelled_protocol?: string;
}

export interface EventItem {
  readonly number?: string;
  readonly quantity?: string;
  readonly unit?: string;
  readonly ibs?: string;
  readonly cbs?: string;
}

export interface EventSummary {
  readonly code?: string;
  readonly name?: string;
  readonly sequence?: string;
  readonly at?: string;
  readonly author?: string;
  /** Correction or justification, by a stranger. */
  readonly text?: string;
  readonly details?: EventDetails;
  /** Of an event file; events in a note's own file are not assigned to items. */
  readonly items?: readonly EventItem[];
}

/**
 * One shape for every kind of document. Text is as in the file but for what is unsafe in it (`untrusted.ts`); money,
 * codes and numbers are the file's own text, but for the commas and masks of municipal notes; what is absent is absent.
 * Warnings are data, their words are in the catalogue. Source: docs/tools.md.
 */
export interface DocumentSummary {
  readonly kind: DocumentKind;
  /** E.g. `nfe 4.00`, `cte 4.00`, `nfse national 1.01`, `nfse abrasf 2.02`, `nfse prodam`, `nfse ipm`. */
  readonly layout: string;
  /** The document's own key; of an event the key of the document it happened to. */
  readonly key?: string;
  readonly model?: string;
  readonly series?: string;
  readonly number?: string;
  readonly issued_at?: string;
  readonly moved_at?: string;
  /** Month or date the service belongs to. */
  readonly competence?: string;
  readonly environment?: 'production' | 'test';
  readonly operation?: string;
  /** tpNF: 0 the issuer receives, 1 the issuer sends. */
  readonly flow?: string;
  /** idDest, since layout 3.10: 1 within the state, 2 between states, 3 abroad. A sale at the counter is 1. */
  readonly reach?: string;
  /** finNFe, tpCTe: 1 and 0 normal, others complementary, return, credit, debit, substitute. */
  readonly purpose?: string;
  /** tpNFCredito and tpNFDebito of credit and debit notes (finNFe 5 and 6). */
  readonly credit_type?: string;
  readonly debit_type?: string;
  /** dPrevEntrega: the day delivery is expected on. */
  readonly expected_delivery?: string;
  readonly cfop?: string;
  readonly status: DocumentStatus;
  readonly protocol?: Protocol;
  /** An NFS-e's provider is its issuer. */
  readonly issuer?: Party;
  readonly recipient?: Party;
  /** Of a CT-e: the sender of the goods (remetente). */
  readonly sender?: Party;
  /** Of a CT-e: the payer of the carriage (tomador). */
  readonly payer?: Party;
  readonly totals: Totals;
  readonly iss_withheld?: boolean;
  /** Bought by the state (gCompraGov), which has rates of its own. */
  readonly is_to_government?: boolean;
  readonly service?: Service;
  readonly items: readonly Item[];
  readonly item_count: number;
  readonly payments: readonly Payment[];
  readonly installments: readonly Installment[];
  readonly payment_links?: readonly PaymentLink[];
  readonly transport?: Transport;
  readonly route?: { readonly origin?: Place; readonly destination?: Place };
  /** CT-e: 01 road, 02 air, 03 water, 04 rail, 05 pipe, 06 multimodal. */
  readonly modal?: string;
  readonly components?: readonly { readonly name?: string; readonly amount?: string }[];
  readonly import_declarations?: readonly string[];
  /** ICMS CST of a CT-e and IBS/CBS classification of the whole document. */
  readonly taxation?: { readonly cst?: string; readonly ibs_cbs_cst?: string; readonly class_trib?: string };
  /** Documents this one corrects, returns, completes or replaces. */
  readonly references: readonly Reference[];
  readonly linked_keys: readonly string[];
  /** The event of an event document; of a note its cancellation, if it is in the same file. */
  readonly event?: EventSummary;
  /** Registered events in the same file: manifestations, corrections, cancellation. */
  readonly events?: readonly EventSummary[];
  readonly verification_code?: string;
  /** Free text by strangers, capped. */
  readonly notes?: string;
  readonly warnings: readonly Problem[];
}
