import { dayInZone } from '../days.ts';
import { type EventName, manifestationEvents } from './manifestation.ts';

/** What a deadline depends on. Moments are `YYYY-MM-DD` or `YYYY-MM-DDTHH:mm[:ss][offset]`. */
export interface NoteInTime {
  /** `dhRecbto` of the note's protocol. */
  readonly authorizedAt: string;
  /** When the first conclusive event was registered, where one was. */
  readonly firstConclusiveAt?: string | undefined;
}

/** Until when an event can be registered on a note. Days are `YYYY-MM-DD`. */
export interface Deadline {
  /** What the days are counted from: a correction has a term of its own, from the first conclusive event. */
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
/** What it had before. Source: Ajuste SINIEF 44/20. */
const FORMER_TERM_DAYS = 180;
/** Source: Ajuste SINIEF 07/05, clause 15-C, § 3, to which NT 2020.001 v1.60, section 3 E, refers. */
const CORRECTION_DAYS = 30;

const DAY_MS = 86_400_000;
const ISO_DATE = /^(\d{4}-\d{2}-\d{2})(?:T\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(Z|[+-]\d{2}:\d{2})?)?$/;

/** Days are counted as UTC midnights, so that no change of clocks comes between them. */
function dayNumber(day: string): number {
  return Date.parse(`${day}T00:00:00Z`) / DAY_MS;
}

function dayText(number: number): string {
  return new Date(number * DAY_MS).toISOString().slice(0, 10);
}

function isDay(day: string): boolean {
  const number = dayNumber(day);
  return !Number.isNaN(number) && dayText(number) === day;
}

function dayAtOffset(moment: Date, offset: string): string {
  const minutes = Number(offset.slice(1, 3)) * 60 + Number(offset.slice(4, 6));
  const shifted = moment.getTime() + (offset.startsWith('-') ? -minutes : minutes) * 60_000;
  return new Date(shifted).toISOString().slice(0, 10);
}

/** The day of a moment and today, both where the moment was written; undefined for what is no ISO date. */
function daysAt(written: string, now: Date, timeZone: string): { day: string; today: string } | undefined {
  const [, date, offset] = ISO_DATE.exec(written) ?? [];
  if (date === undefined || !isDay(date)) return undefined;
  const moment = new Date(written);
  if (Number.isNaN(moment.getTime())) return undefined;
  if (offset === 'Z') return { day: dayInZone(timeZone, moment), today: dayInZone(timeZone, now) };
  return { day: date, today: offset === undefined ? dayInZone(timeZone, now) : dayAtOffset(now, offset) };
}

function after(day: string, days: number): string {
  return dayText(dayNumber(day) + days);
}

const daysBetween = (from: string, to: string): number => dayNumber(to) - dayNumber(from);

/**
 * The day until which an event can be registered on a note, or undefined where the moment it is counted from is no real
 * ISO date. Days are calendar days and the day counted from is not counted. A conclusive event on a note that has one
 * already is a correction. Days are taken at the offset written in the moment, which is the authorising state's; a
 * moment in UTC (`Z`) or without an offset is read in `timeZone`.
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
  const counted = daysAt(isCorrection ? firstConclusiveAt : authorizedAt, now, timeZone);
  if (counted === undefined) return undefined;
  const { day: from, today } = counted;
  const days = isCorrection ? CORRECTION_DAYS : deadlineDays;
  const lastDay = after(from, days);
  const deadline = { from, days, lastDay, daysLeft: daysBetween(today, lastDay) };
  if (isCorrection) return { ...deadline, basis: 'first_conclusive', tacit: 'no' };
  const isUnderFormerTerm = isConclusive && from < SHORTER_TERM_SINCE;
  return {
    ...deadline,
    basis: 'authorisation',
    ...(isUnderFormerTerm ? { laterPerhaps: after(from, FORMER_TERM_DAYS) } : {}),
    tacit: firstConclusiveAt === undefined ? tacitlyConfirmed(from, today) : 'no',
  };
}

/** As `deadlineOf` counts, for any term. Undefined where the moment is no real ISO date. */
export function termFrom(
  written: string,
  days: number,
  now: Date,
  timeZone = 'America/Sao_Paulo',
): Pick<Deadline, 'lastDay' | 'daysLeft'> | undefined {
  const counted = daysAt(written, now, timeZone);
  if (counted === undefined) return undefined;
  const lastDay = after(counted.day, days);
  return { lastDay, daysLeft: daysBetween(counted.today, lastDay) };
}

function tacitlyConfirmed(authorized: string, today: string): Deadline['tacit'] {
  const passed = daysBetween(authorized, today);
  if (passed <= manifestationEvents.confirmacao.deadlineDays) return 'no';
  return authorized >= SHORTER_TERM_SINCE || passed > FORMER_TERM_DAYS ? 'yes' : 'unclear';
}
