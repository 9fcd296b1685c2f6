import type { Item, TaxName, TotalName } from './summary.ts';

/** Fields found, each at most once, as cleaned text. */
export type Texts<Name extends string> = { [N in Name]?: string };

export type PartyField =
  | 'cnpj'
  | 'cpf'
  /** Either of them, in layouts that have one element for both. */
  | 'tax_id'
  | 'foreign'
  | 'name'
  | 'state'
  | 'city'
  /** IBGE code, which says the state where the file doesn't. */
  | 'city_code'
  /** Of an address abroad. */
  | 'country'
  | 'state_registration'
  | 'municipal_registration'
  | 'tax_regime'
  /** opSimpNac of the national NFS-e. */
  | 'simples_option'
  /** 1 yes, 2 no, as ABRASF has it. */
  | 'is_under_simples';

export type PlaceField = 'city' | 'name' | 'state';

/** What stands once in a document, by the part of the summary it is for. `clue` is what decides other fields. */
export type Sections = {
  document: Texts<
    | 'key'
    | 'model'
    | 'series'
    | 'number'
    | 'issued_at'
    | 'moved_at'
    | 'competence'
    | 'operation'
    | 'flow'
    | 'reach'
    | 'purpose'
    | 'cfop'
    | 'modal'
    | 'verification_code'
  >;
  clue: Texts<
    | 'id'
    | 'version'
    | 'state_code'
    | 'environment'
    | 'taker'
    | 'issued_by'
    | 'issued_time'
    | 'own_number'
    | 'recipient_type'
    | 'situation'
    | 'situation_code'
    | 'contributions'
    | 'is_test'
    | 'is_preview'
    | 'sent_at'
    | 'iss_withheld'
    | 'iss_on_top'
    | 'ibs_state'
    | 'ibs_city'
    | 'icms_mono_retained'
    | 'government'
    | 'discount_conditional'
    | 'replaced_by'
    | 'cancel_success'
    | 'cancelled_at'
    | 'cancelled_for'
  >;
  protocol: Texts<'number' | 'code' | 'at' | 'key'>;
  issuer: Texts<PartyField>;
  /** Of a national NFS-e: who made the note, whoever provides the service. */
  emitter: Texts<PartyField>;
  recipient: Texts<PartyField>;
  sender: Texts<PartyField>;
  dispatcher: Texts<PartyField>;
  receiver: Texts<PartyField>;
  taker: Texts<PartyField>;
  carrier: Texts<PartyField>;
  totals: Texts<TotalName>;
  /** Totals that are in no other total. */
  informative: Texts<'products_net' | 'difal'>;
  withheld: Texts<'pis' | 'cofins' | 'csll' | 'income_tax' | 'inss' | 'iss' | 'other'>;
  service: Texts<'code' | 'national_code' | 'nbs' | 'city' | 'description' | 'rate' | 'base' | 'class_trib'>;
  taxation: Texts<'cst' | 'ibs_cbs_cst' | 'class_trib'>;
  transport: Texts<'mode' | 'plate' | 'volumes' | 'net_weight' | 'gross_weight'>;
  origin: Texts<PlaceField>;
  destination: Texts<PlaceField>;
  notes: Texts<'issuer' | 'tax_office'>;
};

/** What may stand several times. `items`, `taxes` and `item_clues` go side by side. */
export type ListRecords = {
  items: Texts<Exclude<keyof Item, 'taxes'>>;
  taxes: Texts<TaxName>;
  item_clues: Texts<
    | 'counts_in_total'
    | 'vehicle_operation'
    | 'ibs_state'
    | 'ibs_city'
    | 'icms_relief_deducted'
    | 'icms_mono_retained'
    | 'ipi_returned'
    | 'pis_st'
    | 'pis_st_counts'
    | 'cofins_st'
    | 'cofins_st_counts'
  >;
  payments: Texts<'method' | 'timing' | 'amount'>;
  installments: Texts<'number' | 'due' | 'amount'>;
  references: Texts<'key' | 'model' | 'series' | 'number' | 'issuer'>;
  linked: Texts<'key'>;
  /** Deliveries of a simplified CT-e, lines and deductions of a municipal note, the declaration inside of ABRASF 2. */
  parts: Texts<
    'total' | 'receivable' | 'code' | 'description' | 'rate' | 'base' | 'deduction' | 'iss_withheld'
  >;
  corrections: Texts<'group' | 'field' | 'value'>;
  events: Texts<
    'id' | 'key' | 'code' | 'name' | 'sequence' | 'at' | 'author' | 'text' | 'environment' | 'version'
  >;
  receipts: Texts<
    'key' | 'code' | 'name' | 'sequence' | 'status' | 'number' | 'at' | 'environment' | 'version'
  >;
};

export type Lists = { [Name in keyof ListRecords]: ListRecords[Name][] };

/** Everything a layout's table names, taken out of one document. */
export interface Collected {
  readonly sections: Sections;
  readonly lists: Lists;
}

type Groups = Sections & ListRecords;

/** Where a field goes, as `group.field`. */
export type Target = { [G in keyof Groups]: `${G}.${keyof Groups[G] & string}` }[keyof Groups];

/** Where the reading of a document begins: every group empty. */
export function nothingCollected(): Collected {
  return {
    sections: {
      document: {},
      clue: {},
      protocol: {},
      issuer: {},
      emitter: {},
      recipient: {},
      sender: {},
      dispatcher: {},
      receiver: {},
      taker: {},
      carrier: {},
      totals: {},
      informative: {},
      withheld: {},
      service: {},
      taxation: {},
      transport: {},
      origin: {},
      destination: {},
      notes: {},
    },
    lists: {
      items: [],
      taxes: [],
      item_clues: [],
      payments: [],
      installments: [],
      references: [],
      linked: [],
      parts: [],
      corrections: [],
      events: [],
      receipts: [],
    },
  };
}

const sectionNames = Object.keys(nothingCollected().sections);
const groupNames = [...sectionNames, ...Object.keys(nothingCollected().lists)];

/** A section or list by number: sections first, each in the order above. */
export function groupNumber(name: string): number {
  const number = groupNames.indexOf(name);
  if (number === -1) throw new Error(`there is no group ${name}`);
  return number;
}

/** The number of the first list. */
export const firstList = sectionNames.length;
