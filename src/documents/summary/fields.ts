import type { NamesIn } from '../problems.ts';
import { longest } from '../untrusted.ts';
import type {
  DocumentSummary,
  EventDetails,
  EventItem,
  Header,
  Installment,
  Item,
  Payment,
  PaymentLink,
  Place,
  Protocol,
  Reference,
  Service,
  TaxName,
  TotalName,
} from './summary.ts';

export type Texts<Name extends string> = { [N in Name]?: string };

/**
 * `tax_id`: CNPJ or CPF in one element; `country`: a foreign one; `simples_option`: opSimpNac; `is_under_simples`:
 * ABRASF.
 */
export type PartyField =
  | NamesIn<'cnpj cpf tax_id foreign name state city city_code country state_registration'>
  | NamesIn<'municipal_registration tax_regime simples_option is_under_simples special_regime'>;

export type PartySection = NamesIn<'issuer emitter recipient sender dispatcher receiver taker carrier'>;

type WithheldTax = NamesIn<'pis cofins csll income_tax inss iss other'>;

/**
 * Fields that occur once, by part of the summary. `raw` has values only needed to derive other fields; `emitter` is the
 * issuer of a national NFS-e, not necessarily the provider.
 */
type Sections = Record<PartySection, Texts<PartyField>> & {
  document: Texts<keyof Header>;
  raw: Texts<
    | NamesIn<'id version state_code environment taker issued_by issued_time own_number recipient_type'>
    | NamesIn<'situation situation_code contributions is_test is_preview sent_at iss_withheld iss_on_top'>
    | NamesIn<'ibs_state ibs_city icms_mono_beside icms_mono_before government discount_conditional replaced_by'>
    | NamesIn<'cancel_success cancelled_at cancelled_for simples_code'>
  >;
  protocol: Texts<keyof Protocol | 'message' | 'key'>;
  totals: Texts<TotalName>;
  informative: Texts<'products_net' | 'difal'>;
  withheld: Texts<WithheldTax>;
  /** Flags in layouts that list taxes whether or not they are withheld. */
  is_withheld: Texts<WithheldTax>;
  service: Texts<keyof Service>;
  taxation: Texts<keyof NonNullable<DocumentSummary['taxation']>>;
  transport: Texts<'mode' | 'plate'>;
  origin: Texts<keyof Place>;
  destination: Texts<keyof Place>;
  notes: Texts<'issuer' | 'tax_office'>;
};

/** Records that occur several times. `items`, `taxes` and `raw_items` are parallel. */
export type ListRecords = {
  items: Texts<Exclude<keyof Item, 'taxes'>>;
  taxes: Texts<TaxName>;
  raw_items: Texts<
    | NamesIn<'ibs_state ibs_city icms_relief_deducted'>
    | NamesIn<'icms_mono_beside icms_mono_before'>
    | NamesIn<'ipi_returned pis_st_counts cofins_st_counts'>
  >;
  payments: Texts<keyof Payment>;
  installments: Texts<keyof Installment>;
  references: Texts<keyof Reference>;
  linked: Texts<'key'>;
  volumes: Texts<NamesIn<'count net_weight gross_weight'>>;
  cargo: Texts<NamesIn<'unit name amount'>>;
  components: Texts<'name' | 'amount'>;
  declarations: Texts<'number'>;
  /**
   * Deliveries of a simplified CT-e, lines and deductions of a municipal note, the declaration inside an ABRASF 2 note.
   */
  parts: Texts<NamesIn<'total receivable code description rate base deduction iss_withheld'>>;
  corrections: Texts<'group' | 'field' | 'value'>;
  payment_links: Texts<keyof PaymentLink>;
  events: Texts<NamesIn<'id key code name sequence at author text environment version'> | keyof EventDetails>;
  event_items: Texts<keyof EventItem>;
  receipts: Texts<NamesIn<'key code name sequence status cancelled number at environment version'>>;
  /** Alerts of an authorisation: a code and its message are separate records. */
  alerts: Texts<'code' | 'message'>;
};

/** The fields of one document listed in its layout's table. */
export type Collected = Sections & { [Name in keyof ListRecords]: ListRecords[Name][] };

/** A group missing here throws when a layout that uses it is loaded. */
const sectionNames = (
  'document raw protocol issuer emitter recipient sender dispatcher receiver taker carrier totals informative ' +
  'withheld is_withheld service taxation transport origin destination notes'
).split(' ');
const listNames = (
  'items taxes raw_items payments installments references linked parts corrections payment_links events ' +
  'event_items receipts alerts volumes cargo components declarations'
).split(' ');

/** Sections first; a group is numbered by its index. */
const groupNames = [...sectionNames, ...listNames];

export const firstList = sectionNames.length;

