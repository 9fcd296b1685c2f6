import { Big } from 'big.js';
import type { Measure, Question } from '../../src/archive/archive.ts';
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

/** The document's amounts less those of its items, where anything is left. */
function restOf(document: DocumentSummary): Line[] {
  const left = (['total', 'products', 'freight', 'discount'] as const).flatMap((name) => {
    const parts = document.items.map((item) => amountOf(name, { document, item }) ?? '0');
    const rest = parts.reduce((sum, part) => sum.minus(part), new Big(document.totals[name] ?? '0'));
    return rest.eq(0) ? [] : [[name, rest.toFixed(2)] as const];
  });
  return left.length === 0 ? [] : [{ document, item: { taxes: {} }, rest: Object.fromEntries(left) }];
}

const isOutbound = ({ issuer }: DocumentSummary): boolean => issuer?.id === company;

function mondayOf(day: string): string {
  const date = new Date(`${day}T12:00:00Z`);
  while (date.getUTCDay() !== 1) date.setUTCDate(date.getUTCDate() - 1);
  return date.toISOString().slice(0, 10);
}

/** Of the codes that `generateDocuments` uses, by the titles of the table; what one sells the other buys. */
const codesOfNatures: Readonly<Record<string, string>> = {
  sale: '5101 5102 5405 6101 6102 6108',
  purchase: '1101 1102 1403 2101 2102 2556',
  remittance: '5910',
  return: '6202',
};

function natureFor(cfop: string, document: DocumentSummary): string | undefined {
  const [nature] = Object.entries(codesOfNatures).find(([, codes]) => codes.includes(cfop)) ?? [];
  if (nature === undefined) throw new Error(`say what ${cfop} is`);
  const otherSide: Readonly<Record<string, string>> = { sale: 'purchase', purchase: 'sale' };
  return isOutbound(document) ? nature : (otherSide[nature] ?? nature);
}

/** Words of the events of a generated document, which all stand. */
function eventsIn({ events = [] }: DocumentSummary): string[] {
  const words = { 110110: 'correction_letter', 210200: 'confirmacao', 210210: 'ciencia' };
  const codes = events.map(({ code = '' }) => code).toSorted();
  return codes.map((code) => new Map(Object.entries(words)).get(code) ?? code);
}

function hasHappened(asked: string, document: DocumentSummary): boolean {
  const words = eventsIn(document);
  if (asked === 'none') return !words.includes('ciencia') && !words.includes('confirmacao');
  return asked === 'cancellation' ? document.status === 'cancelled' : words.includes(asked);
}

/** Values by the names of groupings and filters. */
function valuesOf({ document, item }: Line): Readonly<Record<string, string | undefined>> {
  const { issuer, recipient, payer, service, route } = document;
  const day = document.issued_at?.slice(0, 10) ?? '';
  const other = isOutbound(document) ? recipient : issuer;
  const root = (id = '') => (id.length === 14 ? id.slice(0, 8) : id || undefined);
  return {
    ...{ issuer: issuer?.id, recipient: recipient?.id, counterparty: other?.id, payer: payer?.id },
    ...{ issuer_root: root(issuer?.id), recipient_root: root(recipient?.id) },
    ...{ state: other?.state, city: other?.city_code, regime: issuer?.tax_regime },
    ...{ month: day.slice(0, 7), week: mondayOf(day), day, competence: document.competence?.slice(0, 7) },
    ...{ kind: document.kind, status: document.status, purpose: document.purpose, number: document.number },
    ...{ credit_type: document.credit_type, debit_type: document.debit_type },
    event: eventsIn(document).join('+') || undefined,
    ...{ iss_city: service?.iss_city, origin_state: route?.origin?.state },
    destination_state: route?.destination?.state,
    ...{ cfop: item?.cfop, ncm: item?.ncm, cst: item?.cst, class_trib: item?.taxes.class_trib },
    ...{ pis_cofins_cst: item?.taxes.pis_cst, item: item?.description, unit: item?.unit?.toUpperCase() },
    nature: item?.cfop && natureFor(item.cfop, document),
  };
}

function amountOf(measure: string, { document, item, rest }: Line): string | undefined {
  if (rest !== undefined) return rest[measure];
  const { totals }: { totals: Readonly<Record<string, string>> } = document;
  if (item === undefined) return totals[measure];
  const taxes: Readonly<Record<string, string>> = item.taxes;
  if (measure === 'total') return item.share ?? item.total;
  if (measure === 'products') return item.total;
  return measure === 'discount' || measure === 'freight' ? item[measure] : taxes[measure];
}

/** Without accents, in lower case. */
const plain = (...texts: readonly (string | undefined)[]): string =>
  texts
    .filter((text) => text)
    .join(' ')
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/\s+/g, ' ')
    .trim();

