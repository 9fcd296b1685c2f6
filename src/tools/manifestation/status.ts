import type { EventLayout } from '../../clients/documents/event-layout.ts';
import type { CallContext } from '../../company/call-context.ts';
import { BadArguments, explainFailure, Unfulfilled } from '../../company/failures.ts';
import { type EventName, manifestationEvents } from '../../documents/events/manifestation.ts';
import { normalizeKey } from '../../documents/identity/keys.ts';
import { RecordUnusable } from '../../writes/unusable.ts';
import { type KeyResult, rememberEvents, resultOf } from './sending.ts';

/** The layout of `DFE_EVENT_TEMPLATE`. @throws Unfulfilled where the template cannot be used */
export async function layoutOf({ company, translator }: CallContext): Promise<EventLayout> {
  const { createEventLayout } = await import('../../clients/documents/event-layout.ts');
  const layout = createEventLayout(company.settings.eventTemplate);
  if (layout.ok) return layout.value;
  throw new Unfulfilled('failure.event_template', { words: translator.problem(layout.problem) });
}

/** The question about an event in the service's layout; a justification has no part in it. */
export async function questionFor(key: string, event: EventName, context: CallContext): Promise<string> {
  const rendered = (await layoutOf(context)).render({ key, event });
  if (rendered.ok) return rendered.value;
  throw new BadArguments([context.translator.problem(rendered.problem)]);
}

/**
 * Asks the service whether an event is registered on a note.
 * @param signal ends the call, where that is another than the caller's own
 * @throws what the service answered
 */
export async function askEventStatus(
  key: string,
  event: EventName,
  context: CallContext,
  signal = context.signal,
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

/** Writes what was learnt into the journal, for earlier writes of this event whose outcome is not known. */
export async function settle(
  result: KeyResult,
  event: EventName,
  { company, translator }: CallContext,
): Promise<string[]> {
  if (result.status !== 'done') return [];
  const { code } = manifestationEvents[event];
  const { key, status, status_code: statusCode, message } = result;
  try {
    const { journal } = await company.writeGuards();
    const open = (await journal.open()).filter((entry) => entry.key === key && entry.event === code);
    for (const { id } of open) await journal.finish(id, [{ key, status, statusCode, message }]);
    return open.map(({ at }) => translator.say('result.settled', { at: translator.moment(at) }));
  } catch (error) {
    // The answer about the event stands without the journal.
    if (!(error instanceof RecordUnusable)) throw error;
    return [explainFailure(error, translator) ?? ''];
  }
}
