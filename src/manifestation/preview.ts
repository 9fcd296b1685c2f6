import { ArchiveError } from '../archive/errors.ts';
import { type Deadline, deadlineOf } from '../documents/events/deadlines.ts';
import type { JustificationChange } from '../documents/events/justification.ts';
import { type EventName, eventByCode, type ManifestationEvent } from '../documents/events/manifestation.ts';
import { meaningOfStatus } from '../documents/events/status-codes.ts';
import { checkAccessKey } from '../documents/identity/keys.ts';
import type { DocumentSummary } from '../documents/summary/summary.ts';
import type { Translator } from '../messages/index.ts';
import type { CallContext } from '../services/call-context.ts';
import type { JournalDamage, JournalEntry } from '../writes/journal.ts';

/** What a person is told before a manifestation is sent. */
export interface ManifestationToPreview {
  readonly event: ManifestationEvent;
  readonly keys: readonly string[];
  readonly justification: string;
  readonly changes: readonly JustificationChange[];
  readonly history: readonly JournalEntry[];
  readonly damage: JournalDamage;
}

function deadlineSentence({ lastDay, daysLeft }: Deadline, translator: Translator): string {
  const day = { last_day: translator.day(lastDay) };
  if (daysLeft < 0) return translator.say('deadline.passed', day);
  if (daysLeft === 0) return translator.say('deadline.today', day);
  if (daysLeft === 1) return translator.say('deadline.tomorrow', day);
  return translator.say('deadline.days_left', { ...day, days: daysLeft });
}

/** A name that a stranger wrote, kept from being read as words of the preview. */
function quoted(name: string | undefined): string | undefined {
  return name && `"${name.replace(/\s+/g, ' ').replaceAll('"', "'")}"`;
}

/** What has been seen of a note in this session; a preview does not fetch, and does not fail for want of it. */
async function seenNote(key: string, { services }: CallContext): Promise<DocumentSummary | undefined> {
  const reference = { document: 'nfe', key } as const;
  const read = services.library.peek(reference)?.summary;
  if (read !== undefined) return read;
  try {
    return (await services.openedArchive()?.find(reference))?.summary;
  } catch (error) {
    if (error instanceof ArchiveError) return undefined;
    throw error;
  }
}

/** One note as a person knows it: from the document where it has been seen, else from what its key says. */
async function noteLine(text: string, event: EventName, context: CallContext): Promise<string> {
  const { services, translator } = context;
  const key = checkAccessKey(text);
  const summary = await seenNote(text, context);
  const number = summary?.number ?? (key.ok ? key.value.number : '');
  const issuer = [quoted(summary?.issuer?.name), summary?.issuer?.id ?? (key.ok ? key.value.issuer.id : '')];
  const issued = translator.day(summary?.issued_at ?? (key.ok ? key.value.month : ''));
  const total = summary?.totals.total;
  const parts = [
    translator.say('preview.note', { number, issuer: issuer.filter(Boolean).join(' '), issued }),
    ...(total ? [translator.say('preview.total', { total: translator.money(total) })] : []),
    text,
  ];
  const authorized = summary?.protocol?.at;
  const deadline =
    authorized === undefined
      ? undefined
      : deadlineOf(event, { authorizedAt: authorized }, new Date(), services.settings.timeZone);
  return `- ${parts.join(', ')}${deadline ? `. ${deadlineSentence(deadline, translator)}` : ''}`;
}

/** What the service said of an earlier write, or else what became of it. */
function outcomeWords({ statusCode, message, state }: JournalEntry, translator: Translator): string {
  const meaning = statusCode === undefined ? undefined : meaningOfStatus(statusCode);
  const said = meaning === undefined ? message : translator.say(`event_status.${meaning}`);
  return (
    [statusCode, said].filter((part) => part !== undefined).join(' ') || translator.say(`result.${state}`)
  );
}