/** Whether every word of a text is in a document, by the rules of `Filters.text`. */
export function isFound(document: DocumentSummary, text: string): boolean {
  const { items, service, notes, payments, components = [], number, key, operation } = document;
  const parties = [document.issuer, document.recipient, document.sender, document.payer];
  const named = parties.flatMap((party) => [party?.name, party?.id]);
  const head = plain(...named, number, key, operation, service?.description).slice(0, 1000);
  const remarks = [...items.map((item) => item.notes), ...payments.map(({ description }) => description)];
  const said = [
    head,
    plain(notes, ...remarks, ...components.map(({ name }) => name)),
    ...items.flatMap(({ code, order }) => [plain(code), plain(order)]),
  ];
  // A document without items is described by its service.
  const described =
    items.length > 0 ? items.map((item) => item.description ?? item.code) : [service?.description];
  // A number of up to three digits is somewhere in almost every key: it counts as a word of its own.
  const says = (one: string, word: string) =>
    /^\d{1,3}$/.test(word) ? one.split(' ').includes(word) : one.includes(word);
  const isSaid = (word: string) =>
    said.some((one) => says(one, word)) || described.some((one) => plain(one).includes(word));
  return plain(text).split(' ').every(isSaid);
}

const byBeginning = new Set(['issuer', 'recipient', 'cfop', 'ncm']);

function matches({ filters = {}, direction, from, to }: Question, line: Line): boolean {
  const { document, item } = line;
  const { status = ['authorized', 'no_protocol', 'unknown'], event, min_total, max_total, text } = filters;
  const values = valuesOf(line);
  const isOf = ([name, wanted]: [string, unknown]) => {
    const value = values[name] ?? '';
    if (!Array.isArray(wanted) || name === 'event') return true;
    return wanted.some((one: string) => (byBeginning.has(name) ? value.startsWith(one) : value === one));
  };
  const day = document.issued_at?.slice(0, 10) ?? '';
  const total = new Big(document.totals.total ?? '0');
  return (
    day >= from &&
    day <= to &&
    (direction === undefined || (direction === 'outbound') === isOutbound(document)) &&
    Object.entries({ ...filters, status }).every(isOf) &&
    (event ?? ['']).some(
      (one) => one === '' || one.split('+').every((word) => hasHappened(word, document)),
    ) &&
    total.gte(min_total ?? total) &&
    total.lte(max_total ?? total) &&
    // Without an item, any item of the document will do.
    (text === undefined || isFound(item === undefined ? document : { ...document, items: [item] }, text))
  );
}

function measured(measure: Measure, lines: readonly Line[]): string | null {
  if (measure === 'count') return String(new Set(lines.map(({ document }) => document.key)).size);
  if (measure === 'items') {
    const counts = lines.map(({ document, item, rest }) => (item ? Number(!rest) : document.item_count));
    return String(counts.reduce((sum, count) => sum + count, 0));
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

const ofItems = new Set(['cfop', 'ncm', 'cst', 'class_trib', 'item', 'nature', 'unit']);

/** Rows in no particular order, and how many documents they rest on. */
export function plainAnswer(documents: readonly DocumentSummary[], question: Question) {
  const { groupBy, measures, filters = {} } = question;
  const isByItem = [...groupBy, ...Object.keys(filters)].some((one) => ofItems.has(one));
  const linesOf = (document: DocumentSummary): Line[] =>
    isByItem ? [...document.items.map((item) => ({ document, item })), ...restOf(document)] : [{ document }];
  const lines = documents.flatMap(linesOf).filter((line) => matches(question, line));
  const groups = new Map<string, Line[]>();
  for (const line of lines) {
    const values = valuesOf(line);
    const named = groupBy.map((one) => [one, values[one]]).filter(([, value]) => value !== undefined);
    const key = JSON.stringify(Object.fromEntries(named));
    groups.set(key, [...(groups.get(key) ?? []), line]);
  }
  // Without groups there is one row, also of nothing.
  if (groupBy.length === 0 && lines.length === 0) groups.set('{}', []);
  const rows = [...groups].map(([group, members]): PlainRow => {
    const amounts = measures.map((measure) => [measure, measured(measure, members)]);
    return { group: JSON.parse(group), measures: Object.fromEntries(amounts) };
  });
  const sums = Object.fromEntries(measures.map((measure) => [measure, measured(measure, lines)]));
  return { rows, sums, documents: new Set(lines.map(({ document }) => document.key)).size };
}

export function sorted(rows: readonly PlainRow[]): PlainRow[] {
  const text = ({ group }: PlainRow) => JSON.stringify(Object.entries(group).sort());
  return [...rows].sort((a, b) => (text(a) < text(b) ? -1 : 1));
}
