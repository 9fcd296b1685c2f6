import { type AskedSandbox, company } from './asked-sandbox.ts';
import type { PlainDocument } from './independent-documents.ts';

/** The company of the demo, and its suppliers and customers of a quarter, as read from the XML itself. */
export interface World {
  readonly company: string;
  readonly nfe: readonly PlainDocument[];
  readonly nfse: readonly PlainDocument[];
  readonly cte: readonly PlainDocument[];
  /** NF-e of the month before this one, and of the last hundred days. */
  readonly monthNfe: readonly PlainDocument[];
  readonly recentNfe: readonly PlainDocument[];
  /** Other documents of the month before this one, and CT-e since September. */
  readonly monthNfse: readonly PlainDocument[];
  readonly monthCte: readonly PlainDocument[];
  readonly autumnCte: readonly PlainDocument[];
  /** NF-e of the quarter before, and all that there are. */
  readonly springNfe: readonly PlainDocument[];
  readonly everyNfe: readonly PlainDocument[];
}

export type Structured = Record<string, unknown>;

export interface Call {
  readonly tool: string;
  readonly args: Readonly<Record<string, unknown>>;
}

/** A question as an analyst puts it, the calls it takes, and the figures that must be in the last answer. */
export interface TableQuestion {
  readonly question: string;
  readonly calls: (world: World) => readonly Call[];
  /** What the last answer says, cut down to what is expected. */
  readonly told: (answer: Structured) => unknown;
  /** The same, computed from the XML. */
  readonly expected: (world: World) => unknown;
}

export const quarter = { from: '2026-07-01', to: '2026-09-30' } as const;

/** The demo company as of 2026-11-20, read from the XML itself. */
export async function worldOf({ documents }: AskedSandbox): Promise<World> {
  const autumnCte = await documents('cte', { from: '2026-09-01', to: '2026-11-20' });
  return {
    company,
    monthNfse: await documents('nfse', { from: '2026-10-01', to: '2026-10-31' }),
    monthCte: autumnCte.filter(({ day }) => day.startsWith('2026-10')),
    autumnCte,
    nfe: await documents('nfe', quarter),
    nfse: await documents('nfse', quarter),
    cte: await documents('cte', quarter),
    monthNfe: await documents('nfe', { from: '2026-10-01', to: '2026-10-31' }),
    recentNfe: await documents('nfe', { from: '2026-08-13', to: '2026-11-20' }),
    springNfe: await documents('nfe', { from: '2026-04-01', to: '2026-06-30' }),
    everyNfe: await documents('nfe', { from: '2025-11-01', to: '2026-11-20' }),
  };
}

/** The answers to the calls that a question takes. */
export async function askQuestion({ ask }: AskedSandbox, { calls }: TableQuestion, world: World) {
  const answers = [];
  for (const { tool, args } of calls(world)) answers.push(await ask(tool, args));
  return answers;
}

export interface Row {
  readonly document: string;
  readonly group: Readonly<Record<string, string>>;
  readonly measures: Readonly<Record<string, string>>;
  readonly share?: Readonly<Record<string, string>>;
  readonly others?: boolean;
  readonly previous?: Readonly<Record<string, string>>;
  readonly change?: Readonly<Record<string, string | null>>;
}

export const rowsOf = (answer: Structured) => answer.rows as readonly Row[];
export const firstMeasures = (answer: Structured) => rowsOf(answer)[0]?.measures;
export const sumsOf = (answer: Structured) =>
  (answer.sums as readonly { document: string; measures: Record<string, string> }[])[0]?.measures;

/** Groups with their measures, and the totals under them. */
export const groupsAnd = (answer: Structured) => ({
  rows: rowsOf(answer).map(({ group, measures }) => [
    ...Object.entries(group)
      .filter(([name]) => !name.endsWith('_name'))
      .map(([, value]) => value),
    measures,
  ]),
  sums: sumsOf(answer),
});

// ------------------------------------------------------------------ figures from the XML

export const textsOf = (xml: string, name: string): string[] =>
  [...xml.matchAll(new RegExp(`<${name}>([^<]*)</${name}>`, 'g'))].map(([, text = '']) => text);
export const textOf = (xml: string, name: string): string => textsOf(xml, name)[0] ?? '';
export const part = (xml: string, name: string): string =>
  new RegExp(`<${name}[ >].*?</${name}>`, 's').exec(xml)?.[0] ?? '';
export const itemsOf = ({ xml }: PlainDocument): string[] => xml.match(/<det .*?<\/det>/gs) ?? [];

