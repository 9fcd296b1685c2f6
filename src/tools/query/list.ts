import type { ListColumn, Listing, ListOrder, Order, StoredDocument } from '../../archive/archive.ts';
import { isAvailable } from '../../archive/ask/question.ts';
import type { DocumentArea } from '../../archive/references.ts';
import { isVoid } from '../../archive/schema/expressions.ts';
import type { CallContext } from '../../company/call-context.ts';
import type { Translator } from '../../messages/index.ts';
import { csvLine } from '../../messages/message.ts';
import {
  eventsOf,
  type LineColumn,
  type ListLine,
  listHeading,
  listLine,
  noteListed,
  severalContents,
  writeListLine,
} from '../list-line.ts';
import { listTotal } from '../shared/basis.ts';
import type { Part } from '../shared/fetching.ts';
import { linesThatFit } from '../shared/paging.ts';
import { turnOfYearSentences } from '../shared/period.ts';
import type { QuestionAnswer } from './groups.ts';
import { headingOf, NOT_AVAILABLE } from './rows.ts';

export interface ListAsked {
  readonly orderBy: Order<ListOrder> | undefined;
  /** Additional columns of each line. */
  readonly columns: readonly ListColumn[];
  readonly limit: number;
  readonly offset: number;
}

/** A listed document, with its day of entry and additional columns. */
interface Line {
  readonly area: DocumentArea;
  readonly document: StoredDocument;
  readonly columns: Listing['columns'][number];
  readonly enteredOn: string | undefined;
}

interface KindListing {
  readonly part: Part;
  readonly listing: Listing;
  readonly lines: readonly Line[];
}

/** Days of entry, if the question is about them. */
async function entryDaysOf({ selection, basis }: Part): Promise<ReadonlyMap<string, string>> {
  return selection.by === 'entry' ? basis.archive.entryDays(selection) : new Map();
}

/** Pages run through the kinds in turn, each in the requested order. */
async function listingsOf(
  parts: readonly Part[],
  { orderBy, columns, ...page }: ListAsked,
): Promise<KindListing[]> {
  const listings: KindListing[] = [];
  let { offset, limit } = page;
  for (const part of parts) {
    const { selection, basis } = part;
    const wanted = columns.filter((name) => isAvailable(name, selection.area));
    // An NFS-e's total is net, so gross accompanies it.
    const own: ListColumn[] = selection.area === 'nfse' ? ['services'] : [];
    const question = {
      ...selection,
      orderBy,
      columns: [...new Set([...wanted, ...own])],
      limit: Math.max(1, limit),
      offset,
    };
    const listing = await basis.archive.list(question);
    const documents = limit > 0 ? listing.documents : [];
    const days = await entryDaysOf(part);
    const lines = documents.map((document, index) => ({
      area: selection.area,
      document,
      columns: listing.columns[index] ?? {},
      enteredOn: days.get(document.summary.key ?? ''),
    }));
    listings.push({ part, listing, lines });
    offset = Math.max(0, offset - listing.total);
    limit -= documents.length;
  }
  return listings;
}

/** Whether lines show events and their texts. */
function asksEvents(parts: readonly Part[], { columns }: ListAsked): boolean {
  return columns.includes('events') || parts.some(({ selection }) => selection.filters?.event !== undefined);
}

/** Columns that have a value in some line. */
function columnsOf(parts: readonly Part[], asked: ListAsked): LineColumn[] {
  const usual: LineColumn[] = [
    ...(parts.length > 1 ? (['document'] as const) : []),
    'number',
    'date',
    ...(parts[0]?.selection.by === 'entry' ? (['entered_on'] as const) : []),
    'issuer_id,issuer',
    'recipient_id,recipient',
    ...(parts.some(({ selection }) => selection.area === 'cte') ? (['payer'] as const) : []),
    ...(parts.every(({ selection }) => selection.area === 'nfse') ? (['services'] as const) : []),
    'total',
    'status',
    ...(asksEvents(parts, asked) ? (['events'] as const) : []),
    'key',
  ];
  return usual.filter((name) => name === 'events' || !asked.columns.some((column) => column === name));
}

/** Requested columns shown verbatim, after the others. */
function furtherColumns(parts: readonly Part[], { columns }: ListAsked): ListColumn[] {
  return columns.filter(
    (name) => name !== 'events' && parts.some(({ selection }) => isAvailable(name, selection.area)),
  );
}

