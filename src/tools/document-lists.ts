import type { ContentBlock } from '@modelcontextprotocol/server';
import * as z from 'zod';
import { type DocumentReference, referenceOf, resourceUri } from '../archive/references.ts';
import type { DocumentRoute } from '../clients/tax-documents/listings.ts';
import { operationLabel } from '../clients/tax-documents/operations.ts';
import type { DocumentList, ReceivedDocument } from '../clients/tax-documents/replies/results.ts';
import type { Direction } from '../clients/tax-documents/wire-formats.ts';
import type { DocumentSummary, EventSummary, Party } from '../documents/summary/summary.ts';
import {
  type Coverage,
  companyOf,
  coverageShape,
  dateAssumption,
  describeCoverage,
  periodOf,
  replyWarnings,
  writeMoment,
} from '../mcp/coverage.ts';
import { readTool } from '../mcp/definition.ts';
import { positionOf, takePage } from '../mcp/paging.ts';
import { limit, shared } from '../mcp/parameters.ts';
import { partyShape, type WarningText, warningShape, warningTexts } from '../mcp/resources/summary-output.ts';
import { csvLine } from '../messages/csv-line.ts';
import { kindName } from '../messages/kinds.ts';
import type { CallContext } from '../services/call-context.ts';
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
    warnings: z.array(warningShape()),
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
  { summary }: ReceivedDocument,
  place: number,
  company: string,
  context: CallContext,
): ListedDocument {
  const { kind, key, number, series, issued_at, issuer, recipient, status } = summary;
  return {
    identity: identityOf(summary, place),
    summary: {
      kind,
      key,
      number,
      series,
      issued_at,
      issuer: shorten(issuer),
      recipient: shorten(recipient),
      status,
    },
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

interface Collected {
  readonly documents: readonly ListedDocument[];
  readonly lists: readonly DocumentList[];
  readonly repeated: number;
}

/** Asks a route's operation, once or for both directions, and merges what comes. */
async function collect(
  route: DocumentRoute,
  inputs: { company: string } & ReturnType<typeof periodOf>,
  context: CallContext,
): Promise<Collected> {
  const client = await context.services.documents();
  const documents = new Map<string, ListedDocument>();
  const lists: DocumentList[] = [];
  let repeated = 0;
  for (const direction of route.directions) {
    const read = async (arriving: AsyncIterable<ReceivedDocument>): Promise<ListedDocument[]> => {
      const received: ListedDocument[] = [];
      for await (const document of arriving) {
        received.push(listed(document, received.length, inputs.company, context));
      }
      return received;
    };
    const { signal } = context;
    const answer = await client.list(route.operation, { ...inputs, direction }, read, { signal });
    lists.push(answer.list);
    for (const one of answer.read) {
      if (documents.has(one.identity)) repeated += 1;
      else documents.set(one.identity, one);
    }
  }
  return { documents: [...documents.values()], lists, repeated };
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
    }),
  output: () => z.object({ ...coverageShape(), documents: z.array(lineShape()) }),
  async run({ limit: size, cursor, ...args }, context) {
    const { translator } = context;
    const route = documentRouteFor(args);
    const company = companyOf(args, context);
    const period = periodOf(args, context);
    const position = await positionOf(cursor, { tool: 'list_documents', ...args, company }, context);
    const { documents: all, lists, repeated } = await collect(route, { company, ...period }, context);
    const divided: Divided =
      route.divideBy === undefined
        ? { documents: all, assumptions: [], warnings: [] }
        : divide(all, route.divideBy, company, context);
    const page = await takePage({
      items: divided.documents,
      identify: ({ identity }) => identity,
      write: (one) => writeListed(one, company),
      limit: size,
      position,
    });
    for (const { reference } of page.items) if (reference) context.services.library.note(reference);
    const coverage: Coverage = {
      operation: operationLabel(route.operation),
      company,
      from: writeMoment(period.from),
      to: writeMoment(period.to),
      total: divided.documents.length,
      shown: page.items.length,
      next_cursor: page.nextCursor,
      assumptions: [
        dateAssumption(context),
        ...(route.directions.length > 1 ? [translator.say('assumption.both_directions')] : []),
        ...(repeated > 0 ? [translator.say('assumption.repeated', { repeated })] : []),
        ...divided.assumptions,
      ],
      warnings: [
        ...lists.flatMap(({ warnings }) => replyWarnings(warnings, translator)),
        ...divided.warnings,
      ],
    };
    const opening = describeCoverage(coverage, kindName(args.document), translator);
    const header = 'kind,number,date,issuer_id,issuer,recipient_id,recipient,total,status,key';
    const hasOwn = page.items.some(
      ({ summary }) => isOwn(summary.issuer, company) || isOwn(summary.recipient, company),
    );
    const own = hasOwn ? [translator.say('cover.own', { mark: OWN, company })] : [];
    return {
      structured: {
        ...coverage,
        documents: page.items.map(({ summary, total, event, warnings, reference }) => ({
          ...summary,
          totals: { total },
          event,
          warnings: [...warnings],
          uri: reference ? resourceUri(reference, 'summary') : undefined,
        })),
      },
      text: page.lines.length === 0 ? opening : [opening, ...own, header, ...page.lines].join('\n'),
      attachments: page.items.flatMap(linkTo),
    };
  },
});
