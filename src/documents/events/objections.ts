import { addDays, dayInZone, daysBetween, isDay } from '../days.ts';
import type { Facts, NamesIn } from '../problems.ts';
import type { DocumentStatus, EventSummary } from '../summary/summary.ts';
import { cancellationEvents } from './event-names.ts';
import {
  type EventName,
  eventByCode,
  type ManifestationEvent,
  manifestationEvents,
} from './manifestation.ts';

/** Deadline to register an event on a note. Days are `YYYY-MM-DD`. */
export interface Deadline {
  /** Start of the count: a correction has its own term, from the first conclusive event. */
  readonly basis: 'authorisation' | 'first_conclusive';
  /** Day from which the term counts, itself excluded. */
  readonly from: string;
  readonly days: number;
  /** Last day in time; the stricter one if `laterPerhaps` is set. */
  readonly lastDay: string;
  /** Whole days from today to the last day: 0 on the last day itself, negative after it. */
  readonly daysLeft: number;
  /** Last day under the longer term in force at authorisation: the law is unclear on which of the two applies. */
  readonly laterPerhaps?: string;
  /**
   * Tacit confirmation, because the term ended without a conclusive event; `unclear` if only the shorter term has
   * ended.
   */
  readonly tacit: 'no' | 'yes' | 'unclear';
}

/** From this day on, a conclusive event has 90 days. Source: NT 2020.001 v1.60 after Ajuste SINIEF 14/26. */
const SHORTER_TERM_SINCE = '2026-06-01';
/** The former term. Source: Ajuste SINIEF 44/20. */
const FORMER_TERM_DAYS = 180;
/**
 * Source: Ajuste SINIEF 07/05, clause 15-C,
 * 3, cited by NT 2020.001 v1.60, section 3 E.
 */
const CORRECTION_DAYS = 30;

const ISO_DATE = /^(\d{4}-\d{2}-\d{2})(?:T\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(Z|[+-]\d{2}:\d{2})?)?$/;

function dayAtOffset(moment: Date, offset: string): string {
  const minutes = Number(offset.slice(1, 3)) * 60 + Number(offset.slice(4, 6));
  const shifted = moment.getTime() + (offset.startsWith('-') ? -minutes : minutes) * 60_000;
  return new Date(shifted).toISOString().slice(0, 10);
}

/**
 * A term in calendar days, excluding the starting day. Starting day and today use the moment's offset, that of the
 * authorising state; a moment in UTC (`Z`) or without an offset uses `timeZone`. Undefined for an invalid ISO date.
 */
export function termFrom(written: string, days: number, now: Date, timeZone = 'America/Sao_Paulo') {
  const [, date, offset] = ISO_DATE.exec(written) ?? [];
  const moment = new Date(written);
  if (date === undefined || !isDay(date) || Number.isNaN(moment.getTime())) return undefined;
  const isLocal = offset === undefined || offset === 'Z';
  const from = offset === 'Z' ? dayInZone(timeZone, moment) : date;
  const today = isLocal ? dayInZone(timeZone, now) : dayAtOffset(now, offset);
  const lastDay = addDays(from, days);
  return { from, today, lastDay, daysLeft: daysBetween(today, lastDay) };
}

/**
 * Deadline to register an event on a note; undefined if the starting moment is no ISO date. A conclusive event on a
 * note that already has one is a correction. Source: docs/fiscal/events.md, deadlines.
 * @param note moments (`YYYY-MM-DD[THH:mm[:ss][offset]]`) of its authorisation and of its first conclusive event
 */
