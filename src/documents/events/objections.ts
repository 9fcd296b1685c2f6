import { addDays, dayInZone, daysBetween, isDay } from '../days.ts';
import type { DocumentStatus, EventSummary } from '../summary/summary.ts';
import { cancellationEvents } from './event-names.ts';
import {
  type EventName,
  eventByCode,
  type ManifestationEvent,
  manifestationEvents,
} from './manifestation.ts';

/** Facts that a deadline depends on. Moments are `YYYY-MM-DD` or `YYYY-MM-DDTHH:mm[:ss][offset]`. */
interface NoteInTime {
  /** `dhRecbto` of the note's protocol. */
  readonly authorizedAt: string;
  /** When the first conclusive event was registered, where one was. */
  readonly firstConclusiveAt?: string | undefined;
}

/** Until when an event can be registered on a note. Days are `YYYY-MM-DD`. */
export interface Deadline {
  /** Start of the count: a correction has a term of its own, from the first conclusive event. */
  readonly basis: 'authorisation' | 'first_conclusive';
  /** The day they are counted from, which is not counted itself. */
  readonly from: string;
  readonly days: number;
  /** The last day on which the event is in time; for `laterPerhaps` the stricter one. */
  readonly lastDay: string;
  /** Whole days from today to the last day: 0 on the last day itself, negative after it. */
  readonly daysLeft: number;
  /** By the longer term in force at authorisation: the texts leave open which of the two holds. */
  readonly laterPerhaps?: string;
  /**
   * Confirmed because the term ended without a conclusive event; `unclear` while only the shorter one has.
   */
  readonly tacit: 'no' | 'yes' | 'unclear';
}

/** From this day on a conclusive event has 90 days. Source: NT 2020.001 v1.60 after Ajuste SINIEF 14/26. */
const SHORTER_TERM_SINCE = '2026-06-01';
/** The former term. Source: Ajuste SINIEF 44/20. */
const FORMER_TERM_DAYS = 180;
/** Source: Ajuste SINIEF 07/05, clause 15-C, § 3, to which NT 2020.001 v1.60, section 3 E, refers. */
const CORRECTION_DAYS = 30;

const ISO_DATE = /^(\d{4}-\d{2}-\d{2})(?:T\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(Z|[+-]\d{2}:\d{2})?)?$/;

function dayAtOffset(moment: Date, offset: string): string {
  const minutes = Number(offset.slice(1, 3)) * 60 + Number(offset.slice(4, 6));
  const shifted = moment.getTime() + (offset.startsWith('-') ? -minutes : minutes) * 60_000;
  return new Date(shifted).toISOString().slice(0, 10);
}

/** A term in calendar days; its first day is not counted. */
interface Term extends Pick<Deadline, 'from' | 'lastDay' | 'daysLeft'> {
  readonly today: string;
}

/**
 * Counts a term from the day of a moment. That day and today are taken at the moment's offset, which is the authorising
 * state's; a moment in UTC (`Z`) or without an offset is read in `timeZone`. Undefined if it is no valid ISO date.
 */
export function termFrom(
  written: string,
  days: number,
  now: Date,
  timeZone = 'America/Sao_Paulo',
): Term | undefined {
  const [, date, offset] = ISO_DATE.exec(written) ?? [];
  if (date === undefined || !isDay(date)) return undefined;
  const moment = new Date(written);
  if (Number.isNaN(moment.getTime())) return undefined;
  const isLocal = offset === undefined || offset === 'Z';
  const from = offset === 'Z' ? dayInZone(timeZone, moment) : date;
  const today = isLocal ? dayInZone(timeZone, now) : dayAtOffset(now, offset);
  const lastDay = addDays(from, days);
  return { from, today, lastDay, daysLeft: daysBetween(today, lastDay) };
}

/**
 * The day until which an event can be registered on a note, or undefined where the moment it is counted from is no real
 * ISO date. Days are calendar days, and a conclusive event on a note that has one already is a correction.
 * Source: docs/fiscal/events.md, deadlines.
 */
export function deadlineOf(
  event: EventName,
  { authorizedAt, firstConclusiveAt }: NoteInTime,
  now: Date,
  timeZone = 'America/Sao_Paulo',
): Deadline | undefined {
  const { conclusive: isConclusive, deadlineDays } = manifestationEvents[event];
  const isCorrection = isConclusive && firstConclusiveAt !== undefined;
  const days = isCorrection ? CORRECTION_DAYS : deadlineDays;
  const term = termFrom(isCorrection ? firstConclusiveAt : authorizedAt, days, now, timeZone);
  if (term === undefined) return undefined;
  const { from, today, lastDay, daysLeft } = term;
  const deadline = { from, days, lastDay, daysLeft };
  if (isCorrection) return { ...deadline, basis: 'first_conclusive', tacit: 'no' };
  const isUnderFormerTerm = isConclusive && from < SHORTER_TERM_SINCE;
  return {
    ...deadline,
    basis: 'authorisation',
    ...(isUnderFormerTerm ? { laterPerhaps: addDays(from, FORMER_TERM_DAYS) } : {}),
    tacit: firstConclusiveAt === undefined ? tacitlyConfirmed(from, today) : 'no',
  };
}

function tacitlyConfirmed(authorized: string, today: string): Deadline['tacit'] {
  const passed = daysBetween(authorized, today);
  if (passed <= manifestationEvents.confirmacao.deadlineDays) return 'no';
  return authorized >= SHORTER_TERM_SINCE || passed > FORMER_TERM_DAYS ? 'yes' : 'unclear';
}

/** Known facts of a note to manifest. */
export interface NoteToManifest {
  readonly status: DocumentStatus;
  /** `dhRecbto` of the protocol. */
  readonly authorizedAt?: string | undefined;
  /** Events that stand. */
  readonly events: readonly EventSummary[];
}

/** A manifestation that stands on a note. */
interface Manifested {
  readonly event: ManifestationEvent;
  /** As the file has it; undefined where it does not say. */
  readonly at: string | undefined;
}

/** A conclusive event that stands, and until when it can be corrected. */
interface Conclusion extends Manifested {
  /** Undefined if the day of the first one is unknown. */
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

/** Sorts by time; events without a time keep their place. */
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

/** The deadline of this event on this note; undefined if the day it counts from is unknown. */
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

/** The last day under the longer term. */
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

/** Objections to an event on a note, the gravest first. Source: docs/fiscal/events.md. */
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
