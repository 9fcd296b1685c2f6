import { addDecimals } from '../../documents/decimals.ts';
import { eventDescription } from '../../documents/events/event-names.ts';
import { type EventName, eventByCode } from '../../documents/events/manifestation.ts';
import {
  conclusionsAmong,
  type Deadline,
  deadlineOn,
  type NoteToManifest,
  type Objection,
  objectionsTo,
} from '../../documents/events/objections.ts';
import { checkAccessKey } from '../../documents/identity/keys.ts';
import type { EventSummary } from '../../documents/summary/summary.ts';
import { asWord, longest, quoted } from '../../documents/untrusted.ts';
import type { Translator } from '../../messages/index.ts';
import type { JournalEntry } from '../../writes/journal.ts';
import type { KnownNote } from './notes.ts';

/** Clock and place of a preview's reader. */
export interface Reading {
  readonly now: Date;
  readonly timeZone: string;
  readonly translator: Translator;
}

/** Notes listed one by one; a form must stay readable. */
const MOST_NAMED = 40;

function toManifest({ summary, status, events }: KnownNote): NoteToManifest {
  return { status, authorizedAt: summary?.protocol?.at, events };
}

function ofKey({ key }: KnownNote) {
  const checked = checkAccessKey(key);
  return checked.ok ? checked.value : undefined;
}

/** A note's number, from the document or its key. */
function numberOf(note: KnownNote): string {
  const { number } = note.summary ?? {};
  return number === undefined ? (ofKey(note)?.number ?? note.key) : asWord(number);
}

function deadlineSentence(deadline: Deadline, { say, day }: Translator): string {
  const { basis, from, days, lastDay, daysLeft, laterPerhaps } = deadline;
  const last_day = day(lastDay);
  const word = daysLeft < 0 ? 'passed' : (['today', 'tomorrow'] as const)[daysLeft];
  return [
    word === undefined
      ? say('deadline.days_left', { last_day, days: daysLeft })
      : say(`deadline.${word}`, { last_day }),
    say(`deadline.from_${basis}`, { days, from: day(from) }),
    ...(laterPerhaps === undefined ? [] : [say('deadline.perhaps_later', { last_day: day(laterPerhaps) })]),
  ].join(' ');
}

function correctable(until: string | undefined, { say, day }: Translator): string[] {
  return until === undefined ? [] : [say('preview.correctable', { until: day(until) })];
}

function eventWords(
  { code = '', name, at }: EventSummary,
  until: string | undefined,
  translator: Translator,
) {
  const known = eventByCode(code);
  const title = known
    ? translator.say(`event.${known.name}.title`)
    : [asWord(code), quoted(name ?? eventDescription(code) ?? '', longest.name)].join(' ');
  const moment = at === undefined ? [] : [translator.moment(at)];
  return [title, ...moment, ...correctable(until, translator)].join(', ');
}

/** Existing events, with the deadline to correct a conclusive one. */
function eventsLine({ events }: KnownNote, { now, timeZone, translator }: Reading): string[] {
  if (events.length === 0) return [];
  const [first] = conclusionsAmong(events, now, timeZone);
  const words = events.map((event) => {
    const isConclusive = eventByCode(event.code ?? '')?.conclusive === true;
    return eventWords(event, isConclusive ? first?.correctableUntil : undefined, translator);
  });
  return [`  ${translator.say('preview.events', { events: words.join('; ') })}`];
}

/**
 * A line per note: number, issuer, date and total from the document or its key, the event's deadline, and all events.
 */
function noteLine(note: KnownNote, event: EventName | undefined, reading: Reading): string[] {
  const { translator, now, timeZone } = reading;
  const { key, summary: { issuer, totals, issued_at } = {} } = note;
  const name = issuer?.name ? [quoted(issuer.name, longest.name)] : [];
  const parts = [
    translator.say('preview.note', {
      number: numberOf(note),
      issuer: [...name, asWord(issuer?.id ?? ofKey(note)?.issuer.id ?? '')].join(' '),
      issued: translator.day(issued_at ?? ofKey(note)?.month ?? ''),
    }),
    ...(totals?.total ? [translator.say('preview.total', { total: translator.money(totals.total) })] : []),
    key,
  ];
  const deadline = event && deadlineOn(event, toManifest(note), now, timeZone);
  const sentence = deadline === undefined ? '' : `. ${deadlineSentence(deadline, translator)}`;
  return [`- ${parts.join(', ')}${sentence}`, ...eventsLine(note, reading)];
}

