import type { CallContext } from '../../company/call-context.ts';
import { addDecimals } from '../../documents/decimals.ts';
import { eventDescription } from '../../documents/events/event-names.ts';
import {
  eventByCode,
  type Justification,
  type ManifestationEvent,
} from '../../documents/events/manifestation.ts';
import {
  correctableUntil,
  type Deadline,
  deadlineOn,
  type Objection,
  objectionsTo,
} from '../../documents/events/objections.ts';
import { meaningOfStatus } from '../../documents/events/statuses.ts';
import type { EventSummary } from '../../documents/summary/summary.ts';
import { asWord, longest, onOwnLine, quoted, visible } from '../../documents/untrusted.ts';
import type { Translator } from '../../messages/index.ts';
import { isOpen, type JournalDamage, type JournalEntry } from '../../writes/journal.ts';
import { sentences } from '../shared/definition.ts';
import { type KnownNote, notesFor } from './notes.ts';

/** Notes, and earlier writes, listed one by one; a form must stay readable. */
const MOST_NAMED = 40;

/** Earlier writes of the keys, and whether others may be missing from the journal. */
export interface EarlierWrites {
  readonly history: readonly JournalEntry[];
  readonly damage: JournalDamage;
}

/** The day, and the rules that depend on it. */
function today({ company }: CallContext): [now: Date, timeZone: string] {
  return [new Date(company.now()), company.settings.timeZone];
}

function deadlineSentence(deadline: Deadline, { say, day, inDays }: Translator): string {
  const { basis, from, days, lastDay, daysLeft, laterPerhaps } = deadline;
  const last_day = day(lastDay);
  return sentences(
    daysLeft < 0
      ? say('deadline.passed', { last_day })
      : say('deadline.until', { last_day, when: inDays(daysLeft) }),
    say(`deadline.from_${basis}`, { days, from: day(from) }),
    laterPerhaps !== undefined && say('deadline.perhaps_later', { last_day: day(laterPerhaps) }),
  ).join(' ');
}

const correctable = (until: string | undefined, { say, day }: Translator) =>
  until !== undefined && say('preview.correctable', { until: day(until) });

/** All events of a note; conclusive ones with the day until which they can be corrected. */
function eventsLine({ events }: KnownNote, context: CallContext): string {
  const { translator } = context;
  const until = correctableUntil(events, ...today(context));
  const words = events.map(({ code = '', name, at }) => {
    const known = eventByCode(code);
    return sentences(
      known
        ? translator.say(`event.${known.name}.title`)
        : [asWord(code), quoted(name ?? eventDescription(code) ?? '', longest.name)].join(' '),
      at !== undefined && translator.moment(at),
      correctable(known?.conclusive ? until : undefined, translator),
    ).join(', ');
  });
  return `  ${translator.say('preview.events', { events: words.join('; ') })}`;
}

/** A note's number, issuer, date and total, the event's deadline, and all events. */
function noteLines(note: KnownNote, event: ManifestationEvent | undefined, context: CallContext): string[] {
  const { translator } = context;
  const { key, number, events, total, issued, issuer } = note;
  const parts = sentences(
    translator.say('preview.note', {
      number,
      issuer: issuer.name ? `${quoted(issuer.name, longest.name)} ${issuer.id}` : issuer.id,
      issued: translator.day(issued),
    }),
    total && translator.say('preview.total', { total: translator.money(total) }),
    key,
  );
  const deadline = event && deadlineOn(event.name, note, ...today(context));
  const line = sentences(parts.join(', '), deadline && deadlineSentence(deadline, translator)).join('. ');
  return sentences(`- ${line}`, events.length > 0 && eventsLine(note, context));
}

