import { ArchiveError } from '../../archive/errors.ts';
import type { Remembered } from '../../archive/remember/memory.ts';
import { Refused, Unreachable } from '../../clients/errors.ts';
import type { CallContext } from '../../company/call-context.ts';
import { failureWords } from '../../company/failures.ts';
import { addDecimals } from '../../documents/decimals.ts';
import { standingEvents } from '../../documents/events/event-history.ts';
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
import type { DocumentStatus, DocumentSummary, EventSummary } from '../../documents/summary/summary.ts';
import { asWord, longest, quoted } from '../../documents/untrusted.ts';
import type { Translator } from '../../messages/index.ts';
import type { JournalEntry } from '../../writes/journal.ts';

export interface KnownNote {
  readonly key: string;
  readonly summary?: DocumentSummary | undefined;
  /** With its events applied; `unknown` if the note is unreadable. */
  readonly status: DocumentStatus;
  /** Standing events, from the note's own file and others. */
  readonly events: readonly EventSummary[];
  /** Why it is unreadable, in the person's language. */
  readonly problem?: string | undefined;
}

/** Milliseconds a preview may read: a person waits, and the write follows. */
const LONGEST_READING_MS = { one: 8_000, several: 15_000 } as const;

type Reference = { readonly document: 'nfe'; readonly key: string };

const referenceOf = (key: string): Reference => ({ document: 'nfe', key });

function knownAs(
  key: string,
  { summary, status, events, notRefreshed }: Remembered,
  words: Words,
): KnownNote {
  const beside = events.map((one) => one.summary);
  const standing = standingEvents(summary, beside);
  return { key, summary, status, events: standing, problem: notRefreshed && words(notRefreshed) };
}

type Words = (error: unknown) => string;

/** Whether reading another note would fail the same way. */
function isPermanent(error: unknown): boolean {
  if (error instanceof Unreachable) return true;
  return error instanceof Refused && (error.refusal.status === 401 || error.refusal.status === 403);
}

/**
 * Reads each note, in the order of the keys: from the archive while fresh, otherwise from the service, a few at a
 * time, within the preview's limit. An unreadable note has the reason and what was stored of it.
 * @throws Cancelled when the caller disconnects
 */
export async function notesFor(keys: readonly string[], context: CallContext): Promise<readonly KnownNote[]> {
  const { company, translator } = context;
  const { memory, settings } = company;
  const longest = keys.length > 1 ? LONGEST_READING_MS.several : LONGEST_READING_MS.one;
  const timeOver = AbortSignal.timeout(longest);
  const signal = AbortSignal.any([context.signal, timeOver]);
  const words: Words = (error) => failureWords(error, translator);
  const tookLong = () => translator.say('preview.reading_took_long', { seconds: longest / 1000 });
  let obstacle: string | undefined;

  /** The stored note; if it was never read, the events known from writes and look-ups. */
  const before = async (key: string, problem: string): Promise<KnownNote> => {
    try {
      const note = await memory.recall(referenceOf(key));
      if (note !== undefined) return { ...knownAs(key, note, words), problem };
      const beside = (await memory.events(key)).map(({ summary }) => summary);
      return { key, status: 'unknown', events: standingEvents({}, beside), problem };
    } catch (error) {
      if (error instanceof ArchiveError) return { key, status: 'unknown', events: [], problem };
      throw error;
    }
  };

  const readOne = async (key: string): Promise<KnownNote> => {
    if (timeOver.aborted) obstacle ??= tookLong();
    if (obstacle !== undefined) return before(key, obstacle);
    try {
      const note = await memory.document(referenceOf(key), { signal });
      if (isPermanent(note.notRefreshed)) obstacle = words(note.notRefreshed);
      return knownAs(key, note, words);
    } catch (error) {
      if (context.signal.aborted) throw error;
      if (timeOver.aborted) return before(key, tookLong());
      if (isPermanent(error)) obstacle = words(error);
      return before(key, words(error));
    }
  };

  const found = new Map<string, KnownNote>();
  const waiting = keys.values();
  const readSome = async (): Promise<void> => {
    for (const key of waiting) found.set(key, await readOne(key));
  };
  await Promise.all(Array.from({ length: settings.concurrency }, readSome));
  return keys.flatMap((key) => found.get(key) ?? []);
}

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
