import type { NamesIn } from '../problems.ts';
import { longest } from '../untrusted.ts';
import type {
  DocumentSummary,
  EventDetails,
  EventItem,
  Item,
  PaymentLink,
  TaxName,
  TotalName,
} from './summary.ts';

/** Fields found, each at most once, as cleaned text. */
export type Texts<Name extends string> = { [N in Name]?: string };

/** `tax_id` is CNPJ or CPF in one element, `country` abroad, `simples_option` opSimpNac, `is_under_simples` ABRASF's. */
export type PartyField =
  | NamesIn<'cnpj cpf tax_id foreign name state city city_code country state_registration'>
  | NamesIn<'municipal_registration tax_regime simples_option is_under_simples special_regime'>;

export type PlaceField = 'city' | 'name' | 'state';

/** Fields that occur once, by part of the summary. `clue` holds raw values that decide other fields. */
export type Sections = {
  document: Texts<
    | NamesIn<'key model series number issued_at moved_at competence operation flow reach purpose'>
    | NamesIn<'credit_type debit_type expected_delivery cfop modal verification_code'>
  >;
  clue: Texts<
    | NamesIn<'id version state_code environment taker issued_by issued_time own_number recipient_type'>
    | NamesIn<'situation situation_code contributions is_test is_preview sent_at iss_withheld iss_on_top'>
    | NamesIn<'ibs_state ibs_city icms_mono_beside icms_mono_before government discount_conditional replaced_by'>
    | NamesIn<'cancel_success cancelled_at cancelled_for simples_code'>
  >;
  protocol: Texts<NamesIn<'number code message at key'>>;

  issuer: Texts<PartyField>;
  /** Issuer of a national NFS-e, who need not be the provider. */
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
  withheld: Texts<NamesIn<'pis cofins csll income_tax inss iss other'>>;
  service: Texts<NamesIn<'code national_code nbs city iss_city description rate base class_trib'>>;
  taxation: Texts<'cst' | 'ibs_cbs_cst' | 'class_trib'>;
  transport: Texts<'mode' | 'plate'>;
  origin: Texts<PlaceField>;
  destination: Texts<PlaceField>;
  notes: Texts<'issuer' | 'tax_office'>;
};

/** Records that occur several times. `items`, `taxes` and `item_clues` are parallel. */
export type ListRecords = {
  items: Texts<Exclude<keyof Item, 'taxes'>>;
  taxes: Texts<TaxName>;
  item_clues: Texts<
    | NamesIn<'ibs_state ibs_city icms_relief_deducted'>
    | NamesIn<'icms_mono_beside icms_mono_before'>
    | NamesIn<'ipi_returned pis_st_counts cofins_st_counts'>
  >;
  payments: Texts<NamesIn<'method timing amount description'>>;
  installments: Texts<'number' | 'due' | 'amount'>;
  references: Texts<NamesIn<'key model series number issuer'>>;
  linked: Texts<'key'>;
  volumes: Texts<NamesIn<'count net_weight gross_weight'>>;
  cargo: Texts<NamesIn<'unit name amount'>>;
  components: Texts<'name' | 'amount'>;
  declarations: Texts<'number'>;
  /** Deliveries of a simplified CT-e, lines and deductions of a municipal note, the declaration inside of ABRASF 2. */
  parts: Texts<NamesIn<'total receivable code description rate base deduction iss_withheld'>>;
  corrections: Texts<'group' | 'field' | 'value'>;
  payment_links: Texts<keyof PaymentLink>;
  events: Texts<
    | 'id'
    | 'key'
    | 'code'
    | 'name'
    | 'sequence'
    | 'at'
    | 'author'
    | 'text'
    | 'environment'
    | 'version'
    | keyof EventDetails
  >;
  event_items: Texts<keyof EventItem>;
  receipts: Texts<NamesIn<'key code name sequence status cancelled number at environment version'>>;
  /** Of an authorisation: a code and its message are a record each. */
  alerts: Texts<'code' | 'message'>;
};

export type Lists = { [Name in keyof ListRecords]: ListRecords[Name][] };

/** The fields of one document that its layout's table names. */
export interface Collected {
  readonly sections: Sections;
  readonly lists: Lists;
}

type Groups = Sections & ListRecords;

/** Where a field goes, as `group.field`. */
export type Target = { [G in keyof Groups]: `${G}.${keyof Groups[G] & string}` }[keyof Groups];

/** A group missing here throws when a layout that fills it is loaded. */
const sectionNames = (
  'document clue protocol issuer emitter recipient sender dispatcher receiver taker carrier totals informative ' +
  'withheld service taxation transport origin destination notes'
).split(' ');
const listNames = (
  'items taxes item_clues payments installments references linked parts corrections payment_links events ' +
  'event_items receipts alerts volumes cargo components declarations'
).split(' ');

