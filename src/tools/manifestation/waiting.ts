import * as z from 'zod';
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
import { deadlineOf } from '../../documents/events/objections.ts';
import { checkAccessKey } from '../../documents/identity/keys.ts';
import type { DocumentSummary } from '../../documents/summary/summary.ts';
import type { JournalEntry } from '../../writes/journal.ts';
import { texts } from '../shared/definition.ts';
import { lookUpEvent } from './tools.ts';

/** Events after which nothing more is expected of the recipient. */
const conclusive = eventNames.filter((name) => manifestationEvents[name].conclusive);

/** A note without a conclusive event, by documents and journal. No days if the authorisation is unknown. */
export const pendingShape = () =>
  z.object({
    key: z.string(),
    ...texts('number', 'issuer', 'issuer_name', 'total', 'authorized_at'),
    acknowledged: z.boolean().describe('Ciência is known to be registered'),
    status: z
      .enum(['open', 'acknowledged', 'tacitly_confirmed'])
      .describe('tacitly_confirmed: the 90 days are over'),
    days_left_ciencia: z.int().optional().describe('Of 10; negative: over'),
    days_left_conclusive: z.int().optional().describe('Of 90; negative: over'),
    conclusive_until: z.string().optional().describe('Last day, YYYY-MM-DD'),
    rests_on: z.enum(['documents', 'journal', 'service', 'unclear']),
  });

export type PendingNote = Readonly<z.infer<ReturnType<typeof pendingShape>>>;

/** Whether an event is still possible; a tacitly confirmed note is only listed. */
export const isWaiting = ({ status }: Pick<PendingNote, 'status'>): boolean => status !== 'tacitly_confirmed';

/** Effective manifestations of a document. */
function manifestedOn(document: Pick<StoredDocument, 'summary' | 'events'>): ReadonlySet<EventName> {
  return new Set(standingEvents(document).flatMap(({ code = '' }) => eventByCode(code)?.name ?? []));
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

/** The note as it waits, and whether it may be tacitly confirmed; undefined if it is settled. */
function waitingNote(document: StoredDocument, earlier: readonly JournalEntry[], { company }: CallContext) {
  const { key = '', number, issuer, totals, protocol } = document.summary;
  const manifested = manifestedOn(document);
  const written = (state: JournalEntry['state']) =>
    earlier.flatMap((one) => (one.state === state ? (eventByCode(one.event ?? '')?.name ?? []) : []));
  const done = written('done');
  if (conclusive.some((name) => done.includes(name))) return undefined;
  const events = document.events.filter(({ from }) => ['document', 'list', 'files'].includes(from));
  const delivered = manifestedOn({ ...document, events });
  const isBeside = (name: EventName) => !delivered.has(name);
  const elsewhere = [...manifested].some(isBeside) ? 'service' : 'documents';
  const acknowledged = manifested.has('ciencia') || done.includes('ciencia');
  const [ciencia, conclusion] = (['ciencia', 'confirmacao'] as const).map((event) =>
    deadlineOf(
      event,
      { authorizedAt: protocol?.at ?? '' },
      new Date(company.now()),
      company.settings.timeZone,
    ),
  );
  const open = acknowledged ? 'acknowledged' : 'open';
  const note: PendingNote = {
    key,
    number: number || undefined,
    issuer: issuer?.id || undefined,
    issuer_name: issuer?.name || undefined,
    total: totals.total || undefined,
    authorized_at: protocol?.at || undefined,
    acknowledged,
    status: conclusion?.tacit === 'yes' ? 'tacitly_confirmed' : open,
    days_left_ciencia: ciencia?.daysLeft,
    days_left_conclusive: conclusion?.daysLeft,
    conclusive_until: conclusion?.lastDay,
    rests_on: written('unknown').length > 0 ? 'unclear' : done.some(isBeside) ? 'journal' : elsewhere,
  };
  return { note, isPerhapsConfirmed: conclusion?.tacit === 'unclear' };
}

/** Days by which a note sorts behind those with less; one without a known deadline precedes those past theirs. */
const UNKNOWN = 9_999;
const OVER = 100_000;
const CONFIRMED = 200_000;

function urgency({
  acknowledged,
  status,
  days_left_ciencia = -1,
  days_left_conclusive,
}: PendingNote): number {
  if (status === 'tacitly_confirmed') return CONFIRMED - (days_left_conclusive ?? 0);
  if (!acknowledged && days_left_ciencia >= 0) return days_left_ciencia;
  const days = days_left_conclusive ?? UNKNOWN;
  return days >= 0 ? days : OVER;
}

/** Notes that the company may still have to manifest: earliest deadline first, then the larger amount. */
export async function waitingNotes(archive: Archive, selection: Selection, context: CallContext) {
  const candidates: StoredDocument[] = [];
  let documents = 0;
  let notOurs = 0;
  for await (const document of archive.read(selection)) {
    context.signal.throwIfAborted();
    documents += 1;
    if (!isForCompany(document.summary, selection.company)) {
      notOurs += 1;
      continue;
    }
    const manifested = manifestedOn(document);
    if (!conclusive.some((name) => manifested.has(name))) candidates.push(document);
  }
  const { journal } = await context.company.writeGuards();
  const history = await journal.history({ keys: candidates.flatMap(({ summary }) => summary.key ?? []) });
  const byKey = new Map<string | undefined, JournalEntry[]>();
  for (const entry of history) byKey.set(entry.key, [...(byKey.get(entry.key) ?? []), entry]);
  const waiting = candidates.flatMap(
    (document) => waitingNote(document, byKey.get(document.summary.key) ?? [], context) ?? [],
  );
  const notes = waiting
    .map(({ note }) => note)
    .sort(
      (one, other) => urgency(one) - urgency(other) || compareDecimals(other.total ?? '0', one.total ?? '0'),
    );
  return { notes, documents, notOurs, isAnyUnclear: waiting.some((one) => one.isPerhapsConfirmed) };
}

/** Look-ups per call; each note may take three. */
const MOST_CALLS = 30;
const LONGEST_MS = 10_000;

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
  notes: readonly PendingNote[],
  context: CallContext,
  onAsked: (questions: number, most: number) => void,
): Promise<{ open: PendingNote[]; settled: number }> {
  const most = Math.min(MOST_CALLS, notes.length * conclusive.length);
  const longest = Math.min(LONGEST_MS, context.deadline.workBy - Date.now());
  const stop = AbortSignal.any([context.signal, AbortSignal.timeout(Math.max(1, longest))]);
  let calls = 0;
  let isFailing = false;

  /** Undefined for a look-up not made or not answered. */
  const ask = async (key: string, event: EventName) => {
    if (isFailing || stop.aborted || calls >= most) return undefined;
    calls += 1;
    try {
      const { result, isOfAnother } = await lookUpEvent({ key, event }, context, stop);
      onAsked(calls, most);
      isFailing = result.status_code === TOO_MANY_REQUESTS;
      return isOfAnother || SAYS_NOTHING.has(result.status_code ?? '') ? 'unknown' : result.status;
    } catch (error) {
      if (!(error instanceof UpstreamError) || context.signal.aborted) throw error;
      isFailing = true;
      return undefined;
    }
  };

  const open: PendingNote[] = [];
  for (const note of notes) {
    const answers: string[] = [];
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
