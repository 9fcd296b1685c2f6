import { setImmediate as letOthersRun } from 'node:timers/promises';
import { isDay, monthOf, weekOf } from '../../documents/days.ts';
import { cancellationEvents } from '../../documents/events/event-names.ts';
import { plainId, regimeOf } from '../../documents/summary/parties.ts';
import {
  type DocumentStatus,
  type DocumentSummary,
  type Item,
  isVoid,
  type Party,
} from '../../documents/summary/summary.ts';
import {
  betweenBlanks,
  declarationsText,
  namesText,
  referencesOf,
  remarksText,
  searchText,
  summaryFrom,
} from '../schema/encoding.ts';
import { type TextPlace, unitsOf } from '../schema/measures.ts';
import type { DocumentRow, Exclusion, ItemRow, Session } from '../schema/schema.ts';
import { type Amounts, amountsOf, wholeLine } from './amounts.ts';
import { type Batch, type HeldDocument, type Provenance, stride } from './arrival.ts';
import { eventMarks, isCancelledBy, standingCodes } from './events.ts';

/** A document with its row, as inserted if new. */
export interface PreparedDocument extends HeldDocument {
  readonly parsed: DocumentSummary;
  readonly amounts: Amounts;
  /** True if a stored event cancels it. */
  readonly isCancelled: boolean;
  readonly row: DocumentRow;
}

type Line = Omit<ItemRow, 'tenant' | 'document_id'>;

/** Kinds without items; the whole document counts as one item. */
const wholeKinds = new Set<DocumentSummary['kind']>(['cte', 'cteos', 'nfse']);

const restLine = -1;

type TextIds = ReadonlyMap<string, number>;

/** An item's description, or its code without one. */
const descriptionOf = ({ description, code = '' }: Item): string => description ?? code;

function wordsOf(item: Item, ids: TextIds) {
  const { ncm = '', cfop = '', cst = '', unit, taxes } = item;
  const contributions = [taxes.pis_cst, taxes.cofins_cst].filter((one) => one);
  return {
    description_id: ids.get(descriptionOf(item)) ?? 0,
    code: betweenBlanks(searchText(item.code)),
    buyer_order: betweenBlanks(searchText(item.order)),
    ncm,
    cfop,
    cst,
    class_trib: taxes.class_trib ?? '',
    pis_cofins_cst: [...new Set(contributions)].join('/'),
    unit: unit?.trim().toUpperCase() ?? '',
  };
}

/** The single item of a document of a kind without items. */
function itemOfWhole({ service, taxation, cfop = '' }: DocumentSummary): Item {
  const description = service?.description ?? service?.national_code ?? service?.code;
  const class_trib = taxation?.class_trib ?? service?.class_trib ?? '';
  return { description: description ?? '', cfop, cst: taxation?.cst ?? '', taxes: { class_trib } };
}

/** A document's items; one for kinds without items. */
const itemsOf = (parsed: DocumentSummary): readonly Item[] =>
  parsed.items.length === 0 && wholeKinds.has(parsed.kind) ? [itemOfWhole(parsed)] : parsed.items;

/** The descriptions of a document's lines. */
export function descriptionsOf({ parsed }: PreparedDocument): string[] {
  return ['', ...itemsOf(parsed).map(descriptionOf)];
}

/** A document's searchable texts by place. */
export function searchedTexts(document: PreparedDocument): Record<TextPlace, string> {
  const { parsed } = document;
  const each = (texts: readonly (string | undefined)[]) => betweenBlanks(searchText(...new Set(texts)));
  return {
    names: namesText(parsed),
    items: each(descriptionsOf(document)),
    codes: each(parsed.items.map(({ code }) => code)),
    orders: each(parsed.items.map(({ order }) => order)),
    remarks: remarksText(parsed),
  };
}

/** The rows of a document's items, and of its remainder. @param ids ids of the stored texts */
export function linesOf({ parsed, amounts }: PreparedDocument, ids: TextIds): Line[] {
  const isWhole = parsed.items.length === 0;
  const lines = itemsOf(parsed).flatMap((item, index): Line[] => {
    const line = isWhole ? wholeLine(amounts.document) : amounts.items[index];
    return line === undefined ? [] : [{ line: isWhole ? 0 : index + 1, ...wordsOf(item, ids), ...line }];
  });
  const { remainder } = amounts;
  if (remainder !== undefined) lines.push({ line: restLine, ...wordsOf({ taxes: {} }, ids), ...remainder });
  return lines;
}

