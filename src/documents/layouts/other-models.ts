import type { Facts } from '../problems.ts';
import { below, type Collected, type FieldTable } from '../summary/fields.ts';
import { partyFrom } from '../summary/parties.ts';

/**
 * Identification of a document of an unsupported model. `total` is decimal text as in the file; models such as the
 * MDF-e have none.
 */
export interface OtherDocument extends Facts<'key issuer issuer_name date total'> {
  readonly kind: string;
}

/**
 * Known facts of an unsupported document: the local name of its outermost element, its model or layout, e.g. `MDF-e`,
 * `NFS-e SmarAPD`, and an outline if its model has one and the document is intact.
 */
export interface UnreadFacts extends Facts<'root family'> {
  readonly outline?: OtherDocument;
}

/** Fields below `infNFCom`, `infBPe` and similar, which share names. */
const outline: FieldTable = {
  raw: { id: '@Id' },
  document: { in: 'ide', issued_at: 'dhEmi dEmi' },
  issuer: { in: 'emit', cnpj: 'CNPJ', cpf: 'CPF', name: 'xNome' },
  totals: { total: 'total/vNF total/vCFe infValorBPe/vPgto' },
};

/**
 * Models with public layouts, and their roots: that of the document, and that of the document with its protocol.
 * Source: the schemas of each model as published by public libraries (ACBr, Unimake), verified 2026-11-23;
 * docs/fiscal/layouts.md.
 */
const models: readonly (readonly [kind: string, root: string, processed?: string])[] = [
  ['MDF-e', 'MDFe', 'mdfeProc'],
  ['BP-e', 'BPe', 'bpeProc'],
  ['NF3e', 'NF3e', 'nf3eProc'],
  ['NFCom', 'NFCom', 'nfcomProc'],
  ['NFGas', 'NFGas', 'nfgasProc'],
  ['NFAg', 'NFAg', 'nfagProc'],
  ['NF-e ABI', 'NFeABI', 'NFeABIProc'],
  ['CF-e SAT', 'CFe'],
];

/** Roots with their field tables; those of events are empty. A CF-e SAT has no protocol and no events. */
export const otherModels = models.flatMap(([kind, root, processed]) => {
  const fields = below(`inf${root}`, outline);
  if (processed === undefined) return [{ kind, root, fields }];
  return [
    { kind, root, fields },
    { kind, root: processed, fields: below(root, fields) },
    { kind: `${kind} event`, root: `procEvento${root}`, fields: {} },
  ];
});

/** Date of `2026-10-10T…` or, in a CF-e, `20261010`. */
function dayFrom(issuedAt: string | undefined): string | undefined {
  const digits = issuedAt?.slice(0, 10).replaceAll('-', '') ?? '';
  return /^\d{8}$/.test(digits) ? digits.replace(/^(....)(..)(..)$/, '$1-$2-$3') : undefined;
}

/** Identifies a document of another model; undefined without a key and an issuer. */
export function outlineOf(kind: string, collected: Collected): OtherDocument | undefined {
  // Prefixes differ, and that of the NF3e contains a digit: the key is the end of the Id.
  const end = collected.raw.id?.slice(-44) ?? '';
  const key = /^[0-9A-Z]{44}$/.test(end) ? end : undefined;
  const { id: issuer, name: issuer_name } = partyFrom(collected.issuer) ?? {};
  if (key === undefined && issuer === undefined) return undefined;
  const { document, totals } = collected;
  return { kind, key, issuer, issuer_name, date: dayFrom(document.issued_at), total: totals.total };
}
