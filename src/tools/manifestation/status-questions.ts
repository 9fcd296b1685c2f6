import { UpstreamError } from '../../clients/errors.ts';
import { firstOf } from '../../clients/http/signals.ts';
import type { CallContext } from '../../company/call-context.ts';
import { conclusive } from './candidates.ts';
import type { KeyResult } from './sending.ts';
import { askEventStatus } from './status.ts';

/** Status questions one call may ask; each note can take three. */
const MOST_CALLS = 30;
const LONGEST_MS = 10_000;

/** What is known of a note's manifestation, and from where. `unclear` is an answer, too. */
export const restsOn = ['documents', 'journal', 'service', 'unclear'] as const;

/** A note that may be open, and what that rests on. */
interface Questioned {
  readonly key: string;
  readonly rests_on: (typeof restsOn)[number];
}

type Status = KeyResult['status'];

/** Undue consumption: the service wants to be left alone for a while. */
const TOO_MANY_REQUESTS = '656';
/** A no to the question or to who asks it, or a hint at another event: nothing is said of the event asked about. */
const SAYS_NOTHING = new Set(['236', '489', '490', '491', '493', '655', TOO_MANY_REQUESTS]);

/** What a note rests on after its questions: on the service only where it answered every one of them clearly. */
function restsOnAfter(note: Questioned, answers: readonly Status[]): Questioned['rests_on'] {
  if (answers.some((status) => status !== 'refused')) return 'unclear';
  return answers.length === conclusive.length ? 'service' : note.rests_on;
}

/**
 * Asks the service about the notes shown, as far as calls and time allow; a note it knows as settled drops out.
 * @param onAsked told the number of questions so far, and how many there can be
 * @throws Cancelled when the caller goes away
 */
export async function askService<Note extends Questioned>(
  notes: readonly Note[],
  context: CallContext,
  onAsked: (questions: number, most: number) => void,
): Promise<{ open: Note[]; settled: number }> {
  const most = Math.min(MOST_CALLS, notes.length * conclusive.length);
  const longest = Math.min(LONGEST_MS, context.deadline.workBy - Date.now());
  const timeOver = AbortSignal.timeout(Math.max(1, longest));
  const stop = firstOf(context.signal, timeOver);
  let calls = 0;
  let isFailing = false;
  let settled = 0;

  /** Undefined for a question that was not asked or not answered. */
  const ask = async (note: Note, event: (typeof conclusive)[number]): Promise<Status | undefined> => {
    if (isFailing || stop.aborted || calls >= most) return undefined;
    calls += 1;
    try {
      const { status, status_code: code = '' } = await askEventStatus(note.key, event, context, stop);
      onAsked(calls, most);
      if (code === TOO_MANY_REQUESTS) isFailing = true;
      return SAYS_NOTHING.has(code) ? 'unknown' : status;
    } catch (error) {
      if (!(error instanceof UpstreamError) || context.signal.aborted) throw error;
      isFailing = true;
      return undefined;
    }
  };

  const open: Note[] = [];
  for (const note of notes) {
    const answers: Status[] = [];
    for (const event of conclusive) {
      const status = await ask(note, event);
      if (status !== undefined) answers.push(status);
      if (status === 'done') break;
    }
    if (answers.includes('done')) settled += 1;
    else open.push({ ...note, rests_on: restsOnAfter(note, answers) });
  }
  return { open, settled };
}
