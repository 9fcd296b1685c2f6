import * as z from 'zod';
import { type InputsOf, type OperationOf, operationLabel } from '../clients/documents/operations.ts';
import type { Undocumented } from '../clients/documents/replies/results.ts';
import type { CallContext } from '../company/call-context.ts';
import { asWord, quoted, visibleJson } from '../documents/untrusted.ts';
import { csvLine } from '../messages/message.ts';
import { readTool, sentences, type ToolAnswer } from './shared/definition.ts';
import {
  type Coverage,
  coverageOutput,
  coverageShape,
  dateAssumption,
  describeCoverage,
  periodAsked,
  replyWarnings,
} from './shared/listing.ts';
import { LONGEST_CONTENT, thatFit } from './shared/paging.ts';
import { shared } from './shared/parameters.ts';

const output = () =>
  z.object({
    ...coverageShape(),
    page: z.int().optional(),
    records: z.array(z.record(z.string(), z.string())).describe('Field names are the service’s own'),
    around: z.record(z.string(), z.string()).optional().describe('What stands beside the records'),
    text: z.string().optional().describe('The answer as it came, where no structure was recognised'),
  });

type Output = z.input<ReturnType<typeof output>>;
type Fields = Readonly<Record<string, string>>;

/** Characters of records and other values in the structured answer. */
const MOST_DATA = 1_000_000;

/** Length of fields with their punctuation. */
function lengthOf(fields: Fields): number {
  return Object.entries(fields).reduce((sum, [name, value]) => sum + name.length + value.length + 6, 0);
}

/** Records as CSV under the field names that occur, as many as fit. */
function writeRecords(records: readonly Fields[], { say }: CallContext['translator']): string[] {
  const names = new Set<string>();
  const first = thatFit(records, LONGEST_CONTENT, (record) => {
    const fresh = Object.keys(record).filter((name) => !names.has(name));
    for (const name of fresh) names.add(name);
    return [...fresh, ...Object.values(record)].join(',').length + 1;
  });
  const columns = [...new Set(first.flatMap((record) => Object.keys(record)))];
  const header = csvLine(columns);
  const lines = first.map((record) =>
    csvLine(columns.map((column) => (Object.hasOwn(record, column) ? record[column] : undefined))),
  );
  const shown = thatFit(lines, LONGEST_CONTENT - header.length, (line) => line.length + 1);
  const counts = { shown: shown.length, total: records.length };
  return sentences(header, shown, counts.shown < counts.total && say('document.records_cut', counts));
}

/** Calls an undocumented operation and answers with its records, or its text. */
async function answerOf<Name extends OperationOf<'undocumented'>>(
  operation: Name,
  inputs: InputsOf<Name>,
  subject: string,
  { page, ...asked }: Pick<Coverage, 'company' | 'from' | 'to' | 'assumptions'> & { page?: number },
  { company, translator, signal }: CallContext,
): Promise<ToolAnswer<Output>> {
  const { say } = translator;
  const reply: Undocumented = await (await company.documents()).call(operation, inputs, { signal });
  const text = 'text' in reply ? reply.text : undefined;
  const { records: all = [], around: beside = {}, total = all.length } = 'text' in reply ? {} : reply;
  const records = thatFit(all, MOST_DATA, (record) => lengthOf(record) + 6);
  const allAround = Object.entries(beside);
  const around = thatFit(allAround, MOST_DATA, (field) => lengthOf(Object.fromEntries([field])));
  const coverage: Coverage = {
    ...asked,
    operation: operationLabel(operation),
    total: text === undefined ? total : 1,
    shown: text === undefined ? records.length : 1,
    assumptions: [
      ...asked.assumptions,
      say(text === undefined ? 'assumption.undocumented' : 'assumption.undocumented_text'),
    ],
    warnings: sentences(
      replyWarnings(reply.warnings, translator),
      'text' in reply && reply.truncated && say('warning.truncated', { characters: reply.text.length }),
      records.length < all.length &&
        say('warning.records_left_out', { shown: records.length, total: all.length }),
      around.length < allAround.length &&
        say('warning.around_left_out', { shown: around.length, total: allAround.length }),
    ),
  };
  return {
    structured: {
      ...coverageOutput(coverage),
      records: [...records],
      text,
      around: around.length > 0 ? Object.fromEntries(around) : undefined,
      page,
    },
    text: sentences(
      describeCoverage(coverage, subject, translator),
      around.length > 0 && around.map(([name, value]) => `${asWord(name)}=${quoted(value)}`).join(', '),
      say('document.content_note'),
      text !== undefined && visibleJson(text),
      records.length > 0 && writeRecords(records, translator),
    ),
  };
}

export const listNfeSummaries = readTool({
  name: 'list_nfe_summaries',
  group: 'documents',
  description: "List the service's own NF-e summaries by issue date, page by page. Format undocumented.",
  input: () =>
    z.strictObject({
      cnpj: shared.cnpj(),
      from: shared.from(),
      to: shared.to(),
      page: z.int().min(1).default(1).describe('Default 1'),
    }),
  output,
  async run(args, context) {
    const { page } = args;
    const about = await periodAsked(args, context);
    const subject = context.translator.say('subject.summaries', { page });
    const asked = { ...about, assumptions: [dateAssumption(context)], page };
    return answerOf('nfeSummaries', { ...about, page }, subject, asked, context);
  },
});

export const listNfeCovers = readTool({
  name: 'list_nfe_covers',
  group: 'documents',
  description: "List the service's own NF-e covers (capas) by period, or of one key. Format undocumented.",
  input: () =>
    z.strictObject({
      cnpj: shared.cnpj(),
      from: shared.from(),
      to: shared.to(),
      direction: shared.direction(),
      key: shared.key().optional(),
    }),
  output,
  async run(args, context) {
    const about = await periodAsked(args, context);
    const inputs = { ...about, direction: args.direction, key: args.key?.key ?? '' };
    const asked = { ...about, assumptions: [dateAssumption(context)] };
    return answerOf('nfeCovers', inputs, context.translator.say('subject.covers'), asked, context);
  },
});

export const getNfeClassifications = readTool({
  name: 'get_nfe_classifications',
  group: 'documents',
  description: "Get the service's own product classifications of one NF-e. Format undocumented.",
  input: () => z.strictObject({ key: shared.key() }),
  output,
  async run({ key: { key } }, context) {
    const subject = context.translator.say('subject.classifications', { key });
    return answerOf('nfeClassifications', { key }, subject, { assumptions: [] }, context);
  },
});
