import { NATIONAL_SUBSTITUTION } from '../documents/events/event-names.ts';
import type { DocumentStatus, DocumentSummary, EventSummary } from '../documents/summary/summary.ts';
import { elementAt, readTree, textAt, type XmlElement } from '../documents/xml/tree.ts';
import { dacteBlocks, dacteHead } from './dacte.ts';
import { danfeBlocks, danfeHead } from './danfe.ts';
import { danfseBlocks, danfseHead } from './danfse.ts';
import { mirrorBlocks, mirrorHead } from './mirror.ts';
import { nfceBlocks, nfceHead } from './nfce.ts';
import type { Sheet } from './sheet.ts';

export type { Sheet } from './sheet.ts';

/** A document to be drawn: its own text, and what is known of it besides. */
export interface DrawnDocument {
  /** One document, as it arrived. */
  readonly xml: string;
  readonly summary: DocumentSummary;
  /** With the events applied that are known. */
  readonly status: DocumentStatus;
  /** The events that stand. */
  readonly events: readonly EventSummary[];
  /** When the status was last asked for, as a person reads it. */
  readonly asOf?: string;
}

/** The words for one kind of document, which is a `nota` or a `conhecimento`. */
interface Wording {
  readonly cancelled: string;
  readonly replaced: string;
  readonly denied: string;
  readonly notAuthorized: string;
  readonly test: string;
}

const invoice: Wording = {
  cancelled: 'CANCELADA',
  replaced: 'SUBSTITUÍDA',
  denied: 'USO DENEGADO',
  notAuthorized: 'NÃO AUTORIZADA',
  test: 'SEM VALOR FISCAL',
};
const wordings: Readonly<Partial<Record<DocumentSummary['kind'], Wording>>> = {
  cte: { ...invoice, cancelled: 'CANCELADO', replaced: 'SUBSTITUÍDO', notAuthorized: 'NÃO AUTORIZADO' },
  cteos: { ...invoice, cancelled: 'CANCELADO', replaced: 'SUBSTITUÍDO', notAuthorized: 'NÃO AUTORIZADO' },
  nfse: { ...invoice, test: 'SEM VALIDADE JURÍDICA' },
};

const statusWords: Readonly<Record<DocumentStatus, string>> = {
  authorized: 'autorizado',
  cancelled: 'cancelado',
  denied: 'denegado',
  no_protocol: 'sem protocolo de autorização',
  unknown: 'desconhecida',
};

function markOfStatus({ status, events }: DrawnDocument, words: Wording): string[] {
  switch (status) {
    case 'authorized':
      return [];
    case 'cancelled':
      return [events.some(({ code }) => code === NATIONAL_SUBSTITUTION) ? words.replaced : words.cancelled];
    case 'denied':
      return [words.denied];
    case 'no_protocol':
      return [words.notAuthorized];
    default:
      return ['SITUAÇÃO DESCONHECIDA'];
  }
}

/** Whether the layout says production or test in every file, so that one that says neither is not what it should be. */
function namesEnvironment({ kind, layout }: DocumentSummary): boolean {
  return kind !== 'nfse' || layout.startsWith('nfse national');
}

function protocolOf(tree: XmlElement): XmlElement | undefined {
  return elementAt(tree, 'protNFe/infProt') ?? elementAt(tree, 'protCTe/infProt');
}

function markOfEnvironment({ summary }: DrawnDocument, tree: XmlElement, words: Wording): string[] {
  const isTest = summary.environment === 'test' || textAt(protocolOf(tree), 'tpAmb') === '2';
  if (isTest) return [words.test];
  return summary.environment === undefined && namesEnvironment(summary) ? ['AMBIENTE NÃO INFORMADO'] : [];
}

/** A protocol that was put beside another document than its own proves nothing of this one. */
function markOfProtocol({ summary }: DrawnDocument, tree: XmlElement): string[] {
  const protocol = protocolOf(tree);
  const of = textAt(protocol, 'chNFe', 'chCTe');
  return of !== undefined && of !== summary.key ? ['PROTOCOLO DE OUTRO DOCUMENTO'] : [];
}

/** What has to stand across a sheet, so that nobody takes for valid what isn't; empty for a valid document. */
function marksOf(document: DrawnDocument, tree: XmlElement): string[] {
  const words = wordings[document.summary.kind] ?? invoice;
  return [
    ...markOfStatus(document, words),
    ...markOfProtocol(document, tree),
    ...markOfEnvironment(document, tree, words),
  ];
}

