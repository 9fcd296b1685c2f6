import * as z from 'zod';
import type { StoredDocument } from '../archive/archive.ts';
import {
  type DocumentArea,
  type DocumentReference,
  everyStatus,
  referenceOf,
} from '../archive/references.ts';
import { type Listed, listKnown } from '../archive/remember/listings.ts';
import { type Direction, type OperationName, operationLabel } from '../clients/documents/operations.ts';
import type { KeyList, NfseIdentifier } from '../clients/documents/replies/results.ts';
import type { CallContext } from '../company/call-context.ts';
import { BadArguments } from '../company/failures.ts';
import { checkAccessKey } from '../documents/identity/keys.ts';
import { type DocumentStatus, kindName } from '../documents/summary/summary.ts';
import { csvLine } from '../messages/message.ts';
import { sentences } from './shared/answer-result.ts';
import { filesSentences, leftOutSentences } from './shared/basis.ts';
import { readTool, type ToolAnswer } from './shared/definition.ts';
import { areFilesAlone, readUserFiles } from './shared/fetching.ts';
import {
  type Coverage,
  coverageOutput,
  coverageShape,
  dateAssumption,
  describeCoverage,
  FILES,
  replyWarnings,
} from './shared/listing.ts';
import { cursorTo, linesThatFit, type Place, readPlace, takePage } from './shared/paging.ts';
import { limit, shared } from './shared/parameters.ts';
import { daysToComeSentences, periodOf, writeMoment } from './shared/period.ts';
import { companyAsked, keyOperationFor } from './shared/question.ts';

const identifierShape = () =>
  z.object({ number: z.string(), issue_date: z.string(), issuer_cnpj: z.string() });

const keyListOutput = () =>
  z.object({
    ...coverageShape(),
    as_of: z.string().optional().describe('When the service was asked, UTC'),
    keys: z.array(z.string()),
    identifiers: z.array(identifierShape()).optional().describe('NFS-e: what get_document takes'),
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

function noteEntry(entry: Entry, document: DocumentArea, context: CallContext): void {
  const { seen } = context.company.memory;
  if (!isKey(entry)) {
    const { number, issue_date: issueDate, issuer_cnpj: issuer } = entry;
    if (/^\d{4}-\d{2}-\d{2}$/.test(issueDate)) seen.note({ document: 'nfse', number, issueDate, issuer });
  } else if (document !== 'nfse') {
    seen.note({ document, key: entry } satisfies DocumentReference);
  }
}

/** Invalid keys shown at most; a warning has their number. */
const MOST_REJECTED_NAMED = 100;

/** A page of a listing, and its coverage. */
interface ListedPage {
  readonly document: DocumentArea;
  readonly entries: readonly Entry[];
  readonly lines: readonly string[];
  readonly coverage: Coverage;
  /** When the service was asked, perhaps by an earlier call; ISO 8601 in UTC. */
  readonly as_of?: string | undefined;
  readonly remarks?: readonly string[];
}

function answerWith(page: ListedPage, context: CallContext): ToolAnswer<KeyListOutput> {
  const { document, entries, lines, coverage, as_of, remarks = [] } = page;
  const { translator } = context;
  for (const entry of entries) noteEntry(entry, document, context);
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
      lines.length > 0 && [header, ...lines],
    ),
  };
}

interface ServiceList {
  readonly document: DocumentArea;
  readonly operation: OperationName;
  readonly list: KeyList;
  readonly as_of?: string;
  readonly about: Pick<Coverage, 'company' | 'from' | 'to' | 'assumptions'>;
  readonly limit: number;
  readonly place: Place;
  readonly query: unknown;
}

