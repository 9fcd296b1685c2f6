import { company } from './asked-sandbox.ts';
import type { PlainDocument, PlainLine } from './independent-documents.ts';
import {
  addUp,
  countOf,
  decimal,
  inOrder,
  isSelected,
  mondayOf,
  ofItems,
  type PlainFilters,
  type PlainPart,
  type PlainRow,
  rootOf,
  sum,
  tenThousandths,
} from './plain-sums.ts';

/** A question as it is put to the tool, as far as this calculation knows it. */
export interface PlainQuestion extends PlainFilters {
  readonly group_by?: readonly string[];
  readonly measures?: readonly string[];
  readonly status?: string;
  /** A measure, or one with a minus before it; the order of groups is free without it. */
  readonly order_by?: string;
  readonly limit?: number;
}

export interface PlainAnswer {
  readonly rows: readonly PlainRow[];
  readonly sums: Readonly<Record<string, string>>;
  readonly groups: number;
  readonly documents: number;
  readonly cancelled: number;
}

export const money = (cents: bigint): string => decimal(cents);
export const centsOf = (text: string | undefined): bigint => BigInt(Math.round(Number(text || '0') * 100));

export const plain = (text = '') => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();
export const textsOf = (xml: string, name: string): string[] =>
  [...xml.matchAll(new RegExp(`<${name}>([^<]*)</${name}>`, 'g'))].map(([, text = '']) => text);
export const textOf = (xml: string, ...names: readonly string[]): string =>
  names.flatMap((name) => textsOf(xml, name))[0] ?? '';
export const part = (xml: string, name: string): string =>
  new RegExp(`<${name}[ >].*?</${name}>`, 's').exec(xml)?.[0] ?? '';

export const stands = ({ status }: PlainDocument): boolean => status === 'authorized';
export const isOwn = ({ issuer }: PlainDocument): boolean => issuer.id === company;
export const isOutbound = (document: PlainDocument): boolean => isOwn(document) && !document.isEntry;
/** The other party of what the company issued itself is the one it names. */
export const otherParty = (document: PlainDocument) =>
  isOwn(document) ? document.recipient : document.issuer;
/** `toma` of a CT-e: 0 sender, 3 recipient. Source: docs/fiscal/layouts.md. */
export function payerOf({ xml }: PlainDocument): string {
  const party = { 0: 'rem', 1: 'exped', 2: 'receb', 3: 'dest' }[textOf(xml, 'toma')] ?? '';
  return textOf(part(xml, party), 'CNPJ', 'CPF');
}
export const totalOf = (documents: readonly PlainDocument[]): bigint =>
  sum(documents.map(({ amounts }) => amounts.total ?? 0n));
export const counted = (documents: readonly PlainDocument[]) => ({
  count: String(documents.length),
  total: money(totalOf(documents)),
});

/** CRT of an NF-e. Of an NFS-e, national: 1 no, 2 MEI, 3 small; ABRASF: 1 yes, 2 no, special regime 5 the MEI. */
function regimeOf({ kind, xml }: PlainDocument): string | undefined {
  if (kind === 'nfe') return textOf(part(xml, 'emit'), 'CRT');
  const national = { 1: '3', 2: '4', 3: '1' }[textOf(xml, 'opSimpNac')];
  const ofTown = { 1: '1', 2: '3' }[textOf(xml, 'OptanteSimplesNacional')];
  return national ?? (textOf(xml, 'RegimeEspecialTributacao') === '5' ? '4' : ofTown);
}

const documentMeasures = ['iss_withheld', 'irrf', 'csll', 'inss', 'pis_withheld', 'cofins_withheld'];

interface Line {
  readonly document: PlainDocument;
  /** Undefined where whole documents are added up. */
  readonly line: PlainLine | undefined;
}

