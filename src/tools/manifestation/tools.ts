import * as z from 'zod';
import type { BatchPart } from '../../clients/documents/event-layout.ts';
import type { CallContext, Plan } from '../../company/call-context.ts';
import { BadArguments } from '../../company/failures.ts';
import {
  checkBatch,
  checkManifestation,
  type EventName,
  manifestationEvents,
  normalizeJustification,
} from '../../documents/events/manifestation.ts';
import type { AccessKey } from '../../documents/identity/keys.ts';
import type { Problem } from '../../documents/problems.ts';
import { asWord, quoted, visible } from '../../documents/untrusted.ts';
import type { Translator } from '../../messages/index.ts';
import type { JournalEntry } from '../../writes/journal.ts';
import { outcomeStatuses } from '../../writes/journal-lines.ts';
import { overallStatus } from '../../writes/outcome.ts';
import { type ToolAnswer, writeTool } from '../shared/definition.ts';
import { confirmationToken, writeOutcomeShape } from '../shared/journaled-write.ts';
import { LONGEST_CONTENT } from '../shared/paging.ts';
import { eventArgument, justification, missing, onlyRaw, rawEvent, shared } from '../shared/parameters.ts';
import { historyLines, previewKeys, previewManifestation } from './preview.ts';
import { type KeyResult, layoutOf, scopeOf, send, sendParts } from './sending.ts';

const manifestationOutput = () =>
  z.object({
    ...writeOutcomeShape(),
    results: z
      .array(
        z.object({
          key: z.string(),
          status: z.enum(outcomeStatuses),
          success: z.int().optional(),
          message: z.string().optional(),
          status_code: z.string().optional(),
        }),
      )
      .optional(),
  });

type ManifestationOutput = z.input<ReturnType<typeof manifestationOutput>>;

interface Manifestation {
  readonly event: EventName;
  readonly keys: readonly string[];
  readonly justification: string;
}

function refuse(problems: readonly Problem[], { translator }: CallContext): void {
  if (problems.length > 0) throw new BadArguments(problems.map((problem) => translator.problem(problem)));
}

function check(
  keys: readonly AccessKey[],
  event: EventName,
  written: string | undefined,
  context: CallContext,
): Manifestation {
  const company = context.company.settings.cnpj;
  const texts = keys.map(({ key }) => key);
  const ofKeys = texts.flatMap((key) => checkManifestation({ key, event, justification: written, company }));
  const distinct = new Map(
    [...checkBatch(texts), ...ofKeys].map((problem) => [JSON.stringify(problem), problem]),
  );
  refuse([...distinct.values()], context);
  return { event, keys: texts, justification: normalizeJustification(written ?? '').text };
}

/** Facts the confirmation token signs. */
const restsOn = (texts: readonly string[], history: readonly JournalEntry[]) => ({
  texts,
  earlier: history.map(({ id, state }) => [id, state]),
});

const idsOf = (history: readonly JournalEntry[]) => new Set(history.map(({ id }) => id));

function resultLine(
  { key, status, status_code: code, success, message, isQuoted }: KeyResult,
  longestMessage: number,
  translator: Translator,
): string {
  const part = message?.slice(0, longestMessage);
  const said = part === message ? part : `${part}…`;
  return [
    asWord(key),
    translator.say(`result.${status}`),
    ...(code === undefined ? [] : [code]),
    ...(success === undefined ? [] : [`Sucesso=${success}`]),
    ...(said === undefined || said === '' ? [] : [isQuoted ? quoted(said) : said]),
  ].join(' | ');
}

/** A line per key; messages are shortened evenly to fit the answer. */
function resultLines(results: readonly KeyResult[], translator: Translator): string[] {
  const linesWith = (longestMessage: number) =>
    results.map((result) => resultLine(result, longestMessage, translator));
  const whole = linesWith(Number.POSITIVE_INFINITY);
  if (whole.join('\n').length <= LONGEST_CONTENT) return whole;
  const room = LONGEST_CONTENT - linesWith(0).join('\n').length;
  const longestMessage = Math.max(0, Math.floor(room / results.length) - ' | …'.length);
  return [...linesWith(longestMessage), translator.say('result.shortened')];
}

function answerWith(
  results: readonly KeyResult[],
  { translator }: CallContext,
): ToolAnswer<ManifestationOutput> {
  const status = overallStatus(results.map((result) => result.status));
  const hasUnknown = results.some((result) => result.status === 'unknown');
  return {
    structured: { status, results: results.map(({ isQuoted: _, ...result }) => result) },
    text: [
      translator.say(`result.overall_${status}`),
      ...resultLines(results, translator),
      ...(hasUnknown ? [translator.say('result.look_up')] : []),
      translator.say('assumption.undocumented_values'),
    ],
  };
}

/** Keys recognised inside a raw event, for the journal. */
function keysIn(raw: string): string[] {
  return [...new Set(raw.match(/(?<![0-9A-Z])[0-9]{6}[0-9A-Z]{12}[0-9]{26}(?![0-9A-Z])/g) ?? [])];
}

