import { company } from './asked-sandbox.ts';
import type { PlainDocument, PlainLine } from './independent-documents.ts';

/** A question as it is put to the tool, as far as this calculation knows it. */
export interface PlainQuestion {
  readonly group_by?: readonly string[];
  readonly measures?: readonly string[];
  readonly direction?: 'inbound' | 'outbound';
  readonly issuer?: string;
  readonly recipient?: string;
  readonly counterparty?: string;
  readonly state?: string;
  readonly cfop?: string;
  readonly ncm?: string;
  readonly cst?: string;
  readonly class_trib?: string;
  readonly status?: string;
  readonly min_total?: string;
  readonly max_total?: string;
  readonly text?: string;
  /** A measure, or one with a minus before it; the order of groups is free without it. */
  readonly order_by?: string;
  readonly limit?: number;
}

export interface PlainRow {
  readonly group: Readonly<Record<string, string>>;
  readonly measures: Readonly<Record<string, string>>;
}

export interface PlainAnswer {
  readonly rows: readonly PlainRow[];
  readonly sums: Readonly<Record<string, string>>;
  readonly groups: number;
  readonly documents: number;
  readonly cancelled: number;
}

export const sum = (amounts: readonly bigint[]): bigint => amounts.reduce((all, one) => all + one, 0n);