async function answerService(
  { list, operation, about, document, as_of, ...page }: ServiceList,
  context: CallContext,
) {
  const { translator } = context;
  const items: Entry[] = [...list.keys, ...list.identifiers];
  const { items: entries, lines, nextCursor } = await takePage({ ...page, items, write: writeEntry });
  const rejected = list.rejected.slice(0, MOST_REJECTED_NAMED).map(({ text, problem }) => {
    return translator.say('warning.rejected_key', { text, words: translator.problem(problem) });
  });
  const coverage: Coverage = {
    ...about,
    operation: operationLabel(operation),
    total: items.length,
    shown: entries.length,
    warnings: [...replyWarnings(list.warnings, translator), ...rejected],
    next_cursor: nextCursor,
  };
  return answerWith({ document, entries, lines, coverage, as_of }, context);
}

/** A document's entry; none if it has no identity to ask by. */
function entryOf({ summary }: StoredDocument): Entry[] {
  const reference = referenceOf(summary);
  if (reference === undefined) return [];
  if (reference.document !== 'nfse') return [reference.key];
  const { number, issueDate: issue_date, issuer: issuer_cnpj } = reference;
  return [{ number, issue_date, issuer_cnpj }];
}

interface FilesList {
  readonly asked: Listed;
  readonly direction: Direction | undefined;
  readonly status: readonly DocumentStatus[];
  readonly limit: number;
  readonly offset: number;
  readonly query: unknown;
}

/** Keys from the user's files, without a service. */
async function answerFiles({ asked, direction, status, query, ...page }: FilesList, context: CallContext) {
  const basis = await readUserFiles(asked.company, context);
  const archive = await context.company.archive();
  const found = await listKnown(archive, asked, { direction, filters: { status } }, page);
  const { documents, total } = found;
  const all = documents.flatMap(entryOf);
  const lines = linesThatFit([], all.map(writeEntry));
  const entries = all.slice(0, lines.length);
  const next = page.offset + (lines.length < all.length ? lines.length : documents.length);
  const coverage: Coverage = {
    operation: FILES,
    company: asked.company,
    from: writeMoment(asked.from),
    to: writeMoment(asked.to),
    total,
    shown: entries.length,
    assumptions: leftOutSentences(found.left_out, context),
    warnings: [],
    next_cursor: next < total ? await cursorTo({ offset: next }, query) : undefined,
  };
  const remarks = filesSentences(basis, asked.company, total, context);
  return answerWith({ document: asked.area, entries, lines, coverage, remarks }, context);
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
    const company = await companyAsked(args, context);
    const isFromFiles = await areFilesAlone({ company, by }, context);
    const operation = isFromFiles ? undefined : keyOperationFor({ document, by, direction, approvedOnly });
    const period = periodOf(args, context);
    const query = { tool: 'list_document_keys', ...args, company };
    const place = await readPlace(cursor, query, context);
    const asked = { company, area: document, by, ...period };
    const page = { limit: size, offset: place.offset };
    if (operation === undefined) {
      const status = approvedOnly ? (['authorized'] as const) : everyStatus;
      return answerFiles({ asked, direction, status, ...page, query }, context);
    }
    const recall = { signal: context.signal, goesOn: place.offset > 0 };
    const { list, fetched_at } = await context.company.memory.keys(asked, operation, direction, recall);
    const [from, to] = [writeMoment(period.from), writeMoment(period.to)];
    const about = { company, from, to, assumptions: [dateAssumption(context)] };
    return answerService(
      { document, operation, list, as_of: fetched_at, limit: size, place, query, about },
      context,
    );
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
    if (document === 'cte' && type === undefined)
      throw new BadArguments([say('argument.missing', { argument: 'type' })]);
    if (document === 'nfe' && type !== undefined)
      throw new BadArguments([say('argument.only_for', { argument: 'type', document: 'cte' })]);
    const operation = document === 'nfe' ? 'nfeIntegrationKeys' : 'cteIntegrationKeys';
    const query = { tool: 'list_integration_keys', ...args };
    const place = await readPlace(cursor, query, context);
    const client = await context.company.documents();
    const inputs = { companyNumber, establishment, type };
    const list = await client.call(operation, inputs, { signal: context.signal });
    const about = { company: `${companyNumber}/${establishment}`, assumptions: [] };
    return answerService({ document, operation, list, limit: size, place, query, about }, context);
  },
});
