import { setImmediate as letOthersRun } from 'node:timers/promises';
import { cancellationEvents } from '../../documents/events/event-names.ts';
import { judge } from '../../documents/rules/index.ts';
import { plainId, regimeOf } from '../../documents/summary/parties.ts';
import type { DocumentSummary, Item, Party } from '../../documents/summary/summary.ts';
import { isDay, monthOf, weekOf } from '../days.ts';
import { ArchiveCancelled } from '../errors.ts';
import type { DocumentArea } from '../references.ts';
import {
  declarationsText,
  deflated,
  digestOf,
  eventLine,
  headText,
  identityOf,
  referencesOf,
  remarksText,
  summaryFrom,
} from '../schema/encoding.ts';
import { unitsOf } from '../schema/measures.ts';
import type { DocumentRow, Exclusion, InstallmentRow, ItemRow } from '../schema/schema.ts';
import { type Amounts, amountsOf, wholeLine } from './amounts.ts';
import type { Arrival } from './arrival.ts';
import { ownEventsOf, type PreparedEvent, prepareEvent, standingCodes } from './events.ts';

/** Texts of an item, by their ids in `descriptions`. */
type TextColumn = 'description_id' | 'code_id' | 'order_id';

/** Columns of a document that depend on how it came and on what is stored already. */
type ArrivalColumn =
  | 'tenant'
  | 'id'
  | 'head_id'
  | 'status'
  | 'fetched_at'
  | 'source'
  | 'status_at'
  | 'status_from'
  | 'contents';

/** A document as it came: with its rows it would take ten times the memory. */
export interface HeldDocument {
  readonly area: DocumentArea;
  readonly identity: string;
  readonly digest: string;
  /** Deflated. */
  readonly summary: Uint8Array;
  readonly xml: Uint8Array | null;
}

/** A document in the form it is stored in, but for what depends on what is stored already. */
export interface PreparedDocument extends HeldDocument {
  readonly row: Omit<DocumentRow, ArrivalColumn>;
  /** See `headText`. */
  readonly head: string;
  readonly lines: readonly (Omit<ItemRow, 'tenant' | 'document_id' | TextColumn> & {
    readonly description: string;
    readonly code: string;
    readonly order: string;
  })[];
  readonly installments: readonly Omit<InstallmentRow, 'tenant' | 'document_id' | 'line'>[];
  /** See `remarksText`. */
  readonly remarks: string;
  readonly parties: readonly Party[];
  /** tpNF, see `DocumentSummary.flow`. */
  readonly flow: string | undefined;
  /** What the rules say of it by itself, as JSON. */
  readonly judgement: string;
}

/** Documents and events that are written together. */
export interface Batch {
  readonly documents: readonly HeldDocument[];
  readonly events: readonly PreparedEvent[];
}

/** A batch with the identities in the order of arrival. */
export interface Received extends Batch {
  readonly identities: readonly string[];
}

/** Kinds whose documents have no items by nature, so that the whole stands for one. */
const wholeKinds = new Set<DocumentSummary['kind']>(['cte', 'cteos', 'nfse']);

/** The line of what is no item's. */
const restLine = -1;

type Line = PreparedDocument['lines'][number];
type Words = Pick<
  Line,
  'description' | 'code' | 'order' | 'ncm' | 'cfop' | 'cst' | 'class_trib' | 'pis_cofins_cst' | 'unit'
>;

const noWords: Words = {
  description: '',
  code: '',
  order: '',
  ncm: '',
  cfop: '',
  cst: '',
  class_trib: '',
  pis_cofins_cst: '',
  unit: '',
};

/** Nearly always one code; both, in the order of their names, where an item has two. */
function contributionsCst({ pis_cst = '', cofins_cst = '' }: Item['taxes']): string {
  return pis_cst === '' || cofins_cst === '' || pis_cst === cofins_cst
    ? pis_cst || cofins_cst
    : `${pis_cst}/${cofins_cst}`;
}

function wordsOf({ description, code, order, ncm, cfop, cst, unit, taxes }: Item): Words {
  return {
    description: description ?? code ?? '',
    code: code ?? '',
    order: order ?? '',
    ncm: ncm ?? '',
    cfop: cfop ?? '',
    cst: cst ?? '',
    class_trib: taxes.class_trib ?? '',
    pis_cofins_cst: contributionsCst(taxes),
    unit: unit?.trim().toUpperCase() ?? '',
  };
}

/** What the only line of a document without items says. */
function wholeWords({ service, taxation, cfop }: DocumentSummary): Words {
  return {
    ...noWords,
    description: service?.description ?? service?.national_code ?? service?.code ?? '',
    cfop: cfop ?? '',
    cst: taxation?.cst ?? '',
    class_trib: taxation?.class_trib ?? service?.class_trib ?? '',
  };
}

function linesOf(summary: DocumentSummary, { document, items, remainder }: Amounts): Line[] {
  if (summary.items.length === 0) {
    const isWhole = wholeKinds.has(summary.kind);
    return isWhole ? [{ line: 0, ...wholeWords(summary), ...wholeLine(document) }] : [];
  }
  const lines = items.map((amounts, index): Line => {
    const item = summary.items[index];
    return { line: index + 1, ...(item === undefined ? noWords : wordsOf(item)), ...amounts };
  });
  if (remainder !== undefined) lines.push({ line: restLine, ...noWords, ...remainder });
  return lines;
}

