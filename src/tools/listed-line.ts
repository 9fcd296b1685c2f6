import * as z from 'zod';
import { type DocumentReference, referenceOf, resourceUri } from '../archive/references.ts';
import type { StoredDocument } from '../archive/store/archive.ts';
import type { DocumentSummary, EventSummary, Party } from '../documents/summary/summary.ts';
import { partyShape, type WarningText, warningShape, warningTexts } from '../mcp/resources/summary-output.ts';
import { csvLine } from '../messages/csv-line.ts';
import type { CallContext } from '../services/call-context.ts';

/** A document of a list as a structured answer carries it. */
export const lineShape = () =>
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
    source: z.enum(['service', 'files', 'both']).optional(),
    uri: z.string().optional().describe('Summary resource, of the first ten'),
  });

/** A document of a list, reduced to its line; the document itself is kept only for the page shown. */
export interface ListedDocument {
  readonly identity: string;
  readonly summary: Pick<
    DocumentSummary,
    'kind' | 'key' | 'number' | 'series' | 'issued_at' | 'issuer' | 'recipient' | 'status'
  >;
  readonly total: string | undefined;
  /** Of a line that is an event. */
  readonly event: Pick<EventSummary, 'code' | 'name' | 'at'> | undefined;
  readonly warnings: readonly WarningText[];
  readonly source: StoredDocument['source'];
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

/** A document as a list shows it. */
export function listed(
  { summary, status, source }: StoredDocument,
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
    source,
    reference: referenceOf(summary),
  };
}

/** Stands for the company that was asked about, which is a party of nearly every line. */
export const OWN = '*';

/** Whether a party is the company that was asked about. */
export function isOwn(party: Party | undefined, company: string): boolean {
  return party?.id === company;
}

/** An event has no number and no day of issue: its name and its moment stand there. */
export function writeListed({ summary, total, event }: ListedDocument, company: string): string {
  const { kind, issuer, recipient, status, key } = summary;
  const number = summary.number ?? ([event?.code, event?.name].filter(Boolean).join(' ') || undefined);
  const issued_at = summary.issued_at ?? event?.at;
  const cells = (party: Party | undefined) => (isOwn(party, company) ? ['', OWN] : [party?.id, party?.name]);
  const date = issued_at?.slice(0, 10);
  return csvLine([kind, number, date, ...cells(issuer), ...cells(recipient), total, status, key]);
}

/** What a line's data need not say again. */
interface Listing {
  /** The company that is named above. */
  readonly company: string;
  /** Whether the line's summary is linked; a key, or number, day and issuer name it as well. */
  readonly isLinked: boolean;
  /** Whether documents may be from the user's files, too. */
  readonly hasSources: boolean;
}

/** A line as the data has it: what the text says, without the company that is named above. */
export function listedOutput(
  { summary, total, event, warnings, source, reference }: ListedDocument,
  { company, isLinked, hasSources }: Listing,
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
    source: hasSources ? source : undefined,
    uri: reference && isLinked ? resourceUri(reference, 'summary') : undefined,
  };
}
