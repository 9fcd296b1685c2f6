import type { EventOrigin } from '../../archive/archive.ts';
import { ArchiveError } from '../../archive/errors.ts';
import type { EventLayout, EventRequest } from '../../clients/documents/event-layout.ts';
import type { EventRecord } from '../../clients/documents/replies/results.ts';
import { Refused } from '../../clients/errors.ts';
import { type CallContext, ConflictingWrite } from '../../company/call-context.ts';
import { BadArguments, explainFailure, Unfulfilled } from '../../company/failures.ts';
import { eventByCode } from '../../documents/events/manifestation.ts';
import { normalizeKey } from '../../documents/identity/keys.ts';
import type { Checked } from '../../documents/problems.ts';
import { RecordUnusable } from '../../writes/data-folder.ts';
import type { Intent, JournalEntry, Outcome, Scope } from '../../writes/journal.ts';
import { outcomeOfRecord } from '../../writes/outcome.ts';
import { abortAfterGrace, failedWrite, journaledWrite } from '../shared/journaled-write.ts';

export interface KeyResult extends Outcome {
  readonly key: string;
  readonly success?: number | undefined;
  /** Whether the message is the service's, rather than our own. */
  readonly isQuoted?: boolean;
}

/** Requests of one confirmed write, each journaled by itself. */
export interface Sending {
  readonly requests: readonly EventRequest[];
  readonly isBatch: boolean;
  readonly intent: Omit<Intent, 'keys'>;
  /** Earlier writes shown in the preview. */
  readonly known: readonly JournalEntry[];
}

/** Writes that a request would repeat or contradict: those on its keys, or of the same text if it names none. */
export function scopeOf(keys: readonly string[], subject = ''): Scope {
  return keys.length > 0 ? { keys } : { subject };
}

/** Converts a record to a result. @param asked event code of a look-up */
export function resultOf(key: string, record: EventRecord, asked?: string): KeyResult {
  const { success, message } = record;
  return { key, ...outcomeOfRecord(record, asked), success, message, isQuoted: true };
}

/** Matches records by key; a single record without key matches a single key. Contradicting ones leave it unknown. */
function matchRecords(keys: readonly string[], records: readonly EventRecord[]): KeyResult[] {
  if (keys.length === 0) return records.map((record) => resultOf(record.key ?? '', record));
  const isNamed = keys.length > 1 || records.length > 1 || records[0]?.key !== undefined;
  return keys.map((key) => {
    const own = records.filter((record) => !isNamed || normalizeKey(record.key ?? '') === key);
    const results = own.map((record) => resultOf(key, record));
    const [first = { key, status: 'unknown' }, ...others] = results;
    if (others.every(({ status }) => status === first.status)) return first;
    const message = results.flatMap((result) => result.message ?? []).join(' / ');
    return { key, status: 'unknown', message, isQuoted: true };
  });
}

/** Stores the outcome of a write or look-up in the archive; a failure goes to standard error. */
export async function rememberEvents(
  results: readonly KeyResult[],
  code: string | undefined,
  from: Extract<EventOrigin, 'write' | 'service'>,
  { company, translator }: CallContext,
): Promise<void> {
  const event = eventByCode(code ?? '');
  if (event === undefined) return;
  const askedAt = new Date(company.now());
  const at = from === 'write' ? askedAt.toISOString() : undefined;
  const known = { code: event.code, name: event.description, at, registered: true, from, askedAt };
  try {
    for (const { key, status } of results) {
      if (status === 'done') await company.memory.note({ key, ...known });
    }
  } catch (error) {
    if (!(error instanceof ArchiveError)) throw error;
    console.error(explainFailure(error, translator));
  }
}

/** @throws BadArguments with the problem */
export function checkedValue<T>(checked: Checked<T>, { translator }: CallContext): T {
  if (checked.ok) return checked.value;
  throw new BadArguments([translator.problem(checked.problem)]);
}

