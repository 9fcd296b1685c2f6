import { ArchiveError } from '../../archive/errors.ts';
import type { Remembered } from '../../archive/remember/memory.ts';
import { Refused, Unreachable } from '../../clients/errors.ts';
import type { CallContext } from '../../company/call-context.ts';
import { failureWords } from '../../company/failures.ts';
import { standingEvents } from '../../documents/events/event-history.ts';
import type { DocumentStatus, DocumentSummary, EventSummary } from '../../documents/summary/summary.ts';

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

/** Seconds a preview may read: a person waits, and the write follows. */
const LONGEST_READING = { one: 8, several: 15 } as const;

const summariesOf = (events: Remembered['events']) => events.map(({ summary }) => summary);

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
  const seconds = keys.length > 1 ? LONGEST_READING.several : LONGEST_READING.one;
  const timeOver = AbortSignal.timeout(seconds * 1000);
  const signal = AbortSignal.any([context.signal, timeOver]);
  /** Why no further note is read. */
  let obstacle: string | undefined;

  const known = (key: string, { summary, status, events }: Remembered, problem?: string): KnownNote => ({
    key,
    summary,
    status,
    events: standingEvents(summary, summariesOf(events)),
    problem,
  });

  /** The stored note; if it was never read, the events known from writes and look-ups. */
  const stored = async (key: string, problem: string): Promise<KnownNote> => {
    try {
      const note = await memory.recall({ document: 'nfe', key });
      if (note !== undefined) return known(key, note, problem);
      const events = standingEvents({}, summariesOf(await memory.events(key)));
      return { key, status: 'unknown', events, problem };
    } catch (error) {
      if (error instanceof ArchiveError) return { key, status: 'unknown', events: [], problem };
      throw error;
    }
  };

  const read = async (key: string): Promise<KnownNote> => {
    if (obstacle !== undefined) return stored(key, obstacle);
    try {
      const note = await memory.document({ document: 'nfe', key }, { signal });
      const problem = note.notRefreshed && failureWords(note.notRefreshed, translator);
      if (isPermanent(note.notRefreshed)) obstacle = problem;
      return known(key, note, problem);
    } catch (error) {
      if (context.signal.aborted) throw error;
      const problem = timeOver.aborted
        ? translator.say('preview.reading_took_long', { seconds })
        : failureWords(error, translator);
      if (timeOver.aborted || isPermanent(error)) obstacle = problem;
      return stored(key, problem);
    }
  };

  const found = new Map<string, KnownNote>();
  const waiting = keys.values();
  const readSome = async (): Promise<void> => {
    for (const key of waiting) found.set(key, await read(key));
  };
  await Promise.all(Array.from({ length: settings.concurrency }, readSome));
  return keys.flatMap((key) => found.get(key) ?? []);
}
