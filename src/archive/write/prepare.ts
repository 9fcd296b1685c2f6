import { judge } from '../../documents/rules/index.ts';
import { plainId, regimeOf } from '../../documents/summary/parties.ts';
import type { DocumentSummary, Item, Party } from '../../documents/summary/summary.ts';
import type { DocumentArea } from '../references.ts';
import { deflated, deflatedBeside, summaryFrom } from '../schema/encoding.ts';
import { headText } from '../schema/head-text.ts';
import { digestOf, identityOf } from '../schema/identity.ts';
import type { DocumentRow, Exclusion, ItemRow } from '../schema/schema.ts';
import type { Units } from '../schema/units.ts';
import { type Amounts, amountsOf, type DocumentAmounts, inOrder, wholeLine } from './amounts.ts';
import type { Arrival } from './arrival.ts';

/** Columns that say how and how often a document came. */
type ArrivalColumn = 'fetched_at' | 'source' | 'status_at' | 'status_from' | 'contents';

/** A line of a document before it has its document's id and its description's. */
export type PreparedLine = Pick<ItemRow, 'line' | 'ncm' | 'cfop' | 'cst' | 'class_trib' | 'unit'> & {
  readonly description: string;
  /** In the order of `lineAmounts`. */
  readonly amounts: readonly (Units | null)[];
};

/** A document in the form it is stored in, but for what depends on what is there already. */
export interface PreparedDocument {
  readonly identity: string;
  readonly row: Omit<
    DocumentRow,
    'tenant' | 'id' | 'head_id' | 'status' | ArrivalColumn | Exclude<keyof DocumentAmounts, 'total'>
  >;
  /** See `headText`. */
  readonly head: string;
  readonly amounts: DocumentAmounts;
  readonly lines: readonly PreparedLine[];
  readonly parties: readonly Party[];
  /** tpNF, see `DocumentSummary.flow`. */
  readonly flow: string | undefined;
  /** What the rules about one document by itself say of it, as JSON. */
  readonly judgement: string;
  /** Deflated. */
  readonly summary: Uint8Array;
  readonly xml: Uint8Array | null;
}

/** Kinds whose documents have no items by nature, so that the whole stands for one. */
const wholeKinds = new Set<DocumentSummary['kind']>(['cte', 'cteos', 'nfse']);

/** The line of what is no item's. */
const restLine = -1;

type Words = Pick<PreparedLine, 'description' | 'ncm' | 'cfop' | 'cst' | 'class_trib' | 'unit'>;

const noWords: Words = { description: '', ncm: '', cfop: '', cst: '', class_trib: '', unit: '' };

function wordsOf({ description, code, ncm, cfop, cst, unit, taxes }: Item): Words {
  return {
    description: description ?? code ?? '',
    ncm: ncm ?? '',
    cfop: cfop ?? '',
    cst: cst ?? '',
    class_trib: taxes.class_trib ?? '',
    unit: unit?.trim().toUpperCase() ?? '',
  };
}

/** What the only line of a document without items says. */
function wholeWords({ service, taxation, cfop }: DocumentSummary): Words {
  return {
    ...noWords,
    description: service?.description ?? service?.national_code ?? service?.code ?? '',
    cfop: cfop ?? '',
    cst: taxation?.cst ?? '',
    class_trib: taxation?.class_trib ?? service?.class_trib ?? '',
  };
}

function linesOf(summary: DocumentSummary, { document, items, remainder }: Amounts): PreparedLine[] {
  if (summary.items.length === 0) {
    const isWhole = wholeKinds.has(summary.kind);
    return isWhole ? [{ line: 0, ...wholeWords(summary), amounts: inOrder(wholeLine(document)) }] : [];
  }
  const lines = items.map((amounts, index) => {
    const item = summary.items[index];
    return { line: index + 1, ...(item === undefined ? noWords : wordsOf(item)), amounts: inOrder(amounts) };
  });
  if (remainder !== undefined) lines.push({ line: restLine, ...noWords, amounts: inOrder(remainder) });
  return lines;
}

