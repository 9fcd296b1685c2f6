import { setImmediate as letOthersRun } from 'node:timers/promises';
import type { Period } from '../../documents/days.ts';
import { isRegistered } from '../../documents/events/event-history.ts';
import { cancellationEvents } from '../../documents/events/event-names.ts';
import { type DocumentSummary, type EventSummary, familyOf } from '../../documents/summary/summary.ts';
import { ArchiveError } from '../errors.ts';
import type { DocumentArea, Scope } from '../references.ts';
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

/** The company that documents are stored for, empty for none; their source, and the window that listed them. */
export interface Provenance {
  readonly company: string;
  readonly source: SingleSource;
  /** When they were asked for; ISO 8601 in UTC. */
  readonly at: string;
  /** Origin of the events among them. */
  readonly events: EventOrigin;
  readonly window?: Scope & Period;
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

/** What has arrived, with the identities of documents and events in their order. */
export interface Received {
  readonly documents: readonly HeldDocument[];
  readonly events: readonly PreparedEvent[];
  readonly identities: readonly string[];
}

export type Batch = Pick<Received, 'documents' | 'events'>;

/** The summary of an event that is known without its text. */
export function summaryOfNoted({ key, code, registered, protocol, ...noted }: NotedEvent): DocumentSummary {
  const { sequence = '1', name, at, author, text } = noted;
  return {
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
}

/** Documents worked on without letting others run. */
export const stride = 8;

/**
 * Puts arrivals into the form they are held in; nothing is written. `keepXml` as in `ArchiveOptions`.
 * @param area the service's interface that lists them; by default each document's own
 */
export async function receive(
  area: DocumentArea | undefined,
  arrivals: Arrivals,
  keepXml: boolean,
  signal?: AbortSignal,
): Promise<Received> {
  if ('identities' in arrivals) return arrivals;
  const documents: HeldDocument[] = [];
  const events: PreparedEvent[] = [];
  const identities: string[] = [];
  for await (const { summary, xml } of arrivals) {
    if (signal?.aborted) throw new ArchiveError('cancelled');
    const text = JSON.stringify(summary);
    const digest = digestOf(text);
    const ownText = keepXml && xml !== undefined ? deflated(xml) : null;
    const content = { digest, summary: deflated(text), xml: ownText };
    if (summary.kind === 'event') {
      const { status, key = '', event: { code = '', at = '' } = {} } = summary;
      const identity = eventIdentityOf(summary, digest);
      const cancels = status === 'authorized' && cancellationEvents.has(code) ? 1 : 0;
      events.push({
        identity,
        key,
        code,
        at,
        cancels,
        registered: isRegistered(summary) ? 1 : 0,
        ...content,
      });
      identities.push(eventLine(identity));
    } else {
      const own = area ?? familyOf(summary.kind);
      const identity = identityOf(own, summary, () => digest);
      documents.push({ area: own, identity, ...content });
      identities.push(identity);
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
