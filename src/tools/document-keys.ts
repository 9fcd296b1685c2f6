import * as z from 'zod';
import type { StoredDocument } from '../archive/archive.ts';
import type { Selection } from '../archive/ask/question.ts';
import { type DocumentArea, everyStatus, referenceOf } from '../archive/references.ts';
import { listKnown } from '../archive/remember/listings.ts';
import { operationLabel } from '../clients/documents/operations.ts';
import type { KeyList, NfseIdentifier } from '../clients/documents/replies/results.ts';
import type { CallContext } from '../company/call-context.ts';
import { BadArguments } from '../company/failures.ts';
import { isDay } from '../documents/days.ts';
import { checkAccessKey } from '../documents/identity/keys.ts';
import { kindName } from '../documents/summary/summary.ts';
import { csvLine } from '../messages/message.ts';
import { missing } from './shared/arguments.ts';
import { filesSentences, leftOutSentences } from './shared/basis.ts';
import { readTool, sentences, type ToolAnswer } from './shared/definition.ts';
import { areFilesAlone, readUserFiles } from './shared/fetching.ts';
import {
  type Coverage,
  coverageOutput,
  coverageShape,
  dateAssumption,
  describeCoverage,
  FILES,
  periodAsked,
  replyWarnings,
} from './shared/listing.ts';
import { cursorAfter, readPlace, takePage } from './shared/paging.ts';
import { limit, shared } from './shared/parameters.ts';
import { daysToComeSentences } from './shared/period.ts';
import { listingFor } from './shared/question.ts';

const keyListOutput = () =>
  z.object({
    ...coverageShape(),
    as_of: z.string().optional().describe('When the service was asked, UTC'),
    keys: z.array(z.string()),
    identifiers: z
      .array(z.object({ number: z.string(), issue_date: z.string(), issuer_cnpj: z.string() }))
      .optional()
      .describe('NFS-e: what get_document takes'),
    details: z
      .array(
        z.object({
          key: z.string(),
          number: z.string(),
          series: z.string(),
          issuer: z.string(),
          month: z.string(),
        }),
      )
      .optional()
      .describe('The keys taken apart'),
  });

type KeyListOutput = z.input<ReturnType<typeof keyListOutput>>;

/** An entry of a listing: an access key, or an NFS-e by number, date and issuer. */
type Entry = string | NfseIdentifier;

function isKey(entry: Entry): entry is string {
  return typeof entry === 'string';
}

/** Parts of an access key; none for a national NFS-e. */
function detailsOf(key: string) {
  const checked = checkAccessKey(key);
  if (!checked.ok) return [];
  const { number, series, issuer, month } = checked.value;
  return [{ key, number, series, issuer: issuer.id, month }];
}

function writeEntry(entry: Entry): string {
  if (!isKey(entry)) return csvLine([entry.number, entry.issue_date, entry.issuer_cnpj]);
  const [parts] = detailsOf(entry);
  return csvLine([entry, parts?.number, parts?.issuer, parts?.month]);
}

/** Records an entry for completions. */
function noteEntry(entry: Entry, { company: { memory } }: CallContext): void {
  if (isKey(entry)) memory.seen.noteKey(entry);
  else if (isDay(entry.issue_date)) memory.seen.note({ document: 'nfse', ...entry });
}

interface KeyPage extends Pick<Coverage, 'total' | 'next_cursor' | 'warnings' | 'assumptions'> {
  readonly entries: readonly Entry[];
  /** When the service was asked, perhaps by an earlier call; ISO 8601 in UTC. */
  readonly as_of?: string | undefined;
  readonly remarks?: readonly string[];
}

function answerWith(
  document: DocumentArea,
  about: Pick<Coverage, 'operation' | 'company' | 'from' | 'to'>,
  { entries, as_of, remarks = [], ...page }: KeyPage,
  context: CallContext,
): ToolAnswer<KeyListOutput> {
  const { translator } = context;
  for (const entry of entries) noteEntry(entry, context);
  const coverage = { ...about, ...page, shown: entries.length };
  const keys = entries.filter(isKey);
  const identifiers = entries.filter((entry): entry is NfseIdentifier => !isKey(entry));
  const header = identifiers.length > 0 ? 'number,issue_date,issuer_cnpj' : 'key,number,issuer,month';
  return {
    structured: {
      ...coverageOutput(coverage),
      as_of,
      keys,
      ...(document === 'nfse' ? { identifiers } : { details: keys.flatMap(detailsOf) }),
    },
    text: sentences(
      describeCoverage(coverage, kindName(document), translator),
      daysToComeSentences(coverage, context),
      as_of !== undefined && translator.say('memory.as_of', { at: translator.moment(as_of) }),
      remarks,
      entries.length > 0 && [header, ...entries.map(writeEntry)],
    ),
  };
}

/** Start and most entries of a page. */
type Cut = Omit<Parameters<typeof takePage>[0], 'items'>;

