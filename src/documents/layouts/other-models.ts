import { below, type Collected, type FieldTable } from '../summary/fields.ts';
import { partyFrom } from '../summary/parties.ts';

/** Identification of a document whose model is not supported. */
export interface OtherDocument {
  /** Model, e.g. `NFCom`. */
  readonly kind: string;
  readonly key?: string;
  /** Tax id without mask. */
  readonly issuer?: string;
  readonly issuer_name?: string;
  /** Day of issue, `YYYY-MM-DD`. */
  readonly date?: string;
  /** Decimal text as in the file; absent for models that have none, such as the MDF-e. */
  readonly total?: string;
}

/** Below `infNFCom`, `infBPe` and their like, which share names. */
const outline: FieldTable = {
  fields: {
    '@Id': 'clue.id',
    'ide/dhEmi': 'document.issued_at',
    'ide/dEmi': 'document.issued_at',
    'emit/CNPJ': 'issuer.cnpj',
    'emit/CPF': 'issuer.cpf',
    'emit/xNome': 'issuer.name',
    'total/vNF': 'totals.total',
    'total/vCFe': 'totals.total',
    'infValorBPe/vPgto': 'totals.total',
  },
};

interface Model {
  readonly kind: string;
  /** Roots and the element inside that holds the fields, by path. */
  readonly roots: Readonly<Record<string, string>>;
}

function model(kind: string, root: string, processed = `${root.toLowerCase()}Proc`): Model {
  const information = `inf${root}`;
  return { kind, roots: { [root]: information, [processed]: `${root}/${information}` } };
}

/**
 * Models whose layouts are public. Source: the schemas of each model as public libraries have them (ACBr, Unimake),
 * looked up 2026-11-23; docs/fiscal/layouts.md.
 */
const models: readonly Model[] = [
  model('MDF-e', 'MDFe', 'mdfeProc'),
  model('BP-e', 'BPe', 'bpeProc'),
  model('NF3e', 'NF3e', 'nf3eProc'),
  model('NFCom', 'NFCom', 'nfcomProc'),
  model('NFGas', 'NFGas', 'nfgasProc'),
  model('NFAg', 'NFAg', 'nfagProc'),
  model('NF-e ABI', 'NFeABI', 'NFeABIProc'),
  { kind: 'CF-e SAT', roots: { CFe: 'infCFe' } },
];

/** How to read one of them, by its root. */
export interface OtherModel {
  readonly kind: string;
  readonly table: FieldTable;
}

export const otherModels: Readonly<Record<string, OtherModel>> = Object.fromEntries(
  models.flatMap(({ kind, roots }) =>
    Object.entries(roots).map(([root, path]): [string, OtherModel] => [
      root,
      { kind, table: below(path, outline) },
    ]),
  ),
);

/** `2026-10-10T…` or, of a CF-e, `20261010`. */
function dayFrom(issuedAt: string | undefined): string | undefined {
  const digits = issuedAt?.slice(0, 10).replaceAll('-', '') ?? '';
  return /^\d{8}$/.test(digits)
    ? `${digits.slice(0, 4)}-${digits.slice(4, 6)}-${digits.slice(6)}`
    : undefined;
}

const KEY_LENGTH = 44;

/** Identifies a document of another model; undefined without a key and an issuer. */
export function outlineOf(kind: string, { sections }: Collected): OtherDocument | undefined {
  // Prefixes differ, and that of the NF3e has a digit: the key is what the Id ends with.
  const end = sections.clue.id?.slice(-KEY_LENGTH) ?? '';
  const key = /^[0-9A-Z]{44}$/.test(end) ? end : undefined;
  const issuer = partyFrom(sections.issuer);
  if (key === undefined && issuer?.id === undefined) return undefined;
  return {
    kind,
    ...(key !== undefined && { key }),
    ...(issuer?.id !== undefined && { issuer: issuer.id }),
    ...(issuer?.name !== undefined && { issuer_name: issuer.name }),
    date: dayFrom(sections.document.issued_at),
    total: sections.totals.total,
  };
}
