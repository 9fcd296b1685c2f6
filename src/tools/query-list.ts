import { referenceOf } from '../archive/references.ts';
import type { Listing, Order, StoredDocument } from '../archive/store/archive.ts';
import type { Party } from '../documents/summary/summary.ts';
import { linesThatFit } from '../mcp/answer-result.ts';
import { csvLine } from '../messages/csv-line.ts';
import { kindName } from '../messages/kinds.ts';
import type { Part } from '../questions/several.ts';
import type { CallContext } from '../services/call-context.ts';

/** Stands for the company that was asked about, which is a party of nearly every line. */
const OWN = '*';

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

function partyOf(party: Party | undefined, own: string | undefined) {
  return party === undefined || (own !== undefined && party.id === own)
    ? undefined
    : { id: party.id, name: party.name };
}

/** A document as a list's data has it: what the text has, and no company that is named above. */
function listedDocument(
  { area, document: { summary, status, source }, enteredOn }: Line,
  own: string | undefined,
  hasSources: boolean,
) {
  const { kind, key, number, issued_at, issuer, recipient, payer, totals } = summary;
  return {
    document: area,
    kind: kind === area ? undefined : kind,
    key,
    number: number || undefined,
    issued_at: issued_at || undefined,
    entered_on: enteredOn,
    issuer: partyOf(issuer, own),
    recipient: partyOf(recipient, own),
    payer: area === 'cte' ? payer?.id : undefined,
    totals: { total: totals.total },
    status,
    source: hasSources ? source : undefined,
  };
}

type Listed = ReturnType<typeof listedDocument>;

/** Columns that are there only where some answers have something in them. */
interface Columns {
  readonly isOfSeveral: boolean;
  readonly isByEntry: boolean;
  readonly hasPayer: boolean;
}

function header({ isOfSeveral, isByEntry, hasPayer }: Columns): string {
  return [
    ...(isOfSeveral ? ['document'] : []),
    'number,date',
    ...(isByEntry ? ['entered_on'] : []),
    'issuer_id,issuer,recipient_id,recipient',
    ...(hasPayer ? ['payer'] : []),
    'total,status,key',
  ].join(',');
}

function written(one: Listed, own: string | undefined, columns: Columns): string {
  const cells = (party: Listed['issuer']) =>
    party === undefined ? ['', own === undefined ? '' : OWN] : [party.id, party.name];
  return csvLine([
    ...(columns.isOfSeveral ? [one.document] : []),
    one.number,
    one.issued_at?.slice(0, 10),
    ...(columns.isByEntry ? [one.entered_on] : []),
    ...cells(one.issuer),
    ...cells(one.recipient),
    ...(columns.hasPayer ? [one.payer === own && own !== undefined ? OWN : one.payer] : []),
    one.totals.total,
    one.status,
    one.key,
  ]);
}

/** A page of a list and its totals, with the text that tells them. */
export interface ListTold {
  readonly documents: number;
  readonly leftOut: Listing['left_out'];
  readonly shown: number;
  readonly structured: {
    readonly total: number;
    readonly listed: Listed[];
    readonly sums: { document: string; measures: Record<string, string> }[];
  };
  readonly lines: readonly string[];
}

/** Lists the documents of each kind; their totals are of each kind, too. */
export async function tellList(
  parts: readonly Part[],
  asked: ListAsked,
  opening: (documents: number, leftOut: Listing['left_out']) => readonly string[],
  context: CallContext,
): Promise<ListTold> {
  const { translator, services } = context;
  const listings = await listingsOf(parts, asked);
  const documents = listings.reduce((sum, { listing }) => sum + listing.total, 0);
  const leftOut = listings.flatMap(({ listing }) => listing.left_out);
  const [first] = parts;
  const own = first?.selection.others === undefined ? first?.selection.company : undefined;
  const columns: Columns = {
    isOfSeveral: parts.length > 1,
    isByEntry: first?.selection.by === 'entry',
    hasPayer: parts.some(({ selection }) => selection.area === 'cte'),
  };
  const lines = listings.flatMap((one) => one.lines);
  const hasSources = services.settings.files !== undefined;
  const found = lines.map((line) => listedDocument(line, own, hasSources));
  const fitting = linesThatFit(
    opening(documents, leftOut),
    found.map((one) => written(one, own, columns)),
  );
  for (const { document } of lines.slice(0, fitting.length)) {
    const reference = referenceOf(document.summary);
    if (reference) services.memory.seen.note(reference);
  }
  const sums = listings.flatMap(({ part, listing: { total, sum } }) =>
    total === 0
      ? []
      : [
          {
            document: part.selection.area as string,
            measures: { count: String(total), ...(sum !== undefined && { total: sum }) },
          },
        ],
  );
  const sumLines = sums.map(({ document, measures }) =>
    translator.say('analysis.list_total', {
      kind: kindName(document),
      count: Number(measures.count),
      total: measures.total === undefined ? '–' : translator.money(measures.total),
    }),
  );
  const hasOwn = own !== undefined && fitting.some((line) => line.includes(`,${OWN},`));
  const explained = hasOwn ? [translator.say('cover.own', { mark: OWN, company: own })] : [];
  return {
    documents,
    leftOut,
    shown: fitting.length,
    structured: { total: documents, listed: found.slice(0, fitting.length), sums },
    lines: documents === 0 ? [] : [...explained, header(columns), ...fitting, ...sumLines],
  };
}
