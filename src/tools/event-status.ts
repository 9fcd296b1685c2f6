import * as z from 'zod';
import { operationLabel } from '../clients/documents/operations.ts';
import { manifestationEvents } from '../documents/events/manifestation.ts';
import { meaningOfStatus } from '../documents/events/statuses.ts';
import { checkAccessKey, normalizeKey } from '../documents/identity/keys.ts';
import { asWord, quoted } from '../documents/untrusted.ts';
import { eventsNamedIn } from '../writes/outcome.ts';
import { questionFor, rememberEvents, resultOf, settle } from './manifestation/sending.ts';
import { readTool } from './shared/definition.ts';
import { eventArgument, missing, onlyRaw, rawEvent, shared } from './shared/parameters.ts';

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
    const { translator, signal, company } = context;
    if (raw === undefined && key === undefined) throw missing('key', context);
    if (raw === undefined && event === undefined) throw missing('event', context);
    const question =
      raw === undefined && key !== undefined && event !== undefined
        ? await questionFor(key.key, event, context)
        : onlyRaw(raw ?? '', { key, event }, context);
    const client = await company.documents();
    const record = await client.call('nfeEventStatus', { event: question }, { signal });
    const isOfAnother = key !== undefined && record.key !== undefined && normalizeKey(record.key) !== key.key;
    const asked = event && manifestationEvents[event].code;
    const result = resultOf(key?.key ?? normalizeKey(record.key ?? ''), record, asked);
    if (!isOfAnother && checkAccessKey(result.key).ok) {
      const [named, ...others] = eventsNamedIn(record);
      await rememberEvents([result], asked ?? (others.length > 0 ? undefined : named), 'service', context);
    }
    const { success, message, status_code: code } = result;
    const known = meaningOfStatus(code);
    const meaning = known === undefined ? undefined : translator.say(`event_status.${known}`);
    const facts = { key: record.key ?? key?.key, success, message, status_code: code, meaning };
    return {
      structured: {
        operation: operationLabel('nfeEventStatus'),
        ...facts,
      },
      text: [
        [
          facts.key && asWord(facts.key),
          code,
          meaning,
          success === undefined ? undefined : `Sucesso=${success}`,
          message && quoted(message),
        ]
          .filter((part) => part !== undefined && part !== '')
          .join(' | '),
        ...(isOfAnother
          ? [translator.say('result.other_key', { found: record.key ?? '', asked: key.key })]
          : []),
        ...(event !== undefined && !isOfAnother ? await settle(result, event, context) : []),
        translator.say('assumption.undocumented_values'),
      ],
    };
  },
});
