import { Big } from 'big.js';
import type { Grouping, Measure, Question } from '../../src/archive/archive.ts';
import type { DocumentSummary, Item } from '../../src/documents/summary/summary.ts';
import { company } from './generated-documents.ts';

/**
 * The same questions answered by a plain loop with decimals over the documents themselves: another way to the same
 * numbers, sharing nothing with the archive.
 */
interface Line {
  readonly document: DocumentSummary;
  /** Undefined where the line is the whole document. */
  readonly item?: Item;
  /** Of the document's amounts those that are no item's; the item is empty then. */
  readonly rest?: Readonly<Record<string, string>>;
}

const noItem: Item = { taxes: {} };

/** The document's amounts less those of its items, where anything is left. */
function restOf(document: DocumentSummary): Line[] {
  const names = ['total', 'products', 'freight', 'discount'] as const;
  const left = names.flatMap((name) => {
    const parts = document.items.map((item) => amountOf(name, { document, item }) ?? '0');
    const rest = parts.reduce((sum, part) => sum.minus(part), new Big(document.totals[name] ?? '0'));
    return rest.eq(0) ? [] : [[name, rest.toFixed(2)] as const];
  });
  return left.length === 0 ? [] : [{ document, item: noItem, rest: Object.fromEntries(left) }];
}

const itemGroupings = new Set<Grouping>(['cfop', 'ncm', 'cst', 'class_trib', 'item', 'nature', 'unit']);

function isOutbound({ issuer }: DocumentSummary): boolean {
  return issuer?.id === company;
}

function mondayOf(day: string): string {
  const date = new Date(`${day}T12:00:00Z`);
  while (date.getUTCDay() !== 1) date.setUTCDate(date.getUTCDate() - 1);
  return date.toISOString().slice(0, 10);
}

/** Of the codes that `generateDocuments` uses, by the titles of the table; what one sells the other buys. */
const natures: Readonly<Record<string, string>> = {
  ...Object.fromEntries(['5101', '5102', '5405', '6101', '6102', '6108'].map((code) => [code, 'sale'])),
  5910: 'remittance',
  6202: 'return',
  ...Object.fromEntries(['1101', '1102', '1403', '2101', '2102', '2556'].map((code) => [code, 'purchase'])),
};
const otherSide: Readonly<Record<string, string>> = { sale: 'purchase', purchase: 'sale' };

function natureFor(cfop: string | undefined, document: DocumentSummary): string | undefined {
  if (cfop === undefined || cfop === '') return undefined;
  const nature = natures[cfop];
  if (nature === undefined) throw new Error(`say what ${cfop} is`);
  return document.issuer?.id === company ? nature : (otherSide[nature] ?? nature);
}

const wordOf = (code: string): string =>
  ({ 110110: 'correction_letter', 210200: 'confirmacao', 210210: 'ciencia' })[code] ?? code;

/** Codes of the events of a generated document, which all stand. */
function eventsIn({ events = [] }: DocumentSummary): string[] {
  return events.map(({ code }) => code ?? '');
}

/** Whether one of the words or codes asked for is true of a document. */
function hasOneOf(asked: readonly string[] | undefined, document: DocumentSummary): boolean {
  const words = eventsIn(document).map(wordOf);
  const isTrue = (one: string) =>
    one === 'none'
      ? !words.some((word) => word === 'ciencia' || word === 'confirmacao')
      : one === 'cancellation'
        ? document.status === 'cancelled'
        : words.includes(one);
  return asked === undefined || asked.some((one) => one.split('+').every(isTrue));
}