async function pageOfService(list: KeyList, cut: Cut, assumptions: string[], { translator }: CallContext) {
  const all: Entry[] = [...list.keys, ...list.identifiers];
  const { items: entries, nextCursor } = await takePage({ ...cut, items: all });
  const rejected = list.rejected.map(({ text, problem }) => {
    return translator.say('warning.rejected_key', { text, words: translator.problem(problem) });
  });
  const warnings = [...replyWarnings(list.warnings, translator), ...rejected];
  return { entries, total: all.length, next_cursor: nextCursor, assumptions, warnings };
}

/** A document's entry; none if it has no identity to ask by. */
function entryOf({ summary }: StoredDocument): Entry[] {
  const reference = referenceOf(summary);
  if (reference === undefined) return [];
  if (reference.document !== 'nfse') return [reference.key];
  const { document: _, ...identifier } = reference;
  return [identifier];
}

/** Keys from the user's files, without a service. */
async function pageOfFiles(
  asked: Selection,
  { limit: size, place, query }: Cut,
  context: CallContext,
): Promise<KeyPage> {
  const basis = await readUserFiles(asked.company, context);
  const archive = await context.company.archive();
  const { documents, total, left_out } = await listKnown(archive, asked, {
    limit: size,
    offset: place.offset,
  });
  const page = { place, shown: documents.length, total, isPartial: basis?.state.isReading === true };
  return {
    ...{ entries: documents.flatMap(entryOf), total, warnings: [] },
    next_cursor: await cursorAfter(page, query),
    assumptions: leftOutSentences(left_out, context),
    remarks: filesSentences(basis, asked.company, total, context),
  };
}

export const listDocumentKeys = readTool({
  name: 'list_document_keys',
  group: 'documents',
  description:
    'List the access keys of a period (NFS-e: number, issue date, issuer). nfse and cte need direction.',
  input: () =>
    z.strictObject({
      document: shared.document(),
      cnpj: shared.holder(),
      from: shared.from(),
      to: shared.to(),
      by: shared.by(),
      direction: shared.direction().optional(),
      approved_only: z.boolean().optional().describe('nfse only'),
      limit: limit(100, 500),
      cursor: shared.cursor(),
    }),
  output: keyListOutput,
  async run({ limit: size, cursor, ...args }, context) {
    const { document, by, direction, approved_only: approvedOnly } = args;
    const about = await periodAsked(args, context);
    const { company } = about;
    const operation = (await areFilesAlone({ company, by }, context))
      ? undefined
      : listingFor('list_document_keys', { document, by, direction, approvedOnly });
    const query = { tool: 'list_document_keys', ...args, company };
    const place = await readPlace(cursor, query, context);
    const asked = { ...about, area: document, by, direction };
    const cut = { limit: size, place, query };
    if (operation === undefined) {
      const filters = { status: approvedOnly ? (['authorized'] as const) : everyStatus };
      const page = await pageOfFiles({ ...asked, filters }, cut, context);
      return answerWith(document, { operation: FILES, ...about }, page, context);
    }
    const recall = { signal: context.signal, goesOn: place.offset > 0 };
    const { list, fetched_at } = await context.company.memory.keys({ ...asked, operation }, recall);
    const page = await pageOfService(list, cut, [dateAssumption(context)], context);
    const named = { operation: operationLabel(operation), ...about };
    return answerWith(document, named, { ...page, as_of: fetched_at }, context);
  },
});

export const listIntegrationKeys = readTool({
  name: 'list_integration_keys',
  group: 'documents',
  description: 'List the keys queued for ERP integration of a company and establishment.',
  input: () =>
    z.strictObject({
      document: z.enum(['nfe', 'cte']).describe('Document kind'),
      company: z.int().describe('Company number'),
      establishment: z.int().describe('Establishment number'),
      type: z.int().optional().describe('cte only, required there'),
      limit: limit(100, 500),
      cursor: shared.cursor(),
    }),
  output: keyListOutput,
  async run({ limit: size, cursor, ...args }, context) {
    const { document, company: companyNumber, establishment, type } = args;
    const { say } = context.translator;
    if (document === 'cte' && type === undefined) throw missing('type', context);
    if (document === 'nfe' && type !== undefined)
      throw new BadArguments([say('argument.only_for', { argument: 'type', document: 'cte' })]);
    const operation = document === 'nfe' ? 'nfeIntegrationKeys' : 'cteIntegrationKeys';
    const query = { tool: 'list_integration_keys', ...args };
    const place = await readPlace(cursor, query, context);
    const client = await context.company.documents();
    const inputs = { companyNumber, establishment, type };
    const list = await client.call(operation, inputs, { signal: context.signal });
    const about = { operation: operationLabel(operation), company: `${companyNumber}/${establishment}` };
    const page = await pageOfService(list, { limit: size, place, query }, [], context);
    return answerWith(document, about, page, context);
  },
});
