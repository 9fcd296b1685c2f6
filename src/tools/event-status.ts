import * as z from 'zod';
import { operationLabel } from '../clients/tax-documents/operations.ts';
import { normalizeKey } from '../documents/keys.ts';
import { type EventName, manifestationEvents, meaningOfStatus } from '../documents/manifestation.ts';
import { DataFolderUnusable } from '../writes/data-folder.ts';
import { BadArguments } from './arguments.ts';
import { readTool, type ToolContext } from './definition.ts';
import { explainFailure } from './failure.ts';
import { eventArgument, layoutOf, missing, onlyRaw, rawEvent } from './manifestation-arguments.ts';
import { type KeyResult, resultOf } from './manifestation-sending.ts';
import { shared } from './parameters.ts';

/** The question about an event in the service's layout; a justification has no part in it. */
async function questionFor(key: string, event: EventName, context: ToolContext): Promise<string> {
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
  context: ToolContext,
  signal = context.signal,
): Promise<KeyResult> {
  const client = await context.services.documents();
  const question = await questionFor(key, event, context);
  const record = await client.call('nfeEventStatus', { event: question }, { signal });
  const isOfKey = record.key === undefined || normalizeKey(record.key) === key;
  return resultOf(key, isOfKey ? record : undefined, manifestationEvents[event].code);
}

/** Writes what was learnt into the journal, for earlier writes of this event whose outcome is not known. */
async function settle(
  result: KeyResult,
  event: EventName,
  { services, translator }: ToolContext,
): Promise<string[]> {
  if (result.status !== 'done') return [];
  const { code } = manifestationEvents[event];
  const { key, status, status_code: statusCode, message } = result;
  try {
    const { journal } = await services.writeGuards();
    const open = (await journal.open()).filter((entry) => entry.key === key && entry.event === code);
    for (const { id } of open) await journal.finish(id, [{ key, status, statusCode, message }]);
    return open.map(({ at }) => translator.say('result.settled', { at }));
  } catch (error) {
    // The answer about the event stands without the journal.
    if (!(error instanceof DataFolderUnusable)) throw error;
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
      message: z.string().optional(),
      status_code: z.string().optional(),
      meaning: z.string().optional(),
    }),
  async run({ key, event, raw_event: raw }, context) {
    const { translator, signal, services } = context;
    if (raw === undefined && key === undefined) throw missing('key', context);
    if (raw === undefined && event === undefined) throw missing('event', context);
    const question =
      raw === undefined && key !== undefined && event !== undefined
        ? await questionFor(key.key, event, context)
        : onlyRaw(raw ?? '', { key, event }, context);
    const client = await services.documents();
    const record = await client.call('nfeEventStatus', { event: question }, { signal });
    const isOfAnother = key !== undefined && record.key !== undefined && normalizeKey(record.key) !== key.key;
    const asked = event && manifestationEvents[event].code;
    const result = resultOf(key?.key ?? record.key ?? '', record, asked);
    const { success, message, status_code: code } = result;
    const known = code === undefined ? undefined : meaningOfStatus(code);
    const meaning = known === undefined ? undefined : translator.say(`event_status.${known}`);
    const facts = { key: record.key ?? key?.key, success, message, status_code: code, meaning };
    return {
      structured: {
        operation: operationLabel('nfeEventStatus'),
        ...Object.fromEntries(Object.entries(facts).filter(([, value]) => value !== undefined)),
      },
      text: [
        [facts.key, code, meaning, success === undefined ? undefined : `Sucesso=${success}`, message]
          .filter((part) => part !== undefined && part !== '')
          .join(' | '),
        ...(isOfAnother
          ? [translator.say('result.other_key', { found: record.key ?? '', asked: key.key })]
          : []),
        ...(event !== undefined && !isOfAnother ? await settle(result, event, context) : []),
        translator.say('assumption.undocumented_values'),
      ].join('\n'),
    };
  },
});
