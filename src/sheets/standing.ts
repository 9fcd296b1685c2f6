import type { DocumentStatus, DocumentSummary, EventSummary } from '../documents/summary/summary.ts';
import { elementAt, textAt, type XmlElement } from '../documents/xml/tree.ts';

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

/** The event of a national NFS-e that another one took the place of. Source: docs/fiscal/events.md. */
const REPLACEMENT = '105102';

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
      return [events.some(({ code }) => code === REPLACEMENT) ? words.replaced : words.cancelled];
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
export function marksOf(document: DrawnDocument, tree: XmlElement): string[] {
  const words = wordings[document.summary.kind] ?? invoice;
  return [
    ...markOfStatus(document, words),
    ...markOfProtocol(document, tree),
    ...markOfEnvironment(document, tree, words),
  ];
}

/** The line at the foot: what made the sheet, from what, and what is known of the document. */
export function footOf({ status, events, asOf }: DrawnDocument): string {
  const names = [...new Set(events.flatMap(({ name, code }) => name ?? code ?? []))];
  const at = asOf === undefined ? '' : `, em ${asOf}`;
  const known = names.length === 0 ? '' : ` Eventos conhecidos: ${names.join(', ')}.`;
  return `origin: rendered · Folha desenhada por docfiscal-mcp a partir do XML. Situação: ${statusWords[status]}${at}.${known}`;
}
