import type { ContentBlock } from '@modelcontextprotocol/server';
import * as z from 'zod';
import type { Listed, RememberedList } from '../archive/memory/listings.ts';
import { type DocumentReference, referenceOf, resourceUri } from '../archive/references.ts';
import type { StoredDocument } from '../archive/store/archive.ts';
import type { DocumentRoute } from '../clients/tax-documents/listings.ts';
import { operationLabel } from '../clients/tax-documents/operations.ts';
import type { ReplyWarning } from '../clients/tax-documents/replies/results.ts';
import type { Direction } from '../clients/tax-documents/wire-formats.ts';
import type { DocumentSummary, EventSummary, Party } from '../documents/summary/summary.ts';
import { linesThatFit } from '../mcp/answer-result.ts';
import {
  type Coverage,
  companyOf,
  coverageShape,
  dateAssumption,
  describeCoverage,
  replyWarnings,
} from '../mcp/coverage.ts';
import { readTool } from '../mcp/definition.ts';
import { cursorTo, type Place, readPlace } from '../mcp/offset-cursor.ts';
import { limit, shared } from '../mcp/parameters.ts';
import { periodOf, writeMoment } from '../mcp/period.ts';
import { partyShape, type WarningText, warningShape, warningTexts } from '../mcp/resources/summary-output.ts';
import { csvLine } from '../messages/csv-line.ts';
import { kindName } from '../messages/kinds.ts';
import type { CallContext } from '../services/call-context.ts';
import { Unfulfilled } from '../services/failures.ts';
import { type MemoryState, memoryOutput, memorySentences } from '../services/memory-output.ts';
import { documentRouteFor } from './routes.ts';

const lineShape = () =>
  z.object({
    key: z.string().optional(),
    kind: z.string(),
    number: z.string().optional(),
    series: z.string().optional(),
    issued_at: z.string().optional(),
    issuer: partyShape().optional(),
    recipient: partyShape().optional(),
    totals: z.object({ total: z.string().optional() }),
    status: z.string(),
    event: z
      .object({ code: z.string().optional(), name: z.string().optional(), at: z.string().optional() })
      .optional()
      .describe('What happened, of an event'),
    warnings: z.array(warningShape()).optional(),
    uri: z.string().optional().describe('Summary resource'),
  });

/** A document of a list, reduced to its line; the document itself is kept only for the page shown. */
interface ListedDocument {
  readonly identity: string;
  readonly summary: Pick<
    DocumentSummary,
    'kind' | 'key' | 'number' | 'series' | 'issued_at' | 'issuer' | 'recipient' | 'status'
  >;
  readonly total: string | undefined;
  /** Of a line that is an event. */
  readonly event: Pick<EventSummary, 'code' | 'name' | 'at'> | undefined;
  readonly warnings: readonly WarningText[];
  readonly reference: DocumentReference | undefined;
}

function shorten(party: Party | undefined): Party | undefined {
  if (party === undefined) return undefined;
  const { id, id_type, name, state } = party;
  return { id, id_type, name, state };
}

/** A cancelled note has its cancellation's event too; its own line names the note. */
function eventOf({ kind, event }: DocumentSummary): ListedDocument['event'] {
  if (kind !== 'event' || event === undefined) return undefined;
  const { code, name, at } = event;
  return { code, name, at };
}

/** What tells a document from another; the place in the list where it has neither key nor number. */
function identityOf(summary: DocumentSummary, place: number): string {
  const { kind, key, number, issued_at, issuer, event, verification_code } = summary;
  if (key === undefined && number === undefined) return `#${place}`;
  const parts = [kind, key, number, issued_at, issuer?.id, event?.code, event?.sequence, verification_code];
  return parts.join('|');
}

function listed(
  { summary, status }: StoredDocument,
  place: number,
  company: string,
  context: CallContext,
): ListedDocument {
  const { kind, key, number, series, issued_at, issuer, recipient } = summary;
  const [shortIssuer, shortRecipient] = [shorten(issuer), shorten(recipient)];
  return {
    identity: identityOf(summary, place),
    summary: { kind, key, number, series, issued_at, issuer: shortIssuer, recipient: shortRecipient, status },
    total: summary.totals.total,
    event: eventOf(summary),
    warnings: warningTexts(summary, company, context.translator),
    reference: referenceOf(summary),
  };
}

/** Stands for the company that was asked about, which is a party of nearly every line. */
const OWN = '*';

function isOwn(party: Party | undefined, company: string): boolean {
  return party?.id === company;
}