export const cents = (text: string): bigint => BigInt(Math.round(Number(text || '0') * 100));
export const add = (values: readonly bigint[]): bigint => values.reduce((all, one) => all + one, 0n);
export const money = (value: bigint): string => {
  const digits = String(value).padStart(3, '0');
  return `${digits.slice(0, -2)}.${digits.slice(-2)}`;
};
export const amount = (
  documents: readonly PlainDocument[],
  of: (document: PlainDocument) => bigint,
): string => money(add(documents.map(of)));

export function byKey<T>(values: readonly T[], keyOf: (value: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const value of values) groups.set(keyOf(value), [...(groups.get(keyOf(value)) ?? []), value]);
  return groups;
}

export const stands = ({ status }: PlainDocument): boolean => status === 'authorized';
export const vNF = ({ xml }: PlainDocument): bigint => cents(textOf(part(xml, 'ICMSTot'), 'vNF'));
export const cfopsOf = ({ xml }: PlainDocument): string[] => textsOf(xml, 'CFOP');
export const isOwn = (world: World) => (document: PlainDocument) => document.issuer.id === world.company;
/** What the table of CFOP calls a sale, as far as the demo company has it. */
const SALE = /^[567](?:10[1278]|110|40[1-5]|65[36])$/;
export const sold = (world: World) =>
  world.nfe.filter(
    (document) =>
      stands(document) &&
      isOwn(world)(document) &&
      !document.isEntry &&
      cfopsOf(document).every((cfop) => SALE.test(cfop)),
  );
/** What others sold to the company, and what it bought by notes of its own (entry). */
export const bought = (world: World) =>
  world.nfe.filter(
    (document) =>
      stands(document) &&
      (isOwn(world)(document)
        ? cfopsOf(document).every((cfop) => /^[123]/.test(cfop))
        : cfopsOf(document).every((cfop) => SALE.test(cfop))),
  );
export const received = (world: World) =>
  world.nfe.filter((document) => stands(document) && (!isOwn(world)(document) || document.isEntry));

export type Measured = Readonly<Record<string, (documents: readonly PlainDocument[]) => string | undefined>>;

export const count = (documents: readonly PlainDocument[]): string => String(documents.length);
export const total = (documents: readonly PlainDocument[]): string => amount(documents, vNF);

export function measure(documents: readonly PlainDocument[], by: Measured): Record<string, string> {
  return Object.fromEntries(
    Object.entries(by).flatMap(([name, of]) => {
      const value = of(documents);
      return value === undefined ? [] : [[name, value]];
    }),
  );
}

/** Groups in the order of their keys, or by a measure downwards, with the sums of all. */
export function grouped(
  documents: readonly PlainDocument[],
  keyOf: (document: PlainDocument) => string,
  by: Measured,
  { order, limit = 500 }: { order?: string; limit?: number } = {},
) {
  const groups = byKey(documents, keyOf);
  const rows = [...groups].map(([key, members]) => [key, measure(members, by)] as const);
  const value = (row: (typeof rows)[number]) => Number(row[1][order ?? ''] ?? 0);
  rows.sort(
    (one, other) => (order === undefined ? 0 : value(other) - value(one)) || (one[0] < other[0] ? -1 : 1),
  );
  return { rows: rows.slice(0, limit), sums: measure(documents, by) };
}

export const month = ({ day }: PlainDocument): string => day.slice(0, 7);
export const root = (id = ''): string => (id.length === 14 ? id.slice(0, 8) : id);
/** A sum that nobody gives is not there. */
export const given =
  (name: string, inside = 'ICMSTot') =>
  (documents: readonly PlainDocument[]): string | undefined => {
    const texts = documents.flatMap(({ xml }) => textsOf(part(xml, inside), name));
    return texts.length === 0 ? undefined : money(add(texts.map(cents)));
  };
export const summed =
  (...names: readonly string[]) =>
  (documents: readonly PlainDocument[]): string | undefined => {
    const texts = documents.flatMap(({ xml }) => names.flatMap((name) => textsOf(xml, name)));
    return texts.length === 0 ? undefined : money(add(texts.map(cents)));
  };

/** `toma` of a CT-e: 0 sender, 3 recipient. Source: docs/fiscal/layouts.md. */
export const payerOf = ({ xml }: PlainDocument): string => {
  const party = { 0: 'rem', 1: 'exped', 2: 'receb', 3: 'dest' }[textOf(xml, 'toma')] ?? '';
  return textOf(part(xml, party), 'CNPJ') || textOf(part(xml, party), 'CPF');
};
export const carriage = (documents: readonly PlainDocument[]): string =>
  amount(documents, ({ xml }) => cents(textOf(xml, 'vTPrest')));

export const query = (args: Record<string, unknown>): Call => ({
  tool: 'query_documents',
  args: { ...quarter, ...args },
});
export const one = (args: Record<string, unknown>) => () => [query(args)];
