import { type Collected, compileFieldTable, type FieldNode, type FieldTable } from '../summary/fields.ts';
import type { DocumentSummary } from '../summary/summary.ts';
import { cteFields, summarizeCte } from './cte.ts';
import {
  abridgedEventFields,
  abridgedNfeFields,
  eventReceiptFields,
  eventRequestFields,
  processedEventFields,
  summarizeAbridgedEvent,
  summarizeAbridgedNfe,
  summarizeCteEvent,
  summarizeEventRequest,
  summarizeNfeEvent,
} from './events.ts';
import { nfeFields, summarizeNfe } from './nfe.ts';
import { abrasfFields, summarizeAbrasfNfse } from './nfse/abrasf.ts';
import { dsfExportFields, dsfFields, summarizeDsfExport, summarizeDsfNfse } from './nfse/dsf.ts';
import { elFields, summarizeElNfse } from './nfse/el.ts';
import { ipmFields, summarizeIpmNfse } from './nfse/ipm.ts';
import { nationalDeclarationFields, nationalNfseFields, summarizeNationalNfse } from './nfse/national.ts';
import { osascoFields, summarizeOsascoNfse } from './nfse/osasco.ts';
import { bauruFields, prodamFields, summarizeBauruNfse, summarizeProdamNfse } from './nfse/prodam.ts';
import { type OtherDocument, otherModels, outlineOf } from './other-models.ts';

/** Roots of known unsupported layouts. Source: docs/fiscal/layouts.md. */
const unreadRoots: Readonly<Record<string, string>> = {
  ...Object.fromEntries(Object.entries(otherModels).map(([root, { kind }]) => [root, kind])),
  procEventoMDFe: 'MDF-e event',
  eventoMDFe: 'MDF-e event',
  procEventoBPe: 'BP-e event',
  procEventoNF3e: 'NF3e event',
  procEventoNFCom: 'NFCom event',
  procEventoNFGas: 'NFGas event',
  procEventoNFAg: 'NFAg event',
  procEventoNFeABI: 'NF-e ABI event',
  nfseViaProc: 'NFS-e Via',
  GTVeProc: 'GTV-e',
  GTVe: 'GTV-e',
  dceProc: 'DC-e',
  DCe: 'DC-e',
  CFeCanc: 'CF-e SAT cancellation',
  ProcInutNFe: 'NF-e numbers given up',
  procInutNFe: 'NF-e numbers given up',
  inutNFe: 'NF-e numbers given up',
  retInutNFe: 'NF-e numbers given up',
  procInutCTe: 'CT-e numbers given up',
  inutCTe: 'CT-e numbers given up',
  retInutCTe: 'CT-e numbers given up',
  procCancNFe: 'NF-e cancellation of layout 2.00',
  procCancCTe: 'CT-e cancellation of layout 1.04',
  NFTS: 'NFTS São Paulo',
  'NFS-e': 'NFS-e Infisc',
  tbnfd: 'NFS-e SmarAPD',
  nfd: 'NFS-e SmarAPD',
  GovDigital: 'NFS-e GovDigital',
  TbNotasFiscais: 'NFS-e DsExportarNotaFiscal',
  nfeRpsNotaFiscal: 'NFS-e E&L, reply of the web service',
};

/** How to read a document whose root has been met. */
export interface Layout {
  readonly node: FieldNode;
  readonly summarize: (collected: Collected) => DocumentSummary | undefined;
  /** Name of a known layout that is not supported: it gives no summary. */
  readonly unread?: string;
  /** Identification of a document of another model. */
  readonly outline?: (collected: Collected) => OtherDocument | undefined;
}

function nodeAt(node: FieldNode, path: string): FieldNode {
  return path.split('/').reduce((at, name) => {
    const child = at.children.get(name);
    if (child === undefined) throw new Error(`the layout has no ${path}`);
    return child;
  }, node);
}

function layoutOf(table: FieldTable, summarize: Layout['summarize']): Layout {
  return { node: compileFieldTable(table), summarize };
}

/** The same layout for a file that begins further down. */
function from(path: string, { node, summarize }: Layout): Layout {
  return { node: nodeAt(node, path), summarize };
}

const nfe = layoutOf(nfeFields, summarizeNfe);
const cte = layoutOf(cteFields, summarizeCte);
const abrasf = layoutOf(abrasfFields, summarizeAbrasfNfse);
const national = layoutOf(nationalNfseFields, summarizeNationalNfse);
const prodam = layoutOf(prodamFields, summarizeProdamNfse);
const ipm = layoutOf(ipmFields, summarizeIpmNfse);
const nfeEvent = layoutOf(processedEventFields, summarizeNfeEvent);
const cteEvent = layoutOf(processedEventFields, summarizeCteEvent);

