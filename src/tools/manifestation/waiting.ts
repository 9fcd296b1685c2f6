import type { Archive, StoredDocument } from '../../archive/archive.ts';
import type { Selection } from '../../archive/ask/question.ts';
import { UpstreamError } from '../../clients/errors.ts';
import type { CallContext } from '../../company/call-context.ts';
import { compareDecimals } from '../../documents/decimals.ts';
import { standingEvents } from '../../documents/events/event-history.ts';
import {
  type EventName,
  eventByCode,
  eventNames,
  manifestationEvents,
} from '../../documents/events/manifestation.ts';
import { type Deadline, deadlineOf } from '../../documents/events/objections.ts';
import { checkAccessKey } from '../../documents/identity/keys.ts';
import type { DocumentSummary } from '../../documents/summary/summary.ts';
import type { JournalEntry } from '../../writes/journal.ts';
import { askEventStatus, type KeyResult } from './sending.ts';

/** Events after which nothing more is expected of the recipient. */
const conclusive = eventNames.filter((name) => manifestationEvents[name].conclusive);

export const waitingStatuses = ['open', 'acknowledged', 'tacitly_confirmed'] as const;

/** Provenance of a note's manifestation state, including `unclear`. */
export const restsOn = ['documents', 'journal', 'service', 'unclear'] as const;

type RestsOn = (typeof restsOn)[number];

/** A note without a conclusive event, by documents and journal. */
export interface Waiting {
  readonly document: StoredDocument;
  readonly key: string;
  readonly status: (typeof waitingStatuses)[number];
  readonly acknowledged: boolean;
  /** Undefined if the authorisation is unknown. */
  readonly ciencia: Deadline | undefined;
  readonly conclusion: Deadline | undefined;
  readonly rests_on: RestsOn;
}

export interface PendingNote {
  readonly key: string;
  readonly number?: string | undefined;
  readonly issuer?: string | undefined;
  readonly issuer_name?: string | undefined;
  readonly total?: string | undefined;
  readonly authorized_at?: string | undefined;
  readonly acknowledged: boolean;
  readonly status: Waiting['status'];
  readonly days_left_ciencia?: number | undefined;
  readonly days_left_conclusive?: number | undefined;
  readonly conclusive_until?: string | undefined;
  readonly rests_on: RestsOn;
}

/** Whether an event is still possible; a tacitly confirmed note is only listed. */
export const isWaiting = ({ status }: Pick<Waiting, 'status'>): boolean => status !== 'tacitly_confirmed';

/** A note without a conclusive event among its documents. */
interface Candidate {
  readonly document: StoredDocument;
  readonly key: string;
  /** Manifestations delivered with the note. */
  readonly delivered: ReadonlySet<EventName>;
  readonly known: ReadonlySet<EventName>;
}

function standing({ summary }: StoredDocument, events: StoredDocument['events']): ReadonlySet<EventName> {
  const summaries = events.map((one) => one.summary);
  return new Set(
    standingEvents(summary, summaries).flatMap(({ code = '' }) => eventByCode(code)?.name ?? []),
  );
}

function candidateOf(document: StoredDocument, key: string): Candidate {
  const delivered = document.events.filter(({ from }) => ['document', 'list', 'files'].includes(from));
  return {
    document,
    key,
    delivered: standing(document, delivered),
    known: standing(document, document.events),
  };
}

/**
 * Only the recipient manifests, and not on notes it issued itself (entry notes); a summary (resNFe) names no
 * recipient but goes only to it. Source: docs/fiscal/events.md (575).
 */
function isForCompany({ kind, issuer, recipient, key }: DocumentSummary, company: string): boolean {
  if (issuer?.id === company || key === undefined) return false;
  if (kind === 'nfe') return recipient?.id === company;
  const checked = checkAccessKey(key);
  return kind === 'summary' && (!checked.ok || checked.value.kind === 'nfe');
}

function waitingNote(
  { document, key, delivered, known }: Candidate,
  earlier: readonly JournalEntry[],
  now: Date,
  timeZone: string,
): Waiting | undefined {
  const named = (state: JournalEntry['state']) =>
    earlier
      .filter((entry) => entry.state === state)
      .flatMap(({ event = '' }) => eventByCode(event)?.name ?? []);
  const done = named('done');
  if (conclusive.some((name) => done.includes(name))) return undefined;
  const isBeside = (name: EventName) => !delivered.has(name);
  const elsewhere: RestsOn = [...known].some(isBeside) ? 'service' : 'documents';
  const rests_on = named('unknown').length > 0 ? 'unclear' : done.some(isBeside) ? 'journal' : elsewhere;
  const acknowledged = known.has('ciencia') || done.includes('ciencia');
  const authorizedAt = document.summary.protocol?.at ?? '';
  const deadline = (event: EventName) => deadlineOf(event, { authorizedAt }, now, timeZone);
  const [ciencia, conclusion] = [deadline('ciencia'), deadline('confirmacao')];
  const isConfirmed = conclusion?.tacit === 'yes';
  const status = isConfirmed ? 'tacitly_confirmed' : acknowledged ? 'acknowledged' : 'open';
  return { document, key, status, acknowledged, ciencia, conclusion, rests_on };
}

