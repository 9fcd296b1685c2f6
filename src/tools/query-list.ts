import type { Listing, Order, StoredDocument } from '../archive/archive.ts';
import type { CallContext } from '../company/call-context.ts';
import {
  eventsOf,
  type ListColumn,
  type ListLine,
  listHeading,
  listLine,
  noteListed,
  severalContents,
  writeListLine,
} from './list-line.ts';
import type { QuestionAnswer } from './query-groups.ts';
import { listTotal } from './shared/basis.ts';
import { linesThatFit } from './shared/paging.ts';
import type { Part } from './shared/question.ts';

export interface ListAsked {
  readonly orderBy: Order<'issued_at' | 'total'> | undefined;
  readonly limit: number;
  readonly offset: number;
}

/** A document of a list, with the day on which it came in where that was asked for. */
interface Line {
  readonly area: string;
  readonly document: StoredDocument;
  readonly enteredOn: string | undefined;
}

interface KindListing {
  readonly part: Part;
  readonly listing: Listing;
  readonly lines: readonly Line[];
}

/** The days of entry of the documents of a part, where the question is about them. */
async function entryDaysOf({ selection, basis }: Part): Promise<ReadonlyMap<string, string>> {
  return selection.by === 'entry' ? basis.archive.entryDays(selection) : new Map();
}

/** Pages run through the kinds of document one after the other, each in the order asked for. */
async function listingsOf(parts: readonly Part[], { orderBy, ...page }: ListAsked): Promise<KindListing[]> {
  const listings: KindListing[] = [];
  let { offset, limit } = page;
  for (const part of parts) {
    const { selection, basis } = part;
    const listing = await basis.archive.list({ ...selection, orderBy, limit: Math.max(1, limit), offset });
    const documents = limit > 0 ? listing.documents : [];
    const days = await entryDaysOf(part);
    const lines = documents.map((document) => ({
      area: selection.area,
      document,
      enteredOn: days.get(document.summary.key ?? ''),
    }));
    listings.push({ part, listing, lines });
    offset = Math.max(0, offset - listing.total);
    limit -= documents.length;
  }
  return listings;
}

/** Whether documents are listed by what has happened to them, which their lines then tell. */
function asksEvents(parts: readonly Part[]): boolean {
  return parts.some(({ selection }) => selection.filters?.event !== undefined);
}

/** The columns that an answer has something in. */
function columnsOf(parts: readonly Part[]): ListColumn[] {
  return [
    ...(parts.length > 1 ? (['document'] as const) : []),
    'number',
    'date',
    ...(parts[0]?.selection.by === 'entry' ? (['entered_on'] as const) : []),
    'issuer_id,issuer',
    'recipient_id,recipient',
    ...(parts.some(({ selection }) => selection.area === 'cte') ? (['payer'] as const) : []),
    'total',
    'status',
    ...(asksEvents(parts) ? (['events'] as const) : []),
    'key',
  ];
}

/** A line with what its text says of it, since many of them are read together. */
function briefLine({ series: _, ...line }: ListLine): Partial<ListLine> {
  const brief = (party: ListLine['issuer']) => party && { id: party.id, name: party.name };
  return {
    ...line,
    kind: line.kind === line.document ? undefined : line.kind,
    issuer: brief(line.issuer),
    recipient: brief(line.recipient),
  };
}

interface ListData {
  readonly total: number;
  readonly listed: Partial<ListLine>[];
  readonly sums: { document: string; measures: Record<string, string> }[];
}

/** Lists the documents of each kind; their totals are of each kind, too. */
export async function answerList(
  parts: readonly Part[],
  asked: ListAsked,
  opening: (documents: number, leftOut: Listing['left_out']) => readonly string[],
  context: CallContext,
): Promise<QuestionAnswer<ListData>> {
  const { translator } = context;
  const listings = await listingsOf(parts, asked);
  const documents = listings.reduce((sum, { listing }) => sum + listing.total, 0);
  const leftOut = listings.flatMap(({ listing }) => listing.left_out);
  const [first] = parts;
  const own = first?.selection.others === undefined ? first?.selection.company : undefined;
  const columns = columnsOf(parts);
  const lines = listings.flatMap((one) => one.lines);
  const found = lines.map(({ area, document, enteredOn }): ListLine => {
    const payer = area === 'cte' ? document.summary.payer?.id : undefined;
    const events = asksEvents(parts) ? eventsOf(document) : undefined;
    return { document: area, ...listLine(document, own, context), entered_on: enteredOn, payer, events };
  });
  const fitting = linesThatFit(
    opening(documents, leftOut),
    found.map((one) => writeListLine(one, columns, own)),
  );
  const shown = found.slice(0, fitting.length);
  const filled = listings.filter(({ listing }) => listing.total > 0);
  const sums = filled.map(({ part, listing: { total, sum } }) => ({
    document: part.selection.area as string,
    measures: { count: String(total), ...(sum !== undefined && { total: sum }) },
  }));
  const sumLines = filled.map(({ part, listing }) => listTotal(part.selection.area, listing, translator));
  const listed = lines.slice(0, fitting.length).map(({ document }) => document);
  for (const document of listed) noteListed(document, context);
  const heading = listHeading(shown, columns, own, context);
  return {
    basis: 'documents',
    documents,
    leftOut,
    total: documents,
    shown: shown.length,
    count: [translator.say('cover.count', { total: documents, shown: shown.length })],
    remarksIn: (said) => severalContents(listed, said.translator).map((words) => `⚠ ${words}`),
    unavailable: [],
    structured: { total: documents, listed: shown.map(briefLine), sums },
    lines: documents === 0 ? [] : [...heading, ...fitting, ...sumLines],
  };
}