function historyLine(entry: JournalEntry, code: string | undefined, translator: Translator): string {
  const { key = '', event, state } = entry;
  const at = translator.moment(entry.at);
  const outcome = outcomeWords(entry, translator);
  if (event !== undefined && event === code) return translator.tell(`journal.${state}`, { key, at, outcome });
  const known = event === undefined ? undefined : eventByCode(event);
  const name =
    known === undefined ? translator.say('event.raw.title') : translator.say(`event.${known.name}.title`);
  const became = translator.say(`result.${state}`);
  return translator.say('journal.other_event', {
    key,
    event: name,
    at,
    outcome: outcome === became ? became : `${became} (${outcome})`,
  });
}

/** Earlier writes that a preview tells one by one. */
const MOST_WRITES_TOLD = 40;

/** Those whose outcome is open come first: they are what a person must know of before saying yes. */
function mostTelling(history: readonly JournalEntry[]): readonly JournalEntry[] {
  if (history.length <= MOST_WRITES_TOLD) return history;
  const isOpen = ({ state }: JournalEntry) => state === 'unknown' || state === 'in_flight';
  const latestFirst = history.toReversed();
  return [...latestFirst.filter(isOpen), ...latestFirst.filter((entry) => !isOpen(entry))];
}

/** The journal's memory of these keys, and whether part of that memory is lost. */
export function historyLines(
  history: readonly JournalEntry[],
  damage: JournalDamage,
  code: string | undefined,
  translator: Translator,
): string[] {
  const untold = history.length - MOST_WRITES_TOLD;
  return [
    ...mostTelling(history)
      .slice(0, MOST_WRITES_TOLD)
      .map((entry) => historyLine(entry, code, translator)),
    ...(untold > 0 ? [translator.say('journal.more', { count: untold })] : []),
    ...(damage.count > 0 ? [translator.say('journal.damaged', { count: damage.count })] : []),
    ...(damage.tornEnd ? [translator.say('journal.torn_end')] : []),
  ];
}

/** Notes that a preview names one by one; a form must stay readable. */
const MOST_NOTES_NAMED = 40;

/** The preview of a manifestation: what, for which notes, what it means, what can't be undone, until when. */
export async function previewManifestation(
  { event, keys, justification, changes, history, damage }: ManifestationToPreview,
  context: CallContext,
): Promise<string> {
  const { translator } = context;
  const title = translator.say(`event.${event.name}.title`);
  const [only] = keys;
  const opening =
    keys.length === 1 && only !== undefined
      ? translator.say('preview.manifest_one', { event: title, key: only })
      : translator.say('preview.manifest_many', { event: title, count: keys.length });
  const earlier = historyLines(history, damage, event.code, translator);
  const section = (heading: string, body: readonly string[]) =>
    body.length > 0 ? [`${heading}:`, ...body] : [];
  const named = keys.slice(0, MOST_NOTES_NAMED);
  return [
    `${opening} (${event.code}).`,
    ...(await Promise.all(named.map((key) => noteLine(key, event.name, context)))),
    ...(keys.length > MOST_NOTES_NAMED
      ? [translator.say('preview.more_notes', { keys: keys.slice(MOST_NOTES_NAMED).join(' ') })]
      : []),
    ...section(translator.say('preview.meaning'), [translator.say(`event.${event.name}.meaning`)]),
    ...section(translator.say('preview.final'), [
      translator.say(`event.${event.name}.final`),
      ...(event.conclusive ? [translator.say('event.correction')] : []),
    ]),
    translator.say('deadline.rule', { days: event.deadlineDays }),
    translator.say('deadline.shorter'),
    ...section(translator.say('preview.justification'), justification === '' ? [] : [`"${justification}"`]),
    ...(changes.length > 0
      ? [
          translator.say('preview.justification_changed', {
            changes: changes.map((change) => translator.say(`justification_change.${change}`)).join(', '),
          }),
        ]
      : []),
    ...section(translator.say('preview.earlier'), earlier),
  ].join('\n');
}
