import type { StoredDocument } from '../../archive/archive.ts';
import { compareDecimals } from '../../documents/decimals.ts';
import { type Deadline, deadlineOf } from '../../documents/events/deadlines.ts';
import { type EventName, eventByCode } from '../../documents/events/manifestation.ts';
import type { Journal, JournalEntry } from '../../writes/journal.ts';
import { type Candidate, conclusive } from './candidates.ts';
import type { restsOn } from './status-questions.ts';

/** Where a note without a conclusive event stands. */
export const waitingStatuses = ['open', 'acknowledged', 'tacitly_confirmed'] as const;

/** A note without a conclusive event, as far as documents and journal say. */
export interface Waiting {
  readonly document: StoredDocument;
  readonly key: string;
  readonly status: (typeof waitingStatuses)[number];
  readonly acknowledged: boolean;
  /** Undefined where the note's authorisation is not known. */
  readonly ciencia: Deadline | undefined;
  readonly conclusion: Deadline | undefined;
  readonly rests_on: (typeof restsOn)[number];
}

export interface Clock {
  readonly now: Date;
  /** `DFE_TIME_ZONE`, for dates without a zone. */
  readonly timeZone: string;
}

function waiting(
  document: StoredDocument,
  key: string,
  acknowledged: boolean,
  rests_on: Waiting['rests_on'],
  { now, timeZone }: Clock,
): Waiting {
  const authorizedAt = document.summary.protocol?.at ?? '';
  const deadline = (event: EventName) => deadlineOf(event, { authorizedAt }, now, timeZone);
  const [ciencia, conclusion] = [deadline('ciencia'), deadline('confirmacao')];
  const isConfirmed = conclusion?.tacit === 'yes';
  const status = isConfirmed ? 'tacitly_confirmed' : acknowledged ? 'acknowledged' : 'open';
  return { document, key, status, acknowledged, ciencia, conclusion, rests_on };
}

/** What is over comes after what can be done, and what is confirmed tacitly comes last. */
const OVER = 100_000;
const CONFIRMED = 200_000;
/** Nobody knows until when: before what is over. */
const UNKNOWN = 9_999;

function urgency({ acknowledged, ciencia, conclusion, status }: Waiting): number {
  if (status === 'tacitly_confirmed') return CONFIRMED - (conclusion?.daysLeft ?? 0);
  const [ten, all] = [ciencia?.daysLeft ?? -1, conclusion?.daysLeft ?? UNKNOWN];
  if (!acknowledged && ten >= 0) return ten;
  return all >= 0 ? all : OVER;
}

const totalOf = ({ document }: Waiting): string => document.summary.totals.total ?? '0';

/** What runs out first comes first; among equals the larger amount. */
function byUrgency(one: Waiting, other: Waiting): number {
  return urgency(one) - urgency(other) || compareDecimals(totalOf(other), totalOf(one));
}

/** The candidates that the journal does not settle either, the most urgent first, with what each rests on. */
export async function waitingNotes(
  candidates: readonly Candidate[],
  journal: Journal,
  clock: Clock,
): Promise<Waiting[]> {
  const history = await journal.history({ keys: candidates.map(({ key }) => key) });
  const byKey = new Map<string | undefined, JournalEntry[]>();
  for (const entry of history) byKey.set(entry.key, [...(byKey.get(entry.key) ?? []), entry]);
  const notes = candidates.flatMap(({ document, key, delivered, known }) => {
    const entries = byKey.get(key) ?? [];
    const named = (state: JournalEntry['state']) =>
      entries
        .filter((entry) => entry.state === state)
        .flatMap(({ event }) => eventByCode(event ?? '')?.name ?? []);
    const done = named('done');
    if (conclusive.some((name) => done.includes(name))) return [];
    const isBeside = (name: EventName) => !delivered.has(name);
    const restsOn = () => {
      if (named('unknown').length > 0) return 'unclear';
      if (done.some(isBeside)) return 'journal';
      return [...known].some(isBeside) ? 'service' : 'documents';
    };
    return [waiting(document, key, known.has('ciencia') || done.includes('ciencia'), restsOn(), clock)];
  });
  return notes.sort(byUrgency);
}