function groupValue(grouping: Grouping, { document, item }: Line): string | undefined {
  const day = document.issued_at?.slice(0, 10) ?? '';
  const other = isOutbound(document) ? document.recipient : document.issuer;
  const root = (id = '') => (id.length === 14 ? id.slice(0, 8) : id || undefined);
  const values: Record<Grouping, string | undefined> = {
    issuer: document.issuer?.id,
    recipient: document.recipient?.id,
    counterparty: other?.id,
    state: other?.state,
    month: day.slice(0, 7),
    week: mondayOf(day),
    day,
    kind: document.kind,
    status: document.status,
    cfop: item?.cfop,
    ncm: item?.ncm,
    cst: item?.cst,
    class_trib: item?.taxes.class_trib,
    item: item?.description,
    payer: document.payer?.id,
    issuer_root: root(document.issuer?.id),
    recipient_root: root(document.recipient?.id),
    purpose: document.purpose,
    city: other?.city_code,
    competence: document.competence?.slice(0, 7),
    regime: document.issuer?.tax_regime,
    event: eventsIn(document).toSorted().map(wordOf).join('+') || undefined,
    iss_city: document.service?.iss_city,
    origin_state: document.route?.origin?.state,
    destination_state: document.route?.destination?.state,
    pis_cofins_cst: item?.taxes.pis_cst,
    due_day: undefined,
    due_week: undefined,
    due_month: undefined,
    nature: natureFor(item?.cfop, document),
    unit: item?.unit?.toUpperCase(),
  };
  return values[grouping];
}

function amountOf(measure: string, { document, item, rest }: Line): string | undefined {
  if (rest !== undefined) return rest[measure];
  const { totals }: { totals: Readonly<Record<string, string>> } = document;
  if (item === undefined) return totals[measure];
  const taxes: Readonly<Record<string, string>> = item.taxes;
  if (measure === 'total') return item.share ?? item.total;
  if (measure === 'products') return item.total;
  if (measure === 'discount' || measure === 'freight') return item[measure];
  return taxes[measure];
}

function startsWithOne(value: string | undefined, starts: readonly string[] | undefined): boolean {
  return starts === undefined || starts.some((start) => value?.startsWith(start));
}

function plain(text: string): string {
  return text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();
}

/** A line that has the text itself or in its document; without an item, any item of the document will do. */
function says(text: string | undefined, { document, item }: Line): boolean {
  if (text === undefined) return true;
  const { issuer, recipient, number, key } = document;
  const names = [issuer?.name, issuer?.id, recipient?.name, recipient?.id, number, key];
  const items = item === undefined ? document.items : [item];
  const descriptions = items.map(({ description }) => plain(description ?? ''));
  const head = names.map((name) => plain(name ?? ''));
  // A number of up to three digits is somewhere in almost every key: in the head it counts as a word of its own.
  const isSaid = (word: string) =>
    /^\d{1,3}$/.test(word)
      ? head.some((one) => one.split(/\s+/).includes(word))
      : head.some((one) => one.includes(word));
  return plain(text)
    .split(' ')
    .every((word) => isSaid(word) || descriptions.some((one) => one.includes(word)));
}

function isAmong(wanted: readonly string[] | undefined, grouping: Grouping, line: Line): boolean {
  return wanted === undefined || wanted.includes(groupValue(grouping, line) ?? '');
}

