import { judge } from '../../../documents/rules/index.ts';
import { plainId } from '../../../documents/summary/parties.ts';
import type { DocumentSummary, Item, Party } from '../../../documents/summary/summary.ts';
import type { DocumentArea } from '../../references.ts';
import { deflated, deflatedBeside, summaryFrom } from '../schema/encoding.ts';
import { headText } from '../schema/head-text.ts';
import { digestOf, identityOf } from '../schema/identity.ts';
import { judgementText } from '../schema/judgement-text.ts';
import { currentReading, type DocumentRow, type Exclusion, type ItemRow } from '../schema/schema.ts';
import type { Units } from '../schema/units.ts';
import { type Amounts, amountsOf, type DocumentAmounts, inOrder, wholeLine } from './amounts.ts';
import type { Arrival } from './arrival.ts';
import { type BoxedText, boxUp } from './boxes.ts';

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
  /** See `judgementText`. */
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

/** A document as it came, as long as few are held: what is told of it is at hand, and nothing is made of it yet. */
export interface HeldDocument {
  readonly area: DocumentArea;
  readonly identity: string;
  /** Empty where it has none. */
  readonly key: string;
  readonly summary: DocumentSummary;
  /** Deflated. */
  readonly xml: Uint8Array | null;
}

/** The same while there are many: its summary is put away with those of others, and nothing is made of it yet. */
export interface BoxedDocument extends Omit<HeldDocument, 'summary'> {
  readonly boxed: BoxedText;
}

/** A document between its coming and its being put into the form it is stored in, which takes ten times the room. */
export type ArrivedDocument = HeldDocument | BoxedDocument;

const isBoxed = (document: ArrivedDocument): document is BoxedDocument => 'boxed' in document;

/** Whether a document is in the form it is stored in. */
export function isPrepared(document: ArrivedDocument | PreparedDocument): document is PreparedDocument {
  return 'row' in document;
}

/** See `identityOf`. */
export function identityIn(document: ArrivedDocument | PreparedDocument): string {
  return isPrepared(document) ? document.row.identity : document.identity;
}

/** Takes a document as it comes. `keepXml` as in `ArchiveOptions`. */
export function holdDocument(area: DocumentArea, { summary, xml }: Arrival, keepXml: boolean): HeldDocument {
  const identity = identityOf(area, summary, () => digestOf(JSON.stringify(summary)));
  const { key = '' } = summary;
  return { area, identity, key, summary, xml: keepXml && xml !== undefined ? deflated(xml) : null };
}

/** Puts documents away together. */
export async function boxedTogether(documents: readonly HeldDocument[]): Promise<BoxedDocument[]> {
  const texts = await boxUp(documents.map(({ summary }) => JSON.stringify(summary)));
  return texts.flatMap((boxed, place) => {
    const document = documents[place];
    if (document === undefined) return [];
    const { area, identity, key, xml } = document;
    return [{ area, identity, key, xml, boxed }];
  });
}

/** Its summary's text, made once for all that is made of it. */
function textOf(document: ArrivedDocument): Buffer {
  return isBoxed(document) ? document.boxed.bytes() : Buffer.from(JSON.stringify(document.summary));
}

/** What a document says. */
export function saidBy(document: ArrivedDocument | PreparedDocument): DocumentSummary {
  if (isPrepared(document)) return summaryFrom(document.summary);
  return isBoxed(document) ? JSON.parse(document.boxed.bytes().toString()) : document.summary;
}

/** Puts a document into the form it is stored in. `keepXml` as in `ArchiveOptions`. */
export function prepareDocument(area: DocumentArea, arrival: Arrival, keepXml: boolean): PreparedDocument {
  return preparedFrom(holdDocument(area, arrival, keepXml));
}

/** The form that a document which came is stored in. */
export function preparedFrom(document: ArrivedDocument | PreparedDocument): PreparedDocument {
  if (isPrepared(document)) return document;
  const text = textOf(document);
  return { ...formOf(document, text), summary: deflated(text) };
}

/** The same, its summary deflated by another thread meanwhile. */
export async function preparedBeside(
  document: ArrivedDocument | PreparedDocument,
): Promise<PreparedDocument> {
  if (isPrepared(document)) return document;
  const text = textOf(document);
  const deflating = deflatedBeside(text);
  const form = formOf(document, text);
  return { ...form, summary: await deflating };
}

/** The form of a document whose summary is this text, but for the summary in it. */
function formOf(document: ArrivedDocument, text: Buffer): Omit<PreparedDocument, 'summary'> {
  const { area, identity, key, xml } = document;
  const digest = digestOf(text);
  const summary = saidBy(document);
  const { issuer, recipient, sender, payer } = summary;
  const parties = [issuer, recipient, sender, payer].filter((party) => party !== undefined);
  const amounts = amountsOf(summary);
  const lines = linesOf(summary, amounts);
  const row = {
    identity,
    digest,
    area,
    kind: summary.kind,
    key,
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
    regime: issuer?.tax_regime ?? '',
    payer: taxIdOf(payer),
    purpose: summary.purpose ?? '',
    competence: monthIn(summary.competence),
    reading: currentReading,
    item_count: summary.item_count,
    has_lines: lines.length > 0 ? 1 : 0,
    total: amounts.document.total,
  };
  return {
    row,
    head: headText(summary, parties),
    amounts: amounts.document,
    lines,
    parties,
    flow: summary.flow,
    judgement: judgementText(judge(summary)),
    xml,
  };
}
