import * as z from 'zod';
import type { EventRequest } from '../../clients/documents/event-layout.ts';
import { encodeValue, operationLabel } from '../../clients/documents/operations.ts';
import type { CallContext, Plan } from '../../company/call-context.ts';
import { BadArguments, explainFailure } from '../../company/failures.ts';
import {
  checkManifestation,
  type EventName,
  manifestationEvents,
  normalizeJustification,
} from '../../documents/events/manifestation.ts';
import { meaningOfStatus } from '../../documents/events/statuses.ts';
import { type AccessKey, checkAccessKey, normalizeKey } from '../../documents/identity/keys.ts';
import { asWord, quoted } from '../../documents/untrusted.ts';
import type { Translator } from '../../messages/index.ts';
import { RecordUnusable } from '../../writes/data-folder.ts';
import { type Intent, isOpen } from '../../writes/journal.ts';
import { outcomeStatuses, sha256 } from '../../writes/journal-lines.ts';
import { eventsNamedIn, overallStatus } from '../../writes/outcome.ts';
import { missing } from '../shared/arguments.ts';
import { readTool, sentences, texts, writeTool } from '../shared/definition.ts';
import { confirmationToken, writeOutcomeShape } from '../shared/journaled-write.ts';
import { LONGEST_CONTENT } from '../shared/paging.ts';
import { eventArgument, justification, onlyRaw, rawEvent, shared } from '../shared/parameters.ts';
import { type EarlierWrites, previewEvent, previewRaw } from './preview.ts';
import {
  checkedValue,
  type KeyResult,
  layoutOf,
  rememberEvents,
  resultOf,
  scopeOf,
  sendEvents,
} from './sending.ts';

const manifestationOutput = () =>
  z.object({
    ...writeOutcomeShape(),
    results: z
      .array(
        z.object({
          key: z.string(),
          status: z.enum(outcomeStatuses),
          success: z.int().optional(),
          ...texts('message', 'status_code'),
        }),
      )
      .optional(),
  });

type ManifestationOutput = z.input<ReturnType<typeof manifestationOutput>>;

/** A line per key; messages are shortened evenly if they do not fit the answer. */
function resultLines(results: readonly KeyResult[], { say }: Translator): string[] {
  const linesWith = (longestMessage: number) =>
    results.map(({ key, status, status_code, success, message = '', isQuoted }) => {
      const said = message.length > longestMessage ? `${message.slice(0, longestMessage)}…` : message;
      return sentences(
        asWord(key),
        say(`result.${status}`),
        status_code,
        success !== undefined && `Sucesso=${success}`,
        said !== '' && (isQuoted ? quoted(said) : said),
      ).join(' | ');
    });
  const whole = linesWith(Number.POSITIVE_INFINITY);
  if (whole.join('\n').length <= LONGEST_CONTENT) return whole;
  const room = LONGEST_CONTENT - linesWith(0).join('\n').length;
  return [...linesWith(Math.max(0, Math.floor(room / results.length))), say('result.shortened')];
}

function answerWith(results: readonly KeyResult[], { translator }: CallContext) {
  const status = overallStatus(results.map((result) => result.status));
  return {
    structured: { status, results: results.map(({ isQuoted: _, ...result }) => result) },
    text: sentences(
      translator.say(`result.overall_${status}`),
      resultLines(results, translator),
      results.some((result) => result.status === 'unknown') && translator.say('result.look_up'),
      translator.say('assumption.undocumented_values'),
    ),
  };
}

/** What is sent, what the journal keeps of it, and its preview. */
interface Manifestation {
  readonly requests: readonly EventRequest[];
  readonly about: Pick<Intent, 'subject' | 'event' | 'args' | 'justification'>;
  preview(earlier: EarlierWrites): Promise<string[]>;
}

/** Computes the length of the request line with an event or a batch. */
async function lineLengths(isBatch: boolean, { company }: CallContext) {
  const client = await company.documents();
  const fixed = isBatch
    ? await client.requestLineLength('manifestBatch', { events: '' })
    : await client.requestLineLength('manifest', { event: '' });
  return (text: string) => fixed + encodeValue(text).length;
}

