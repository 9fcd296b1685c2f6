import * as z from 'zod';
import type { DocumentArea, DocumentReference } from '../archive/references.ts';
import { referenceOf } from '../archive/references.ts';
import type { StoredDocument } from '../archive/store/archive.ts';
import { type OperationName, operationLabel } from '../clients/tax-documents/operations.ts';
import type { KeyList, NfseIdentifier } from '../clients/tax-documents/replies/results.ts';
import { type AccessKey, checkAccessKey } from '../documents/identity/keys.ts';
import { linesThatFit } from '../mcp/answer-result.ts';
import {
  type Coverage,
  coverageOutput,
  coverageShape,
  dateAssumption,
  describeCoverage,
  FILES,
  replyWarnings,
} from '../mcp/coverage.ts';
import { readTool, type ToolAnswer } from '../mcp/definition.ts';
import { cursorTo, type Place, readPlace } from '../mcp/offset-cursor.ts';
import { takePage } from '../mcp/paging.ts';
import { limit, shared } from '../mcp/parameters.ts';
import { periodOf, writeMoment } from '../mcp/period.ts';
import { csvLine } from '../messages/csv-line.ts';
import { kindName } from '../messages/kinds.ts';
import type { CallContext } from '../services/call-context.ts';
import { BadArguments } from '../services/failures.ts';
import { companyAsked, filesSentences } from '../services/files-basis.ts';
import { type FilesQuestion, isFromFilesAlone, leftOutSentences, listFromFiles } from './files-listings.ts';
import { keyOperationFor } from './routes.ts';

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

/** One entry of a listing: a key, or what names an NFS-e. */
type Entry = string | NfseIdentifier;

function isKey(entry: Entry): entry is string {
  return typeof entry === 'string';
}

function isIdentifier(entry: Entry): entry is NfseIdentifier {
  return typeof entry !== 'string';
}

function takeApart(key: string): AccessKey | undefined {
  const checked = checkAccessKey(key);
  return checked.ok ? checked.value : undefined;
}

function writeEntry(entry: Entry): string {
  if (isIdentifier(entry)) return csvLine([entry.number, entry.issue_date, entry.issuer_cnpj]);
  const parts = takeApart(entry);
  return csvLine([entry, parts?.number, parts?.issuer.id, parts?.month]);
}

function noteEntry(entry: Entry, document: DocumentArea, context: CallContext): void {
  const { seen } = context.services.memory;
  if (isIdentifier(entry)) {
    const { number, issue_date: issueDate, issuer_cnpj: issuer } = entry;
    if (/^\d{4}-\d{2}-\d{2}$/.test(issueDate)) seen.note({ document: 'nfse', number, issueDate, issuer });
  } else if (document !== 'nfse') {
    seen.note({ document, key: entry } satisfies DocumentReference);
  }
}

/** Of what is no key so many are named; how many there are is a warning of its own. */
const MOST_REJECTED_NAMED = 100;

function listWarnings(list: KeyList, { translator }: CallContext): string[] {
  return [
    ...replyWarnings(list.warnings, translator),
    ...list.rejected
      .slice(0, MOST_REJECTED_NAMED)
      .map(({ text, problem }) =>
        translator.say('warning.rejected_key', { text, words: translator.problem(problem) }),
      ),
  ];
}

interface Listing {
  readonly document: DocumentArea;
  readonly operation: OperationName;
  readonly list: KeyList;
  /** When the service was asked, where that may have been before this call; ISO 8601 in UTC. */
  readonly as_of?: string;
  readonly coverage: Pick<Coverage, 'company' | 'from' | 'to' | 'assumptions'>;
  readonly limit: number;
  readonly place: Place;
  readonly query: unknown;
}

function detailsOf(keys: readonly string[]) {
  return keys.flatMap((key) => {
    const parts = takeApart(key);
    if (parts === undefined) return [];
    return [{ key, number: parts.number, series: parts.series, issuer: parts.issuer.id, month: parts.month }];
  });
}

/** An entry of a document; none for one that can't be asked for alone. */
function entryOf({ summary }: StoredDocument): Entry[] {
  const reference = referenceOf(summary);
  if (reference === undefined) return [];
  if (reference.document !== 'nfse') return [reference.key];
  const { number, issueDate: issue_date, issuer: issuer_cnpj } = reference;
  return [{ number, issue_date, issuer_cnpj }];
}