/** Lines of the notes and their sum, with the number of unreadable ones. */
function listNotes(notes: readonly KnownNote[], event: ManifestationEvent | undefined, context: CallContext) {
  const { say, money } = context.translator;
  const others = notes.slice(MOST_NAMED).map(({ key }) => key);
  const totals = notes.flatMap((note) => note.total ?? []);
  const [sum, count, known] = [addDecimals(totals), notes.length, totals.length];
  const total = sum !== undefined && count > 1 && money(sum);
  return sentences(
    notes.slice(0, MOST_NAMED).flatMap((note) => noteLines(note, event, context)),
    others.length > 0 && say('preview.more_notes', { keys: others.join(' ') }),
    total && say('preview.sum', { total, known, count }),
  );
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
] as const;

/** What speaks against an event on a note: warnings, each with the note's name and further facts. */
function warningsOf(
  { key, number, recipient, problem, ...note }: KnownNote,
  event: ManifestationEvent,
  history: readonly JournalEntry[],
  context: CallContext,
) {
  const { translator, company } = context;
  const { say, day, moment } = translator;
  const { cnpj } = company.settings;
  const has = (state: JournalEntry['state']) =>
    history.some((entry) => entry.key === key && entry.event === event.code && entry.state === state);
  const own = {
    // Establishments of a company share the first eight positions. Source: docs/fiscal/events.md.
    not_recipient: recipient && cnpj && recipient.slice(0, 8) !== cnpj.slice(0, 8),
    outcome_unknown: has('unknown'),
    in_flight: has('in_flight'),
    unread: problem,
  };
  const named = (
    warning: (typeof warnings)[number],
    { event: other, at, until, lastDay, laterPerhaps: later }: Omit<Objection, 'code'> = {},
  ) => {
    const words = sentences(
      `NF-e ${number}`,
      other && say(`event.${other}.title`),
      at !== undefined && moment(at),
      lastDay !== undefined &&
        (later === undefined
          ? say('against.until', { day: day(lastDay) })
          : say('against.until_either', { day: day(lastDay), later: day(later) })),
      correctable(until, translator),
    );
    return { warning, name: words.join(', '), problem: (warning === 'unread' && problem) || '' };
  };
  return [
    ...objectionsTo(event.name, note, ...today(context)).map(({ code, ...facts }) => named(code, facts)),
    ...(Object.keys(own) as (keyof typeof own)[]).filter((name) => own[name]).map((name) => named(name)),
  ];
}

/** Warnings about an event, a line each with its notes; unread notes a line for each reason. */
function warningLines(
  event: ManifestationEvent,
  notes: readonly KnownNote[],
  history: readonly JournalEntry[],
  context: CallContext,
): string[] {
  const { say, tell } = context.translator;
  const warned = notes.flatMap((note) => warningsOf(note, event, history, context));
  return warnings.flatMap((warning) => {
    const ofThis = warned.filter((one) => one.warning === warning);
    return [...new Set(ofThis.map(({ problem }) => problem))].map((problem) => {
      const names = ofThis.filter((one) => one.problem === problem).map(({ name }) => name);
      const count = names.length - MOST_NAMED;
      const listed = sentences(names.slice(0, MOST_NAMED), count > 0 && say('against.more', { count }));
      return `⚠ ${tell(`against.${warning}`, { notes: listed.join('; '), problem })}`;
    });
  });
}

/** An earlier write and its outcome: its state, and the service's answer if that says more. */
function historyLine(entry: JournalEntry, { say, moment }: Translator): string {
  const { key = '', event = '', state, status_code, message } = entry;
  const meaning = meaningOfStatus(status_code);
  const said = meaning === undefined ? message && quoted(message) : say(`event_status.${meaning}`);
  const answer = [status_code, said].filter(Boolean).join(' ');
  const result = say(`result.${state}`);
  return say('journal.entry', {
    key,
    event: say(`event.${eventByCode(event)?.name ?? 'raw'}.title`),
    at: moment(entry.at),
    outcome: answer !== '' && answer !== result ? `${result} (${answer})` : result,
  });
}

