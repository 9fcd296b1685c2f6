import type { DocumentArea } from '../days.ts';
import type { Facts, NamesIn, Problem } from '../problems.ts';
import type { AmountName, AmountWith } from './amounts.ts';

/** `event`: an event of a document; `summary`: the service's abridged note (resNFe). */
export type DocumentKind = 'nfe' | 'nfce' | 'cte' | 'cteos' | 'nfse' | 'event' | 'summary';

const kindNames: Readonly<Record<string, string>> = {
  ...{ nfe: 'NF-e', nfce: 'NFC-e', cte: 'CT-e', cteos: 'CT-e OS', nfse: 'NFS-e' },
};

/** Common name of a kind, e.g. `NF-e`; an unknown kind unchanged. */
export function kindName(kind: string): string {
  return Object.hasOwn(kindNames, kind) ? (kindNames[kind] ?? kind) : kind;
}

const families = {
  ...({ nfe: 'nfe', nfce: 'nfe', summary: 'nfe', event: 'nfe' } as const),
  ...({ cte: 'cte', cteos: 'cte', nfse: 'nfse' } as const),
} satisfies Readonly<Record<DocumentKind, DocumentArea>>;

/** Family under which the service lists a kind; standalone events count as NF-e. */
export function familyOf<Kind extends DocumentKind>(kind: Kind): (typeof families)[Kind] {
  return families[kind];
}

export const everyStatus = ['authorized', 'cancelled', 'denied', 'no_protocol', 'unknown'] as const;

/** As shown by the file itself. `no_protocol`: never sent, or a file without its authorisation. */
export type DocumentStatus = (typeof everyStatus)[number];

/** Documents in these states are excluded from sums by default. Source: docs/fiscal/events.md. */
export const voidStatuses = ['cancelled', 'denied'] as const;

export function isVoid(status: string | undefined): status is (typeof voidStatuses)[number] {
  return voidStatuses.some((one) => one === status);
}

/**
 * A party of a document; without an id if the file has none.
 * - `city_code`: IBGE code of the city, 7 digits
 * - `state_registration`: inscrição estadual, as in the file, `ISENTO` included
 * - `tax_regime` (CRT): 1 Simples, 2 Simples above the limit, 3 normal, 4 MEI
 */
export interface Party
  extends Facts<'id name state city city_code state_registration municipal_registration tax_regime'> {
  /** Determined by the XML element, even if the digits are odd. */
  readonly id_type?: 'cnpj' | 'cpf' | 'foreign';
  /** Of an NFS-e's provider, if the note states it; true for MEI. */
  readonly is_under_simples?: boolean;
  /** Of an NFS-e's provider under the Simples, if the note states whether it is an individual entrepreneur (MEI). */
  readonly is_mei?: boolean;
}

export type Protocol = Facts<'number code at'>;

/**
 * `total`: vNF of an NF-e, vTPrest of a CT-e, net value of an NFS-e; `services`: gross value of an NFS-e;
 * `products_net`: vProdLiqTot; `difal`: vICMSUFDest; `irrf` to `iss_withheld`: taxes withheld by the service recipient;
 * `contributions_withheld`: PIS, COFINS and CSLL in one amount; `net_derived`: computed net value if the file has none.
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

/** Decimal text by name. Amounts omitted in the file are absent, not zero. */
export type Totals = { readonly [Name in TotalName]?: string };
export type Taxes = { readonly [Name in TaxName]?: string };

/**
 * An item of a note.
 * - `total`: gross (vProd); `products_net`: without IBS, CBS and IS (vProdLiq)
 * - `share`: its share of the note's total, if different from `total`. Source: docs/fiscal/layouts.md
 * - `fuel`: cProdANP of fuels and lubricants
 * - `vehicle_operation`: tpOp of a new vehicle; 2 is invoiced directly to the consumer
 * - `pis_st`, `cofins_st`: by substitution (PISST, COFINSST)
 * - `in_total`: indTot if 0: the item is not in the total of products
 * - `reference`: key of the original document (DFeReferenciado)
 */
export interface Item
  extends Facts<
    | 'number code description ncm cest cfop cst origin quantity unit unit_value total share products_net'
    | 'discount freight insurance other order order_line notes fuel vehicle_operation pis_st cofins_st'
    | 'in_total reference'
  > {
  readonly taxes: Taxes;
}

/**
 * The service of an NFS-e.
 * - `code`: item of the service list or the city's own code
 * - `city`, `iss_city`: IBGE codes, 7 digits, of the city of the service and of the city to which the ISS is due
 * - `rate`: of the ISS as in the file: both 5.00 and 0.05 occur for five per cent
 */
export type Service = Facts<'code national_code nbs city iss_city description rate base class_trib'>;