/** The keys of what the user's files hold, where there is no service to ask. */
async function keysFromFiles(
  document: DocumentArea,
  question: FilesQuestion,
  query: unknown,
  context: CallContext,
): Promise<ToolAnswer<KeyListOutput>> {
  const { asked, offset } = question;
  const files = await listFromFiles(question, context);
  if (files === undefined) throw new Error('files were configured and are not');
  const { documents, total, leftOut, basis } = files;
  const entries = documents.flatMap(entryOf);
  const lines = linesThatFit([], entries.map(writeEntry));
  const shown = entries.slice(0, lines.length);
  for (const entry of shown) noteEntry(entry, document, context);
  const next = offset + (lines.length < entries.length ? lines.length : documents.length);
  const keys = shown.filter(isKey);
  const identifiers = shown.filter(isIdentifier);
  const coverage: Coverage = {
    operation: FILES,
    company: asked.company,
    from: writeMoment(asked.from),
    to: writeMoment(asked.to),
    total,
    shown: shown.length,
    assumptions: leftOutSentences(leftOut, context),
    warnings: [],
    next_cursor: next < total ? await cursorTo({ offset: next }, query) : undefined,
  };
  const opening = [
    ...describeCoverage(coverage, kindName(document), context.translator),
    ...filesSentences(basis, asked.company, total, context),
  ];
  const header = document === 'nfse' ? 'number,issue_date,issuer_cnpj' : 'key,number,issuer,month';
  return {
    structured: {
      ...coverageOutput(coverage),
      keys,
      ...(document === 'nfse' ? { identifiers } : { details: detailsOf(keys) }),
    },
    text: [...opening, ...(lines.length === 0 ? [] : [header, ...lines])],
  };
}

async function answerWith(listing: Listing, context: CallContext): Promise<ToolAnswer<KeyListOutput>> {
  const { document, operation, list, limit: size, place, query } = listing;
  const entries: Entry[] = [...list.keys, ...list.identifiers];
  const page = await takePage({
    items: entries,
    identify: (entry) => (isKey(entry) ? entry : writeEntry(entry)),
    write: writeEntry,
    limit: size,
    place,
    query,
  });
  for (const entry of page.items) noteEntry(entry, document, context);
  const keys = page.items.filter(isKey);
  const identifiers = page.items.filter(isIdentifier);
  const coverage: Coverage = {
    ...listing.coverage,
    operation: operationLabel(operation),
    total: entries.length,
    shown: page.items.length,
    warnings: listWarnings(list, context),
    next_cursor: page.nextCursor,
  };
  const header = identifiers.length > 0 ? 'number,issue_date,issuer_cnpj' : 'key,number,issuer,month';
  const { as_of } = listing;
  const { translator } = context;
  const opening = [
    ...describeCoverage(coverage, kindName(document), translator),
    ...(as_of === undefined ? [] : [translator.say('memory.as_of', { at: translator.moment(as_of) })]),
  ];
  return {
    structured: {
      ...coverageOutput(coverage),
      as_of,
      keys,
      ...(document === 'nfse' ? { identifiers } : { details: detailsOf(keys) }),
    },
    text: page.lines.length === 0 ? opening : [...opening, header, ...page.lines],
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
      cnpj: shared.cnpj(),
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
    const isFromFiles = await isFromFilesAlone(context, by);
    const operation = isFromFiles ? undefined : keyOperationFor({ document, by, direction, approvedOnly });
    const company = await companyAsked(args, context);
    const period = periodOf(args, context);
    const query = { tool: 'list_document_keys', ...args, company };
    const place = await readPlace(cursor, query, context);
    if (operation === undefined) {
      const asked = { company, area: document, by, ...period };
      const question = {
        asked,
        direction,
        approvedOnly,
        besideService: false,
        limit: size,
        offset: place.offset,
      };
      return keysFromFiles(document, question, query, context);
    }
    const asked = { company, area: document, by, ...period };
    const recall = { signal: context.signal, goesOn: place.offset > 0 };
    const { memory } = context.services;
    const { list, fetched_at } = await memory.keys(asked, operation, direction, recall);
    return answerWith(
      {
        document,
        operation,
        list,
        as_of: fetched_at,
        limit: size,
        place,
        query,
        coverage: {
          company,
          from: writeMoment(period.from),
          to: writeMoment(period.to),
          assumptions: [dateAssumption(context)],
        },
      },
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
    if (document === 'cte' && type === undefined) {
      throw new BadArguments([context.translator.say('argument.missing', { argument: 'type' })]);
    }
    if (document === 'nfe' && type !== undefined) {
      throw new BadArguments([
        context.translator.say('argument.only_for', { argument: 'type', document: 'cte' }),
      ]);
    }
    const operation = document === 'nfe' ? 'nfeIntegrationKeys' : 'cteIntegrationKeys';
    const query = { tool: 'list_integration_keys', ...args };
    const place = await readPlace(cursor, query, context);
    const client = await context.services.documents();
    const list = await client.call(
      operation,
      { companyNumber, establishment, type },
      { signal: context.signal },
    );
    return answerWith(
      {
        document,
        operation,
        list,
        limit: size,
        place,
        query,
        coverage: { company: `${companyNumber}/${establishment}`, assumptions: [] },
      },
      context,
    );
  },
});
