import { plainId } from '../../../documents/summary/parties.ts';
import type { DocumentSummary, Item, Party } from '../../../documents/summary/summary.ts';
import type { DocumentArea } from '../../references.ts';
import { deflated, searchText, unitsOf } from '../schema/encoding.ts';
import { digestOf, identityOf } from '../schema/identity.ts';
import type { AmountMeasure } from '../schema/measures.ts';
import { amountMeasures } from '../schema/measures.ts';
import type { DocumentRow, Exclusion, ItemRow } from '../schema/schema.ts';
import type { Arrival } from './arrival.ts';

/** Columns that say how and how often a document came. */
type ArrivalColumn = 'fetched_at' | 'source' | 'status_at' | 'status_from' | 'contents';

/** A line of a document before it has its document's id and its description's. */
export type PreparedLine = Omit<ItemRow, 'tenant' | 'document_id' | 'description_id'> & {
  readonly description: string;
};

/** A document in the form it is stored in, but for what depends on what is there already. */
export interface PreparedDocument {
  readonly row: Omit<DocumentRow, 'tenant' | 'id' | 'status' | ArrivalColumn>;
  readonly lines: readonly PreparedLine[];
  readonly parties: readonly Party[];
  /** tpNF, see `DocumentSummary.flow`. */
  readonly flow: string | undefined;
  /** Deflated. */
  readonly summary: Uint8Array;
  readonly xml: Uint8Array | null;
}

type AmountTexts = { readonly [Name in AmountMeasure]?: string | undefined };
type AmountColumns = { [Name in AmountMeasure]: bigint | null };

const searchedCharacters = 1_000;

/** Kinds whose documents have no items by nature, so that the whole stands for one. */
const wholeKinds = new Set<DocumentSummary['kind']>(['cte', 'cteos', 'nfse']);

/** Nothing withheld is zero; a withheld tax of unknown amount is unknown. */
function issWithheld({ iss_withheld, totals }: DocumentSummary): string | undefined {
  if (iss_withheld === false) return '0';
  return totals.iss_withheld ?? (iss_withheld ? totals.iss : undefined);
}

/** An NFS-e that names no net value counts with the one worked out. */
function documentAmounts(summary: DocumentSummary): AmountTexts {
  const { total, net_derived } = summary.totals;
  return { ...summary.totals, total: total ?? net_derived, iss_withheld: issWithheld(summary) };
}

function itemAmounts({ total, discount, taxes }: Item): AmountTexts {
  return { ...taxes, total, products: total, discount };
}

/** Columns of amounts; what the archive can't hold exactly makes the document inexact. */
function amountColumns(texts: AmountTexts): { columns: AmountColumns; isExact: boolean } {
  let isExact = true;
  const unitsIn = (name: AmountMeasure): bigint | null => {
    const text = texts[name];
    if (text === undefined) return null;
    const units = unitsOf(text);
    if (units === undefined) isExact = false;
    return units ?? null;
  };
  const columns = Object.fromEntries(amountMeasures.map((name) => [name, unitsIn(name)])) as AmountColumns;
  return { columns, isExact };
}

interface Line {
  readonly line: number;
  readonly description: string | undefined;
  readonly ncm?: string | undefined;
  readonly cfop: string | undefined;
  readonly cst: string | undefined;
  readonly class_trib: string | undefined;
  readonly amounts: AmountTexts;
}

function linesOf(summary: DocumentSummary): readonly Line[] {
  const { items, service, taxation, cfop } = summary;
  if (items.length === 0 && wholeKinds.has(summary.kind)) {
    const description = service?.description ?? service?.national_code ?? service?.code;
    const class_trib = taxation?.class_trib ?? service?.class_trib;
    return [
      { line: 0, description, cfop, cst: taxation?.cst, class_trib, amounts: documentAmounts(summary) },
    ];
  }
  return items.map((item, index) => ({
    line: index + 1,
    description: item.description ?? item.code,
    ncm: item.ncm,
    cfop: item.cfop,
    cst: item.cst,
    class_trib: item.taxes.class_trib,
    amounts: itemAmounts(item),
  }));
}

function prepareLine(line: Line): { prepared: PreparedLine; isExact: boolean } {
  const { columns, isExact } = amountColumns(line.amounts);
  const prepared = {
    line: line.line,
    description: line.description ?? '',
    ncm: line.ncm ?? '',
    cfop: line.cfop ?? '',
    cst: line.cst ?? '',
    class_trib: line.class_trib ?? '',
    ...columns,
  };
  return { prepared, isExact };
}

function exclusionOf(summary: DocumentSummary, isExact: boolean): Exclusion {
  if (summary.environment === 'test') return 'test';
  return isExact ? '' : 'inexact';
}

function searchedIn(summary: DocumentSummary, parties: readonly Party[]): string {
  const names = parties.flatMap(({ name, id }) => [name, id]);
  const { number, key, operation, service } = summary;
  return searchText(...names, number, key, operation, service?.description).slice(0, searchedCharacters);
}

function taxIdOf(party: Party | undefined): string {
  return party === undefined ? '' : (plainId(party) ?? '');
}

/** Puts a document into the form it is stored in. `keepXml` as in `ArchiveOptions`. */
export function prepareDocument(
  area: DocumentArea,
  { summary, xml }: Arrival,
  keepXml: boolean,
): PreparedDocument {
  const text = JSON.stringify(summary);
  const digest = digestOf(text);
  const { issuer, recipient, sender, payer } = summary;
  const parties = [issuer, recipient, sender, payer].filter((party) => party !== undefined);
  const amounts = amountColumns(documentAmounts(summary));
  const lines = linesOf(summary).map(prepareLine);
  const row = {
    identity: identityOf(area, summary, digest),
    digest,
    area,
    kind: summary.kind,
    key: summary.key ?? '',
    number: summary.number ?? '',
    issued_at: summary.issued_at ?? '',
    own_status: summary.status,
    exclusion: exclusionOf(summary, amounts.isExact && lines.every(({ isExact }) => isExact)),
    issuer: taxIdOf(issuer),
    issuer_state: issuer?.state ?? '',
    recipient: taxIdOf(recipient),
    recipient_state: recipient?.state ?? '',
    item_count: summary.item_count,
    has_lines: lines.length > 0 ? 1 : 0,
    search: searchedIn(summary, parties),
    ...amounts.columns,
  };
  return {
    row,
    lines: lines.map(({ prepared }) => prepared),
    parties,
    flow: summary.flow,
    summary: deflated(text),
    xml: keepXml && xml !== undefined ? deflated(xml) : null,
  };
}