export function deadlineOf(
  event: EventName,
  {
    authorizedAt,
    firstConclusiveAt,
  }: { readonly authorizedAt: string; readonly firstConclusiveAt?: string | undefined },
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

export interface NoteToManifest {
  readonly status: DocumentStatus;
  /** `dhRecbto` of the protocol. */
  readonly authorizedAt?: string | undefined;
  /** Events in effect. */
  readonly events: readonly EventSummary[];
}

/** A manifestation in effect; `at` as in the file. */
interface Manifested {
  readonly event: ManifestationEvent;
  readonly at: string | undefined;
}

export type ObjectionCode =
  /** The note is void; Ciência (650) and Desconhecimento (651) are then rejected. */
  | NamesIn<'cancelled denied'>
  /**
   * A term ended without a conclusive event: the term in force, or the shorter of the two possible; 596 for a late
   * event.
   */
  | NamesIn<'tacitly_confirmed perhaps_confirmed past_deadline correction_over'>
  /** Registered twice already (594); registered once, so this is the second and last time. */
  | NamesIn<'used_up last_time'>
  /** Already in effect (573); Ciência after a conclusive event (655); replaces another event. */
  | NamesIn<'already_registered after_conclusion replaces'>;

/**
 * An objection to an event on a note. The person decides: the note may have been read before it changed.
 * - `event`, `at`: the registered conclusive event, and its time or the cancellation's
 * - `lastDay`, `laterPerhaps`: last day of the expired term, and of the longer one that may apply
 * - `until`: last day for a correction
 */
export interface Objection extends Facts<'at lastDay laterPerhaps until'> {
  readonly code: ObjectionCode;
  readonly event?: EventName;
}

/** Limit for each conclusive event. Source: Ajuste SINIEF 43/23, in NT 2020.001 v1.60, section 3 E. */
const MOST_OF_A_KIND = 2;

/** Manifestations among a note's events, sorted by time; undated ones keep their place. */
function manifestationsAmong(events: readonly EventSummary[]): Manifested[] {
  const found = events.flatMap(({ code = '', at }): Manifested[] => {
    const event = eventByCode(code);
    return event === undefined ? [] : [{ event, at }];
  });
  return found.sort((one, other) => Date.parse(one.at ?? '') - Date.parse(other.at ?? '') || 0);
}

/** Conclusive manifestations; the last one is in effect. */
const conclusionsAmong = (events: readonly EventSummary[]): readonly Manifested[] =>
  manifestationsAmong(events).filter(({ event }) => event.conclusive);

/** Last day to correct the conclusive events; undefined if there are none or the first is undated. */
export function correctableUntil(
  events: readonly EventSummary[],
  now: Date,
  timeZone: string,
): string | undefined {
  const [first] = conclusionsAmong(events);
  return termFrom(first?.at ?? '', CORRECTION_DAYS, now, timeZone)?.lastDay;
}

/** Deadline of this event on this note; undefined if the starting day is unknown. */
export function deadlineOn(
  event: EventName,
  { authorizedAt = '', events }: NoteToManifest,
  now: Date,
  timeZone: string,
): Deadline | undefined {
  const [first] = conclusionsAmong(events);
  const isUndatedCorrection = first !== undefined && first.at === undefined;
  if (isUndatedCorrection && manifestationEvents[event].conclusive) return undefined;
  return deadlineOf(event, { authorizedAt, firstConclusiveAt: first?.at }, now, timeZone);
}

function byNote({ status, events }: NoteToManifest): Objection[] {
  const cancellation = events.find(({ code = '' }) => cancellationEvents.has(code));
  if (status === 'cancelled' || cancellation) return [{ code: 'cancelled', at: cancellation?.at }];
  return status === 'denied' ? [{ code: 'denied' }] : [];
}

/** Last day under the longer term. */
const certainEnd = ({ lastDay, laterPerhaps = lastDay }: Deadline): string => laterPerhaps;

/** @param conclusive deadline of a conclusive event, which shows whether the note is tacitly confirmed */
function byTime(own: Deadline | undefined, conclusive: Deadline | undefined): Objection[] {
  if (own === undefined) return [];
  const isOver = own.daysLeft < 0;
  if (own.basis === 'first_conclusive')
    return isOver ? [{ code: 'correction_over', lastDay: own.lastDay }] : [];
  const late: Objection[] = isOver ? [{ code: 'past_deadline', lastDay: certainEnd(own) }] : [];
  if (conclusive?.tacit === 'yes')
    return [{ code: 'tacitly_confirmed', lastDay: certainEnd(conclusive) }, ...late];
  if (conclusive?.tacit !== 'unclear' || conclusive.laterPerhaps === undefined) return late;
  const { lastDay, laterPerhaps } = conclusive;
  return [{ code: 'perhaps_confirmed', lastDay, laterPerhaps }, ...(own.lastDay === lastDay ? [] : late)];
}

/** @param until last day to correct the registered event */
function byEvents(name: EventName, events: readonly EventSummary[], until: string | undefined): Objection[] {
  const conclusions = conclusionsAmong(events);
  const { event, at } = conclusions.at(-1) ?? {};
  if (name === 'ciencia') {
    if (event !== undefined) return [{ code: 'after_conclusion', event: event.name, at }];
    const [acknowledged] = manifestationsAmong(events);
    return acknowledged === undefined ? [] : [{ code: 'already_registered', at: acknowledged.at }];
  }
  if (event === undefined) return [];
  const times = conclusions.filter((one) => one.event.name === name).length;
  if (times >= MOST_OF_A_KIND) return [{ code: 'used_up' }];
  if (event.name === name) return [{ code: 'already_registered', at }];
  const replaces: Objection = { code: 'replaces', event: event.name, at, until };
  return times === 0 ? [replaces] : [replaces, { code: 'last_time' }];
}

/** Objections to an event on a note, most serious first. Source: docs/fiscal/events.md. */
export function objectionsTo(
  name: EventName,
  note: NoteToManifest,
  now: Date,
  timeZone: string,
): readonly Objection[] {
  return [
    ...byNote(note),
    ...byTime(deadlineOn(name, note, now, timeZone), deadlineOn('confirmacao', note, now, timeZone)),
    ...byEvents(name, note.events, correctableUntil(note.events, now, timeZone)),
  ];
}
