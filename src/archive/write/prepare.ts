import { setImmediate as letOthersRun } from 'node:timers/promises';
import { cancellationEvents } from '../../documents/events/event-names.ts';
import { plainId, regimeOf } from '../../documents/summary/parties.ts';
import type { DocumentStatus, DocumentSummary, Item, Party } from '../../documents/summary/summary.ts';
import { isDay, monthOf, weekOf } from '../days.ts';
import { declarationsText, referencesOf, summaryFrom } from '../schema/encoding.ts';
import { type Units, unitsOf } from '../schema/measures.ts';
import type { DocumentRow, DocumentSource, Exclusion, InstallmentRow, ItemRow } from '../schema/schema.ts';
import { isVoid } from '../schema/sql.ts';
import { type Amounts, amountsOf, wholeLine } from './amounts.ts';
import { type Batch, type HeldDocument, type SingleSource, stride } from './arrival.ts';

/** Columns of a document that depend on its provenance and on stored rows. */
type ArrivalColumn =
  | ('tenant' | 'id' | 'status' | 'events')
  | ('fetched_at' | 'source' | 'status_at' | 'status_from' | 'contents');

/** A document with its row, without the columns that depend on stored rows. */
export interface PreparedDocument extends HeldDocument {
  readonly parsed: DocumentSummary;
  readonly amounts: Amounts;
  readonly row: Omit<DocumentRow, ArrivalColumn>;
}

/** An item's row with its texts, which are stored once each. */
type Line = Record<'description' | 'code' | 'order', string> &
  Omit<ItemRow, 'tenant' | 'document_id' | 'description_id' | 'code_id' | 'order_id'>;

/** Kinds without items by nature: the whole document counts as one. */
const wholeKinds = new Set<DocumentSummary['kind']>(['cte', 'cteos', 'nfse']);

const restLine = -1;

function wordsOf({ description, code = '', order = '', ncm = '', cfop = '', cst = '', unit, taxes }: Item) {
  const contributions = [taxes.pis_cst, taxes.cofins_cst].filter((one) => one);
  return {
    description: description ?? code,
    code,
    order,
    ncm,
    cfop,
    cst,
    class_trib: taxes.class_trib ?? '',
    pis_cofins_cst: [...new Set(contributions)].join('/'),
    unit: unit?.trim().toUpperCase() ?? '',
  };
}

/** The only item of a document that has none by nature. */
function itemOfWhole({ service, taxation, cfop = '' }: DocumentSummary): Item {
  const description = service?.description ?? service?.national_code ?? service?.code;
  const class_trib = taxation?.class_trib ?? service?.class_trib ?? '';
  return { description: description ?? '', cfop, cst: taxation?.cst ?? '', taxes: { class_trib } };
}

/** The rows of a document's items, and of its amounts that belong to no item. */
export function linesOf({ parsed, amounts: { document, items, remainder } }: PreparedDocument): Line[] {
  if (parsed.items.length === 0) {
    const isWhole = wholeKinds.has(parsed.kind);
    return isWhole ? [{ line: 0, ...wordsOf(itemOfWhole(parsed)), ...wholeLine(document) }] : [];
  }
  const lines = parsed.items.flatMap((item, index): Line[] => {
    const amounts = items[index];
    return amounts === undefined ? [] : [{ line: index + 1, ...wordsOf(item), ...amounts }];
  });
  if (remainder !== undefined) lines.push({ line: restLine, ...wordsOf({ taxes: {} }), ...remainder });
  return lines;
}