async function planRaw(
  tool: string,
  raw: string,
  isBatch: boolean,
  context: CallContext,
): Promise<Plan<ManifestationOutput>> {
  const { company, translator } = context;
  const client = await company.documents();
  const length = isBatch
    ? await client.requestLineLength('manifestBatch', { events: raw })
    : await client.requestLineLength('manifest', { event: raw });
  await refuseTooLong(length, raw, context);
  const { journal } = await company.writeGuards();
  const keys = keysIn(raw);
  const intent = { tool, subject: 'raw_event', args: { raw } };
  const history = await journal.history(scopeOf({ keys, intent }));
  const earlier = historyLines(history, await journal.damage(), undefined, translator);
  const known = await previewKeys(keys, context);
  return {
    preview: [translator.say('preview.raw'), visible(raw), ...known, ...earlier],
    rests_on: restsOn([raw], history),
    async perform() {
      const { results } = await send({ keys, text: raw, intent, known: idsOf(history), isBatch }, context);
      return answerWith(results, context);
    },
  };
}

async function refuseTooLong(length: number, key: string, context: CallContext): Promise<void> {
  const { longestRequestLine: limit } = await import('../../clients/documents/event-layout.ts');
  if (length <= limit) return;
  const values = { key: key.slice(0, 60), length: String(length), limit: String(limit) };
  refuse([{ code: 'event_too_long', values }], context);
}

interface Given {
  readonly keys: readonly AccessKey[] | undefined;
  readonly event: EventName | undefined;
  readonly written: string | undefined;
  readonly raw: string | undefined;
}

async function partOfOne(
  { keys: [key = ''], event, justification: text }: Manifestation,
  context: CallContext,
): Promise<BatchPart[]> {
  const client = await context.company.documents();
  const rendered = (await layoutOf(context)).render({ key, event, justification: text });
  if (!rendered.ok) throw new BadArguments([context.translator.problem(rendered.problem)]);
  const length = await client.requestLineLength('manifest', { event: rendered.value });
  await refuseTooLong(length, key, context);
  return [{ events: [{ key, event, justification: text }], text: rendered.value }];
}

async function partsOfMany(
  { keys, event, justification: text }: Manifestation,
  context: CallContext,
): Promise<readonly BatchPart[]> {
  const client = await context.company.documents();
  const [{ splitBatch }, { encodeValue }] = await Promise.all([
    import('../../clients/documents/event-layout.ts'),
    import('../../clients/documents/operations.ts'),
  ]);
  const fixedLength = await client.requestLineLength('manifestBatch', { events: '' });
  const layout = await layoutOf(context);
  const requestLineLength = (events: string) => fixedLength + encodeValue(events).length;
  const events = keys.map((key) => ({ key, event, justification: text }));
  const parts = splitBatch(events, layout, requestLineLength);
  if (parts.ok) return parts.value;
  throw new BadArguments([context.translator.problem(parts.problem)]);
}

async function planManifestation(
  tool: 'manifest_nfe' | 'manifest_nfe_batch',
  { keys, event, written, raw }: Given,
  context: CallContext,
): Promise<Plan<ManifestationOutput>> {
  const isBatch = tool === 'manifest_nfe_batch';
  const naming = isBatch ? 'keys' : 'key';
  if (raw !== undefined) {
    const text = onlyRaw(raw, { [naming]: keys, event, justification: written }, context);
    return planRaw(tool, text, isBatch, context);
  }
  if (keys === undefined) throw missing(naming, context);
  if (event === undefined) throw missing('event', context);
  const manifestation = check(keys, event, written, context);
  const parts = await (isBatch ? partsOfMany : partOfOne)(manifestation, context);
  const { keys: all, justification: text } = manifestation;
  const { journal } = await context.company.writeGuards();
  const history = await journal.history({ keys: all });
  const { changes } = normalizeJustification(written ?? '');
  const damage = await journal.damage();
  const declared = manifestationEvents[event];
  const shown = { event: declared, keys: all, justification: text, changes, history, damage };
  const texts = parts.map((part) => part.text);
  return {
    preview: await previewManifestation(shown, context),
    rests_on: restsOn(texts, history),
    async perform() {
      const { code } = declared;
      const intent = { tool, event: code, args: { event, keys: all }, justification: text || undefined };
      const known = idsOf(history);
      if (isBatch) return answerWith(await sendParts(parts, { intent, known }, context), context);
      const { results } = await send({ keys: all, text: texts[0] ?? '', intent, known, isBatch }, context);
      return answerWith(results, context);
    },
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
  plan: ({ key, event, justification: written, raw_event: raw }, context) =>
    planManifestation('manifest_nfe', { keys: key && [key], event, written, raw }, context),
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
  plan: ({ keys, event, justification: written, raw_events: raw }, context) =>
    planManifestation('manifest_nfe_batch', { keys, event, written, raw }, context),
});
