import type { ListColumn, Listing, ListOrder, Order, StoredDocument } from '../../archive/archive.ts';
import { isAvailable } from '../../archive/ask/question.ts';
import type { DocumentArea } from '../../archive/references.ts';
import { isVoid } from '../../archive/schema/sql.ts';
import type { CallContext } from '../../company/call-context.ts';
import { csvLine } from '../../messages/message.ts';
import { listTotal } from '../shared/basis.ts';
import { sentences } from '../shared/definition.ts';
import type { Part } from '../shared/fetching.ts';
import {
  eventsOf,
  type LineColumn,
  type ListLine,
  listHeading,
  listLine,
  noteListed,
  severalContents,
  writeListLine,
} from '../shared/listing.ts';
import { linesThatFit } from '../shared/paging.ts';
import { turnOfYearSentences } from '../shared/period.ts';
import type { QuestionAnswer } from './groups.ts';
import { headingOf, NOT_AVAILABLE, type SumRow } from './rows.ts';

export interface ListAsked {
  readonly orderBy: Order<ListOrder> | undefined;
  /** Additional columns of each line. */
  readonly columns: readonly ListColumn[];
  readonly limit: number;
  readonly offset: number;
}

/** A listed document with the columns asked for. */
interface Line {
  readonly area: DocumentArea;
  readonly document: StoredDocument;
  readonly columns: Listing['columns'][number];
  readonly enteredOn: string | undefined;
}

interface KindListing {
  readonly area: DocumentArea;
  readonly listing: Listing;
  readonly lines: readonly Line[];
}

/** Pages run through the kinds in turn, each in the requested order. */
async function listingsOf(
  parts: readonly Part[],
  { orderBy, columns: wanted, ...page }: ListAsked,
): Promise<KindListing[]> {
  const listings: KindListing[] = [];
  let { offset, limit } = page;
  for (const { selection, basis } of parts) {
    const { area, by } = selection;
    // An NFS-e's total is net, so gross accompanies it.
    const own: ListColumn[] = area === 'nfse' ? ['services'] : [];
    const columns = [...new Set([...wanted.filter((name) => isAvailable(name, area)), ...own])];
    const range = { orderBy, columns, limit: Math.max(1, limit), offset };
    const listing = await basis.archive.list({ ...selection, ...range });
    const documents = limit > 0 ? listing.documents : [];
    const days = by === 'entry' ? await basis.archive.entryDays(selection) : new Map<string, string>();
    const lines = documents.map((document, index) => ({
      area,
      document,
      columns: listing.columns[index] ?? {},
      enteredOn: days.get(document.summary.key ?? ''),
    }));
    listings.push({ area, listing, lines });
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
  const areas = parts.map(({ selection }) => selection.area);
  const usual: (LineColumn | false)[] = [
    parts.length > 1 && 'document',
    'number',
    'date',
    parts[0]?.selection.by === 'entry' && 'entered_on',
    'issuer_id,issuer',
    'recipient_id,recipient',
    areas.includes('cte') && 'payer',
    areas.every((area) => area === 'nfse') && 'services',
    'total',
    'status',
    asksEvents(parts, asked) && 'events',
    'key',
  ];
  const isAsked = (name: string) => name !== 'events' && asked.columns.some((column) => column === name);
  return usual.filter((name): name is LineColumn => name !== false && !isAsked(name));
}

function cellOf(name: ListColumn, { area, columns }: Line): string {
  if (!isAvailable(name, area)) return NOT_AVAILABLE;
  return [columns[name], columns[`${name}_name`]].filter((part) => part !== undefined).join(' ');
}

/** Converts a document for the answer. */
function lineOf(
  line: Line,
  asked: ListAsked,
  hasEvents: boolean,
  own: string | undefined,
  context: CallContext,
) {
  const { area, document, columns, enteredOn } = line;
  const names = asked.columns.flatMap((name) => [name, `${name}_name`]);
  const given = Object.entries(columns).filter(([name]) => names.includes(name));
  const written = listLine(document, own, context);
  const totals = { ...written.totals, ...(area === 'nfse' && { services: columns.services }) };
  return {
    document: area,
    ...written,
    totals,
    entered_on: enteredOn,
    payer: area === 'cte' ? document.summary.payer?.id : undefined,
    events: hasEvents ? eventsOf(document) : undefined,
    columns: asked.columns.length > 0 ? Object.fromEntries(given) : undefined,
  };
}

/** Drops fields that the text repeats. */
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
  readonly sums: SumRow[];
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
  const areas = parts.map(({ selection }) => selection.area);
  const [first] = parts;
  const own = first?.selection.others === undefined ? first?.selection.company : undefined;
  const usual = columnsOf(parts, asked);
  // Requested columns are shown verbatim, after the others.
  const further = asked.columns.filter(
    (name) => name !== 'events' && areas.some((area) => isAvailable(name, area)),
  );
  const lines = listings.flatMap((one) => one.lines);
  const hasEvents = asksEvents(parts, asked);
  const found = lines.map((line) => {
    const data: ListLine = lineOf(line, asked, hasEvents, own, context);
    const cells = further.map((name) => cellOf(name, line));
    const text = writeListLine(data, usual, own);
    return { data, text: cells.length > 0 ? `${text},${csvLine(cells)}` : text };
  });
  const textLines = found.map(({ text }) => text);
  const fitting = linesThatFit(opening(documents, leftOut), textLines);
  const shown = found.slice(0, fitting.length).map(({ data }) => data);
  const filled = listings.filter(({ listing }) => listing.total > 0);
  // Sums of a kind's documents, over total and amount columns.
  const sumLines = filled.map(({ area, listing }) => {
    const amounts = Object.entries(listing.sums);
    const named = amounts.map(([name, text]) => `${headingOf(name, [area], translator)} ${text}`);
    return [listTotal(area, listing, translator), ...named].join('; ');
  });
  const listed = lines.slice(0, fitting.length).map(({ document }) => document);
  for (const document of listed) noteListed(document, context);
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
    remarksIn: (said) =>
      sentences(
        severalContents(listed, said.translator).map((words) => `⚠ ${words}`),
        hasVoid && said.translator.say('analysis.void_listed'),
        documents > 0 && parts.flatMap(({ selection }) => turnOfYearSentences(selection, said)),
        isMixed && `NFS-e: ${said.translator.say('analysis.net_total')}`,
      ),
    unavailable: [],
    structured: {
      total: documents,
      listed: shown.map(briefLine),
      sums: filled.map(({ area: document, listing: { total, sum, sums } }) => ({
        document,
        measures: { count: String(total), ...(sum !== undefined && { total: sum }), ...sums },
      })),
    },
    lines: documents === 0 ? [] : [...heading, ...fitting, ...sumLines],
  };
}
