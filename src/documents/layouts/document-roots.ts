import { type Collected, compileFieldTable, type DocumentLayout, type FieldNode } from '../summary/fields.ts';
import { cte } from './cte.ts';
import * as events from './events.ts';
import { nfe } from './nfe.ts';
import { abrasf } from './nfse/abrasf.ts';
import { bauru } from './nfse/bauru.ts';
import { dsf, dsfExport } from './nfse/dsf.ts';
import { el } from './nfse/el.ts';
import { ipm } from './nfse/ipm.ts';
import { nationalDeclaration, nationalNfse } from './nfse/national.ts';
import { osasco } from './nfse/osasco.ts';
import { prodam } from './nfse/prodam.ts';
import { type OtherDocument, otherModelRoots, otherModels, outlineOf } from './other-models.ts';

/** Roots of known unsupported layouts. Source: docs/fiscal/layouts.md. */
const unreadRoots: Readonly<Record<string, string>> = {
  ...otherModelRoots,
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
export interface Layout extends Pick<DocumentLayout, 'summarize'> {
  readonly node: FieldNode;
  /** Name of a known layout that is not supported: it gives no summary. */
  readonly unread?: string;
  /** Identification of a document of another model. */
  readonly outline?: (collected: Collected) => OtherDocument | undefined;
}

function layoutOf({ fields, summarize }: DocumentLayout): Layout {
  return { node: compileFieldTable(fields), summarize };
}

/** The same layout for a file that begins further down. */
function from(path: string, layout: Layout): Layout {
  const node = path
    .split('/')
    .reduce<FieldNode | undefined>((at, name) => at?.children.get(name), layout.node);
  if (node === undefined) throw new Error(`the layout has no ${path}`);
  return { ...layout, node };
}

const ANY = '*';
const passedOver = compileFieldTable({ fields: {} });

/** Known documents of unsupported layouts, so that they are reported by name. */
function unreadLayout(root: string, unread: string): Layout {
  const summarize = () => undefined;
  const table = otherModels.get(root);
  return table === undefined
    ? { node: passedOver, summarize, unread }
    : { node: compileFieldTable(table), summarize, unread, outline: (found) => outlineOf(unread, found) };
}

const wholeNfe = layoutOf(nfe);
const wholeCte = layoutOf(cte);
const wholeAbrasf = layoutOf(abrasf);
const national = layoutOf(nationalNfse);
const ofSaoPaulo = layoutOf(prodam);
const ofIpm = layoutOf(ipm);

/** Layouts by the root's local name and the first element in it, since wrappers and cities use the same names. */
const layouts: Readonly<Record<string, Readonly<Record<string, Layout>>>> = {
  ...Object.fromEntries(
    Object.entries(unreadRoots).map(([root, family]) => [root, { [ANY]: unreadLayout(root, family) }]),
  ),
  nfeProc: { [ANY]: wholeNfe },
  NFe: {
    infNFe: from('NFe', wholeNfe),
    Assinatura: ofSaoPaulo,
    ChaveNFe: ofSaoPaulo,
    Prefeitura: layoutOf(bauru),
  },
  infNFe: { ide: from('NFe/infNFe', wholeNfe) },
  cteProc: { [ANY]: wholeCte },
  cteOSProc: { [ANY]: wholeCte },
  cteSimpProc: { [ANY]: wholeCte },
  CTe: { infCte: from('CTe', wholeCte) },
  CTeOS: { infCte: from('CTeOS', wholeCte) },
  CTeSimp: { infCte: from('CTeSimp', wholeCte) },
  NFSe: { infNFSe: national },
  DPS: { infDPS: layoutOf(nationalDeclaration) },
  CompNfse: { Nfse: wholeAbrasf },
  ComplNfse: { Nfse: wholeAbrasf },
  tcCompNfse: { Nfse: wholeAbrasf },
  Nfse: {
    InfNfse: from('Nfse', wholeAbrasf),
    IdentificacaoNfse: from('Nfse', wholeAbrasf),
    Id: layoutOf(el),
    infNFSe: national,
  },
  nfse: { nf: ofIpm, nfe: ofIpm, identificador: ofIpm, rps: ofIpm },
  Nota: { NumeroNota: layoutOf(dsf) },
  NOTA_FISCAL: { [ANY]: layoutOf(dsfExport) },
  NotaFiscalRelatorioDTO: { [ANY]: layoutOf(osasco) },
  procEventoNFe: { [ANY]: layoutOf(events.nfeEvent) },
  procEventoCTe: { [ANY]: layoutOf(events.cteEvent) },
  evento: { infEvento: layoutOf(events.eventRequest) },
  eventoCTe: { infEvento: layoutOf(events.cteEventRequest) },
  retEvento: { infEvento: layoutOf(events.nfeEventReceipt) },
  retEventoCTe: { infEvento: layoutOf(events.cteEventReceipt) },
  resNFe: { [ANY]: layoutOf(events.abridgedNfe) },
  resEvento: { [ANY]: layoutOf(events.abridgedEvent) },
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
