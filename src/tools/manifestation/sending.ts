import type { EventOrigin } from '../../archive/archive.ts';
import { ArchiveError } from '../../archive/errors.ts';
import type { BatchPart, EventLayout } from '../../clients/documents/event-layout.ts';
import { operationLabel } from '../../clients/documents/operations.ts';
import type { EventRecord } from '../../clients/documents/replies/results.ts';
import { Refused } from '../../clients/errors.ts';
import { type CallContext, ConflictingWrite } from '../../company/call-context.ts';
import { whileCallLasts } from '../../company/deadline.ts';
import { BadArguments, explainFailure, reportUnexpected, Unfulfilled } from '../../company/failures.ts';
import { type EventName, eventByCode, manifestationEvents } from '../../documents/events/manifestation.ts';
import { normalizeKey } from '../../documents/identity/keys.ts';
import { RecordUnusable } from '../../writes/data-folder.ts';
import type { Intent, Outcome, OutcomeStatus, Scope } from '../../writes/journal.ts';
import { outcomeOfRecord } from '../../writes/outcome.ts';
import { abortAfterGrace, failedWrite, journaledWrite } from '../shared/journaled-write.ts';

export interface KeyResult {
  key: string;
  status: OutcomeStatus;
  success?: number;
  message?: string;
  isQuoted?: boolean;
  status_code?: string;
}

/** A request: its keys, its text and its journal intent. */
export interface Sending {
  readonly keys: readonly string[];
  readonly text: string;
  readonly intent: Omit<Intent, 'operation' | 'service' | 'keys'>;
  readonly isBatch: boolean;
  /** Ids of earlier writes shown in the preview. */
  readonly known: ReadonlySet<string>;
}

/** Writes that a request would repeat or contradict: those on its keys, or of the same event if keys are unknown. */
export function scopeOf({ keys, intent }: Pick<Sending, 'keys' | 'intent'>): Scope {
  return keys.length > 0 ? { keys } : { subject: intent.subject ?? '', args: intent.args };
}

/** Converts a record to a result. @param asked event code of a look-up */
export function resultOf(key: string, record: EventRecord | undefined, asked?: string): KeyResult {
  if (record === undefined) return { key, status: 'unknown' };
  const { status, statusCode: status_code } = outcomeOfRecord(record, asked);
  return { key, status, success: record.success, message: record.message, isQuoted: true, status_code };
}

/** Contradicting records of one key leave its outcome unknown; all messages are passed on. */
function resultOfAll(key: string, records: readonly EventRecord[]): KeyResult {
  const results = records.map((record) => resultOf(key, record));
  const [first, ...others] = results;
  if (first === undefined) return resultOf(key, undefined);
  if (others.every(({ status }) => status === first.status)) return first;
  const message = results.flatMap((result) => result.message ?? []).join(' / ');
  return { key, status: 'unknown', message, isQuoted: true };
}

/** Matches records by key; a single record without key matches a single key. */
function matchRecords(keys: readonly string[], records: readonly EventRecord[]): KeyResult[] {
  const [only] = records;
  if (keys.length === 0) return records.map((record) => resultOf(record.key ?? '', record));
  if (keys.length === 1 && records.length === 1 && only?.key === undefined) {
    return keys.map((key) => resultOf(key, only));
  }
  const ofKey = (key: string) => records.filter((record) => normalizeKey(record.key ?? '') === key);
  return keys.map((key) => resultOfAll(key, ofKey(key)));
}

