import { setImmediate as letOthersRun } from 'node:timers/promises';
import { cancellationEvents } from '../../documents/events/event-names.ts';
import { plainId, regimeOf } from '../../documents/summary/parties.ts';
import type { DocumentSummary, Item, Party } from '../../documents/summary/summary.ts';
import { isDay, monthOf, weekOf } from '../days.ts';
import { declarationsText, referencesOf, summaryFrom } from '../schema/encoding.ts';
import { unitsOf } from '../schema/measures.ts';
import type { DocumentRow, Exclusion, InstallmentRow, ItemRow } from '../schema/schema.ts';
import { type Amounts, amountsOf, wholeLine } from './amounts.ts';
import { type Batch, type HeldDocument, stride } from './arrival.ts';

/** Columns of a document that depend on how it came and on what is stored already. */
type ArrivalColumn =
  | ('tenant' | 'id' | 'status' | 'events')
  | ('fetched_at' | 'source' | 'status_at' | 'status_from' | 'contents');

/** A document with its row, but for what depends on what is stored already. */
export interface PreparedDocument extends HeldDocument {
  readonly parsed: DocumentSummary;
  readonly amounts: Amounts;
  readonly row: Omit<DocumentRow, ArrivalColumn>;
}

/** An item's row with its texts, which are stored once each. */
type Line = Record<'description' | 'code' | 'order', string> &
  Omit<ItemRow, 'tenant' | 'document_id' | 'description_id' | 'code_id' | 'order_id'>;

/** Kinds whose documents have no items by nature, so that the whole stands for one. */
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

/** The rows of a document's items, with what of its amounts belongs to none. */
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

/** `YYYY-MM` of a month or a day; empty for what is neither. */
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
