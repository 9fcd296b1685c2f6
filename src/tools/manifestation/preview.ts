import type { CallContext } from '../../company/call-context.ts';
import {
  eventByCode,
  type JustificationChange,
  type ManifestationEvent,
} from '../../documents/events/manifestation.ts';
import type { EventSummary } from '../../documents/summary/summary.ts';
import { onOwnLine } from '../../documents/untrusted.ts';
import type { JournalDamage, JournalEntry } from '../../writes/journal.ts';
import { historyLines } from './history-lines.ts';
import { noteLines, type Reading, sumLine } from './note-lines.ts';
import { type KnownNote, notesFor } from './notes.ts';
import { objectionLines } from './objection-lines.ts';

/** What a person is told before a manifestation is sent. */
export interface ManifestationToPreview {
  readonly event: ManifestationEvent;
  readonly keys: readonly string[];
  readonly justification: string;
  readonly changes: readonly JustificationChange[];
  readonly history: readonly JournalEntry[];
  readonly damage: JournalDamage;
}

/** Notes that a preview names one by one; a form must stay readable. */
const MOST_NOTES_NAMED = 40;

/** Sent again when it was registered already, so that it is no event of its own. Source: docs/fiscal/events.md. */
const REGISTERED_BEFORE = '573';

/**
 * The manifestations that were registered from here and did not come back with the note: the service may not send them.
 */
function registeredFromHere(note: KnownNote, history: readonly JournalEntry[]): EventSummary[] {
  const done = history.filter(({ key, state }) => key === note.key && state === 'done');
  const codes = new Set(done.flatMap(({ event = '' }) => eventByCode(event)?.code ?? []));
  return [...codes].flatMap((code) => {
    const came = note.events.filter((event) => event.code === code).length;
    const ofCode = done.filter(({ event }) => event === code);
    const fresh = ofCode.filter(({ statusCode }) => statusCode !== REGISTERED_BEFORE);
    const registered = fresh.length > 0 ? fresh : ofCode.slice(0, 1);
    return registered.slice(came).map(({ at }) => ({ code, at }));
  });
}

function readingOf({ company, translator }: CallContext): Reading {
  return { now: new Date(company.now()), timeZone: company.settings.timeZone, translator };
}

function namedLines(notes: readonly KnownNote[], event: ManifestationEvent | undefined, reading: Reading) {
  const others = notes.slice(MOST_NOTES_NAMED).map(({ key }) => key);
  return [
    ...notes.slice(0, MOST_NOTES_NAMED).flatMap((note) => noteLines(note, event?.name, reading)),
    ...(others.length > 0 ? [reading.translator.say('preview.more_notes', { keys: others.join(' ') })] : []),
    ...sumLine(notes, reading.translator),
  ];
}

/** What the keys inside a raw event stand for. */
export async function previewKeys(keys: readonly string[], context: CallContext): Promise<string[]> {
  const isKept = await context.company.memory.isKept().catch(() => true);
  return [
    ...(isKept ? [] : [`⚠ ${context.translator.say('preview.nothing_kept')}`]),
    ...namedLines(await notesFor(keys, context), undefined, readingOf(context)),
  ];
}

/**
 * The preview of a manifestation: what speaks against it, then what will be registered for which notes, what it means,
 * what can't be undone, until when. The notes are read before; one that can't be read is said to be so.
 * @throws Cancelled where the caller went away while they were read
 */
export async function previewManifestation(
  { event, keys, justification, changes, history, damage }: ManifestationToPreview,
  context: CallContext,
): Promise<string[]> {
  const { translator, company } = context;
  const title = translator.say(`event.${event.name}.title`);
  const [only] = keys;
  const opening =
    keys.length === 1 && only !== undefined
      ? translator.say('preview.manifest_one', { event: title, key: only })
      : translator.say('preview.manifest_many', { event: title, count: keys.length });
  const notes = (await notesFor(keys, context)).map((note) => ({
    ...note,
    events: [...note.events, ...registeredFromHere(note, history)],
  }));
  const reading = readingOf(context);
  const isKept = await company.memory.isKept().catch(() => true);
  const section = (heading: string, body: readonly string[]) =>
    body.length > 0 ? [`${heading}:`, ...body] : [];
  return [
    `${opening} (${event.code}).`,
    ...section(
      translator.say('against.heading'),
      objectionLines(event, notes, history, company.settings.cnpj, reading).map((line) => `⚠ ${line}`),
    ),
    ...(isKept ? [] : [`⚠ ${translator.say('preview.nothing_kept')}`]),
    ...namedLines(notes, event, reading),
    ...section(translator.say('preview.meaning'), [translator.say(`event.${event.name}.meaning`)]),
    ...section(translator.say('preview.final'), [
      translator.say(`event.${event.name}.final`),
      ...(event.conclusive ? [translator.say('event.correction')] : []),
    ]),
    translator.say('deadline.rule', { days: event.deadlineDays }),
    translator.say('deadline.shorter'),
    ...section(
      translator.say('preview.justification'),
      justification === '' ? [] : [onOwnLine(justification)],
    ),
    ...(changes.length > 0
      ? [
          translator.say('preview.justification_changed', {
            changes: changes.map((change) => translator.say(`justification_change.${change}`)).join(', '),
          }),
        ]
      : []),
    ...section(translator.say('preview.earlier'), historyLines(history, damage, event.code, translator)),
  ];
}