/** Sorts notes past their deadline last, tacitly confirmed ones behind them. */
const OVER = 100_000;
const CONFIRMED = 200_000;
/** A note without a known deadline precedes those past theirs. */
const UNKNOWN = 9_999;

function urgency({ acknowledged, ciencia, conclusion, status }: Waiting): number {
  if (status === 'tacitly_confirmed') return CONFIRMED - (conclusion?.daysLeft ?? 0);
  const [ten, all] = [ciencia?.daysLeft ?? -1, conclusion?.daysLeft ?? UNKNOWN];
  if (!acknowledged && ten >= 0) return ten;
  return all >= 0 ? all : OVER;
}

const totalOf = ({ document }: Waiting): string => document.summary.totals.total ?? '0';

/** Earliest deadline first, then the larger amount. */
function byUrgency(one: Waiting, other: Waiting): number {
  return urgency(one) - urgency(other) || compareDecimals(totalOf(other), totalOf(one));
}

/** Notes that the company may still have to manifest, most urgent first. */
export async function waitingNotes(archive: Archive, selection: Selection, { company, signal }: CallContext) {
  const candidates: Candidate[] = [];
  let documents = 0;
  let notOurs = 0;
  for await (const document of archive.read(selection)) {
    signal.throwIfAborted();
    documents += 1;
    const { key } = document.summary;
    if (key === undefined || !isForCompany(document.summary, selection.company)) {
      notOurs += 1;
      continue;
    }
    const candidate = candidateOf(document, key);
    if (!conclusive.some((name) => candidate.known.has(name))) candidates.push(candidate);
  }
  const { journal } = await company.writeGuards();
  const history = await journal.history({ keys: candidates.map(({ key }) => key) });
  const byKey = new Map<string | undefined, JournalEntry[]>();
  for (const entry of history) byKey.set(entry.key, [...(byKey.get(entry.key) ?? []), entry]);
  const now = new Date(company.now());
  const notes = candidates.flatMap((candidate) => {
    const earlier = byKey.get(candidate.key) ?? [];
    return waitingNote(candidate, earlier, now, company.settings.timeZone) ?? [];
  });
  return { notes: notes.sort(byUrgency), documents, notOurs };
}

/** Look-ups per call; each note may take three. */
const MOST_CALLS = 30;
const LONGEST_MS = 10_000;

type Status = KeyResult['status'];

/** Excessive use: the service wants no calls for a while. */
const TOO_MANY_REQUESTS = '656';
/** Refusals and hints at other events, which say nothing about the event itself. */
const SAYS_NOTHING = new Set(['236', '489', '490', '491', '493', '655', TOO_MANY_REQUESTS]);

/**
 * Looks up the notes shown within the limits of calls and time; drops those settled at the service.
 * @param onAsked progress: look-ups done, and their maximum
 * @throws Cancelled when the caller disconnects
 */
export async function askService(
  notes: readonly Waiting[],
  context: CallContext,
  onAsked: (questions: number, most: number) => void,
): Promise<{ open: Waiting[]; settled: number }> {
  const most = Math.min(MOST_CALLS, notes.length * conclusive.length);
  const longest = Math.min(LONGEST_MS, context.deadline.workBy - Date.now());
  const stop = AbortSignal.any([context.signal, AbortSignal.timeout(Math.max(1, longest))]);
  let calls = 0;
  let isFailing = false;

  /** Undefined for a look-up not made or not answered. */
  const ask = async (key: string, event: EventName): Promise<Status | undefined> => {
    if (isFailing || stop.aborted || calls >= most) return undefined;
    calls += 1;
    try {
      const { status, status_code: code = '' } = await askEventStatus(key, event, context, stop);
      onAsked(calls, most);
      isFailing = code === TOO_MANY_REQUESTS;
      return SAYS_NOTHING.has(code) ? 'unknown' : status;
    } catch (error) {
      if (!(error instanceof UpstreamError) || context.signal.aborted) throw error;
      isFailing = true;
      return undefined;
    }
  };

  const open: Waiting[] = [];
  for (const note of notes) {
    const answers: Status[] = [];
    for (const event of conclusive) {
      const status = await ask(note.key, event);
      if (status !== undefined) answers.push(status);
      if (status === 'done') break;
    }
    if (answers.includes('done')) continue;
    const isUnclear = answers.some((status) => status !== 'refused');
    const isAnswered = answers.length === conclusive.length;
    open.push({ ...note, rests_on: isUnclear ? 'unclear' : isAnswered ? 'service' : note.rests_on });
  }
  return { open, settled: notes.length - open.length };
}