function cellOf(name: ListColumn, { area, columns }: Line): string {
  if (!isAvailable(name, area)) return NOT_AVAILABLE;
  return [columns[name], columns[`${name}_name`]].filter((part) => part !== undefined).join(' ');
}

/** Requested columns among the standard ones. */
function columnsAsked(columns: Line['columns'], asked: ListAsked): Line['columns'] {
  const names = new Set(asked.columns.flatMap((name) => [name, `${name}_name`]));
  return Object.fromEntries(Object.entries(columns).filter(([name]) => names.has(name)));
}

/** Drops from the data what the text says anyway. */
function briefLine({ series: _, ...line }: ListLine): Partial<ListLine> {
  const brief = (party: ListLine['issuer']) => party && { id: party.id, name: party.name };
  return {
    ...line,
    kind: line.kind === line.document ? undefined : line.kind,
    issuer: brief(line.issuer),
    recipient: brief(line.recipient),
  };
}

/** Sums of a kind's documents, over total and amount columns. */
function sumLine({ part, listing }: KindListing, translator: Translator): string {
  const { area } = part.selection;
  const amounts = Object.entries(listing.sums).map(
    ([name, text]) => `${headingOf(name, [area], translator)} ${text}`,
  );
  return [listTotal(area, listing, translator), ...amounts].join('; ');
}

interface ListData {
  readonly total: number;
  readonly listed: Partial<ListLine>[];
  readonly sums: { document: string; measures: Record<string, string> }[];
}

/** Lists the documents of each kind, with totals by kind. */
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
  const usual = columnsOf(parts, asked);
  const further = furtherColumns(parts, asked);
  const lines = listings.flatMap((one) => one.lines);
  const found = lines.map(({ area, document, enteredOn, columns }): ListLine => {
    const payer = area === 'cte' ? document.summary.payer?.id : undefined;
    const events = asksEvents(parts, asked) ? eventsOf(document) : undefined;
    const line = {
      document: area,
      ...listLine(document, own, context),
      entered_on: enteredOn,
      payer,
      events,
    };
    if (area === 'nfse') line.totals = { ...line.totals, services: columns.services };
    return asked.columns.length > 0 ? { ...line, columns: columnsAsked(columns, asked) } : line;
  });
  const textLines = found.map((one, index) => {
    const line = lines[index];
    const cells = line === undefined ? [] : further.map((name) => cellOf(name, line));
    return [writeListLine(one, usual, own), ...(cells.length > 0 ? [csvLine(cells)] : [])].join(',');
  });
  const fitting = linesThatFit(opening(documents, leftOut), textLines);
  const shown = found.slice(0, fitting.length);
  const filled = listings.filter(({ listing }) => listing.total > 0);
  const sums = filled.map(({ part, listing: { total, sum, sums: more } }) => ({
    document: part.selection.area as string,
    measures: { count: String(total), ...(sum !== undefined && { total: sum }), ...more },
  }));
  const sumLines = filled.map((one) => sumLine(one, translator));
  const listed = lines.slice(0, fitting.length).map(({ document }) => document);
  for (const document of listed) noteListed(document, context);
  const areas = parts.map(({ selection }) => selection.area);
  const headings = [...usual, ...further].map((name) => headingOf(name, areas, translator));
  const heading = listHeading(shown, headings, own, context);
  const hasVoid = first?.selection.filters?.withVoid && shown.some(({ status }) => isVoid(status));
  const isMixed = areas.length > 1 && areas.includes('nfse');
  return {
    basis: 'documents',
    documents,
    leftOut,
    total: documents,
    shown: shown.length,
    count: [translator.say('cover.count', { total: documents, shown: shown.length })],
    remarksIn: (said) => [
      ...severalContents(listed, said.translator).map((words) => `⚠ ${words}`),
      ...(hasVoid ? [said.translator.say('analysis.void_listed')] : []),
      ...(documents === 0 ? [] : parts.flatMap(({ selection }) => turnOfYearSentences(selection, said))),
      ...(isMixed ? [`NFS-e: ${said.translator.say('analysis.net_total')}`] : []),
    ],
    unavailable: [],
    structured: { total: documents, listed: shown.map(briefLine), sums },
    lines: documents === 0 ? [] : [...heading, ...fitting, ...sumLines],
  };
}