/** Stores the outcome of a write or look-up in the archive; a failure goes to standard error. */
export async function rememberEvents(
  results: readonly { readonly key: string; readonly status: string }[],
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

/** The layout of `DFE_EVENT_TEMPLATE`. @throws Unfulfilled when the template is unusable */
export async function layoutOf({ company, translator }: CallContext): Promise<EventLayout> {
  const { createEventLayout } = await import('../../clients/documents/event-layout.ts');
  const layout = createEventLayout(company.settings.eventTemplate);
  if (layout.ok) return layout.value;
  throw new Unfulfilled('failure.event_template', { words: translator.problem(layout.problem) });
}

/** Builds a look-up in the service's layout, without justification. */
export async function questionFor(key: string, event: EventName, context: CallContext): Promise<string> {
  const rendered = (await layoutOf(context)).render({ key, event });
  if (rendered.ok) return rendered.value;
  throw new BadArguments([context.translator.problem(rendered.problem)]);
}

/** Looks up whether an event is registered. @throws the service's error */
export async function askEventStatus(
  key: string,
  event: EventName,
  context: CallContext,
  signal: AbortSignal,
): Promise<KeyResult> {
  const client = await context.company.documents();
  const question = await questionFor(key, event, context);
  const record = await client.call('nfeEventStatus', { event: question }, { signal });
  const isOfKey = record.key === undefined || normalizeKey(record.key) === key;
  const { code } = manifestationEvents[event];
  const result = resultOf(key, isOfKey ? record : undefined, code);
  await rememberEvents([result], code, 'service', context);
  return result;
}

/** Settles earlier open writes of this event. */
export async function settle(
  { key, status, status_code: statusCode, message }: KeyResult,
  event: EventName,
  { company, translator }: CallContext,
): Promise<string[]> {
  if (status !== 'done') return [];
  const { code } = manifestationEvents[event];
  try {
    const { journal } = await company.writeGuards();
    const open = (await journal.open()).filter((entry) => entry.key === key && entry.event === code);
    for (const { id } of open) await journal.finish(id, [{ key, status, statusCode, message }]);
    return open.map(({ at }) => translator.say('result.settled', { at: translator.moment(at) }));
  } catch (error) {
    // The look-up's answer stands without the journal.
    if (!(error instanceof RecordUnusable)) throw error;
    return [explainFailure(error, translator) ?? ''];
  }
}

async function post(
  { isBatch, text }: Sending,
  { company, deadline }: CallContext,
  signal: AbortSignal,
): Promise<readonly EventRecord[]> {
  const client = await company.documents();
  const options = { signal, startBy: deadline.over };
  if (isBatch) return client.call('manifestBatch', { events: text }, options);
  return [await client.call('manifest', { event: text }, options)];
}

/** Journal outcomes: one per key, or one for the write if its keys are unknown. */
function outcomesOf(keys: readonly string[], results: readonly KeyResult[]): Outcome[] {
  const outcomes = results.map(({ status_code: statusCode, key, status, message }) => {
    return { key, status, statusCode, message };
  });
  if (keys.length > 0) return outcomes;
  const [first, ...others] = outcomes;
  const isOne = first !== undefined && others.every(({ status }) => status === first.status);
  return [isOne ? { ...first, key: undefined } : { status: 'unknown' }];
}

interface Sent {
  readonly results: readonly KeyResult[];
  /** Why the remaining requests are not sent, in the person's language. */
  readonly stop?: string | undefined;
}

const permanentStatuses: readonly (number | undefined)[] = [401, 403, 404, 405];

function failedResults(error: unknown, keys: readonly string[], { translator }: CallContext): Sent {
  const { status, words: message } = failedWrite(error, translator);
  // Further requests would be refused too: credentials or operation are not accepted.
  const isPermanent = error instanceof Refused && permanentStatuses.includes(error.refusal.status);
  return {
    results: sameForAll(keys, status, message),
    stop: isPermanent ? translator.say('result.stopped_after_refusal') : undefined,
  };
}

function sameForAll(keys: readonly string[], status: OutcomeStatus, message: string): KeyResult[] {
  return (keys.length > 0 ? keys : ['']).map((key) => ({ key, status, message }));
}

/** Sends a journaled request. @throws RecordUnusable, ConflictingWrite; nothing was sent then */
export async function send(
  sending: Sending,
  context: CallContext,
  signal = abortAfterGrace(context.caller),
): Promise<Sent> {
  const { translator } = context;
  const operation = operationLabel(sending.isBatch ? 'manifestBatch' : 'manifest');
  const { intent, keys, known } = sending;
  const { answered, settled } = await journaledWrite<Sent>(
    {
      intent: { ...intent, service: 'documents', operation, keys },
      scope: scopeOf(sending),
      known,
      send: () =>
        post(sending, context, signal).then(
          (records) => ({ results: matchRecords(keys, records) }),
          (error: unknown) => failedResults(error, keys, context),
        ),
      outcomesOf: ({ results }) => outcomesOf(keys, results),
    },
    context,
  );
  const remember = ({ results }: Sent) => rememberEvents(results, intent.event, 'write', context);
  if (answered !== undefined) {
    await whileCallLasts(remember(answered), context);
    return answered;
  }
  settled.then(remember).catch((error: unknown) => reportUnexpected(error, translator));
  const results = sameForAll(keys, 'unknown', translator.say('result.still_awaited'));
  return { results, stop: translator.say('result.no_time_left') };
}

/** Sends requests in turn; cancelling stops before the next. Every key gets a result. */
export async function sendParts(
  parts: readonly BatchPart[],
  { intent, known }: Pick<Sending, 'intent' | 'known'>,
  context: CallContext,
): Promise<KeyResult[]> {
  const { translator, caller, deadline } = context;
  const lateSignal = abortAfterGrace(caller);
  const results: KeyResult[] = [];
  let reason: string | undefined;
  for (const [index, { events, text }] of parts.entries()) {
    const keys = events.map(({ key }) => key);
    if (caller.aborted) reason ??= translator.say('result.cancelled_before');
    if (deadline.over.aborted) reason ??= translator.say('result.no_time_left');
    if (reason !== undefined) {
      results.push(...sameForAll(keys, 'not_sent', reason));
      continue;
    }
    try {
      const sent = await send({ keys, text, intent, known, isBatch: true }, context, lateSignal);
      results.push(...sent.results);
      reason = sent.stop;
    } catch (error) {
      if (error instanceof ConflictingWrite && index === 0) throw error;
      if (!(error instanceof RecordUnusable || error instanceof ConflictingWrite)) throw error;
      reason =
        error instanceof ConflictingWrite
          ? translator.say('result.forestalled')
          : (explainFailure(error, translator) ?? '');
      results.push(...sameForAll(keys, 'not_sent', reason));
    }
    await context.progress(
      index + 1,
      parts.length,
      translator.say('result.progress', { done: results.length }),
    );
  }
  return results;
}