/** Empty groups, to start reading a document. */
export function nothingCollected(): Collected {
  const sections: Record<string, object> = {};
  for (const name of sectionNames) sections[name] = {};
  const lists: Record<string, object> = {};
  for (const name of listNames) lists[name] = [];
  return { sections: sections as Sections, lists: lists as Lists };
}

const groupNames = [...sectionNames, ...listNames];

/** A section or list by number: sections first, each in the order above. */
function groupNumber(name: string): number {
  const number = groupNames.indexOf(name);
  if (number === -1) throw new Error(`there is no group ${name}`);
  return number;
}

/** The number of the first list. */
export const firstList = sectionNames.length;

/** Fields by path below the document's root: local names, `*` for any one element, `@name` for an attribute. */
export type FieldPaths = Readonly<Record<string, Target>>;

/** Elements that begin a new record in one or more lists, by path. */
export type ListPaths = Readonly<Record<string, readonly (keyof ListRecords)[]>>;

/** A layout's fields as one reads them in its documentation. */
export interface FieldTable {
  readonly fields: FieldPaths;
  readonly lists?: ListPaths;
}

/** A layout: its fields, and the summary of what was found in them; undefined for what is no such document. */
export interface DocumentLayout {
  readonly fields: FieldTable;
  summarize(collected: Collected): DocumentSummary | undefined;
}

/** Where a text goes and how long it may be. */
export interface Leaf {
  /** Number of the section or list. */
  readonly group: number;
  readonly field: string;
  /** Bit of the field in its group. */
  readonly bit: number;
  readonly limit: number;
}

/** One element of a layout. Elements in no table have no node and are skipped with their content. */
export interface FieldNode {
  readonly children: Map<string, FieldNode>;
  readonly attributes: [name: string, leaf: Leaf][];
  any: FieldNode | undefined;
  leaf: Leaf | undefined;
  /** Numbers of the lists in which a record begins here. */
  begins: readonly number[];
}

const limits: Readonly<Record<string, number>> = longest;

const MOST_FIELDS = 32;
const fieldsByGroup = new Map<string, string[]>();

function bitFor(group: string, field: string): number {
  const fields = fieldsByGroup.get(group) ?? [];
  fieldsByGroup.set(group, fields);
  if (!fields.includes(field)) fields.push(field);
  if (fields.length > MOST_FIELDS) throw new Error(`${group} has more than ${MOST_FIELDS} fields`);
  return 1 << fields.indexOf(field);
}

function leafOf(target: Target): Leaf {
  const [group = '', field = ''] = target.split('.');
  const limit = (group === 'notes' ? limits.notes : limits[field]) ?? longest.other;
  return { group: groupNumber(group), field, bit: bitFor(group, field), limit };
}

function emptyNode(): FieldNode {
  return { children: new Map(), attributes: [], any: undefined, leaf: undefined, begins: [] };
}

function childNode(node: FieldNode, name: string): FieldNode {
  if (name === '*') {
    node.any ??= emptyNode();
    return node.any;
  }
  const known = node.children.get(name);
  if (known !== undefined) return known;
  const child = emptyNode();
  node.children.set(name, child);
  return child;
}

function nodeAt(root: FieldNode, path: string): FieldNode {
  return path === '' ? root : path.split('/').reduce(childNode, root);
}

/** Puts a table to work: the node of the document's root. */
export function compileFieldTable({ fields, lists = {} }: FieldTable): FieldNode {
  const root = emptyNode();
  for (const [path, target] of Object.entries(fields)) {
    const at = path.lastIndexOf('@');
    if (at === -1) nodeAt(root, path).leaf = leafOf(target);
    else
      nodeAt(root, path.slice(0, Math.max(at - 1, 0))).attributes.push([path.slice(at + 1), leafOf(target)]);
  }
  for (const [path, begins] of Object.entries(lists)) nodeAt(root, path).begins = begins.map(groupNumber);
  return root;
}

/** The same table below another element. */
export function below(prefix: string, { fields, lists = {} }: FieldTable): FieldTable {
  return { fields: prefixed(prefix, fields), lists: prefixed(prefix, lists) };
}

function prefixed<T>(prefix: string, paths: Readonly<Record<string, T>>): Record<string, T> {
  return Object.fromEntries(
    Object.entries(paths).map(([path, value]) => [path === '' ? prefix : `${prefix}/${path}`, value]),
  );
}

/** Several tables as one. */
export function together(...tables: readonly FieldTable[]): FieldTable {
  return {
    fields: Object.assign({}, ...tables.map((table) => table.fields)),
    lists: Object.assign({}, ...tables.map((table) => table.lists ?? {})),
  };
}

/** Fields of a party, by their paths below its element. */
export function partyFields<
  Section extends 'issuer' | 'sender' | 'dispatcher' | 'receiver' | 'recipient' | 'taker',
>(section: Section, paths: Readonly<Record<string, PartyField>>): FieldTable {
  const fields = Object.entries(paths).map(([path, field]) => [path, `${section}.${field}` as Target]);
  return { fields: Object.fromEntries(fields) };
}
