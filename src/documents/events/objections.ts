import type { DocumentStatus, EventSummary } from '../summary/summary.ts';
import { type Deadline, deadlineOf } from './deadlines.ts';
import {
  type EventName,
  eventByCode,
  type ManifestationEvent,
  manifestationEvents,
} from './manifestation.ts';
import { cancellationEvents } from './statuses.ts';

/** What is known of a note that somebody wants to manifest. */
export interface NoteToManifest {
  readonly status: DocumentStatus;
  /** `dhRecbto` of the protocol. */
  readonly authorizedAt?: string | undefined;
  /** Events that stand. */
  readonly events: readonly EventSummary[];
}

/** A manifestation that stands on a note. */
export interface Manifested {
  readonly event: ManifestationEvent;
  /** As the file has it; undefined where it does not say. */
  readonly at: string | undefined;
}

/** A conclusive event that stands, and until when it can be corrected. */
export interface Conclusion extends Manifested {
  /** Undefined where the day of the first one is not known. */
  readonly correctableUntil: string | undefined;
}

/** Speaks against an event on a note. The person decides: the note may have been read before it changed. */
export type Objection =
  /** The issuer took the note back; Ciência (650) and Desconhecimento (651) are rejected then. */
  | { readonly code: 'cancelled'; readonly at?: string | undefined }
  | { readonly code: 'denied' }
  /** The operation counts as confirmed since the day after. */
  | { readonly code: 'tacitly_confirmed'; readonly lastDay: string }
  /** The same by the shorter of the two terms that may hold. */
  | { readonly code: 'perhaps_confirmed'; readonly lastDay: string; readonly laterPerhaps: string }
  /** 596. */
  | { readonly code: 'past_deadline'; readonly lastDay: string; readonly days: number }
  /** 596, of the correction. */
  | { readonly code: 'correction_over'; readonly lastDay: string }
  /** It is the one that holds now: 573. */
  | { readonly code: 'already_registered'; readonly at: string | undefined }
  /** Registered twice already: 594. */
  | { readonly code: 'used_up' }
  /** Ciência after a conclusive event: 655. */
  | { readonly code: 'after_conclusion'; readonly event: EventName; readonly at: string | undefined }
  /** It would take the place of another conclusive event. */
  | {
      readonly code: 'replaces';
      readonly event: EventName;
      readonly at: string | undefined;
      readonly until: string | undefined;
    }
  /** It was registered once, so that this is the second and last time. */
  | { readonly code: 'last_time' };

export type ObjectionCode = Objection['code'];

/** Each conclusive event can be registered so often. Source: Ajuste SINIEF 43/23, in NT 2020.001 v1.60, section 3 E. */
const MOST_OF_A_KIND = 2;

const momentOf = ({ at }: Manifested): number => (at === undefined ? Number.NaN : Date.parse(at));

/** In the order of time; what has no time stays where it was. */
function inOrder(manifested: readonly Manifested[]): Manifested[] {
  return manifested.toSorted((one, other) => momentOf(one) - momentOf(other) || 0);
}

/** The manifestations among a note's events, in the order of time. */
function manifestationsAmong(events: readonly EventSummary[]): Manifested[] {
  const found = events.flatMap(({ code = '', at }): Manifested[] => {
    const event = eventByCode(code);
    return event === undefined ? [] : [{ event, at }];
  });
  return inOrder(found);
}

/** The conclusive ones, in the order of time; the last one holds. */
export function conclusionsAmong(
  events: readonly EventSummary[],
  now: Date,
  timeZone: string,
): readonly Conclusion[] {
  const conclusive = manifestationsAmong(events).filter(({ event }) => event.conclusive);
  const [first] = conclusive;
  const correction =
    first?.at === undefined
      ? undefined
      : deadlineOf(first.event.name, { authorizedAt: '', firstConclusiveAt: first.at }, now, timeZone);
  return conclusive.map((one) => ({ ...one, correctableUntil: correction?.lastDay }));
}

/** The deadline that holds for this event on this note; undefined where the day it counts from is not known. */
export function deadlineOn(
  event: EventName,
  { authorizedAt = '', events }: NoteToManifest,
  now: Date,
  timeZone: string,
): Deadline | undefined {
  const [first] = conclusionsAmong(events, now, timeZone);
  const isUndatedCorrection = first !== undefined && first.at === undefined;
  if (isUndatedCorrection && manifestationEvents[event].conclusive) return undefined;
  return deadlineOf(event, { authorizedAt, firstConclusiveAt: first?.at }, now, timeZone);
}

function byNote({ status, events }: NoteToManifest): Objection[] {
  const cancellation = events.find(({ code = '' }) => cancellationEvents.has(code));
  if (status === 'cancelled' || cancellation !== undefined) {
    return [{ code: 'cancelled', at: cancellation?.at }];
  }
  return status === 'denied' ? [{ code: 'denied' }] : [];
}

/** The day after which it is over for certain. */
const certainEnd = ({ lastDay, laterPerhaps = lastDay }: Deadline): string => laterPerhaps;

/** @param conclusive the deadline of a conclusive event, which tells whether the note is confirmed without one */
function byTime(own: Deadline | undefined, conclusive: Deadline | undefined): Objection[] {
  if (own === undefined) return [];
  const { basis, daysLeft, days } = own;
  if (basis === 'first_conclusive') {
    return daysLeft < 0 ? [{ code: 'correction_over', lastDay: own.lastDay }] : [];
  }
  const late: Objection[] = daysLeft < 0 ? [{ code: 'past_deadline', lastDay: certainEnd(own), days }] : [];
  if (conclusive?.tacit === 'yes') {
    return [{ code: 'tacitly_confirmed', lastDay: certainEnd(conclusive) }, ...late];
  }
  if (conclusive?.tacit === 'unclear' && conclusive.laterPerhaps !== undefined) {
    const { lastDay, laterPerhaps } = conclusive;
    const isOwn = own.lastDay === lastDay;
    return [{ code: 'perhaps_confirmed', lastDay, laterPerhaps }, ...(isOwn ? [] : late)];
  }
  return late;
}

function byEvents(
  name: EventName,
  conclusions: readonly Conclusion[],
  acknowledged?: Manifested,
): Objection[] {
  const current = conclusions.at(-1);
  if (name === 'ciencia') {
    if (current !== undefined)
      return [{ code: 'after_conclusion', event: current.event.name, at: current.at }];
    return acknowledged === undefined ? [] : [{ code: 'already_registered', at: acknowledged.at }];
  }
  if (current === undefined) return [];
  const times = conclusions.filter(({ event }) => event.name === name).length;
  if (times >= MOST_OF_A_KIND) return [{ code: 'used_up' }];
  if (current.event.name === name) return [{ code: 'already_registered', at: current.at }];
  const replaces: Objection = {
    code: 'replaces',
    event: current.event.name,
    at: current.at,
    until: current.correctableUntil,
  };
  return times === 0 ? [replaces] : [replaces, { code: 'last_time' }];
}

/** What speaks against an event on a note, the gravest first. Source: docs/fiscal/events.md. */
export function objectionsTo(
  name: EventName,
  note: NoteToManifest,
  now: Date,
  timeZone: string,
): readonly Objection[] {
  const conclusions = conclusionsAmong(note.events, now, timeZone);
  const acknowledged = manifestationsAmong(note.events).find(({ event }) => event.name === 'ciencia');
  return [
    ...byNote(note),
    ...byTime(deadlineOn(name, note, now, timeZone), deadlineOn('confirmacao', note, now, timeZone)),
    ...byEvents(name, conclusions, acknowledged),
  ];
}