/** Days without an amount are kept too: a note may name when it is due and not how much. */
function installmentsOf({ installments }: DocumentSummary): PreparedDocument['installments'] {
  return installments.map(({ due: day = '', amount }) => {
    const due_day = isDay(day) ? day : '';
    const due_week = due_day === '' ? '' : weekOf(due_day);
    return { due_day, due_week, due_month: monthOf(due_day), due: unitsOf(amount ?? '') ?? null };
  });
}

function exclusionOf(summary: DocumentSummary, isExact: boolean): Exclusion {
  if (summary.environment === 'test') return 'test';
  return isExact ? '' : 'inexact';
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

/** A document as it came, in the form it is held in until it is written. `keepXml` as in `ArchiveOptions`. */
export function hold(area: DocumentArea, { summary, xml }: Arrival, keepXml: boolean): HeldDocument {
  const text = JSON.stringify(summary);
  const digest = digestOf(text);
  return {
    area,
    identity: identityOf(area, summary, () => digest),
    digest,
    summary: deflated(text),
    xml: keepXml && xml !== undefined ? deflated(xml) : null,
  };
}

/** The parties that a document names. */
export function namedParties({ issuer, recipient, sender, payer }: DocumentSummary): Party[] {
  return [issuer, recipient, sender, payer].filter((party) => party !== undefined);
}

function prepared(held: HeldDocument, summary: DocumentSummary): PreparedDocument {
  const { issuer, recipient, payer } = summary;
  const parties = namedParties(summary);
  const amounts = amountsOf(summary);
  const lines = linesOf(summary, amounts);
  const own_events = ownEventsOf(summary);
  const row = {
    identity: held.identity,
    digest: held.digest,
    area: held.area,
    kind: summary.kind,
    key: summary.key ?? '',
    number: summary.number ?? '',
    issued_at: summary.issued_at ?? '',
    own_status: summary.status,
    exclusion: exclusionOf(summary, amounts.isExact),
    own_events,
    events: standingCodes(own_events),
    issuer: taxIdOf(issuer),
    issuer_state: issuer?.state ?? '',
    recipient: taxIdOf(recipient),
    recipient_state: recipient?.state ?? '',
    issuer_city: issuer?.city_code ?? '',
    recipient_city: recipient?.city_code ?? '',
    regime: regimeOf(issuer),
    payer: taxIdOf(payer),
    purpose: summary.purpose ?? '',
    credit_type: summary.credit_type ?? '',
    debit_type: summary.debit_type ?? '',
    competence: monthIn(summary.competence),
    iss_city: summary.service?.iss_city ?? '',
    origin_state: summary.route?.origin?.state ?? '',
    destination_state: summary.route?.destination?.state ?? '',
    declarations: declarationsText(summary.import_declarations),
    authorized_at: summary.protocol?.at ?? '',
    cancelled_at: ownCancellation(summary),
    reference_keys: referencesOf(summary).join(' '),
    item_count: summary.item_count,
    has_lines: lines.length > 0 ? 1 : 0,
    ...amounts.document,
  };
  return {
    ...held,
    row,
    head: headText(summary, parties),
    lines,
    installments: installmentsOf(summary),
    remarks: remarksText(summary),
    parties,
    flow: summary.flow,
    judgement: JSON.stringify(judge(summary)),
  };
}

/** Documents worked on without letting others run. */
const stride = 8;

/** Takes arrivals as they come; nothing is written. */
export async function receive(
  area: DocumentArea,
  arrivals: Received | Iterable<Arrival> | AsyncIterable<Arrival>,
  keepXml: boolean,
  signal?: AbortSignal,
): Promise<Received> {
  if ('identities' in arrivals) return arrivals;
  const documents: HeldDocument[] = [];
  const events: PreparedEvent[] = [];
  const identities: string[] = [];
  for await (const arrival of arrivals) {
    if (signal?.aborted) throw new ArchiveCancelled();
    if (arrival.summary.kind === 'event') {
      const event = prepareEvent(arrival, keepXml);
      events.push(event);
      identities.push(eventLine(event.identity));
    } else {
      const document = hold(area, arrival, keepXml);
      documents.push(document);
      identities.push(document.identity);
    }
    if (identities.length % stride === 0) await letOthersRun();
  }
  return { documents, events, identities };
}

/** Several batches as one. */
export function receivedTogether(parts: readonly Received[]): Received {
  return {
    documents: parts.flatMap(({ documents }) => documents),
    events: parts.flatMap(({ events }) => events),
    identities: parts.flatMap(({ identities }) => identities),
  };
}

/** Puts a part of a batch into the form it is stored in. */
export async function preparePart(part: Batch['documents']): Promise<PreparedDocument[]> {
  const ready: PreparedDocument[] = [];
  for (const document of part) {
    ready.push(prepared(document, summaryFrom(document.summary)));
    if (ready.length % stride === 0) await letOthersRun();
  }
  return ready;
}

/** Documents are looked up and written so many at a time, so that memory doesn't grow with the batch. */
export const mostAtOnce = 600;

/** A batch's documents in parts; all of one identity are in the same part. */
export function* partsOf(documents: Batch['documents']): Generator<Batch['documents']> {
  const byIdentity = new Map<string, Batch['documents'][number][]>();
  for (const document of documents) {
    const same = byIdentity.get(document.identity);
    if (same === undefined) byIdentity.set(document.identity, [document]);
    else same.push(document);
  }
  let part: Batch['documents'][number][] = [];
  for (const same of byIdentity.values()) {
    part.push(...same);
    if (part.length < mostAtOnce) continue;
    yield part;
    part = [];
  }
  if (part.length > 0) yield part;
}
