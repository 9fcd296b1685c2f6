import { ArchiveError } from '../archive/errors.ts';
import { Refused, Unreachable } from '../clients/errors.ts';
import { isRegistered } from '../documents/events/statuses.ts';
import type { DocumentStatus, DocumentSummary, EventSummary } from '../documents/summary/summary.ts';
import type { CallContext } from '../services/call-context.ts';
import { explainFailure, reportUnexpected } from '../services/failures.ts';

/** What is known of an NF-e before somebody says yes to an event on it. */
export interface KnownNote {
  readonly key: string;
  /** Undefined where the note could not be read. */
  readonly summary?: DocumentSummary | undefined;
  /** With its events applied; `unknown` where the note could not be read. */
  readonly status: DocumentStatus;
  /** Events that stand, from the note's own file and from beside it. */
  readonly events: readonly EventSummary[];
  /** Why it could not be read, in the person's language. */
  readonly problem?: string | undefined;
}

/** How long a preview may read: a person waits for it, and the write comes after. */
const LONGEST_READING_MS = { one: 8_000, several: 15_000 } as const;

type Reference = { readonly document: 'nfe'; readonly key: string };

const referenceOf = (key: string): Reference => ({ document: 'nfe', key });

/** The same event from two places counts once. */
function withoutRepeats(events: readonly EventSummary[]): EventSummary[] {
  const seen = new Map(events.map((event) => [`${event.code} ${event.sequence ?? event.at}`, event]));
  return [...seen.values()];
}

function known(
  key: string,
  summary: DocumentSummary,
  status: DocumentStatus,
  beside: readonly DocumentSummary[],
): KnownNote {
  const besides = beside.filter(isRegistered).flatMap(({ event }) => event ?? []);
  return { key, summary, status, events: withoutRepeats([...(summary.events ?? []), ...besides]) };
}

/** What the memory has of a note; nothing is fetched, and an archive that fails is as good as none. */
async function remembered(key: string, { services }: CallContext): Promise<KnownNote | undefined> {
  const reference = referenceOf(key);
  const read = services.library.peek(reference);
  try {
    const archive = services.openedArchive();
    const kept = await archive?.find(reference);
    const keptBeside = kept?.events ?? (await archive?.events(key)) ?? [];
    const beside = [...(read?.events ?? []), ...keptBeside.map((event) => event.summary)];
    const summary = read?.summary ?? kept?.summary;
    if (summary === undefined) return undefined;
    // Of two readings of one note the one that tells of its end is the later one.
    const isOver = kept?.status === 'cancelled' || kept?.status === 'denied';
    return known(key, summary, isOver ? kept.status : summary.status, beside);
  } catch (error) {
    if (!(error instanceof ArchiveError)) throw error;
    return read && known(key, read.summary, read.summary.status, read.events);
  }
}

/** Whether asking for another note would end just so. */
function isHopeless(error: unknown): boolean {
  if (error instanceof Unreachable) return true;
  return error instanceof Refused && (error.refusal.status === 401 || error.refusal.status === 403);
}

const unread = (key: string, problem: string): KnownNote => ({ key, status: 'unknown', events: [], problem });

/** Reads notes from the service, a few at a time, for as long as a person waits. */
async function read(keys: readonly string[], context: CallContext): Promise<KnownNote[]> {
  const { services, translator } = context;
  const longest = keys.length > 1 ? LONGEST_READING_MS.several : LONGEST_READING_MS.one;
  const timeOver = AbortSignal.timeout(longest);
  const signal = AbortSignal.any([context.signal, timeOver]);
  let obstacle: string | undefined;

  const readOne = async (key: string): Promise<KnownNote> => {
    if (timeOver.aborted) obstacle = translator.say('preview.reading_took_long', { seconds: longest / 1000 });
    if (obstacle !== undefined) return unread(key, obstacle);
    try {
      const { summary, events } = await services.library.document(referenceOf(key), signal);
      return known(key, summary, summary.status, events);
    } catch (error) {
      if (context.signal.aborted) throw error;
      if (timeOver.aborted) return readOne(key);
      const words = explainFailure(error, translator) ?? reportUnexpected(error, translator);
      if (isHopeless(error)) obstacle = words;
      return unread(key, words);
    }
  };

  const notes: KnownNote[] = [];
  const waiting = keys.values();
  const readSome = async (): Promise<void> => {
    for (const key of waiting) notes.push(await readOne(key));
  };
  await Promise.all(Array.from({ length: services.settings.concurrency }, readSome));
  return notes;
}

/**
 * What is known of each note, in the order of the keys: from the memory, else read from the service within a time that
 * a person waits. A note that can't be read has the reason; only a caller that went away ends the reading.
 * @throws Cancelled
 */
export async function notesFor(keys: readonly string[], context: CallContext): Promise<readonly KnownNote[]> {
  const found = new Map<string, KnownNote>();
  for (const key of keys) {
    const note = await remembered(key, context);
    if (note !== undefined) found.set(key, note);
  }
  const missing = keys.filter((key) => !found.has(key));
  for (const note of missing.length > 0 ? await read(missing, context) : []) found.set(note.key, note);
  return keys.flatMap((key) => found.get(key) ?? []);
}
