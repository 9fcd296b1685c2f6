import { ArchiveError } from '../../archive/errors.ts';
import type { Remembered } from '../../archive/remember/memory.ts';
import { Refused, Unreachable } from '../../clients/errors.ts';
import type { CallContext } from '../../company/call-context.ts';
import { failureWords } from '../../company/failures.ts';
import { standingEvents } from '../../documents/events/event-history.ts';
import type { DocumentStatus, DocumentSummary, EventSummary } from '../../documents/summary/summary.ts';

/** State of an NF-e in a preview. */
export interface KnownNote {
  readonly key: string;
  /** Undefined if the note is unreadable. */
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
