import * as z from 'zod';
import { operationLabel } from '../../clients/documents/operations.ts';
import type { CallContext } from '../../company/call-context.ts';
import { explainFailure } from '../../company/failures.ts';
import { type EventName, manifestationEvents } from '../../documents/events/manifestation.ts';
import { meaningOfStatus } from '../../documents/events/statuses.ts';
import { checkAccessKey, normalizeKey } from '../../documents/identity/keys.ts';
import { asWord, quoted } from '../../documents/untrusted.ts';
import { RecordUnusable } from '../../writes/data-folder.ts';
import { isOpen } from '../../writes/journal.ts';
import { eventsNamedIn } from '../../writes/outcome.ts';
import { sentences } from '../shared/answer-result.ts';
import { missing } from '../shared/arguments.ts';
import { readTool, texts } from '../shared/definition.ts';
import { eventArgument, onlyRaw, rawEvent, shared } from '../shared/parameters.ts';
import { checkedValue, type KeyResult, layoutOf, rememberEvents, resultOf } from './sending.ts';

interface Asked {
  readonly key?: string | undefined;
  readonly event?: EventName | undefined;
  /** Sent as it is, instead of an event of the service's layout. */
  readonly raw?: string | undefined;
}

/** Looks up whether an event is registered, and remembers it. @throws BadArguments, the service's error */
export async function lookUpEvent({ key, event, raw }: Asked, context: CallContext, signal: AbortSignal) {
  if (raw === undefined && key === undefined) throw missing('key', context);
  if (raw === undefined && event === undefined) throw missing('event', context);
  const question =
    key !== undefined && event !== undefined && raw === undefined
      ? checkedValue((await layoutOf(context)).render({ key, event }), context)
      : onlyRaw(raw ?? '', { key, event }, context);
  const client = await context.company.documents();
  const record = await client.call('nfeEventStatus', { event: question }, { signal });
  const asked = event && manifestationEvents[event].code;
  const found = normalizeKey(record.key ?? '');
  const isOfAnother = key !== undefined && record.key !== undefined && found !== key;
  const result = resultOf(key ?? found, record, asked);
  if (!isOfAnother && checkAccessKey(result.key).ok) {
    const [named, ...others] = eventsNamedIn(record);
    await rememberEvents([result], asked ?? (others.length > 0 ? undefined : named), 'service', context);
  }
  return { result, isOfAnother, found: record.key };
}

/** Settles earlier open writes of this event. */
async function settle(result: KeyResult, event: EventName, context: CallContext): Promise<string[]> {
  const { company, translator } = context;
  const { key, status } = result;
  if (status !== 'done') return [];
  try {
    const { journal } = await company.writeGuards();
    const history = await journal.history({ keys: [key] });
    const { code } = manifestationEvents[event];
    const open = history.filter((entry) => isOpen(entry) && entry.event === code);
    for (const { id } of open) await journal.finish(id, [result]);
    return open.map(({ at }) => translator.say('result.settled', { at: translator.moment(at) }));
  } catch (error) {
    // The look-up's answer stands without the journal.
    if (!(error instanceof RecordUnusable)) throw error;
    return [explainFailure(error, translator) ?? ''];
  }
}

export const getNfeEventStatus = readTool({
  name: 'get_nfe_event_status',
  group: 'manifestation',
  description: 'Look up whether an event is registered on an NF-e; settles writes with unknown outcome.',
  input: () =>
    z.strictObject({
      key: shared.key().optional(),
      event: eventArgument().optional(),
      raw_event: rawEvent(),
    }),
  output: () =>
    z.object({
      operation: z.string(),
      key: z.string().optional(),
      success: z.int().optional(),
      ...texts('message', 'status_code', 'meaning'),
    }),
  async run({ key: asked, event, raw_event: raw }, context) {
    const { translator, signal } = context;
    const { result, isOfAnother, found } = await lookUpEvent(
      { key: asked?.key, event, raw },
      context,
      signal,
    );
    const { success, message, status_code } = result;
    const known = meaningOfStatus(status_code);
    const meaning = known && translator.say(`event_status.${known}`);
    const key = found ?? asked?.key;
    const said = success === undefined ? undefined : `Sucesso=${success}`;
    const facts = [key && asWord(key), status_code, meaning, said, message && quoted(message)];
    return {
      structured: {
        operation: operationLabel('nfeEventStatus'),
        key,
        success,
        message,
        status_code,
        meaning,
      },
      text: sentences(
        facts.filter(Boolean).join(' | '),
        isOfAnother && translator.say('result.other_key', { found: found ?? '', asked: asked?.key ?? '' }),
        event !== undefined && !isOfAnother && (await settle(result, event, context)),
        translator.say('assumption.undocumented_values'),
      ),
    };
  },
});