/** A document's instalments, also without an amount: a note may state only the due day. */
export function installmentsOf({ parsed }: PreparedDocument) {
  return parsed.installments.map(({ due: day = '', amount }, index) => {
    const due_day = isDay(day) ? day : '';
    const due_week = due_day === '' ? '' : weekOf(due_day);
    const due = unitsOf(amount ?? '') ?? null;
    return { line: index + 1, due_day, due_week, due_month: monthOf(due_day), due };
  });
}

/** `YYYY-MM` of a month or a day; empty for other texts. */
function monthIn(text: string | undefined): string {
  return /^\d{4}-(?:0[1-9]|1[0-2])(?!\d)/.exec(text ?? '')?.[0] ?? '';
}

/** Time of a cancellation stated in the document's own file. */
function ownCancellation({ status, event, events = [] }: DocumentSummary): string {
  if (status !== 'cancelled') return '';
  const cancelling = events.find(({ code = '' }) => cancellationEvents.has(code));
  return cancelling?.at ?? event?.at ?? '';
}

/** A party's id without mask; the name for foreign parties without one. */
export function taxIdOf(party: Party | undefined): string {
  if (party === undefined) return '';
  const isUnnumbered = party.id_type === 'foreign' && party.id === undefined;
  return (isUnnumbered ? party.name?.trim().replace(/\s+/g, ' ') : plainId(party)) ?? '';
}

type Statuses = Pick<DocumentRow, 'own_status' | 'status' | 'status_from'>;

function statusesOf(own_status: DocumentStatus, isCancelled: boolean): Statuses {
  const status = isCancelled ? 'cancelled' : own_status;
  return { own_status, status, status_from: status === own_status ? 'document' : 'event' };
}

function factsOf(held: HeldDocument, parsed: DocumentSummary, amounts: Amounts) {
  const { issuer, recipient, service, route, events = [] } = parsed;
  const ownEvents = events.map(({ code, sequence, at, details }) => ({ code, sequence, at, details }));
  const exclusion: Exclusion = amounts.isExact ? '' : 'inexact';
  return {
    identity: held.identity,
    digest: held.digest,
    area: held.area,
    kind: parsed.kind,
    key: parsed.key ?? '',
    number: parsed.number ?? '',
    issued_at: parsed.issued_at ?? '',
    exclusion: parsed.environment === 'test' ? 'test' : exclusion,
    own_events: ownEvents.length === 0 ? '' : JSON.stringify(ownEvents),
    issuer: taxIdOf(issuer),
    issuer_state: issuer?.state ?? '',
    recipient: taxIdOf(recipient),
    recipient_state: recipient?.state ?? '',
    issuer_city: issuer?.city_code ?? '',
    recipient_city: recipient?.city_code ?? '',
    regime: regimeOf(issuer),
    payer: taxIdOf(parsed.payer),
    purpose: parsed.purpose ?? '',
    credit_type: parsed.credit_type ?? '',
    debit_type: parsed.debit_type ?? '',
    competence: monthIn(parsed.competence),
    iss_city: service?.iss_city ?? '',
    origin_state: route?.origin?.state ?? '',
    destination_state: route?.destination?.state ?? '',
    declarations: declarationsText(parsed.import_declarations),
    authorized_at: parsed.protocol?.at ?? '',
    cancelled_at: ownCancellation(parsed),
    reference_keys: referencesOf(parsed).join(' '),
    item_count: parsed.item_count,
    has_lines: parsed.items.length > 0 || wholeKinds.has(parsed.kind) ? 1 : 0,
    ...amounts.document,
  } as const;
}

/** Prepares a part of a batch for writing. */
export async function preparePart(
  session: Session,
  { at, source }: Provenance,
  part: Batch['documents'],
): Promise<PreparedDocument[]> {
  const unpacked: (HeldDocument & { readonly parsed: DocumentSummary })[] = [];
  for (const held of part) {
    unpacked.push({ ...held, parsed: summaryFrom(held.summary) });
    if (unpacked.length % stride === 0) await letOthersRun();
  }
  const marks = await eventMarks(
    session,
    unpacked.map(({ parsed }) => parsed.key ?? ''),
  );
  const ready: PreparedDocument[] = [];
  for (const document of unpacked) {
    const amounts = amountsOf(document.parsed);
    const facts = factsOf(document, document.parsed, amounts);
    const stored = marks.get(facts.key);
    const isCancelled = isCancelledBy(stored);
    const events = standingCodes(facts.own_events, stored);
    const received = { fetched_at: at, source, status_at: at, contents: 1 };
    const statuses = statusesOf(document.parsed.status, isCancelled);
    const row = { tenant: session.tenant, ...facts, ...statuses, events, ...received };
    ready.push({ ...document, amounts, isCancelled, row });
    if (ready.length % stride === 0) await letOthersRun();
  }
  return ready;
}