function exclusionOf(summary: DocumentSummary, isExact: boolean): Exclusion {
  if (summary.environment === 'test') return 'test';
  return isExact ? '' : 'inexact';
}

/** `YYYY-MM` of a month or a day; empty for what is neither. */
function monthIn(text: string | undefined): string {
  return /^\d{4}-(?:0[1-9]|1[0-2])(?!\d)/.exec(text ?? '')?.[0] ?? '';
}

function taxIdOf(party: Party | undefined): string {
  return party === undefined ? '' : (plainId(party) ?? '');
}

/** A document as it waits to be written: with all that it says beside its content it would take ten times the room. */
export interface HeldDocument {
  readonly area: DocumentArea;
  readonly identity: string;
  readonly digest: string;
  /** Deflated. */
  readonly summary: Uint8Array;
  readonly xml: Uint8Array | null;
}

/** Takes a document as it comes; deflating goes on beside. `keepXml` as in `ArchiveOptions`. */
export function holdDocument(
  area: DocumentArea,
  { summary, xml }: Arrival,
  keepXml: boolean,
): { readonly identity: string; readonly held: Promise<HeldDocument> } {
  const text = Buffer.from(JSON.stringify(summary));
  const digest = digestOf(text);
  const identity = identityOf(area, summary, () => digest);
  const deflate = async () => {
    const [content, source] = await Promise.all([
      deflatedBeside(text),
      keepXml && xml !== undefined ? deflatedBeside(Buffer.from(xml)) : null,
    ]);
    return { area, identity, digest, summary: content, xml: source };
  };
  return { identity, held: deflate() };
}

/** Puts a document into the form it is stored in. `keepXml` as in `ArchiveOptions`. */
export function prepareDocument(
  area: DocumentArea,
  { summary, xml }: Arrival,
  keepXml: boolean,
): PreparedDocument {
  const text = JSON.stringify(summary);
  const digest = digestOf(text);
  const identity = identityOf(area, summary, () => digest);
  const kept = keepXml && xml !== undefined ? deflated(xml) : null;
  return formOf({ area, identity, digest, summary: deflated(text), xml: kept }, summary);
}

/** The form that a document which came is stored in. */
export function preparedFrom(document: HeldDocument | PreparedDocument): PreparedDocument {
  return 'row' in document ? document : formOf(document, summaryFrom(document.summary));
}

function formOf(held: HeldDocument, summary: DocumentSummary): PreparedDocument {
  const { area, identity, digest, xml } = held;
  const { issuer, recipient, sender, payer } = summary;
  const parties = [issuer, recipient, sender, payer].filter((party) => party !== undefined);
  const amounts = amountsOf(summary);
  const lines = linesOf(summary, amounts);
  const row = {
    identity,
    digest,
    area,
    kind: summary.kind,
    key: summary.key ?? '',
    number: summary.number ?? '',
    issued_at: summary.issued_at ?? '',
    own_status: summary.status,
    exclusion: exclusionOf(summary, amounts.isExact),
    issuer: taxIdOf(issuer),
    issuer_state: issuer?.state ?? '',
    recipient: taxIdOf(recipient),
    recipient_state: recipient?.state ?? '',
    issuer_city: issuer?.city_code ?? '',
    recipient_city: recipient?.city_code ?? '',
    regime: regimeOf(issuer),
    payer: taxIdOf(payer),
    purpose: summary.purpose ?? '',
    competence: monthIn(summary.competence),
    item_count: summary.item_count,
    has_lines: lines.length > 0 ? 1 : 0,
    total: amounts.document.total,
  };
  return {
    identity,
    row,
    head: headText(summary, parties),
    amounts: amounts.document,
    lines,
    parties,
    flow: summary.flow,
    judgement: JSON.stringify(judge(summary)),
    summary: held.summary,
    xml,
  };
}