/** Template to clone: adding this many properties one by one is slow. */
const groups: Readonly<Record<string, object>> = Object.fromEntries(groupNames.map((name) => [name, {}]));

/** Empty groups for a new document. */
export function nothingCollected(): Collected {
  const collected = { ...groups };
  for (const name of sectionNames) collected[name] = {};
  for (const name of listNames) collected[name] = [];
  return collected as Collected;
}

type Groups = Sections & ListRecords;

/**
 * Paths of one group's fields: local names, `*` for any element, `@name` for an attribute, `.` for the element itself;
 * several are separated by blanks. `in` is the enclosing element; `each` replaces it where an element begins a new
 * record of a list.
 */
type FieldRow<Fields> = { readonly [Name in (keyof Fields & string) | 'in' | 'each']?: string };

/** A layout's fields by part of the summary, with paths relative to the document's root. */
export type FieldTable = {
  readonly [Group in keyof Groups]?: FieldRow<Groups[Group]> | readonly FieldRow<Groups[Group]>[];
};

/** A layout: its fields, and a function that summarises the values found; undefined for another document. */
export interface DocumentLayout {
  readonly fields: FieldTable;
  summarize(collected: Collected): DocumentSummary | undefined;
}

/** Target of a text, with its length limit. */
export interface Leaf {
  readonly group: number;
  readonly field: string;
  readonly bit: number;
  readonly limit: number;
}

/** One element of a layout. Elements in no table have no node and are skipped with their content. */
export interface FieldNode {
  readonly children: Map<string, FieldNode>;
  readonly attributes: Map<string, Leaf>;
  /** Numbers of the lists in which this element begins a record. */
  readonly begins: number[];
  any: FieldNode | undefined;
  leaf: Leaf | undefined;
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

function emptyNode(): FieldNode {
  return { children: new Map(), attributes: new Map(), begins: [], any: undefined, leaf: undefined };
}

function childNode(node: FieldNode, name: string): FieldNode {
  if (name === '*') {
    node.any ??= emptyNode();
    return node.any;
  }
  const child = node.children.get(name) ?? emptyNode();
  node.children.set(name, child);
  return child;
}

type AnyRow = Readonly<Record<string, string>>;

const rowsOf = (table: FieldTable): [group: string, rows: readonly AnyRow[]][] =>
  Object.entries(table).map(([group, rows]) => [group, [rows].flat()]);

const joined = (within: string, path: string) => [within, path].filter((part) => part !== '').join('/');

function nodeAt(root: FieldNode, path: string): FieldNode {
  return path
    .split('/')
    .reduce((node, name) => (name === '' || name === '.' ? node : childNode(node, name)), root);
}

function addRow(root: FieldNode, groupName: string, { in: within = '', each, ...fields }: AnyRow): void {
  const group = groupNames.indexOf(groupName);
  if (group === -1) throw new Error(`there is no group ${groupName}`);
  for (const parent of (each ?? within).split(' ').map((path) => nodeAt(root, path))) {
    if (each !== undefined && !parent.begins.includes(group)) parent.begins.push(group);
    for (const [field, paths] of Object.entries(fields)) {
      const limit = (groupName === 'notes' ? limits.notes : limits[field]) ?? longest.other;
      const leaf = { group, field, bit: bitFor(groupName, field), limit };
      for (const path of paths.split(' ')) {
        const [element = '', attribute] = path.split('@');
        const node = nodeAt(parent, element);
        if (attribute === undefined) node.leaf = leaf;
        else node.attributes.set(attribute, leaf);
      }
    }
  }
}

/** Compiles a table to nodes; returns the root node. */
export function compileFieldTable(table: FieldTable): FieldNode {
  const root = emptyNode();
  for (const [group, rows] of rowsOf(table)) for (const row of rows) addRow(root, group, row);
  return root;
}

/** Moves a table below other elements, given as blank-separated paths. */
export function below(elements: string, table: FieldTable): FieldTable {
  const placed = (paths: string) =>
    elements
      .split(' ')
      .flatMap((element) => paths.split(' ').map((path) => joined(element, path)))
      .join(' ');
  const rowBelow = ({ in: within = '', each, ...fields }: AnyRow): AnyRow =>
    each === undefined ? { in: placed(within), ...fields } : { each: placed(each), ...fields };
  return Object.fromEntries(rowsOf(table).map(([group, rows]) => [group, rows.map(rowBelow)]));
}

/** Merges tables; if two map the same element or attribute, the later one counts. */
export function together(...tables: readonly FieldTable[]): FieldTable {
  const all: Record<string, readonly AnyRow[]> = {};
  for (const [group, rows] of tables.flatMap(rowsOf)) all[group] = [...(all[group] ?? []), ...rows];
  return all;
}