/** Fields of a stored document that determine how a received version is stored. */
export interface Known
  extends Pick<DocumentRow, 'identity' | 'key' | 'digest' | 'kind' | 'own_status' | 'status' | 'number'>,
    Pick<DocumentRow, 'issued_at' | 'issuer' | 'recipient' | 'item_count' | 'source' | 'status_at'> {
  readonly id: number;
  readonly total: string | null;
  /** Deflated; only if the received version has another digest. */
  readonly summary?: Uint8Array | undefined;
  /** 1 if its text is stored. */
  readonly xmls: number;
}

type Content = Pick<Known, 'kind' | 'own_status'>;

const isAbridged = ({ kind }: Content): boolean => kind === 'summary';
const isValid = ({ own_status }: Content): boolean => own_status === 'authorized' || isVoid(own_status);

/** True if two values differ in a field that both have. */
function disagree(one: unknown, other: unknown): boolean {
  if (one === undefined || other === undefined) return false;
  if (one === null || other === null || typeof one !== 'object' || typeof other !== 'object')
    return one !== other;
  if (Array.isArray(one) && Array.isArray(other) && one.length !== other.length) return true;
  const values = new Map<string, unknown>(Object.entries(other));
  return Object.entries(one).some(([name, value]) => disagree(value, values.get(name)));
}

/** The issuer's fields, without those added by the authority or by parsing. */
function writtenFields({ status, protocol, event, events, warnings, ...written }: DocumentSummary) {
  return written;
}

/** True if two versions of a document differ in a fact that both have. An abridged note has fewer facts. */
function contradict({ row, parsed }: PreparedDocument, known: Known): boolean {
  const differ = (first: unknown, second: unknown) =>
    (first ?? '') !== '' && (second ?? '') !== '' && String(first) !== String(second);
  if ((['number', 'issuer', 'recipient', 'total'] as const).some((name) => differ(row[name], known[name])))
    return true;
  if (differ(row.issued_at.slice(0, 10), known.issued_at.slice(0, 10))) return true;
  if (isAbridged(row) || isAbridged(known)) return false;
  if (row.item_count !== known.item_count) return true;
  if (known.summary === undefined) return false;
  const [one, other] = [writtenFields(parsed), writtenFields(summaryFrom(known.summary))];
  return one.layout === other.layout && disagree(one, other);
}

/** Precedence of a version: the fuller one; if they contradict each other, first the valid one. */
function rank(content: Content, isContradicted: boolean): number {
  const [full, valid] = [isAbridged(content) ? 0 : 1, isValid(content) ? 1 : 0];
  return isContradicted ? 2 * valid + full : 2 * full + valid;
}

/** Own status of the effective version; a final status of the other version prevails. */
function settledStatus(counting: Content, other: Content, isContradicted: boolean): DocumentStatus {
  const isSettled = isVoid(other.own_status) || (!isContradicted && isValid(other));
  return isSettled && !isVoid(counting.own_status) ? other.own_status : counting.own_status;
}

export type Plan = ReturnType<typeof planFor>;

/** Plans how a received document is stored. @param known the stored version; undefined for a new document */
export function planFor(id: number, document: PreparedDocument, known: Known | undefined) {
  const { row, xml, isCancelled } = document;
  if (known === undefined)
    return { id, document, known, contradicts: false, counts: true, isRewritten: true, statuses: row };
  /** True if it contradicts the effective version: both are kept. */
  const contradicts = contradict(document, known);
  // A contradicting file does not replace the service's version.
  const isDoubtful = contradicts && row.source === 'files' && known.source !== 'files';
  /** True if it becomes the effective version; of equals, the later one wins. */
  const counts = !isDoubtful && rank(row, contradicts) >= rank(known, contradicts);
  const addsText = xml !== null && Number(known.xmls) === 0;
  /** True if it is effective and is new, changed, or adds a text not stored before. */
  const isRewritten = counts && (known.digest !== row.digest || addsText);
  const own = counts ? settledStatus(row, known, contradicts) : settledStatus(known, row, contradicts);
  return { id, document, known, contradicts, counts, isRewritten, statuses: statusesOf(own, isCancelled) };
}