/** An event has no number and no day of issue: its name and its moment stand there. */
function writeListed({ summary, total, event }: ListedDocument, company: string): string {
  const { kind, issuer, recipient, status, key } = summary;
  const number = summary.number ?? ([event?.code, event?.name].filter(Boolean).join(' ') || undefined);
  const issued_at = summary.issued_at ?? event?.at;
  const cells = (party: Party | undefined) => (isOwn(party, company) ? ['', OWN] : [party?.id, party?.name]);
  const date = issued_at?.slice(0, 10);
  return csvLine([kind, number, date, ...cells(issuer), ...cells(recipient), total, status, key]);
}

/** What is asked for of a list. */
interface Wanted {
  readonly route: DocumentRoute;
  readonly asked: Listed;
  readonly place: Place;
  readonly size: number;
  readonly refresh: boolean | undefined;
}

/** A page of a list, and what is known of the whole. */
interface ListPage extends Divided, MemoryState {
  readonly total: number;
  readonly remarks: readonly ReplyWarning[];
}

/** How long a call waits for a list; what is not there by then is gone on with. Source: docs/hosts.md, F2. */
const LONGEST_WAIT_MS = 38_000;

/** More lines than a list can have. */
const ALL = 1_000_000;

function stateOf(lists: readonly RememberedList[], isRefreshed: boolean): MemoryState {
  return {
    as_of: lists.map(({ as_of }) => as_of).sort()[0],
    isRefreshed,
    changes: lists.flatMap(({ changes }) => changes),
    changes_total: lists.reduce((sum, { changes_total }) => sum + changes_total, 0),
    unreadable: lists.flatMap(({ unreadable }) => unreadable),
  };
}

/**
 * A page of what a route's operations answer. Where that is one list, the page is cut by the memory; where lists are
 * merged or divided, here.
 * @throws Unfulfilled where the list is not the one that the page before was of
 */
async function pageOf(wanted: Wanted, context: CallContext): Promise<ListPage> {
  const { route, asked, place, size, refresh = false } = wanted;
  const { memory } = context.services;
  const { offset, asOf } = place;
  const isOne = route.directions.length === 1 && route.divideBy === undefined;
  const page = isOne ? { limit: size, offset } : { limit: ALL, offset: 0 };
  const goesOn = asOf !== undefined;
  const { caller: signal } = context;
  const patience = AbortSignal.timeout(LONGEST_WAIT_MS);
  const recall = { signal, patience, refresh: refresh && !goesOn, goesOn, ...page };
  const lists: RememberedList[] = [];
  for (const direction of route.directions) {
    lists.push(await memory.list(asked, route.operation, direction, recall));
  }
  const state = stateOf(lists, refresh);
  const total = lists.reduce((sum, list) => sum + list.total, 0);
  if (goesOn && (state.as_of !== asOf || (place.total ?? total) > total)) {
    throw new Unfulfilled('failure.list_changed');
  }
  const remarks = lists.flatMap(({ warnings }) => warnings);
  const lines = lists.flatMap((list) => list.lines);
  const all = lines.map((line, index) => listed(line, index, asked.company, context));
  const unique = isOne ? all : [...new Map(all.map((one) => [one.identity, one])).values()];
  const repeated = lists.reduce((sum, list) => sum + list.repeated, all.length - unique.length);
  const remark = repeated > 0 ? [context.translator.say('assumption.repeated', { repeated })] : [];
  if (isOne) return { ...state, remarks, total, documents: all, assumptions: remark, warnings: [] };
  const divided =
    route.divideBy === undefined
      ? { documents: unique, assumptions: [], warnings: [] }
      : divide(unique, route.divideBy, asked.company, context);
  const assumptions = [...remark, ...divided.assumptions];
  const documents = divided.documents.slice(offset, offset + size);
  return { ...state, ...divided, remarks, total: divided.documents.length, documents, assumptions };
}

interface Divided {
  readonly documents: readonly ListedDocument[];
  readonly assumptions: readonly string[];
  readonly warnings: readonly string[];
}

/** Picks one direction of NFS-e out of a list that has both: the company as provider, or as service recipient. */
function divide(
  documents: readonly ListedDocument[],
  direction: Direction,
  company: string,
  { translator }: CallContext,
): Divided {
  const isOf = (side: 'issuer' | 'recipient') => (one: ListedDocument) => one.summary[side]?.id === company;
  const [wanted, other] =
    direction === 'outbound' ? (['issuer', 'recipient'] as const) : (['recipient', 'issuer'] as const);
  const kept = documents.filter((one) => isOf(wanted)(one) || !isOf(other)(one));
  const unclear = kept.filter((one) => !isOf(wanted)(one)).length;
  return {
    documents: kept,
    assumptions: [
      translator.say('assumption.nfse_direction', {
        company,
        role: translator.say(`role.${wanted}`),
        left_out: documents.length - kept.length,
      }),
    ],
    warnings: unclear === 0 ? [] : [translator.say('warning.neither_party', { count: unclear })],
  };
}