const ANY = '*';
const passedOver = compileFieldTable({ fields: {} });

/** Known documents of unsupported layouts, so that they are reported by name. */
const unread = Object.fromEntries(
  Object.entries(unreadRoots).map(([root, family]): [string, Record<string, Layout>] => [
    root,
    { [ANY]: unreadLayout(root, family) },
  ]),
);

function unreadLayout(root: string, unread: string): Layout {
  const other = Object.hasOwn(otherModels, root) ? otherModels[root] : undefined;
  const summarize = () => undefined;
  if (other === undefined) return { node: passedOver, summarize, unread };
  return {
    node: compileFieldTable(other.table),
    summarize,
    unread,
    outline: (collected) => outlineOf(other.kind, collected),
  };
}

/** Layouts by the root's local name and the first element in it, since wrappers and cities use the same names. */
const layouts: Readonly<Record<string, Readonly<Record<string, Layout>>>> = {
  ...unread,
  nfeProc: { [ANY]: nfe },
  NFe: {
    infNFe: from('NFe', nfe),
    Assinatura: prodam,
    ChaveNFe: prodam,
    Prefeitura: layoutOf(bauruFields, summarizeBauruNfse),
  },
  infNFe: { ide: from('NFe/infNFe', nfe) },
  cteProc: { [ANY]: cte },
  cteOSProc: { [ANY]: cte },
  cteSimpProc: { [ANY]: cte },
  CTe: { infCte: from('CTe', cte) },
  CTeOS: { infCte: from('CTeOS', cte) },
  CTeSimp: { infCte: from('CTeSimp', cte) },
  NFSe: { infNFSe: national },
  DPS: { infDPS: layoutOf(nationalDeclarationFields, summarizeNationalNfse) },
  CompNfse: { Nfse: abrasf },
  ComplNfse: { Nfse: abrasf },
  tcCompNfse: { Nfse: abrasf },
  Nfse: {
    InfNfse: from('Nfse', abrasf),
    IdentificacaoNfse: from('Nfse', abrasf),
    Id: layoutOf(elFields, summarizeElNfse),
    infNFSe: national,
  },
  nfse: { nf: ipm, nfe: ipm, identificador: ipm, rps: ipm },
  Nota: { NumeroNota: layoutOf(dsfFields, summarizeDsfNfse) },
  NOTA_FISCAL: { [ANY]: layoutOf(dsfExportFields, summarizeDsfExport) },
  NotaFiscalRelatorioDTO: { [ANY]: layoutOf(osascoFields, summarizeOsascoNfse) },
  procEventoNFe: { [ANY]: nfeEvent },
  procEventoCTe: { [ANY]: cteEvent },
  evento: { infEvento: layoutOf(eventRequestFields, summarizeEventRequest) },
  eventoCTe: { infEvento: layoutOf(eventRequestFields, summarizeCteEvent) },
  retEvento: { infEvento: layoutOf(eventReceiptFields, summarizeNfeEvent) },
  retEventoCTe: { infEvento: layoutOf(eventReceiptFields, summarizeCteEvent) },
  resNFe: { [ANY]: layoutOf(abridgedNfeFields, summarizeAbridgedNfe) },
  resEvento: { [ANY]: layoutOf(abridgedEventFields, summarizeAbridgedEvent) },
};

/** The name of a known unsupported document, by its root; undefined for all others. */
export function unreadFamily(root: string): string | undefined {
  return Object.hasOwn(unreadRoots, root) ? unreadRoots[root] : undefined;
}

const wrappers: ReadonlySet<string> = new Set(['NFSe', 'nfse', 'Nota']);

/** Whether services name something else so as well: an entry of a list, a reply to a request. */
export function mayBeWrapper(name: string): boolean {
  return wrappers.has(name);
}

/** Whether an element of this local name may be a document's root; its first child decides. */
export function isDocumentRoot(name: string): boolean {
  return Object.hasOwn(layouts, name);
}

/** The layout of a root with this first child; undefined for a wrapper or another city's note. */
export function layoutFor(root: string, firstChild: string): Layout | undefined {
  const children = Object.hasOwn(layouts, root) ? layouts[root] : undefined;
  if (children === undefined) return undefined;
  return Object.hasOwn(children, firstChild) ? children[firstChild] : children[ANY];
}
