import { NATIONAL_SUBSTITUTION } from '../documents/events/event-names.ts';
import {
  type DocumentStatus,
  type DocumentSummary,
  type EventSummary,
  familyOf,
} from '../documents/summary/summary.ts';
import { elementAt, elementsAt, readTree, textAt, type XmlElement } from '../documents/xml/tree.ts';
import { dacteBlocks, dacteHead } from './dacte.ts';
import { CONSUMER_MODEL, danfeBlocks, danfeHead } from './danfe.ts';
import { danfseBlocks, danfseHead } from './danfse.ts';
import { mirrorBlocks, mirrorHead } from './mirror.ts';
import { nfceBlocks, nfceHead } from './nfce.ts';
import type { Sheet } from './sheet.ts';

export { XmlError } from '../documents/xml/xml.ts';
export type { Sheet } from './sheet.ts';

/** A document to draw: its text, and facts from other sources. */
export interface DrawnDocument {
  readonly xml: string;
  readonly summary: DocumentSummary;
  /** After the known events. */
  readonly status: DocumentStatus;
  readonly events: readonly EventSummary[];
  /** Time of the last status query, formatted for a reader. */
  readonly asOf?: string;
}

const statusWords: Readonly<Record<DocumentStatus, string>> = {
  authorized: 'autorizado',
  cancelled: 'cancelado',
  denied: 'denegado',
  no_protocol: 'sem protocolo de autorização',
  unknown: 'desconhecida',
};

/** The status mark, in the gender of the document: a `nota` is feminine, a `conhecimento` masculine. */
function markOfStatus({ status, events, summary }: DrawnDocument): string | undefined {
  const ending = familyOf(summary.kind) === 'cte' ? 'O' : 'A';
  const isReplaced = events.some(({ code }) => code === NATIONAL_SUBSTITUTION);
  const marks: Readonly<Record<DocumentStatus, string | undefined>> = {
    authorized: undefined,
    cancelled: `${isReplaced ? 'SUBSTITUÍD' : 'CANCELAD'}${ending}`,
    denied: 'USO DENEGADO',
    no_protocol: `NÃO AUTORIZAD${ending}`,
    unknown: 'SITUAÇÃO DESCONHECIDA',
  };
  return marks[status];
}

function protocolOf(tree: XmlElement): XmlElement | undefined {
  return elementAt(tree, 'protNFe/infProt') ?? elementAt(tree, 'protCTe/infProt');
}

function markOfEnvironment({ environment, kind, layout }: DocumentSummary, tree: XmlElement) {
  if (environment === 'test' || textAt(protocolOf(tree), 'tpAmb') === '2')
    return kind === 'nfse' ? 'SEM VALIDADE JURÍDICA' : 'SEM VALOR FISCAL';
  // These layouts require the environment: a file without it is malformed.
  const namesEnvironment = kind !== 'nfse' || layout.startsWith('nfse national');
  return environment === undefined && namesEnvironment ? 'AMBIENTE NÃO INFORMADO' : undefined;
}

/** Marks that keep an invalid document from looking valid; empty for a valid one. */
function marksOf(document: DrawnDocument, tree: XmlElement): string[] {
  const { summary } = document;
  const owner = textAt(protocolOf(tree), 'chNFe', 'chCTe');
  // A protocol of another document proves nothing about this one.
  const isOfAnother = owner !== undefined && owner !== summary.key;
  return [
    markOfStatus(document),
    isOfAnother ? 'PROTOCOLO DE OUTRO DOCUMENTO' : undefined,
    markOfEnvironment(summary, tree),
  ].filter((mark) => mark !== undefined);
}

/** The footer: producing program, source, and the document's known status. */
function footOf({ status, events, asOf }: DrawnDocument): string {
  const names = [...new Set(events.flatMap(({ name, code }) => name ?? code ?? []))];
  const at = asOf === undefined ? '' : `, em ${asOf}`;
  const known = names.length === 0 ? '' : ` Eventos conhecidos: ${names.join(', ')}.`;
  return `origin: rendered · Folha desenhada por docfiscal-mcp a partir do XML. Situação: ${statusWords[status]}${at}.${known}`;
}

type Drawn = Pick<Sheet, 'form' | 'head' | 'blocks'>;

/** An element of the document, whether the file's root is it, an owner, or the process wrapper. */
function contentOf(tree: XmlElement, name: string, ...owners: readonly string[]): XmlElement | undefined {
  if (tree.name === name) return tree;
  const places = [name, ...owners.map((owner) => `${owner}/${name}`)];
  return places.flatMap((place) => elementsAt(tree, place))[0];
}

function nfe(tree: XmlElement): Drawn | undefined {
  const note = contentOf(tree, 'infNFe', 'NFe');
  if (note === undefined) return undefined;
  const protocol = elementAt(tree, 'protNFe/infProt');
  const supplement = contentOf(tree, 'infNFeSupl', 'NFe');
  return textAt(note, 'ide/mod') === CONSUMER_MODEL
    ? { form: 'nfce', head: nfceHead(note, supplement), blocks: nfceBlocks(note, protocol) }
    : { form: 'danfe', head: danfeHead(note, supplement), blocks: danfeBlocks(note, protocol) };
}

function cte(tree: XmlElement): Drawn | undefined {
  const roots = ['CTe', 'CTeOS', 'CTeSimp'];
  const document = contentOf(tree, 'infCte', ...roots);
  if (document === undefined) return undefined;
  const head = dacteHead(document, contentOf(tree, 'infCTeSupl', ...roots));
  return { form: 'dacte', head, blocks: dacteBlocks(document, elementAt(tree, 'protCTe/infProt')) };
}

function national(tree: XmlElement): Drawn | undefined {
  const note = contentOf(tree, 'infNFSe', 'NFSe');
  return note && { form: 'danfse', head: danfseHead(note), blocks: danfseBlocks(note) };
}

function mirror({ summary }: DrawnDocument, tree: XmlElement): Drawn {
  const title = tree.name === 'DPS' ? 'Espelho da DPS' : 'Espelho da NFS-e';
  return { form: 'mirror', head: mirrorHead(summary, title), blocks: mirrorBlocks(summary, tree) };
}

/** The sheet of a document; undefined for an event or a summary. Throws an XmlError for malformed text. */
export function sheetOf(document: DrawnDocument): Sheet | undefined {
  const { kind } = document.summary;
  if (kind === 'event' || kind === 'summary') return undefined;
  const tree = readTree(document.xml);
  const drawn = nfe(tree) ?? cte(tree) ?? national(tree) ?? mirror(document, tree);
  return { ...drawn, marks: marksOf(document, tree), foot: footOf(document) };
}

/** A document's sheet as a PDF; undefined for an event or a summary. Throws an XmlError for malformed text. */
export async function renderSheet(document: DrawnDocument) {
  const sheet = sheetOf(document);
  if (sheet === undefined) return undefined;
  const { drawSheet } = await import('./draw/draw-sheet.ts');
  // Dated by the issue, so that a sheet is always the same bytes.
  const issued = Date.parse(document.summary.issued_at ?? '') || 0;
  return { bytes: await drawSheet(sheet, new Date(issued)), marks: sheet.marks };
}

/** The sheets of several documents as one PDF with an outline entry for each. */
export async function renderSheets(sheets: readonly Sheet[], title: string, date: Date): Promise<Uint8Array> {
  const { drawSheets } = await import('./draw/draw-sheet.ts');
  return drawSheets(sheets, title, date);
}