function matches({ filters = {}, direction, from, to }: Question, { document, item }: Line): boolean {
  const day = document.issued_at?.slice(0, 10) ?? '';
  const { status = ['authorized', 'no_protocol', 'unknown'], issuer, state, min_total, max_total } = filters;
  const total = new Big(document.totals.total ?? '0');
  return (
    day >= from &&
    day <= to &&
    (direction === undefined || (direction === 'outbound') === isOutbound(document)) &&
    status.includes(document.status) &&
    (issuer === undefined || issuer.some((id) => document.issuer?.id?.startsWith(id))) &&
    isAmong(filters.counterparty, 'counterparty', { document }) &&
    isAmong(filters.purpose, 'purpose', { document }) &&
    (filters.credit_type === undefined || filters.credit_type.includes(document.credit_type ?? '')) &&
    (filters.debit_type === undefined || filters.debit_type.includes(document.debit_type ?? '')) &&
    hasOneOf(filters.event, document) &&
    isAmong(filters.city, 'city', { document }) &&
    isAmong(filters.regime, 'regime', { document }) &&
    isAmong(filters.payer, 'payer', { document }) &&
    (filters.number === undefined || filters.number.includes(document.number ?? '')) &&
    isAmong(filters.nature, 'nature', { document, ...(item && { item }) }) &&
    isAmong(filters.unit, 'unit', { document, ...(item && { item }) }) &&
    (state === undefined || state.includes(groupValue('state', { document }) ?? '')) &&
    (min_total === undefined || total.gte(min_total)) &&
    (max_total === undefined || total.lte(max_total)) &&
    startsWithOne(item?.cfop, filters.cfop) &&
    startsWithOne(item?.ncm, filters.ncm) &&
    (filters.cst === undefined || filters.cst.includes(item?.cst ?? '')) &&
    (filters.class_trib === undefined || filters.class_trib.includes(item?.taxes.class_trib ?? '')) &&
    says(filters.text, { document, ...(item && { item }) })
  );
}

function measured(measure: Measure, lines: readonly Line[]): string | null {
  if (measure === 'count') return String(new Set(lines.map(({ document }) => document.key)).size);
  if (measure === 'items') {
    return String(
      lines.reduce(
        (sum, { document, item, rest }) =>
          sum + (item === undefined ? document.item_count : rest === undefined ? 1 : 0),
        0,
      ),
    );
  }
  const amounts = lines.map((line) => amountOf(measure, line)).filter((amount) => amount !== undefined);
  if (amounts.length === 0) return null;
  const sum = amounts.reduce((all, amount) => all.plus(amount), new Big(0));
  return sum.round(2, 0).eq(sum) ? sum.toFixed(2) : sum.toFixed();
}

export interface PlainRow {
  readonly group: Readonly<Record<string, string>>;
  readonly measures: Readonly<Record<string, string | null>>;
}

/** Rows in no particular order, and how many documents they rest on. */
export function plainAnswer(documents: readonly DocumentSummary[], question: Question) {
  const { groupBy, measures, filters = {} } = question;
  const isByItem =
    question.onItems === true ||
    groupBy.some((one) => itemGroupings.has(one)) ||
    [filters.cfop, filters.ncm, filters.cst, filters.class_trib, filters.nature, filters.unit].some(
      (codes) => codes !== undefined,
    );
  const lines = documents
    .flatMap((document): Line[] =>
      isByItem
        ? [...document.items.map((item) => ({ document, item })), ...restOf(document)]
        : [{ document }],
    )
    .filter((line) => matches(question, line));
  const groups = new Map<string, Line[]>();
  for (const line of lines) {
    const key = JSON.stringify(groupBy.map((grouping) => groupValue(grouping, line) ?? null));
    const members = groups.get(key);
    if (members === undefined) groups.set(key, [line]);
    else members.push(line);
  }
  // Without groups there is one row, also of nothing.
  if (groupBy.length === 0 && lines.length === 0) groups.set('[]', []);
  const rows = [...groups.values()].map((members): PlainRow => {
    const [first] = members;
    const values = groupBy.flatMap((one) => {
      const value = first === undefined ? undefined : groupValue(one, first);
      return value === undefined ? [] : [[one, value] as const];
    });
    return {
      group: Object.fromEntries(values),
      measures: Object.fromEntries(measures.map((measure) => [measure, measured(measure, members)])),
    };
  });
  return { rows, documents: new Set(lines.map(({ document }) => document.key)).size };
}

export function sorted(rows: readonly PlainRow[]): PlainRow[] {
  const text = ({ group }: PlainRow) => JSON.stringify(Object.entries(group).sort());
  return [...rows].sort((a, b) => (text(a) < text(b) ? -1 : 1));
}
