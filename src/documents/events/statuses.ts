import type { Collected, ListRecords } from '../summary/collected.ts';
import type { DocumentStatus, DocumentSummary, EventSummary } from '../summary/summary.ts';
import { eventDescription } from './event-names.ts';

const authorized = new Set(['100', '150']);
const cancelled = new Set(['101', '151', '155']);
const denied = new Set(['110', '205', '301', '302', '303']);
const cancellationEvents = new Set(['110111', '110112']);
/** 134 is a CT-e's: registered and linked, with an alert about the CT-e's own situation. */
const registered = new Set(['134', '135', '136', '155']);
const cancellationRegistered = new Set(['101', '151', ...registered]);

/** The status an authorisation's cStat stands for. Source: docs/fiscal/events.md. */
export function statusByCode(code: string | undefined): DocumentStatus {
  if (code === undefined) return 'no_protocol';
  if (authorized.has(code)) return 'authorized';
  if (cancelled.has(code)) return 'cancelled';
  return denied.has(code) ? 'denied' : 'unknown';
}

/** The status of an event: registered, or sent and not answered. */
export function eventStatusByCode(code: string | undefined): DocumentStatus {
  if (code === undefined) return 'no_protocol';
  return registered.has(code) ? 'authorized' : 'unknown';
}

/** Sent again when it was registered already. Source: docs/fiscal/events.md. */
const REGISTERED_BEFORE = '573';

/** Whether an event stands: its receipt says that it is registered, now or already. */
export function isRegistered({ status, protocol }: Pick<DocumentSummary, 'status' | 'protocol'>): boolean {
  return status === 'authorized' || protocol?.code === REGISTERED_BEFORE;
}

/** What is known of an event that came beside its document. */
type Beside = Pick<DocumentSummary, 'status' | 'protocol' | 'event'>;

/** The events of a document that stand, each once: those of its own file, then the registered ones from beside it. */
export function standingEvents(
  { events = [] }: Pick<DocumentSummary, 'events'>,
  beside: readonly Beside[],
): EventSummary[] {
  const all = [...events, ...beside.filter(isRegistered).flatMap(({ event }) => event ?? [])];
  const nameOf = ({ code, sequence, at }: EventSummary) =>
    `${code} ${sequence === undefined ? at : Number(sequence)}`;
  const byName = new Map(all.map((event) => [nameOf(event), event]));
  return [...byName.values()];
}

type Receipt = ListRecords['receipts'];

/** A receipt without an event code is one of the layouts before events, which knew cancellations only. */
function cancels(receipt: Receipt, key: string | undefined): boolean {
  const ofThis = key === undefined || receipt.key === undefined || receipt.key === key;
  const isCancellation = receipt.code === undefined || cancellationEvents.has(receipt.code);
  return ofThis && isCancellation && cancellationRegistered.has(receipt.status ?? '');
}

/** An event from its request and its receipt, of which one may be missing. */
export function eventFrom(request: ListRecords['events'] = {}, receipt: Receipt = {}): EventSummary {
  const code = request.code ?? receipt.code;
  return {
    code,
    name: request.name ?? receipt.name ?? eventDescription(code),
    sequence: request.sequence ?? receipt.sequence,
    at: request.at ?? receipt.at,
    author: request.author,
    text: request.text,
  };
}

/** The registered events that stand in the same file as the document, in the file's order; undefined for none. */
export function appendedEvents({ lists }: Collected, key: string | undefined): EventSummary[] | undefined {
  const events = lists.receipts
    .filter(({ status, code }) => code !== undefined && registered.has(status ?? ''))
    .filter((receipt) => key === undefined || receipt.key === undefined || receipt.key === key)
    .map((receipt) => {
      const ofCode = lists.events.filter(({ code }) => code === receipt.code);
      return eventFrom(ofCode.find(({ sequence }) => sequence === receipt.sequence) ?? ofCode[0], receipt);
    });
  return events.length > 0 ? events : undefined;
}

/** The registered cancellation that stands in the same file as the document, as real files have it. */
export function appendedCancellation(
  { lists }: Collected,
  key: string | undefined,
): EventSummary | undefined {
  const receipt = lists.receipts.find((candidate) => cancels(candidate, key));
  if (receipt === undefined) return undefined;
  return eventFrom(
    lists.events.find(({ code }) => code === receipt.code),
    receipt,
  );
}
