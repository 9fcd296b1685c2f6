import type { Collected, ListRecords } from '../summary/fields.ts';
import type { DocumentSummary, EventDetails, EventSummary } from '../summary/summary.ts';
import { cancellationEvents, EVENT_CANCELLATION, eventDescription } from './event-names.ts';
import { manifestationEvents } from './manifestation.ts';
import { isRegisteredCode, meaningOfStatus, statusByCode } from './statuses.ts';

/** True if an event is registered, by this reply or an earlier one. */
export function isRegistered({ status, protocol }: Pick<DocumentSummary, 'status' | 'protocol'>): boolean {
  return status === 'authorized' || meaningOfStatus(protocol?.code) === 'already_registered';
}

/** A document with the events in its own file, and events from other files. */
interface WithEvents {
  readonly summary: Pick<DocumentSummary, 'events'>;
  readonly events: readonly { readonly summary: Pick<DocumentSummary, 'status' | 'protocol' | 'event'> }[];
}

/** Events that 110001 never cancels: a cancelled note stays cancelled, manifestations have their own rules. */
const lasting: ReadonlySet<string | undefined> = new Set([
  ...cancellationEvents,
  ...Object.values(manifestationEvents).map(({ code }) => code),
  EVENT_CANCELLATION,
]);

/** An event; `undone` if a later one cancelled it. */
export type PastEvent = EventSummary & { readonly undone?: true };

/** All registered events without duplicates; those cancelled by an event 110001 with their sequence are marked. */
export function eventHistory(document: WithEvents): PastEvent[] {
  const all = registeredEvents(document);
  const nameOf = (code: string | undefined, sequence: string | undefined) =>
    `${code} ${Number(sequence ?? '1')}`;
  const undone = new Set(
    all
      .filter(({ code }) => code === EVENT_CANCELLATION)
      .map(({ details, sequence }) => nameOf(details?.cancelled_code, sequence)),
  );
  return all.map((event) =>
    !lasting.has(event.code) && undone.has(nameOf(event.code, event.sequence))
      ? { ...event, undone: true }
      : event,
  );
}

/** The registered events of a document that no later event cancelled. */
export function standingEvents(document: WithEvents): EventSummary[] {
  return eventHistory(document).filter(({ undone }) => undone === undefined);
}

function registeredEvents({ summary: { events: own = [] }, events }: WithEvents): EventSummary[] {
  const all = [
    ...own,
    ...events.flatMap(({ summary }) => (isRegistered(summary) && summary.event ? [summary.event] : [])),
  ];
  const nameOf = ({ code, sequence, at, details }: EventSummary) =>
    `${code} ${sequence === undefined ? at : Number(sequence)} ${details?.cancelled_code ?? ''}`;
  const byName = new Map<string, EventSummary>();
  for (const event of all) {
    const name = nameOf(event);
    const known = byName.get(name);
    // The reply to a status query has no time, author, text or details.
    const given = Object.entries(event).filter(([, value]) => value !== undefined);
    byName.set(name, known === undefined ? event : { ...known, ...Object.fromEntries(given) });
  }
  return [...byName.values()];
}

type Receipt = ListRecords['receipts'];

/** Receipts with the code of their event, which may be only in the paired request. */
function receiptsIn({ events, receipts }: Collected): readonly Receipt[] {
  if (events.length !== receipts.length) return receipts;
  return receipts.map((receipt, i) => ({ ...receipt, code: receipt.code ?? events[i]?.code }));
}

/** `cancelled` is the status in layouts older than events, which had cancellations only. */
function cancels({ key: other, code = '', status, cancelled }: Receipt, key: string | undefined): boolean {
  if (key !== undefined && other !== undefined && other !== key) return false;
  const said = cancelled ?? status;
  const isDone = isRegisteredCode(said) || statusByCode(said) === 'cancelled';
  return isDone && (cancelled !== undefined || cancellationEvents.has(code));
}

/** An event from its request and its receipt, either of which may be missing. */
export function eventFrom(request: ListRecords['events'] = {}, receipt: Receipt = {}): EventSummary {
  const code = request.code ?? receipt.code;
  const details = detailsOf(request);
  return {
    code,
    name: request.name ?? receipt.name ?? eventDescription(code),
    sequence: request.sequence ?? receipt.sequence,
    at: request.at ?? receipt.at,
    author: request.author,
    text: request.text,
    ...(details && { details }),
  };
}

function detailsOf(request: ListRecords['events']): EventDetails | undefined {
  const { accepted, granted, fully_paid, expected_delivery, transaction } = request;
  const { cancelled_code, cancelled_protocol } = request;
  const all = { accepted, granted, fully_paid, expected_delivery, transaction };
  const given = Object.entries({ ...all, cancelled_code, cancelled_protocol }).filter(([, text]) => text);
  return given.length > 0 ? Object.fromEntries(given) : undefined;
}

/** Registered events in the document's own file, in file order; undefined for none. */
export function appendedEvents(collected: Collected, key: string | undefined): EventSummary[] | undefined {
  const events = receiptsIn(collected)
    .filter(({ status, code }) => code !== undefined && isRegisteredCode(status))
    .filter((receipt) => key === undefined || receipt.key === undefined || receipt.key === key)
    .map((receipt) => {
      const ofCode = collected.events.filter(({ code }) => code === receipt.code);
      return eventFrom(ofCode.find(({ sequence }) => sequence === receipt.sequence) ?? ofCode[0], receipt);
    });
  return events.length > 0 ? events : undefined;
}

/** The registered cancellation in the document's own file, as found in real files. */
export function appendedCancellation(
  collected: Collected,
  key: string | undefined,
): EventSummary | undefined {
  const receipt = receiptsIn(collected).find((candidate) => cancels(candidate, key));
  const request = collected.events.find(({ code }) => code === receipt?.code);
  return receipt && eventFrom(request, receipt);
}