/** A raw event; the keys recognised inside it are journaled. */
async function rawManifestation(raw: string, isBatch: boolean, context: CallContext): Promise<Manifestation> {
  const keys = [...new Set(raw.match(/(?<![0-9A-Z])[0-9]{6}[0-9A-Z]{12}[0-9]{26}(?![0-9A-Z])/g))];
  const { fittingRequest } = await import('../../clients/documents/event-layout.ts');
  const request = fittingRequest({ keys, text: raw }, await lineLengths(isBatch, context));
  return {
    requests: [checkedValue(request, context)],
    about: { subject: keys.length > 0 ? undefined : `raw_event/${sha256(raw)}`, args: { raw } },
    preview: (earlier) => previewRaw(raw, keys, earlier, context),
  };
}

async function namedManifestation(
  given: readonly AccessKey[],
  event: EventName,
  written: string,
  isBatch: boolean,
  context: CallContext,
): Promise<Manifestation> {
  const { company, translator } = context;
  const { cnpj } = company.settings;
  const justification = normalizeJustification(written);
  const problems = checkManifestation({ keys: given, event, justification, company: cnpj });
  if (problems.length > 0)
    throw new BadArguments([...new Set(problems.map((problem) => translator.problem(problem)))]);
  const layout = await layoutOf(context);
  const { requestsOf } = await import('../../clients/documents/event-layout.ts');
  const options = { isBatch, lengthOf: await lineLengths(isBatch, context) };
  const { text } = justification;
  const keys = given.map(({ key }) => key);
  const events = keys.map((key) => ({ key, event, justification: text }));
  const declared = manifestationEvents[event];
  return {
    requests: checkedValue(requestsOf(events, layout, options), context),
    about: { event: declared.code, args: { event, keys }, justification: text || undefined },
    preview: (earlier) => previewEvent({ event: declared, keys, justification }, earlier, context),
  };
}

async function planManifestation(
  tool: 'manifest_nfe' | 'manifest_nfe_batch',
  asked: {
    readonly keys: readonly AccessKey[] | undefined;
    readonly event?: EventName | undefined;
    readonly justification?: string | undefined;
    readonly raw: string | undefined;
  },
  context: CallContext,
): Promise<Plan<ManifestationOutput>> {
  const isBatch = tool === 'manifest_nfe_batch';
  const naming = isBatch ? 'keys' : 'key';
  const { keys: given, event, justification, raw } = asked;
  const manifest = (): Promise<Manifestation> => {
    if (raw !== undefined) {
      const others = { [naming]: given, event, justification };
      return rawManifestation(onlyRaw(raw, others, context), isBatch, context);
    }
    if (given === undefined) throw missing(naming, context);
    if (event === undefined) throw missing('event', context);
    return namedManifestation(given, event, justification ?? '', isBatch, context);
  };
  const { requests, about, preview } = await manifest();
  const keys = requests.flatMap((request) => request.keys);
  const { journal } = await context.company.writeGuards();
  const history = await journal.history(scopeOf(keys, about.subject));
  const operation = operationLabel(isBatch ? 'manifestBatch' : 'manifest');
  const intent = { tool, service: 'documents', operation, ...about } as const;
  return {
    preview: await preview({ history, damage: await journal.damage() }),
    rests_on: {
      texts: requests.map(({ text }) => text),
      earlier: history.map(({ id, state }) => [id, state]),
    },
    perform: async () =>
      answerWith(await sendEvents({ requests, isBatch, intent, known: history }, context), context),
  };
}

export const manifestNfe = writeTool({
  name: 'manifest_nfe',
  group: 'manifestation',
  kind: 'write',
  description:
    "Register the recipient's manifestation on one NF-e: legally binding. First call previews and asks the person; it sends nothing.",
  input: () =>
    z.strictObject({
      key: shared.key().optional(),
      event: eventArgument().optional(),
      justification: justification(),
      raw_event: rawEvent(),
      confirmation_token: confirmationToken(),
    }),
  output: manifestationOutput,
  plan: ({ key, raw_event: raw, ...args }, context) =>
    planManifestation('manifest_nfe', { ...args, keys: key && [key], raw }, context),
});

export const manifestNfeBatch = writeTool({
  name: 'manifest_nfe_batch',
  group: 'manifestation',
  kind: 'write',
  description: 'The same for several NF-e; answers per key.',
  input: () =>
    z.strictObject({
      keys: z.array(shared.key()).max(500).optional().describe('Access keys'),
      event: eventArgument().optional(),
      justification: justification(),
      raw_events: rawEvent(),
      confirmation_token: confirmationToken(),
    }),
  output: manifestationOutput,
  plan: ({ keys, raw_events: raw, ...args }, context) =>
    planManifestation('manifest_nfe_batch', { ...args, keys, raw }, context),
});

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