/** `method`: tPag; `description`: xPag, for methods outside the table; `timing`: indPag, 0 at sight, 1 later. */
export type Payment = Facts<'method timing amount description'>;

export type Installment = Facts<'number due amount'>;

/** `mode`: modFrete, 0 issuer, 1 recipient, 2 third party, 3 and 4 own, 9 none. */
export interface Transport extends Facts<'mode plate volumes net_weight gross_weight'> {
  readonly carrier?: Party;
}

/** `city` is the IBGE code. */
export type Place = Facts<'city name state'>;

/** Another document referenced by this one: by key, or on paper by model, series, number, issuer. */
export type Reference = Facts<'key model series number issuer'>;

/**
 * A payment linked in the document (gPgtoVinc). It has no amount and proves no payment; the payee need not be the
 * supplier, and `provider` is the first eight positions of the payment provider's CNPJ.
 */
export type PaymentLink = Facts<'number transaction method payee provider'>;

/**
 * `accepted`: indAceitacao (1 agrees, 0 does not); `granted`: indDeferimento; `fully_paid`: indQuitacao (1);
 * `cancelled_code` and `cancelled_protocol`: those of the event that a 110001 cancels.
 */
export type EventDetails =
  Facts<'accepted granted fully_paid expected_delivery transaction cancelled_code cancelled_protocol'>;

export type EventItem = Facts<'number quantity unit ibs cbs'>;

/** `text`: a correction or justification; external text. */
export interface EventSummary extends Facts<'code name sequence at author text'> {
  readonly details?: EventDetails;
  /** Only of event files; events in a note's own file are not assigned to items. */
  readonly items?: readonly EventItem[];
}

/**
 * Header fields of a document.
 * - `key`: the document's own; for an event, that of its document
 * - `competence`: month or date the service belongs to
 * - `flow` (tpNF): 0 the issuer receives, 1 the issuer sends
 * - `reach` (idDest, since layout 3.10): 1 within the state, 2 between states, 3 abroad. A counter sale is 1
 * - `purpose` (finNFe, tpCTe): 1 and 0 normal, others complementary, return, credit, debit, substitute
 * - `credit_type`, `debit_type`: of credit and debit notes (finNFe 5 and 6)
 * - `expected_delivery`: date in dPrevEntrega
 * - `modal` (CT-e): 01 road, 02 air, 03 water, 04 rail, 05 pipe, 06 multimodal
 */
export type Header = Facts<
  | 'key model series number issued_at moved_at competence operation flow reach purpose credit_type debit_type'
  | 'expected_delivery cfop modal verification_code'
>;

/**
 * Common shape of all document kinds. Text is as in the file, sanitised (`untrusted.ts`); money, codes and numbers are
 * the file's own text, with commas and masks of municipal notes normalised; missing fields are absent. Warnings are
 * data, their texts are in the catalogue. Source: docs/tools.md.
 */
export interface DocumentSummary extends Header {
  readonly kind: DocumentKind;
  /** E.g. `nfe 4.00`, `cte 4.00`, `nfse national 1.01`, `nfse abrasf 2.02`, `nfse prodam`, `nfse ipm`. */
  readonly layout: string;
  readonly environment?: 'production' | 'test';
  readonly status: DocumentStatus;
  readonly protocol?: Protocol;
  /** For an NFS-e, the provider. */
  readonly issuer?: Party;
  readonly recipient?: Party;
  /** Of a CT-e: the sender of the goods (remetente). */
  readonly sender?: Party;
  /** Of a CT-e: the payer of the carriage (tomador). */
  readonly payer?: Party;
  readonly totals: Totals;
  readonly iss_withheld?: boolean;
  /** Government purchase (gCompraGov), which has its own rates. */
  readonly is_to_government?: boolean;
  readonly service?: Service;
  readonly items: readonly Item[];
  readonly item_count: number;
  readonly payments: readonly Payment[];
  readonly installments: readonly Installment[];
  readonly payment_links?: readonly PaymentLink[];
  readonly transport?: Transport;
  readonly route?: { readonly origin?: Place; readonly destination?: Place };
  readonly components?: readonly Facts<'name amount'>[];
  readonly import_declarations?: readonly string[];
  /** ICMS CST of a CT-e and IBS/CBS classification of the whole document. */
  readonly taxation?: Facts<'cst ibs_cbs_cst class_trib'>;
  /** Documents that this one corrects, returns, completes or replaces. */
  readonly references: readonly Reference[];
  readonly linked_keys: readonly string[];
  /** For an event document, its event; for a note, its cancellation, if in the same file. */
  readonly event?: EventSummary;
  /** Registered events in the same file: manifestations, corrections, cancellation. */
  readonly events?: readonly EventSummary[];
  /** Free external text, truncated. */
  readonly notes?: string;
  readonly warnings: readonly Problem[];
}
