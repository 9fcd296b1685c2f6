import { ArchiveError } from '../../archive/errors.ts';
import type { Remembered } from '../../archive/remember/memory.ts';
import { Refused, Unreachable } from '../../clients/errors.ts';
import type { CallContext } from '../../company/call-context.ts';
import { failureWords } from '../../company/failures.ts';
import { standingEvents } from '../../documents/events/event-history.ts';
import type { NoteToManifest } from '../../documents/events/objections.ts';
import { checkAccessKey } from '../../documents/identity/keys.ts';
import type { DocumentStatus, DocumentSummary } from '../../documents/summary/summary.ts';
import { asWord } from '../../documents/untrusted.ts';

/** A note as a preview shows it, by its document or else its key. */
export interface KnownNote extends NoteToManifest {
  readonly key: string;
  readonly number: string;
  readonly issuer: { readonly id: string; readonly name?: string | undefined };
  /** A moment, day or month. */
  readonly issued: string;
  readonly total?: string | undefined;
  readonly recipient?: string | undefined;
  /** Why it is unreadable, in the person's language. */
  readonly problem?: string | undefined;
}

/** Seconds a preview may read: a person waits, and the write follows. */
const LONGEST_READING = { one: 8, several: 15 } as const;

type Events = Remembered['events'];

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

  const known = (
    key: string,
    { summary, status, events }: { summary?: DocumentSummary; status: DocumentStatus; events: Events },
    problem?: string,
  ): KnownNote => {
    const checked = checkAccessKey(key);
    const ofKey = checked.ok ? checked.value : undefined;
    const { number, issuer, issued_at, totals, recipient, protocol } = summary ?? {};
    return {
      ...{ key, status, problem, total: totals?.total, recipient: recipient?.id, authorizedAt: protocol?.at },
      number: number === undefined ? (ofKey?.number ?? key) : asWord(number),
      issuer: { id: asWord(issuer?.id ?? ofKey?.issuer.id ?? ''), name: issuer?.name },
      issued: issued_at ?? ofKey?.month ?? '',
      events: standingEvents({ summary: summary ?? {}, events }),
    };
  };

  /** The stored note; if it was never read, the events known from writes and look-ups. */
  const stored = async (key: string, problem: string): Promise<KnownNote> => {
    try {
      const note = await memory.recall({ document: 'nfe', key });
      return known(key, note ?? { status: 'unknown', events: await memory.events(key) }, problem);
    } catch (error) {
      if (error instanceof ArchiveError) return known(key, { status: 'unknown', events: [] }, problem);
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