/** Days without an amount are kept too: a note may name when it is due and not how much. */
export function installmentsOf({
  installments,
}: DocumentSummary): Omit<InstallmentRow, 'tenant' | 'document_id'>[] {
  return installments.map(({ due: day = '', amount }, index) => {
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

/** When a document was cancelled, as far as its own file says it. */
function ownCancellation({ status, event, events = [] }: DocumentSummary): string {
  if (status !== 'cancelled') return '';
  const cancelling = events.find(({ code = '' }) => cancellationEvents.has(code));
  return cancelling?.at ?? event?.at ?? '';
}

/** The id of a party without mask; parties abroad may have none and go by their name. */
export function taxIdOf(party: Party | undefined): string {
  if (party === undefined) return '';
  const isUnnumbered = party.id_type === 'foreign' && party.id === undefined;
  return (isUnnumbered ? party.name?.trim().replace(/\s+/g, ' ') : plainId(party)) ?? '';
}

function prepared(held: HeldDocument): PreparedDocument {
  const parsed = summaryFrom(held.summary);
  const { issuer, recipient, service, route, events = [] } = parsed;
  const amounts = amountsOf(parsed);
  const ownEvents = events.map(({ code, sequence, at, details }) => ({ code, sequence, at, details }));
  const exclusion: Exclusion = amounts.isExact ? '' : 'inexact';
  const row = {
    identity: held.identity,
    digest: held.digest,
    area: held.area,
    kind: parsed.kind,
    key: parsed.key ?? '',
    number: parsed.number ?? '',
    issued_at: parsed.issued_at ?? '',
    own_status: parsed.status,
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
  return { ...held, parsed, amounts, row };
}

/** Prepares a part of a batch. */
export async function preparePart(part: Batch['documents']): Promise<PreparedDocument[]> {
  const ready: PreparedDocument[] = [];
  for (const document of part) {
    ready.push(prepared(document));
    if (ready.length % stride === 0) await letOthersRun();
  }
  return ready;
}

/** The part of a content that decides whether it counts, and whether it contradicts another. */
interface Content
  extends Pick<
    DocumentRow,
    'digest' | 'kind' | 'own_status' | 'number' | 'issued_at' | 'issuer' | 'recipient' | 'item_count'
  > {
  readonly total?: Units | string | null | undefined;
  /** Deflated; of a stored document only if the received one has another digest. */
  readonly summary?: Uint8Array | undefined;
}

export interface Known extends Content {
  readonly id: number;
  readonly identity: string;
  readonly key: string;
  readonly status: string;
  readonly source: DocumentSource;
  readonly status_at: string;
  /** 1 where its own text is kept. */
  readonly xmls: number;
}

export interface Plan {
  readonly id: number;
  readonly document: PreparedDocument;
  readonly known: Known | undefined;
  /** Whether its content is new or another than before, or its text was not kept. */
  readonly isRewritten: boolean;
  /** Whether it contradicts the content that counted before, which is kept beside it. */
  readonly setsAside: boolean;
  /** Whether it contradicts the content that counts, and is kept beside that. */
  readonly isAside: boolean;
  readonly own_status: DocumentStatus;
  readonly status: DocumentStatus;
}

const isAbridged = ({ kind }: Content): boolean => kind === 'summary';
const isValid = ({ own_status }: Content): boolean => own_status === 'authorized' || isVoid(own_status);

/** Whether two values differ in a field that both have. */
function disagree(one: unknown, other: unknown): boolean {
  if (one === undefined || other === undefined) return false;
  if (one === null || other === null || typeof one !== 'object' || typeof other !== 'object')
    return one !== other;
  if (Array.isArray(one) && Array.isArray(other) && one.length !== other.length) return true;
  const values = new Map<string, unknown>(Object.entries(other));
  return Object.entries(one).some(([name, value]) => disagree(value, values.get(name)));
}

/** Whether two files of one layout differ in fields of the issuer; others come from the authority or from parsing. */
function haveOtherWords(one: Content, other: Content): boolean {
  if (one.digest === other.digest || one.summary === undefined || other.summary === undefined) return false;
  const [first, second] = [one.summary, other.summary].map((bytes) => {
    const { status, protocol, event, events, warnings, ...written } = summaryFrom(bytes);
    return written;
  });
  return first?.layout === second?.layout && disagree(first, second);
}

/** Whether two contents of a document differ in a fact that both have. An abridged note has fewer facts. */
function contradict(one: Content, other: Content): boolean {
  const differ = (first: unknown, second: unknown) =>
    (first ?? '') !== '' && (second ?? '') !== '' && String(first) !== String(second);
  if ((['number', 'issuer', 'recipient', 'total'] as const).some((name) => differ(one[name], other[name])))
    return true;
  if (differ(one.issued_at.slice(0, 10), other.issued_at.slice(0, 10))) return true;
  if (isAbridged(one) || isAbridged(other)) return false;
  return one.item_count !== other.item_count || haveOtherWords(one, other);
}

/** Of the same document the fuller counts, of different ones the valid one before the fuller. */
function rank(content: Content, isContradicted: boolean): number {
  const [full, valid] = [isAbridged(content) ? 0 : 1, isValid(content) ? 1 : 0];
  return isContradicted ? 2 * valid + full : 2 * full + valid;
}

/** Own status of the content that counts; a final status of another content prevails. */
function settledStatus(counting: Content, other: Content, isContradicted: boolean): DocumentStatus {
  const isSettled = isVoid(other.own_status) || (!isContradicted && isValid(other));
  return isSettled && !isVoid(counting.own_status) ? other.own_status : counting.own_status;
}

/** @param known as it was stored before; undefined for a new document */
export function planFor(
  id: number,
  document: PreparedDocument,
  known: Known | undefined,
  source: SingleSource,
  isCancelled: boolean,
): Plan {
  const { row, summary, xml } = document;
  const statuses = (own_status: DocumentStatus) => ({
    own_status,
    status: isCancelled ? ('cancelled' as const) : own_status,
  });
  if (known === undefined) {
    const isNew = { isRewritten: true, setsAside: false, isAside: false };
    return { id, document, known, ...isNew, ...statuses(row.own_status) };
  }
  const isOther = contradict({ ...row, summary }, known);
  // A contradicting file does not replace the service's content.
  const isDoubtful = isOther && source === 'files' && known.source !== 'files';
  // Of two that are equal the later counts.
  const counts = !isDoubtful && rank(row, isOther) >= rank(known, isOther);
  const isChanged = known.digest !== row.digest;
  const addsText = xml !== null && Number(known.xmls) === 0;
  return {
    id,
    document,
    known,
    isRewritten: counts && (isChanged || addsText),
    setsAside: counts && isOther && isChanged,
    isAside: isOther && !counts,
    ...statuses(counts ? settledStatus(row, known, isOther) : settledStatus(known, row, isOther)),
  };
}