/** Journal entries of these keys, open ones first if there are many, and whether the journal is damaged. */
function historyLines({ history, damage }: EarlierWrites, translator: Translator): string[] {
  const count = history.length - MOST_NAMED;
  const latest = history.toReversed();
  const named = count > 0 ? [...latest.filter(isOpen), ...latest.filter((entry) => !isOpen(entry))] : history;
  return sentences(
    named.slice(0, MOST_NAMED).map((entry) => historyLine(entry, translator)),
    count > 0 && translator.say('journal.more', { count }),
    damage.count > 0 && translator.say('journal.damaged', { count: damage.count }),
    damage.tornEnd && translator.say('journal.torn_end'),
  );
}

/** Manifestations registered from here that the note lacks: the service may not return them. */
function registeredFromHere(note: KnownNote, history: readonly JournalEntry[]): EventSummary[] {
  const done = history.filter(({ key, state }) => key === note.key && state === 'done');
  const codes = new Set(done.flatMap(({ event = '' }) => eventByCode(event)?.code ?? []));
  return [...codes].flatMap((code) => {
    const received = note.events.filter((event) => event.code === code).length;
    const ofCode = done.filter(({ event }) => event === code);
    const fresh = ofCode.filter(({ status_code }) => meaningOfStatus(status_code) !== 'already_registered');
    const registered = fresh.length > 0 ? fresh : ofCode.slice(0, 1);
    return registered.slice(received).map(({ at }) => ({ code, at }));
  });
}

async function nothingKept({ company, translator }: CallContext) {
  const isKept = await company.memory.isKept().catch(() => true);
  return !isKept && `⚠ ${translator.say('preview.nothing_kept')}`;
}

const section = (heading: string, body: readonly string[]) =>
  body.length > 0 ? [`${heading}:`, ...body] : [];

/** Preview of a raw event: its text, the notes named inside it, and earlier writes. */
export async function previewRaw(
  raw: string,
  keys: readonly string[],
  earlier: EarlierWrites,
  context: CallContext,
): Promise<string[]> {
  const notes = await notesFor(keys, context);
  return sentences(
    context.translator.say('preview.raw'),
    visible(raw),
    await nothingKept(context),
    listNotes(notes, undefined, context),
    section(context.translator.say('preview.earlier'), historyLines(earlier, context.translator)),
  );
}

export interface PreviewedEvent {
  readonly event: ManifestationEvent;
  readonly keys: readonly string[];
  readonly justification: Justification;
}

/**
 * Preview of a manifestation: objections, the event and its notes, its meaning, whether it can be undone, and its
 * deadline. Unreadable notes are named.
 * @throws Cancelled when the caller disconnects
 */
export async function previewEvent(
  { event, keys, justification: { text, isChanged } }: PreviewedEvent,
  earlier: EarlierWrites,
  context: CallContext,
): Promise<string[]> {
  const { translator } = context;
  const { say } = translator;
  const title = say(`event.${event.name}.title`);
  const [only = '', ...others] = keys;
  const opening =
    others.length === 0
      ? say('preview.manifest_one', { event: title, key: only })
      : say('preview.manifest_many', { event: title, count: keys.length });
  const notes = (await notesFor(keys, context)).map((note) => ({
    ...note,
    events: [...note.events, ...registeredFromHere(note, earlier.history)],
  }));
  return sentences(
    `${opening} (${event.code}).`,
    section(say('against.heading'), warningLines(event, notes, earlier.history, context)),
    await nothingKept(context),
    listNotes(notes, event, context),
    section(say('preview.meaning'), [say(`event.${event.name}.meaning`)]),
    section(
      say('preview.final'),
      sentences(say(`event.${event.name}.final`), event.conclusive && say('event.correction')),
    ),
    say('deadline.rule', { days: event.deadlineDays }),
    say('deadline.shorter'),
    section(say('preview.justification'), text === '' ? [] : [onOwnLine(text)]),
    isChanged && say('preview.justification_changed'),
    section(say('preview.earlier'), historyLines(earlier, translator)),
  );
}
