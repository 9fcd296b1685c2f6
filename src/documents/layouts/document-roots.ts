import {
  type Collected,
  compileFieldTable,
  type DocumentLayout,
  type FieldNode,
  type FieldTable,
} from '../summary/fields.ts';
import { cte } from './cte.ts';
import { abridgedEvent, abridgedNfe, cteEvent, nfeEvent } from './events.ts';
import { nfe } from './nfe.ts';
import { abrasf } from './nfse/abrasf.ts';
import { dsf, dsfExport } from './nfse/dsf.ts';
import { el } from './nfse/el.ts';
import { ipm } from './nfse/ipm.ts';
import { nationalDeclaration, nationalNfse } from './nfse/national.ts';
import { osasco } from './nfse/osasco.ts';
import { bauru, prodam } from './nfse/prodam.ts';
import { type OtherDocument, otherModels, outlineOf } from './other-models.ts';

/** Roots of known unsupported layouts. Source: docs/fiscal/layouts.md. */
const unreadRoots: Readonly<Record<string, string>> = {
  'MDF-e event': 'eventoMDFe',
  'NFS-e Via': 'nfseViaProc',
  'GTV-e': 'GTVeProc GTVe',
  'DC-e': 'dceProc DCe',
  'CF-e SAT cancellation': 'CFeCanc',
  'NF-e numbers given up': 'ProcInutNFe procInutNFe inutNFe retInutNFe',
  'CT-e numbers given up': 'procInutCTe inutCTe retInutCTe',
  'NF-e cancellation of layout 2.00': 'procCancNFe',
  'NF-e DPEC': 'envDPEC retDPEC',
  'CT-e cancellation of layout 1.04': 'procCancCTe',
  'NFTS São Paulo': 'NFTS',
  'NFS-e Infisc': 'NFS-e',
  'NFS-e SmarAPD': 'tbnfd nfd',
  'NFS-e GovDigital': 'GovDigital',
  'NFS-e DsExportarNotaFiscal': 'TbNotasFiscais',
  'NFS-e E&L, reply of the web service': 'nfeRpsNotaFiscal',
};

/** Parser of a recognised root. */
export interface Layout extends Pick<DocumentLayout, 'summarize'> {
  root(): FieldNode;
  /** Name of a known but unsupported layout, which gives no summary. */
  readonly unread?: string;
  readonly outline?: (collected: Collected) => OtherDocument | undefined;
}

/** Cache of compiled tables, each filled by the first document that needs it. */
const compiled = new Map<FieldTable, FieldNode>();

/** @param path elements down to the root, for a file that begins below the root of the layout's table */
function layoutOf({ fields, summarize }: DocumentLayout, ...path: readonly string[]): Layout {
  return {
    summarize,
    root() {
      const whole = compiled.get(fields) ?? compileFieldTable(fields);
      compiled.set(fields, whole);
      const root = path.reduce<FieldNode | undefined>((at, name) => at?.children.get(name), whole);
      if (root === undefined) throw new Error(`the layout has no ${path.join('/')}`);
      return root;
    },
  };
}

const ANY = '*';

function unreadLayout(unread: string, fields: FieldTable = {}): Layout {
  return { ...layoutOf({ fields, summarize: () => undefined }), unread };
}

const ofSaoPaulo = layoutOf(prodam);
const ofIpm = layoutOf(ipm);

/** Layouts by the root's local name and first child, since wrappers and cities use the same names. */
const layouts: Readonly<Record<string, Readonly<Record<string, Layout>>>> = {
  ...Object.fromEntries(
    Object.entries(unreadRoots).flatMap(([name, roots]) =>
      roots.split(' ').map((root) => [root, { [ANY]: unreadLayout(name) }]),
    ),
  ),
  ...Object.fromEntries(
    otherModels.map(({ kind, root, fields }) => {
      const outline = (found: Collected) => outlineOf(kind, found);
      return [root, { [ANY]: { ...unreadLayout(kind, fields), outline } }];
    }),
  ),
  nfeProc: { [ANY]: layoutOf(nfe) },
  NFe: {
    ...{ infNFe: layoutOf(nfe, 'NFe'), Prefeitura: layoutOf(bauru) },
    ...{ Assinatura: ofSaoPaulo, ChaveNFe: ofSaoPaulo },
  },
  infNFe: { ide: layoutOf(nfe, 'NFe', 'infNFe') },
  cteProc: { [ANY]: layoutOf(cte) },
  cteOSProc: { [ANY]: layoutOf(cte) },
  cteSimpProc: { [ANY]: layoutOf(cte) },
  CTe: { infCte: layoutOf(cte, 'CTe') },
  CTeOS: { infCte: layoutOf(cte, 'CTeOS') },
  CTeSimp: { infCte: layoutOf(cte, 'CTeSimp') },
  NFSe: { infNFSe: layoutOf(nationalNfse) },
  DPS: { infDPS: layoutOf(nationalDeclaration) },
  CompNfse: { Nfse: layoutOf(abrasf) },
  ComplNfse: { Nfse: layoutOf(abrasf) },
  tcCompNfse: { Nfse: layoutOf(abrasf) },
  Nfse: {
    ...{ InfNfse: layoutOf(abrasf, 'Nfse'), IdentificacaoNfse: layoutOf(abrasf, 'Nfse') },
    ...{ Id: layoutOf(el), infNFSe: layoutOf(nationalNfse) },
  },
  nfse: { nf: ofIpm, nfe: ofIpm, identificador: ofIpm, rps: ofIpm },
  Nota: { NumeroNota: layoutOf(dsf) },
  NOTA_FISCAL: { [ANY]: layoutOf(dsfExport) },
  NotaFiscalRelatorioDTO: { [ANY]: layoutOf(osasco) },
  procEventoNFe: { [ANY]: layoutOf(nfeEvent) },
  procEventoCTe: { [ANY]: layoutOf(cteEvent) },
  evento: { infEvento: layoutOf(nfeEvent, 'evento') },
  eventoCTe: { infEvento: layoutOf(cteEvent, 'eventoCTe') },
  retEvento: { infEvento: layoutOf(nfeEvent, 'retEvento') },
  retEventoCTe: { infEvento: layoutOf(cteEvent, 'retEventoCTe') },
  resNFe: { [ANY]: layoutOf(abridgedNfe) },
  resEvento: { [ANY]: layoutOf(abridgedEvent) },
};

/** True for root names that services also use for a list entry or a reply. */
export function mayBeWrapper(name: string): boolean {
  return ['NFSe', 'nfse', 'Nota'].includes(name);
}

/** True if an element with this local name may be a document's root; its first child decides. */
export function isDocumentRoot(name: string): boolean {
  return Object.hasOwn(layouts, name);
}

/** Layout of a root with this first child; undefined for a wrapper or another city's note. */
export function layoutFor(root: string, firstChild: string): Layout | undefined {
  const children = Object.hasOwn(layouts, root) ? layouts[root] : undefined;
  if (children === undefined) return undefined;
  return Object.hasOwn(children, firstChild) ? children[firstChild] : children[ANY];
}
