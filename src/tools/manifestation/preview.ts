import type { CallContext } from '../../company/call-context.ts';
import {
  eventByCode,
  type JustificationChange,
  type ManifestationEvent,
} from '../../documents/events/manifestation.ts';
import { meaningOfStatus } from '../../documents/events/statuses.ts';
import type { EventSummary } from '../../documents/summary/summary.ts';
import { onOwnLine, quoted } from '../../documents/untrusted.ts';
import type { Translator } from '../../messages/index.ts';
import { isOpen, type JournalDamage, type JournalEntry } from '../../writes/journal.ts';
import { type KnownNote, noteLines, notesFor, objectionLines, type Reading } from './notes.ts';

/** The service's message about an earlier write, or its state. */
function outcomeWords({ statusCode, message, state }: JournalEntry, { say }: Translator): string {
  const meaning = statusCode === undefined ? undefined : meaningOfStatus(statusCode);
  const words = meaning === undefined ? message && quoted(message) : say(`event_status.${meaning}`);
  return [statusCode, words].filter(Boolean).join(' ') || say(`result.${state}`);
}

function historyLine(entry: JournalEntry, code: string | undefined, translator: Translator): string {
  const { say } = translator;
  const { key = '', event, state } = entry;
  const at = translator.moment(entry.at);
  const outcome = outcomeWords(entry, translator);
  if (event !== undefined && event === code) return translator.tell(`journal.${state}`, { key, at, outcome });
  const known = eventByCode(event ?? '');
  const name = say(known === undefined ? 'event.raw.title' : `event.${known.name}.title`);
  const result = say(`result.${state}`);
  const words = outcome === result ? result : `${result} (${outcome})`;
  return say('journal.other_event', { key, event: name, at, outcome: words });
}

const MOST_WRITES_NAMED = 40;

/** Journal entries of these keys, open ones first if there are many, and whether the journal is damaged. */
export function historyLines(
  history: readonly JournalEntry[],
  damage: JournalDamage,
  code: string | undefined,
  translator: Translator,
): string[] {
  const count = history.length - MOST_WRITES_NAMED;
  const latest = history.toReversed();
  const named = count > 0 ? [...latest.filter(isOpen), ...latest.filter((entry) => !isOpen(entry))] : history;
  return [
    ...named.slice(0, MOST_WRITES_NAMED).map((entry) => historyLine(entry, code, translator)),
    ...(count > 0 ? [translator.say('journal.more', { count })] : []),
    ...(damage.count > 0 ? [translator.say('journal.damaged', { count: damage.count })] : []),
    ...(damage.tornEnd ? [translator.say('journal.torn_end')] : []),
  ];
}

export interface ManifestationToPreview {
  readonly event: ManifestationEvent;
  readonly keys: readonly string[];
  readonly justification: string;
  readonly changes: readonly JustificationChange[];
  readonly history: readonly JournalEntry[];
  readonly damage: JournalDamage;
}

/** Manifestations registered from here that the note lacks: the service may not return them. */
function registeredFromHere(note: KnownNote, history: readonly JournalEntry[]): EventSummary[] {
  const done = history.filter(({ key, state }) => key === note.key && state === 'done');
  const codes = new Set(done.flatMap(({ event = '' }) => eventByCode(event)?.code ?? []));
  return [...codes].flatMap((code) => {
    const received = note.events.filter((event) => event.code === code).length;
    const ofCode = done.filter(({ event }) => event === code);
    const fresh = ofCode.filter(({ statusCode }) => meaningOfStatus(statusCode) !== 'already_registered');
    const registered = fresh.length > 0 ? fresh : ofCode.slice(0, 1);
    return registered.slice(received).map(({ at }) => ({ code, at }));
  });
}

function readingOf({ company, translator }: CallContext): Reading {
  return { now: new Date(company.now()), timeZone: company.settings.timeZone, translator };
}

async function warningOfNothingKept({ company, translator }: CallContext): Promise<string[]> {
  const isKept = await company.memory.isKept().catch(() => true);
  return isKept ? [] : [`⚠ ${translator.say('preview.nothing_kept')}`];
}

/** Notes named inside a raw event. */
export async function previewKeys(keys: readonly string[], context: CallContext): Promise<string[]> {
  const notes = await notesFor(keys, context);
  return [...(await warningOfNothingKept(context)), ...noteLines(notes, undefined, readingOf(context))];
}

/**
 * Preview of a manifestation: objections, the event and its notes, its meaning, whether it can be undone, and its
 * deadline. Unreadable notes are named.
 * @throws Cancelled when the caller disconnects
 */
export async function previewManifestation(
  { event, keys, justification, changes, history, damage }: ManifestationToPreview,
  context: CallContext,
): Promise<string[]> {
  const { translator, company } = context;
  const { say } = translator;
  const title = say(`event.${event.name}.title`);
  const [only = '', ...others] = keys;
  const opening =
    others.length === 0
      ? say('preview.manifest_one', { event: title, key: only })
      : say('preview.manifest_many', { event: title, count: keys.length });
  const notes = (await notesFor(keys, context)).map((note) => ({
    ...note,
    events: [...note.events, ...registeredFromHere(note, history)],
  }));
  const reading = readingOf(context);
  const objections = objectionLines(event, notes, history, company.settings.cnpj, reading);
  const section = (heading: string, body: readonly string[]) =>
    body.length > 0 ? [`${heading}:`, ...body] : [];
  const changed = changes.map((change) => say(`justification_change.${change}`)).join(', ');
  return [
    `${opening} (${event.code}).`,
    ...section(
      say('against.heading'),
      objections.map((line) => `⚠ ${line}`),
    ),
    ...(await warningOfNothingKept(context)),
    ...noteLines(notes, event.name, reading),
    ...section(say('preview.meaning'), [say(`event.${event.name}.meaning`)]),
    ...section(say('preview.final'), [
      say(`event.${event.name}.final`),
      ...(event.conclusive ? [say('event.correction')] : []),
    ]),
    say('deadline.rule', { days: event.deadlineDays }),
    say('deadline.shorter'),
    ...section(say('preview.justification'), justification === '' ? [] : [onOwnLine(justification)]),
    ...(changed === '' ? [] : [say('preview.justification_changed', { changes: changed })]),
    ...section(say('preview.earlier'), historyLines(history, damage, event.code, translator)),
  ];
}