/** The layout of `DFE_EVENT_TEMPLATE`. @throws Unfulfilled when the template is unusable */
export async function layoutOf({ company, translator }: CallContext): Promise<EventLayout> {
  const { createEventLayout } = await import('../../clients/documents/event-layout.ts');
  const layout = createEventLayout(company.settings.eventTemplate);
  if (layout.ok) return layout.value;
  throw new Unfulfilled('failure.event_template', { words: translator.problem(layout.problem) });
}

interface Sent {
  readonly results: readonly KeyResult[];
  /** Why the remaining requests are not sent, in the person's language. */
  readonly stop?: string | undefined;
}

const sameForAll = (keys: readonly string[], status: KeyResult['status'], message: string): KeyResult[] =>
  (keys.length > 0 ? keys : ['']).map((key) => ({ key, status, message }));

/** Further requests would be refused too: credentials or operation are not accepted. */
const permanentStatuses: readonly (number | undefined)[] = [401, 403, 404, 405];

async function post(
  { keys, text }: EventRequest,
  isBatch: boolean,
  signal: AbortSignal,
  { company, deadline, translator }: CallContext,
): Promise<Sent> {
  const options = { signal, startBy: deadline.over };
  try {
    const client = await company.documents();
    const records = isBatch
      ? await client.call('manifestBatch', { events: text }, options)
      : [await client.call('manifest', { event: text }, options)];
    return { results: matchRecords(keys, records) };
  } catch (error) {
    const { status, words } = failedWrite(error, translator);
    const isPermanent = error instanceof Refused && permanentStatuses.includes(error.refusal.status);
    const stop = isPermanent ? translator.say('result.stopped_after_refusal') : undefined;
    return { results: sameForAll(keys, status, words), stop };
  }
}

/** Journal outcomes: one per key, or one for the write if its keys are unknown. */
function outcomesOf(keys: readonly string[], results: readonly KeyResult[]): readonly Outcome[] {
  if (keys.length > 0) return results;
  const [first, ...others] = results;
  const isOne = first !== undefined && others.every(({ status }) => status === first.status);
  return [isOne ? { ...first, key: undefined } : { status: 'unknown' }];
}

/**
 * Sends requests in turn; cancelling stops before the next. Every key gets a result.
 * @throws RecordUnusable, ConflictingWrite before the first was sent
 */
export async function sendEvents({ requests, isBatch, intent, known }: Sending, context: CallContext) {
  const { translator, caller, deadline } = context;
  const signal = abortAfterGrace(caller);
  const results: KeyResult[] = [];
  let stop: string | undefined;
  for (const [index, request] of requests.entries()) {
    const { keys } = request;
    if (caller.aborted) stop ??= translator.say('result.cancelled_before');
    if (deadline.over.aborted) stop ??= translator.say('result.no_time_left');
    if (stop !== undefined) {
      results.push(...sameForAll(keys, 'not_sent', stop));
      continue;
    }
    const write = {
      intent: { ...intent, keys },
      scope: scopeOf(keys, intent.subject),
      known,
      send: () => post(request, isBatch, signal, context),
      outcomesOf: (sent: Sent) => outcomesOf(keys, sent.results),
      afterwards: (sent: Sent) => rememberEvents(sent.results, intent.event, 'write', context),
    };
    try {
      const sent = await journaledWrite(write, context);
      results.push(...(sent?.results ?? sameForAll(keys, 'unknown', translator.say('result.still_awaited'))));
      stop = sent === undefined ? translator.say('result.no_time_left') : sent.stop;
    } catch (error) {
      const isRefused = error instanceof RecordUnusable || error instanceof ConflictingWrite;
      if (index === 0 || !isRefused) throw error;
      stop = explainFailure(error, translator) ?? translator.say('result.forestalled');
      results.push(...sameForAll(keys, 'not_sent', stop));
    }
    const words = translator.say('result.progress', { done: results.length });
    await context.progress(index + 1, requests.length, words);
  }
  return results;
}
