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
  /** The document's XML; stored if the archive keeps texts. */
  readonly xml?: string;
}

export type Arrivals = Received | Iterable<Arrival> | AsyncIterable<Arrival>;

/** Source of documents: the documents service, or the user's own files. */
export type SingleSource = Exclude<DocumentSource, 'both'>;

/** A window whose documents of a company were all fetched. */
export interface FetchedWindow extends Scope, Period {
  readonly fetchedAt: Date;
  /** Unreadable parts, which leave answers about these days incomplete. */
  readonly unreadable?: readonly Unreadable[] | undefined;
}

/** Company that documents are stored for (empty for none), their source, and the window that listed them. */
export interface Provenance {
  readonly company: string;
  readonly source: SingleSource;
  /** Time of the request; ISO 8601 in UTC. */
  readonly at: string;
  /** Origin of the events among them. */
  readonly events: EventOrigin;
  readonly window?: Scope & Period;
}

/** An event known without its text, from the reply to a write or a status query. */
export interface NotedEvent
  extends Pick<EventSummary, 'name' | 'sequence' | 'at' | 'author' | 'text'>,
    Pick<DocumentSummary, 'protocol'> {
  /** Key of the event's document. */
  readonly key: string;
  readonly code: string;
  /** An unregistered event has no effect, and a registered one replaces it. */
  readonly registered: boolean;
  readonly from: EventOrigin;
  readonly askedAt: Date;
}

export interface DocumentChange {
  readonly key: string;
  /** `new`: in days already covered. `corrected`: by a correction letter. `manifested`: by its recipient. */
  readonly what: 'new' | 'cancelled' | 'corrected' | 'manifested';
  /** Time stated by the document or the event. */
  readonly at?: string | undefined;
}

export interface StoreOutcome {
  readonly added: number;
  /** Compared with the stored state; the first two hundred of `changes_total`. */
  readonly changes: readonly DocumentChange[];
  readonly changes_total: number;
}

/** A document held until written, without its rows, which take ten times the memory. */
export interface HeldDocument {
  readonly area: DocumentArea;
  readonly identity: string;
  readonly digest: string;
  readonly summary: Uint8Array;
  readonly xml: Uint8Array | null;
}

/** An event as stored, without its origin and time. */
export type PreparedEvent = Omit<EventRow, 'tenant' | 'origin' | 'asked_at'>;

/** Received documents and events, with their identities in the same order. */
export interface Received {
  readonly documents: readonly HeldDocument[];
  readonly events: readonly PreparedEvent[];
  readonly identities: readonly string[];
}

export type Batch = Pick<Received, 'documents' | 'events'>;

/** The summary of an event known without its text. */
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

/** Documents processed between yields. */
export const stride = 8;

/**
 * Converts arrivals to the form held until written. `keepXml` as in `ArchiveOptions`.
 * @param area the service's interface that lists them; default each document's own
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

/** Merges several batches. */
export function receivedTogether(parts: readonly Received[]): Received {
  return {
    documents: parts.flatMap(({ documents }) => documents),
    events: parts.flatMap(({ events }) => events),
    identities: parts.flatMap(({ identities }) => identities),
  };
}