/** Lines of the notes and their sum, with the number of unreadable ones. */
export function noteLines(
  notes: readonly KnownNote[],
  event: EventName | undefined,
  reading: Reading,
): string[] {
  const { say, money } = reading.translator;
  const others = notes.slice(MOST_NAMED).map(({ key }) => key);
  const totals = notes.flatMap(({ summary }) => summary?.totals.total ?? []);
  const [sum, count, known] = [addDecimals(totals), notes.length, totals.length];
  const total = sum === undefined || count < 2 ? undefined : money(sum);
  return [
    ...notes.slice(0, MOST_NAMED).flatMap((note) => noteLine(note, event, reading)),
    ...(others.length > 0 ? [say('preview.more_notes', { keys: others.join(' ') })] : []),
    ...(total === undefined
      ? []
      : [
          known === count
            ? say('preview.sum', { total, count })
            : say('preview.sum_of_some', { total, known, count }),
        ]),
  ];
}

/** Warnings of a preview, gravest first: the rules' objections and the program's own. */
const warnings = [
  'cancelled',
  'denied',
  'not_recipient',
  'tacitly_confirmed',
  'perhaps_confirmed',
  'past_deadline',
  'correction_over',
  'used_up',
  'already_registered',
  'after_conclusion',
  'replaces',
  'last_time',
  'outcome_unknown',
  'in_flight',
  'unread',
] as const satisfies readonly (
  | Objection['code']
  | 'not_recipient'
  | 'outcome_unknown'
  | 'in_flight'
  | 'unread'
)[];

interface Warned {
  readonly warning: (typeof warnings)[number];
  readonly note: KnownNote;
  readonly detail?: string | undefined;
}

function detailOf(objection: Objection, translator: Translator): string | undefined {
  const { say, day, moment } = translator;
  const on = (at: string | undefined) => (at === undefined ? [] : [moment(at)]);
  switch (objection.code) {
    case 'cancelled':
    case 'already_registered':
      return on(objection.at)[0];
    case 'tacitly_confirmed':
    case 'past_deadline':
    case 'correction_over':
      return say('against.until', { day: day(objection.lastDay) });
    case 'perhaps_confirmed': {
      const { lastDay, laterPerhaps } = objection;
      return say('against.until_either', { day: day(lastDay), later: day(laterPerhaps) });
    }
    case 'after_conclusion':
      return [say(`event.${objection.event}.title`), ...on(objection.at)].join(', ');
    case 'replaces': {
      const { event, at, until } = objection;
      return [say(`event.${event}.title`), ...on(at), ...correctable(until, translator)].join(', ');
    }
    default:
      return undefined;
  }
}

/** Establishments of a company share the first eight positions. Source: docs/fiscal/events.md. */
function isAnothers({ summary }: KnownNote, company: string | undefined): boolean {
  const id = summary?.recipient?.id;
  return id !== undefined && company !== undefined && id.slice(0, 8) !== company.slice(0, 8);
}

function namesOf(warned: readonly Warned[], { say }: Translator): string {
  const words = warned.slice(0, MOST_NAMED).map(({ note, detail }) => {
    const name = `NF-e ${numberOf(note)}`;
    return detail === undefined ? name : `${name}, ${detail}`;
  });
  const count = warned.length - words.length;
  return [...words, ...(count > 0 ? [say('against.more', { count })] : [])].join('; ');
}

/** Warnings about an event, a line each with its notes. @param history journal entries of these keys */
export function objectionLines(
  event: { readonly name: EventName; readonly code: string },
  notes: readonly KnownNote[],
  history: readonly JournalEntry[],
  company: string | undefined,
  { now, timeZone, translator }: Reading,
): string[] {
  const warned = notes.flatMap((note): Warned[] => {
    const earlier = history.filter((entry) => entry.key === note.key && entry.event === event.code);
    const has = (state: JournalEntry['state']) => earlier.some((entry) => entry.state === state);
    const objections = objectionsTo(event.name, toManifest(note), now, timeZone);
    const own = {
      not_recipient: isAnothers(note, company),
      outcome_unknown: has('unknown'),
      in_flight: has('in_flight'),
      unread: note.problem !== undefined,
    };
    const ownNames = (Object.keys(own) as (keyof typeof own)[]).filter((name) => own[name]);
    return [
      ...objections.map((one) => ({ warning: one.code, note, detail: detailOf(one, translator) })),
      ...ownNames.map((warning) => ({ warning, note })),
    ];
  });
  return warnings.flatMap((warning) => {
    const ofThis = warned.filter((one) => one.warning === warning);
    if (ofThis.length === 0) return [];
    if (warning !== 'unread') {
      return [translator.say(`against.${warning}`, { notes: namesOf(ofThis, translator) })];
    }
    return [...new Set(ofThis.map(({ note }) => note.problem ?? ''))].map((problem) => {
      const ofProblem = ofThis.filter(({ note }) => note.problem === problem);
      return translator.say('against.unread', { notes: namesOf(ofProblem, translator), problem });
    });
  });
}
