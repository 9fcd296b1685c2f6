import { setImmediate as letOthersRun } from 'node:timers/promises';
import { isRegistered } from '../../documents/events/event-history.ts';
import { cancellationEvents } from '../../documents/events/event-names.ts';
import type { DocumentSummary, EventSummary } from '../../documents/summary/summary.ts';
import type { Period } from '../days.ts';
import { ArchiveCancelled } from '../errors.ts';
import type { DocumentArea, Holding, Scope } from '../references.ts';
import { deflated, digestOf, eventIdentityOf, eventLine, identityOf } from '../schema/encoding.ts';
import type { DocumentSource, EventOrigin, EventRow, Unreadable } from '../schema/schema.ts';

export interface Arrival {
  readonly summary: DocumentSummary;
  /** Its own text; kept where the archive was opened so. */
  readonly xml?: string;
}

export type Arrivals = Received | Iterable<Arrival> | AsyncIterable<Arrival>;

/** Source of documents: the documents service, or the user's own files. */
export type SingleSource = Exclude<DocumentSource, 'both'>;

/** All documents of a company of some days. */
export interface FetchedWindow extends Scope, Period {
  readonly fetchedAt: Date;
  /** Parts that could not be read, for which answers about these days are not complete. */
  readonly unreadable?: readonly Unreadable[] | undefined;
}

/** The company that documents are stored for, their source, and the window that listed them. */
export interface Provenance extends Holding {
  readonly source: SingleSource;
  /** When they were asked for; ISO 8601 in UTC. */
  readonly at: string;
  /** Origin of the events among them. */
  readonly events: EventOrigin;
  readonly window?: Period & Pick<Scope, 'by' | 'direction'>;
}

/** An event that is known without its text: from the answer to a write, or from asking for its status. */
export interface NotedEvent
  extends Pick<EventSummary, 'name' | 'sequence' | 'at' | 'author' | 'text'>,
    Pick<DocumentSummary, 'protocol'> {
  /** Of the document it happened to. */
  readonly key: string;
  readonly code: string;
  /** Whether it is registered; an unregistered event changes nothing and is replaced by a registered one. */
  readonly registered: boolean;
  readonly from: EventOrigin;
  readonly askedAt: Date;
}

export interface DocumentChange {
  readonly key: string;
  /** `new`: in days that were known before. `corrected`: by a correction letter. `manifested`: by its recipient. */
  readonly what: 'new' | 'cancelled' | 'corrected' | 'manifested';
  /** When, as the document or the event says. */
  readonly at?: string | undefined;
}

export interface StoreOutcome {
  readonly added: number;
  /** Compared with the stored state; the first two hundred of `changes_total`. */
  readonly changes: readonly DocumentChange[];
  readonly changes_total: number;
}

/** A document held until it is written: with its rows it would take ten times the memory. */
export interface HeldDocument {
  readonly area: DocumentArea;
  readonly identity: string;
  readonly digest: string;
  readonly summary: Uint8Array;
  readonly xml: Uint8Array | null;
}

/** An event as stored, without its origin and time. */
export type PreparedEvent = Omit<EventRow, 'tenant' | 'origin' | 'asked_at'>;

export interface Batch {
  readonly documents: readonly HeldDocument[];
  readonly events: readonly PreparedEvent[];
}

/** A batch with the identities in the order of arrival. */
export interface Received extends Batch {
  readonly identities: readonly string[];
}

/** Puts a document into the form it is held in. `keepXml` as in `ArchiveOptions`. */
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

/** Puts an event into the form it is stored in. `keepXml` as in `ArchiveOptions`. */
export function prepareEvent({ summary, xml }: Arrival, keepXml: boolean): PreparedEvent {
  const { status, key = '', event: { code = '', at = '' } = {} } = summary;
  const text = JSON.stringify(summary);
  const digest = digestOf(text);
  return {
    identity: eventIdentityOf(summary, digest),
    key,
    code,
    at,
    cancels: status === 'authorized' && cancellationEvents.has(code) ? 1 : 0,
    registered: isRegistered(summary) ? 1 : 0,
    digest,
    summary: deflated(text),
    xml: keepXml && xml !== undefined ? deflated(xml) : null,
  };
}

/** Converts a noted event to the form of a received one. */
export function prepareNoted({ key, code, registered, protocol, ...noted }: NotedEvent): PreparedEvent {
  const { sequence = '1', name, at, author, text } = noted;
  const summary: DocumentSummary = {
    kind: 'event',
    layout: 'noted',
    key,
    status: registered ? 'authorized' : 'no_protocol',
    protocol,
    totals: {},
    items: [],
    item_count: 0,
    payments: [],
    installments: [],
    references: [],
    linked_keys: [],
    event: { code, name, sequence, at, author, text },
    warnings: [],
  };
  return prepareEvent({ summary }, false);
}

/** Documents worked on without letting others run. */
export const stride = 8;

/** Takes arrivals as they come; nothing is written. */
export async function receive(
  area: DocumentArea,
  arrivals: Arrivals,
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
