import type { Question } from '../../src/archive/archive.ts';
import type { DocumentSummary, Item } from '../../src/documents/summary/summary.ts';
import { addUp, isSelected, mondayOf, ofItems, rootOf, sum, tenThousandths } from '../support/plain-sums.ts';
import { company } from './generated-documents.ts';

/** The same questions answered by a plain loop over the documents themselves, sharing nothing with the archive. */
interface Line {
  readonly document: DocumentSummary;
  /** Undefined where the line is the whole document. */
  readonly item?: Item;
  /** Of the document's amounts those that are no item's; the item is empty then. */
  readonly rest?: Readonly<Record<string, bigint>>;
}

const charges = ['freight', 'insurance', 'other', 'discount'] as const;
/** A document has the sum of its items. */
const summed = 'icms_credit icms_relieved icms_mono fcp fcp_st difal import_duty'.split(' ');

/** The document's amounts less those of its items, where anything is left. */
function restOf(document: DocumentSummary): Line[] {
  const left = (['total', 'products', ...charges] as const).flatMap((name) => {
    const whole = tenThousandths(document.totals[name]);
    const rest = whole - sum(document.items.map((item) => amountOf({ document, item }, name) ?? 0n));
    return rest === 0n ? [] : [[name, rest] as const];
  });
  return left.length === 0 ? [] : [{ document, item: { taxes: {} }, rest: Object.fromEntries(left) }];
}

const isOutbound = ({ issuer }: DocumentSummary): boolean => issuer?.id === company;

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
  const words = ['', ...eventsIn(document)];
  if (asked === 'none') return !words.includes('ciencia') && !words.includes('confirmacao');
  return asked === 'cancellation' ? document.status === 'cancelled' : words.includes(asked);
}

/** Values by the names of groupings and filters. */
function valuesOf({ document, item }: Line): Readonly<Record<string, string | undefined>> {
  const { issuer, recipient, payer, service, route } = document;
  const day = document.issued_at?.slice(0, 10) ?? '';
  const other = isOutbound(document) ? recipient : issuer;
  return {
    ...{ issuer: issuer?.id, recipient: recipient?.id, counterparty: other?.id, payer: payer?.id },
    ...{ issuer_root: rootOf(issuer?.id), recipient_root: rootOf(recipient?.id) },
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

function textOf({ document, item }: Line, measure: string): string | undefined {
  const { totals }: { totals: Readonly<Record<string, string>> } = document;
  if (item === undefined) return totals[measure];
  const taxes: Readonly<Record<string, string>> = item.taxes;
  if (measure === 'total') return item.share ?? item.total;
  if (measure === 'products') return item.total;
  const charge = charges.find((name) => name === measure);
  return charge ? item[charge] : taxes[measure];
}

function amountOf(line: Line, measure: string): bigint | undefined {
  const { document, item, rest } = line;
  if (measure === 'items')
    return BigInt(item === undefined ? document.item_count : rest === undefined ? 1 : 0);
  if (rest !== undefined) return rest[measure];
  if (item === undefined && summed.includes(measure))
    return sum(document.items.map((one) => amountOf({ document, item: one }, measure) ?? 0n));
  const text = textOf(line, measure);
  return text === undefined ? undefined : tenThousandths(text);
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

/** Caches the value of each name. */
function remembering<T>(find: (name: string) => T) {
  const known = new Map<string, T>();
  return (name: string): T => {
    const value = known.has(name) ? (known.get(name) as T) : find(name);
    known.set(name, value);
    return value;
  };
}

function partOf(line: Line) {
  const { document, item } = line;
  const values = valuesOf(line);
  // Without an item, any item of the document will do.
  const searched = item === undefined ? document : { ...document, items: [item] };
  return {
    document,
    isOutbound: isOutbound(document),
    value: (name: string) => values[name],
    amount: remembering((measure) => amountOf(line, measure)),
    total: tenThousandths(document.totals.total),
    says: remembering((text) => isFound(searched, text)),
  };
}

const standing = ['authorized', 'no_protocol', 'unknown'];

/** Answers questions about documents: rows in no particular order, and the number of their documents. */
export function plainAnswers(documents: readonly DocumentSummary[]) {
  const whole = documents.map((document) => partOf({ document }));
  const byItem = documents.flatMap((document) =>
    [...document.items.map((item) => ({ document, item })), ...restOf(document)].map(partOf),
  );
  return ({ groupBy, measures, filters = {}, direction, from, to }: Question) => {
    const { event = [''], ...others } = filters;
    const isByItem = [...groupBy, ...Object.keys(filters)].some((one) => ofItems.includes(one));
    const parts = (isByItem ? byItem : whole)
      .filter(({ value }) => from <= (value('day') ?? '') && (value('day') ?? '') <= to)
      .filter(({ document }) =>
        event.some((words) => words.split('+').every((word) => hasHappened(word, document))),
      )
      .filter((part) => isSelected(part, { status: standing, ...others, direction }));
    const answer = addUp(parts, groupBy, measures);
    // Without groups there is one row, also of nothing.
    return { ...answer, rows: groupBy.length === 0 ? [{ group: {}, measures: answer.sums }] : answer.rows };
  };
}