/** What a line is grouped by. */
const groupValues: Readonly<Record<string, (line: Line) => string | undefined>> = {
  issuer: ({ document }) => document.issuer.id,
  recipient: ({ document }) => document.recipient.id,
  counterparty: ({ document }) => otherParty(document).id,
  issuer_root: ({ document }) => rootOf(document.issuer.id),
  state: ({ document }) => otherParty(document).state,
  city: ({ document: { xml } }) => textOf(part(xml, 'enderDest'), 'cMun'),
  payer: ({ document }) => payerOf(document),
  origin_state: ({ document: { xml } }) => textOf(xml, 'UFIni'),
  destination_state: ({ document: { xml } }) => textOf(xml, 'UFFim'),
  iss_city: ({ document: { xml } }) => textOf(xml, 'MunicipioIncidencia', 'cLocIncid'),
  competence: ({ document: { xml } }) => textOf(xml, 'dCompet', 'Competencia').slice(0, 7),
  regime: ({ document }) => regimeOf(document),
  month: ({ document }) => document.day.slice(0, 7),
  week: ({ document }) => mondayOf(document.day),
  day: ({ document }) => document.day,
  kind: ({ document }) => document.kind,
  status: ({ document }) => document.status,
  cfop: ({ line }) => line?.cfop,
  ncm: ({ line }) => line?.ncm,
  cst: ({ line }) => line?.cst,
  class_trib: ({ line }) => line?.class_trib,
  item: ({ line }) => line?.description,
  unit: ({ line }) => line?.unit,
  pis_cofins_cst: ({ line }) => line?.pis_cofins_cst,
};

/** In ten-thousandths. */
function amountOf({ document, line }: Line, measure: string): bigint | undefined {
  if (measure === 'items' && document.kind === 'nfe')
    return BigInt(line === undefined ? document.lines.length : 1);
  if (measure === 'quantity') return tenThousandths(line?.quantity);
  if (measure === 'weight') {
    // Kilograms, gross: of every volume of an NF-e, of the cargo of a CT-e.
    const texts = textsOf(document.xml, document.kind === 'cte' ? 'qCarga' : 'pesoB');
    return texts.length === 0 ? undefined : sum(texts.map(tenThousandths));
  }
  if (line?.isWhole === false && documentMeasures.includes(measure)) return undefined;
  const cents = (line ?? document).amounts[measure];
  return cents === undefined ? undefined : cents * 100n;
}

function partOf(whole: Line): PlainPart {
  const { document, line } = whole;
  const said = (line === undefined ? document.lines : [line]).map(({ description = '' }) => description);
  const words = () => [...document.words, ...said].map(plain).join('\n');
  return {
    document,
    isOutbound: isOutbound(document),
    value: (name) => groupValues[name]?.(whole),
    amount: (measure) => amountOf(whole, measure),
    total: (document.amounts.total ?? 0n) * 100n,
    says: (text) =>
      plain(text)
        .split(' ')
        .every((word) => words().includes(word)),
  };
}

const isFilter = ([name]: [string, unknown]) =>
  name !== 'status' && (name in groupValues || /^(?:direction|text|m.._total)$/.test(name));

/** The same question answered by a loop over the documents; filters are those that it knows a value of. */
export function answerPlainly(
  documents: readonly PlainDocument[],
  question: PlainQuestion,
  where: (document: PlainDocument) => boolean = () => true,
): PlainAnswer {
  const { group_by = [], measures = ['count', 'total'], status, order_by = '', limit } = question;
  const isByItem = [...group_by, ...Object.keys(question)].some((name) => ofItems.includes(name));
  const filters = Object.fromEntries(Object.entries(question).filter(isFilter));
  const candidates = documents
    .filter(where)
    .flatMap((document) =>
      (isByItem ? document.lines : [undefined]).map((line) => partOf({ document, line })),
    )
    .filter((part) => isSelected(part, filters));
  const isAnyStatus = status !== undefined || group_by.includes('status');
  const ofStatus = (...wanted: readonly (string | undefined)[]) =>
    candidates.filter(({ value }) => wanted.includes(value('status')));
  const parts = isAnyStatus && status === undefined ? candidates : ofStatus(status ?? 'authorized');
  const { rows, ...sums } = addUp(parts, group_by, measures);
  const measure = order_by.replace('-', '');
  const value = ({ measures: values }: PlainRow) => Number(values[measure] ?? 0);
  const ordered = inOrder(rows).toSorted((one, other) =>
    order_by.startsWith('-') ? value(other) - value(one) : value(one) - value(other),
  );
  return {
    ...sums,
    rows: ordered.slice(0, limit),
    groups: rows.length,
    cancelled: isAnyStatus ? 0 : countOf(ofStatus('cancelled')),
  };
}

/** Rows as a tool gives them, without the names beside ids. */
export function rowsOf(answer: Readonly<Record<string, unknown>>): PlainRow[] {
  return ((answer.rows ?? []) as readonly PlainRow[]).map(({ group, measures }) => ({
    group: Object.fromEntries(Object.entries(group).filter(([name]) => !name.endsWith('_name'))),
    measures,
  }));
}