/** Whole units of `decimals` places as decimal text. */
export function decimal(units: bigint, decimals = 2): string {
  const digits = String(units < 0n ? -units : units).padStart(decimals + 1, '0');
  return `${units < 0n ? '-' : ''}${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`;
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

function mondayOf(day: string): string {
  const date = new Date(`${day}T00:00:00Z`);
  const sinceMonday = (date.getUTCDay() + 6) % 7;
  return new Date(date.getTime() - sinceMonday * 86_400_000).toISOString().slice(0, 10);
}

/** CRT of an NF-e. Of an NFS-e, national: 1 no, 2 MEI, 3 small; ABRASF: 1 yes, 2 no, special regime 5 the MEI. */
function regimeOf({ kind, xml }: PlainDocument): string | undefined {
  if (kind === 'nfe') return textOf(part(xml, 'emit'), 'CRT');
  const national = { 1: '3', 2: '4', 3: '1' }[textOf(xml, 'opSimpNac')];
  const ofTown = { 1: '1', 2: '3' }[textOf(xml, 'OptanteSimplesNacional')];
  return national ?? (textOf(xml, 'RegimeEspecialTributacao') === '5' ? '4' : ofTown);
}

const itemNames = ['cfop', 'ncm', 'cst', 'class_trib', 'item', 'unit', 'pis_cofins_cst'];
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
  issuer_root: ({ document: { issuer } }) => (issuer.id?.length === 14 ? issuer.id.slice(0, 8) : issuer.id),
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

const tenThousandths = (text: string) => BigInt(text.replace('.', ''));
const trimmed = (units: bigint, decimals: number) => decimal(units, decimals).replace(/(\.\d\d.*?)0+$/, '$1');

/** Measures that are no sum of cents. */
const otherMeasures: Readonly<Record<string, (members: readonly Line[]) => string | undefined>> = {
  count: (members) => String(new Set(members.map(({ document }) => document)).size),
  items(members) {
    if (members.some(({ document }) => document.kind !== 'nfe')) return undefined;
    const goods = members.flatMap(({ document, line }) => (line === undefined ? document.lines : [line]));
    return String(goods.filter(({ isWhole }) => !isWhole).length);
  },
  quantity: (members) => (hasOneUnit(members) ? trimmed(quantityOf(members), 4) : undefined),
  /** Cents by ten-thousandths of a unit, with four decimals, a half upwards. */
  average_price(members) {
    if (!hasOneUnit(members)) return undefined;
    const products = sum(members.map(({ line }) => line?.amounts.products ?? 0n));
    const quantity = quantityOf(members);
    return decimal((products * 2_000_000n + quantity) / (quantity * 2n), 4);
  },
  /** Kilograms, gross: of every volume of an NF-e, of the cargo of a CT-e. */
  weight(members) {
    const texts = members.flatMap(({ document: { kind, xml } }) =>
      textsOf(xml, kind === 'cte' ? 'qCarga' : 'pesoB'),
    );
    const thousandths = texts.map((text) => BigInt(Math.round(Number(text) * 1000)));
    return texts.length === 0 ? undefined : trimmed(sum(thousandths), 3);
  },
};
const quantityOf = (members: readonly Line[]) =>
  sum(members.map(({ line }) => tenThousandths(line?.quantity ?? '0')));

const hasOneUnit = (members: readonly Line[]) => new Set(members.map(({ line }) => line?.unit)).size === 1;

function measured(measure: string, members: readonly Line[]): string | undefined {
  const other = otherMeasures[measure];
  if (other !== undefined) return other(members);
  const isOfDocuments = documentMeasures.includes(measure);
  const amounts = members.flatMap(({ document, line }) =>
    line !== undefined && isOfDocuments && !line.isWhole ? [] : ((line ?? document).amounts[measure] ?? []),
  );
  return amounts.length === 0 ? undefined : money(sum(amounts));
}

function meets(question: PlainQuestion, { document, line }: Line): boolean {
  const total = document.amounts.total ?? 0n;
  const said = line === undefined ? document.lines : [line];
  const words = [...document.words, ...said.map(({ description }) => description ?? '')]
    .map(plain)
    .join('\n');
  const tests: Readonly<Record<string, (value: string) => boolean>> = {
    direction: (value) => (value === 'outbound') === isOutbound(document),
    issuer: (value) => document.issuer.id === value,
    recipient: (value) => document.recipient.id === value,
    counterparty: (value) => otherParty(document).id === value,
    state: (value) => otherParty(document).state === value,
    min_total: (value) => total >= centsOf(value),
    max_total: (value) => total <= centsOf(value),
    text: (value) =>
      plain(value)
        .split(' ')
        .every((word) => words.includes(word)),
    cfop: (value) => line?.cfop?.startsWith(value) === true,
    ncm: (value) => line?.ncm?.startsWith(value) === true,
    cst: (value) => line?.cst === value,
    class_trib: (value) => line?.class_trib === value,
  };
  return Object.entries(question).every(([name, value]) => tests[name]?.(String(value)) ?? true);
}

/** The same question answered by a loop over the documents, in whole cents. */
export function answerPlainly(
  documents: readonly PlainDocument[],
  question: PlainQuestion,
  where: (document: PlainDocument) => boolean = () => true,
): PlainAnswer {
  const { group_by = [], measures = ['count', 'total'], status, order_by = '', limit } = question;
  const isByItem = [...group_by, ...Object.keys(question)].some((name) => itemNames.includes(name));
  const candidates = documents
    .filter(where)
    .flatMap((document): Line[] =>
      isByItem ? document.lines.map((line) => ({ document, line })) : [{ document, line: undefined }],
    )
    .filter((line) => meets(question, line));
  const isAnyStatus = status !== undefined || group_by.includes('status');
  const lines = candidates.filter(({ document }) =>
    isAnyStatus ? (status ?? document.status) === document.status : stands(document),
  );
  const cancelled = isAnyStatus ? [] : candidates.filter(({ document }) => !stands(document));

  const defined = (names: readonly string[], lookUp: (name: string) => string | undefined) =>
    Object.fromEntries(
      names.flatMap((name) => {
        const value = lookUp(name);
        return value === undefined ? [] : [[name, value] as const];
      }),
    );
  const sumsOf = (members: readonly Line[]) => defined(measures, (measure) => measured(measure, members));
  const groups = new Map<string, Line[]>();
  for (const line of lines) {
    const name = JSON.stringify(group_by.map((one) => groupValues[one]?.(line) ?? null));
    groups.set(name, [...(groups.get(name) ?? []), line]);
  }
  const rows = [...groups.values()].map((members): PlainRow => {
    const [first] = members;
    const group = defined(group_by, (name) => first && groupValues[name]?.(first));
    return { group, measures: sumsOf(members) };
  });
  const measure = order_by.replace('-', '');
  const value = ({ measures: values }: PlainRow) => Number(values[measure] ?? 0);
  const ordered = inOrder(rows).toSorted((one, other) =>
    order_by.startsWith('-') ? value(other) - value(one) : value(one) - value(other),
  );
  const countOf = (members: readonly Line[]) => new Set(members.map(({ document }) => document)).size;
  return {
    rows: ordered.slice(0, limit),
    sums: sumsOf(lines),
    groups: rows.length,
    documents: countOf(lines),
    cancelled: countOf(cancelled),
  };
}

/** Rows in an order of their own, so that two answers can be compared whatever theirs is. */
export function inOrder(rows: readonly PlainRow[]): PlainRow[] {
  const text = ({ group }: PlainRow) => JSON.stringify(Object.entries(group).sort());
  return rows.toSorted((one, other) => (text(one) < text(other) ? -1 : 1));
}

/** Rows as a tool gives them, without the names beside ids. */
export function rowsOf(answer: Readonly<Record<string, unknown>>): PlainRow[] {
  return ((answer.rows ?? []) as readonly PlainRow[]).map(({ group, measures }) => ({
    group: Object.fromEntries(Object.entries(group).filter(([name]) => !name.endsWith('_name'))),
    measures,
  }));
}
