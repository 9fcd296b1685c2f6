import { ArchiveError } from '../../archive/errors.ts';
import type { Remembered } from '../../archive/remember/memory.ts';
import { Refused, Unreachable } from '../../clients/errors.ts';
import type { CallContext } from '../../company/call-context.ts';
import { failureWords } from '../../company/failures.ts';
import { standingEvents } from '../../documents/events/statuses.ts';
import type { DocumentStatus, DocumentSummary, EventSummary } from '../../documents/summary/summary.ts';

/** An NF-e as a preview knows it. */
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

/** Whether asking for another note would end just so. */
function isHopeless(error: unknown): boolean {
  if (error instanceof Unreachable) return true;
  return error instanceof Refused && (error.refusal.status === 401 || error.refusal.status === 403);
}

/**
 * What is known of each note, in the order of the keys: from the memory where that still holds, else read from the
 * service, a few at a time, for as long as a person waits. A note that can't be read has the reason, and what was known
 * of it before; only a caller that went away ends the reading.
 * @throws Cancelled
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

  /** The note as it was known before; of one never read, the events that writes and look-ups have shown. */
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
      if (isHopeless(note.notRefreshed)) obstacle = words(note.notRefreshed);
      return knownAs(key, note, words);
    } catch (error) {
      if (context.signal.aborted) throw error;
      if (timeOver.aborted) return before(key, tookLong());
      if (isHopeless(error)) obstacle = words(error);
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