function linkTo({ reference, summary }: ListedDocument): ContentBlock[] {
  if (reference === undefined) return [];
  return [
    {
      type: 'resource_link',
      uri: resourceUri(reference, 'summary'),
      name: `${kindName(summary.kind)} ${summary.number ?? summary.key ?? ''}`.trim(),
      mimeType: 'application/json',
    },
  ];
}

/** Links that an answer carries at most: every one is as long as a line, and the keys are all there. */
const MOST_LINKS = 10;

/** A line as the data has it: what the text says, without the company that is named above. */
function listedOutput(
  { summary, total, event, warnings, reference }: ListedDocument,
  company: string,
): z.input<ReturnType<typeof lineShape>> {
  const { kind, key, number, series, issued_at, status } = summary;
  const other = (party: Party | undefined) =>
    party === undefined || isOwn(party, company) ? undefined : { id: party.id, name: party.name };
  return {
    kind,
    key,
    number,
    series,
    issued_at,
    issuer: other(summary.issuer),
    recipient: other(summary.recipient),
    totals: { total },
    status,
    event,
    warnings: warnings.length > 0 ? [...warnings] : undefined,
    uri: reference ? resourceUri(reference, 'summary') : undefined,
  };
}

export const listDocuments = readTool({
  name: 'list_documents',
  group: 'documents',
  description: 'List the documents of a period with number, date, issuer, recipient, total and status.',
  input: () =>
    z.strictObject({
      document: shared.document(),
      cnpj: shared.cnpj(),
      from: shared.from(),
      to: shared.to(),
      by: shared.by(),
      direction: shared.direction().optional(),
      limit: limit(50, 200),
      cursor: shared.cursor(),
      refresh: shared.refresh(),
    }),
  output: () => z.object({ ...coverageShape(), complete: z.boolean(), documents: z.array(lineShape()) }),
  async run({ limit: size, cursor, refresh, ...args }, context) {
    const { translator, services } = context;
    const route = documentRouteFor(args);
    const company = companyOf(args, context);
    const period = periodOf(args, context);
    const query = { tool: 'list_documents', ...args, company };
    const place = await readPlace(cursor, query, context);
    const asked = { company, area: args.document, by: args.by, ...period };
    const page = await pageOf({ route, asked, place, size, refresh }, context);
    const { total } = page;
    const lines = linesThatFit(
      [],
      page.documents.map((one) => writeListed(one, company)),
    );
    const shown = page.documents.slice(0, lines.length);
    for (const { reference } of shown) if (reference) services.memory.seen.note(reference);
    const next = place.offset + shown.length;
    const goesOn = { offset: next, total, asOf: page.as_of };
    const coverage: Coverage = {
      operation: operationLabel(route.operation),
      company,
      from: writeMoment(period.from),
      to: writeMoment(period.to),
      total,
      shown: shown.length,
      next_cursor: next < total ? await cursorTo(goesOn, query) : undefined,
      assumptions: [
        dateAssumption(context),
        ...(route.directions.length > 1 ? [translator.say('assumption.both_directions')] : []),
        ...page.assumptions,
      ],
      warnings: [...replyWarnings(page.remarks, translator), ...page.warnings],
    };
    const opening = [
      describeCoverage(coverage, kindName(args.document), translator),
      ...memorySentences(page, context),
    ].join('\n');
    const header = 'kind,number,date,issuer_id,issuer,recipient_id,recipient,total,status,key';
    const hasOwn = shown.some(
      ({ summary }) => isOwn(summary.issuer, company) || isOwn(summary.recipient, company),
    );
    const own = hasOwn ? [translator.say('cover.own', { mark: OWN, company })] : [];
    return {
      structured: {
        ...coverage,
        ...memoryOutput(page, context),
        complete: page.unreadable.length === 0,
        documents: shown.map((one) => listedOutput(one, company)),
      },
      text: lines.length === 0 ? opening : [opening, ...own, header, ...lines].join('\n'),
      attachments: shown.slice(0, MOST_LINKS).flatMap(linkTo),
    };
  },
});
