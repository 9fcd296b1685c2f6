import type { ListColumn, Listing, ListQuestion, Selection, StoredDocument } from '../../archive/archive.ts';
import { isAvailable } from '../../archive/ask/question.ts';
import type { DocumentArea } from '../../archive/references.ts';
import type { CallContext } from '../../company/call-context.ts';
import { isVoid } from '../../documents/summary/summary.ts';
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
import { headingOf, NOT_AVAILABLE } from './rows.ts';

type ListAsked = Required<Omit<ListQuestion, keyof Selection | 'orderBy'>> & Pick<ListQuestion, 'orderBy'>;

/** Columns that have a value in some line; requested ones follow verbatim. */
function columnsOf(parts: readonly Part[], { columns }: ListAsked, hasEvents: boolean): LineColumn[] {
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
    hasEvents && 'events',
    'key',
  ];
  const isAsked = (name: string) => name !== 'events' && columns.some((column) => column === name);
  return usual.filter((name): name is LineColumn => name !== false && !isAsked(name));
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

/** Lists the documents of each kind, with totals by kind; pages run through the kinds in turn. */
export async function answerList(
  parts: readonly Part[],
  asked: ListAsked,
  opening: (documents: number, leftOut: Listing['left_out']) => readonly string[],
  context: CallContext,
) {
  const { translator } = context;
  const { orderBy, columns: wanted } = asked;
  const areas = parts.map(({ selection }) => selection.area);
  const [first] = parts;
  const own = first?.selection.others === undefined ? first?.selection.company : undefined;
  const hasEvents =
    wanted.includes('events') || parts.some(({ selection }) => selection.filters?.event !== undefined);
  const usual = columnsOf(parts, asked, hasEvents);
  const further = wanted.filter((name) => name !== 'events' && areas.some((area) => isAvailable(name, area)));
  const names = wanted.flatMap((name) => [name, `${name}_name`]);
  const listings: { area: DocumentArea; listing: Listing }[] = [];
  const found: { document: StoredDocument; data: ListLine; text: string }[] = [];
  let { offset, limit } = asked;
  for (const { selection, basis } of parts) {
    const { area, by } = selection;
    // An NFS-e's total is net, so gross accompanies it.
    const gross: ListColumn[] = area === 'nfse' ? ['services'] : [];
    const entry: ListColumn[] = by === 'entry' ? ['entered_on'] : [];
    const available = wanted.filter((name) => isAvailable(name, area));
    const columns = [...new Set([...available, ...gross, ...entry])];
    const listing = await basis.archive.list({ ...selection, orderBy, columns, limit, offset });
    const { documents } = listing;
    for (const [index, document] of documents.entries()) {
      const values = listing.columns[index] ?? {};
      const line = listLine(document, own, context);
      const data: ListLine = {
        document: area,
        ...line,
        totals: { ...line.totals, ...(area === 'nfse' && { services: values.services }) },
        entered_on: by === 'entry' ? values.entered_on : undefined,
        payer: area === 'cte' ? document.summary.payer?.id : undefined,
        events: hasEvents ? eventsOf(document) : undefined,
        columns:
          wanted.length > 0
            ? Object.fromEntries(Object.entries(values).filter(([name]) => names.includes(name)))
            : undefined,
      };
      const cells = further.map((name) =>
        isAvailable(name, area)
          ? [values[name], values[`${name}_name`]].filter((part) => part !== undefined).join(' ')
          : NOT_AVAILABLE,
      );
      const text = writeListLine(data, usual, own);
      found.push({ document, data, text: cells.length > 0 ? `${text},${csvLine(cells)}` : text });
    }
    listings.push({ area, listing });
    offset = Math.max(0, offset - listing.total);
    limit -= documents.length;
  }
  const documents = listings.reduce((sum, { listing }) => sum + listing.total, 0);
  const leftOut = listings.flatMap(({ listing }) => listing.left_out);
  const lines = found.map(({ text }) => text);
  const fitting = linesThatFit(opening(documents, leftOut), lines);
  const shown = found.slice(0, fitting.length);
  const data = shown.map((one) => one.data);
  const listed = shown.map(({ document }) => document);
  for (const document of listed) noteListed(document, context);
  const filled = listings.filter(({ listing }) => listing.total > 0);
  // Sums of a kind's documents, over total and amount columns.
  const sumLines = filled.map(({ area, listing }) => {
    const amounts = Object.entries(listing.sums);
    const named = amounts.map(([name, text]) => `${headingOf(name, [area], translator)} ${text}`);
    return [listTotal(area, listing, translator), ...named].join('; ');
  });
  const headings = [...usual, ...further].map((name) => headingOf(name, areas, translator));
  const heading = listHeading(data, headings, own, context);
  const hasVoid = first?.selection.filters?.withVoid && data.some(({ status }) => isVoid(status));
  const isMixed = areas.length > 1 && areas.includes('nfse');
  return {
    basis: 'documents' as const,
    documents,
    leftOut,
    total: documents,
    shown: shown.length,
    count: [translator.say('cover.count', { total: documents, shown: shown.length })],
    remarksIn: (said: CallContext) =>
      sentences(
        severalContents(listed, said.translator).map((words) => `⚠ ${words}`),
        hasVoid && said.translator.say('analysis.void_listed'),
        documents > 0 && parts.flatMap(({ selection }) => turnOfYearSentences(selection, said)),
        isMixed && `NFS-e: ${said.translator.say('analysis.net_total')}`,
      ),
    unavailable: [],
    earlier: undefined,
    structured: {
      total: documents,
      listed: data.map(briefLine),
      sums: filled.map(({ area: document, listing: { total, sum, sums } }) => ({
        document,
        measures: { count: String(total), ...(sum !== undefined && { total: sum }), ...sums },
      })),
    },
    lines: documents === 0 ? [] : [...heading, ...fitting, ...sumLines],
  };
}