/** The line at the foot: what made the sheet, from what, and what is known of the document. */
function footOf({ status, events, asOf }: DrawnDocument): string {
  const names = [...new Set(events.flatMap(({ name, code }) => name ?? code ?? []))];
  const at = asOf === undefined ? '' : `, em ${asOf}`;
  const known = names.length === 0 ? '' : ` Eventos conhecidos: ${names.join(', ')}.`;
  return `origin: rendered · Folha desenhada por docfiscal-mcp a partir do XML. Situação: ${statusWords[status]}${at}.${known}`;
}

type Drawn = Pick<Sheet, 'form' | 'head' | 'blocks'>;

/** An element of the document, whether the file begins with it, its owner or the process. */
function contentOf(tree: XmlElement, name: string, owners: readonly string[]): XmlElement | undefined {
  if (tree.name === name) return tree;
  const places = [name, ...owners.map((owner) => `${owner}/${name}`)];
  for (const place of places) {
    const found = elementAt(tree, place);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** An NFC-e has a form of its own. */
const CONSUMER_MODEL = '65';

async function nfe(tree: XmlElement): Promise<Drawn | undefined> {
  const note = contentOf(tree, 'infNFe', ['NFe']);
  if (note === undefined) return undefined;
  const protocol = elementAt(tree, 'protNFe/infProt');
  const supplement = contentOf(tree, 'infNFeSupl', ['NFe']);
  if (textAt(note, 'ide/mod') === CONSUMER_MODEL) {
    return { form: 'nfce', head: nfceHead(note, supplement), blocks: nfceBlocks(note, protocol) };
  }
  const head = danfeHead(note, supplement);
  return { form: 'danfe', head, blocks: await danfeBlocks(note, protocol) };
}

const CTE_ROOTS = ['CTe', 'CTeOS', 'CTeSimp'];

function cte(tree: XmlElement): Drawn | undefined {
  const document = contentOf(tree, 'infCte', CTE_ROOTS);
  if (document === undefined) return undefined;
  const protocol = elementAt(tree, 'protCTe/infProt');
  const head = dacteHead(document, contentOf(tree, 'infCTeSupl', CTE_ROOTS));
  return { form: 'dacte', head, blocks: dacteBlocks(document, protocol) };
}

function national(tree: XmlElement): Drawn | undefined {
  const note = contentOf(tree, 'infNFSe', ['NFSe']);
  return note && { form: 'danfse', head: danfseHead(note), blocks: danfseBlocks(note) };
}

function mirror({ summary }: DrawnDocument, tree: XmlElement): Drawn {
  const title = tree.name === 'DPS' ? 'Espelho da DPS' : 'Espelho da NFS-e';
  return { form: 'mirror', head: mirrorHead(summary, title), blocks: mirrorBlocks(summary, tree) };
}

/** The sheet of a document; undefined for an event or a summary. Throws an XmlError for malformed text. */
export async function sheetOf(document: DrawnDocument): Promise<Sheet | undefined> {
  const { kind } = document.summary;
  if (kind === 'event' || kind === 'summary') return undefined;
  const tree = readTree(document.xml);
  const drawn = (await nfe(tree)) ?? cte(tree) ?? national(tree) ?? mirror(document, tree);
  return { ...drawn, marks: marksOf(document, tree), foot: footOf(document) };
}

/** A sheet as a PDF. */
export interface RenderedSheet {
  readonly bytes: Uint8Array;
  /** What stands across it; empty for a valid document. */
  readonly marks: readonly string[];
}

/** The day a document was issued, so that its sheet is the same bytes whenever it is drawn. */
function dateOf(text: string | undefined): Date {
  const date = new Date(text ?? 0);
  return Number.isNaN(date.getTime()) ? new Date(0) : date;
}

/**
 * A document's sheet as a PDF; undefined for an event or a summary. Throws an XmlError for malformed text.
 */
export async function renderSheet(document: DrawnDocument): Promise<RenderedSheet | undefined> {
  const sheet = await sheetOf(document);
  if (sheet === undefined) return undefined;
  const { drawSheet } = await import('./draw/draw-sheet.ts');
  return { bytes: await drawSheet(sheet, dateOf(document.summary.issued_at)), marks: sheet.marks };
}

/** The sheets of several documents as one PDF, one after the other, whose outline names them. */
export async function renderSheets(sheets: readonly Sheet[], title: string, date: Date): Promise<Uint8Array> {
  const { drawSheets } = await import('./draw/draw-sheet.ts');
  return drawSheets(sheets, title, date);
}
