import type { DocumentSummary } from '../../documents/summary/summary.ts';
import type { Period } from '../days.ts';
import type { Holding, Scope } from '../references.ts';
import type { DocumentSource, EventOrigin, Unreadable } from '../schema/schema.ts';

/** A document or an event as it came. */
export interface Arrival {
  readonly summary: DocumentSummary;
  /** Its own text; kept where the archive was opened so. */
  readonly xml?: string;
}

/** Who gives documents: the documents service, or the user's own files. */
export type Giver = Exclude<DocumentSource, 'both'>;

/** All documents of a company of some days. */
export interface FetchedWindow extends Scope, Period {
  readonly fetchedAt: Date;
  /** Parts that could not be read, for which answers about these days are not complete. */
  readonly unreadable?: readonly Unreadable[] | undefined;
}

/** For which company documents are stored, how they came, and the window that listed them. */
export interface Sighting extends Holding {
  readonly source: Giver;
  /** When they were asked for; ISO 8601 in UTC. */
  readonly at: string;
  /** How the events among them came. */
  readonly events: EventOrigin;
  readonly window?: Period & Pick<Scope, 'by' | 'direction'>;
}

/** How the documents of a window are seen. */
export function sightingOf(window: FetchedWindow): Sighting {
  const { company, area, fetchedAt } = window;
  return { company, area, window, source: 'service', at: fetchedAt.toISOString(), events: 'list' };
}

/** An event that is known without its text: from the answer to a write, or from asking for its status. */
export interface NotedEvent {
  /** Of the document it happened to. */
  readonly key: string;
  /** E.g. `210200`. */
  readonly code: string;
  /** `1` where it is left out. */
  readonly sequence?: string | undefined;
  readonly name?: string | undefined;
  /** When it happened, as the service gives it. */
  readonly at?: string | undefined;
  readonly author?: string | undefined;
  readonly text?: string | undefined;
  readonly protocol?: DocumentSummary['protocol'] | undefined;
  /** Whether it is registered; an unregistered event changes nothing and is replaced by a registered one. */
  readonly registered: boolean;
  readonly from: EventOrigin;
  readonly askedAt: Date;
}

/** A change against what was stored. */
export interface DocumentChange {
  readonly key: string;
  /** `new`: in days that were known before. `corrected`: by a correction letter. `manifested`: by its recipient. */
  readonly what: 'new' | 'cancelled' | 'corrected' | 'manifested';
  /** When, as the document or the event says. */
  readonly at?: string | undefined;
}

/** What has come of storing documents and events. */
export interface StoreOutcome {
  /** New documents. */
  readonly added: number;
  /** Against what was known before, the first two hundred of `changes_total`. */
  readonly changes: readonly DocumentChange[];
  readonly changes_total: number;
}
