/** Questions answered by a plain loop in whole units of a ten-thousandth: it shares nothing with the program. */

/** A document, or a part of it that is selected, grouped and added up by itself. */
export interface PlainPart {
  readonly document: object;
  readonly isOutbound: boolean;
  /** By the names of groupings and filters. */
  readonly value: (name: string) => string | undefined;
  /** In ten-thousandths, by measure; the number of items as it is. */
  readonly amount: (measure: string) => bigint | undefined;
  /** Of its document. */
  readonly total: bigint;
  readonly says: (text: string) => boolean;
}

export interface PlainRow {
  readonly group: Readonly<Record<string, string>>;
  readonly measures: Readonly<Record<string, string>>;
}

export const sum = (amounts: readonly bigint[]): bigint => amounts.reduce((all, one) => all + one, 0n);

export const tenThousandths = (text = '0'): bigint => BigInt(Math.round(Number(text) * 10_000));

/** Whole units of `decimals` places as decimal text. */
export function decimal(units: bigint, decimals = 2): string {
  const digits = String(units < 0n ? -units : units).padStart(decimals + 1, '0');
  return `${units < 0n ? '-' : ''}${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`;
}

export function mondayOf(day: string): string {
  const date = new Date(`${day}T00:00:00Z`);
  const sinceMonday = (date.getUTCDay() + 6) % 7;
  return new Date(date.getTime() - sinceMonday * 86_400_000).toISOString().slice(0, 10);
}

/** A CNPJ without its branch; another id as it is. */
export const rootOf = (id: string | undefined) => (id?.length === 14 ? id.slice(0, 8) : id);

/** Fields of items: a question that names one adds up items instead of documents. */
export const ofItems: readonly string[] = 'cfop ncm cst class_trib item nature unit pis_cofins_cst'.split(
  ' ',
);

const byBeginning = ['issuer', 'recipient', 'cfop', 'ncm'];

export interface PlainFilters extends Readonly<Record<string, unknown>> {
  readonly direction?: 'inbound' | 'outbound' | undefined;
  readonly min_total?: string | undefined;
  readonly max_total?: string | undefined;
  readonly text?: string | undefined;
}

/** Whether a part is let in by each filter, that is by one of its values. */
export function isSelected({ value, total, isOutbound, says }: PlainPart, filters: PlainFilters): boolean {
  const { direction, min_total, max_total, text, ...byValue } = filters;
  const isOf = (name: string, one: unknown) =>
    byBeginning.includes(name) ? value(name)?.startsWith(String(one)) : value(name) === one;
  return (
    (direction === undefined || (direction === 'outbound') === isOutbound) &&
    (min_total === undefined || total >= tenThousandths(min_total)) &&
    (max_total === undefined || total <= tenThousandths(max_total)) &&
    (text === undefined || says(text)) &&
    Object.entries(byValue).every(([name, wanted]) => [wanted].flat().some((one) => isOf(name, one)))
  );
}

export const countOf = (parts: readonly PlainPart[]) => new Set(parts.map(({ document }) => document)).size;

function measured(measure: string, parts: readonly PlainPart[]): string | undefined {
  const amounts = (of: string) => parts.flatMap(({ amount }) => amount(of) ?? []);
  const found = amounts(measure);
  if (measure === 'count') return String(countOf(parts));
  if (measure === 'items' && (found.length > 0 || parts.length === 0)) return String(sum(found));
  const isOfOneUnit = () => new Set(parts.map(({ value }) => value('unit'))).size === 1;
  if (/^(?:quantity|average_price)$/.test(measure) && !isOfOneUnit()) return undefined;
  if (measure === 'average_price') {
    // With four decimals, a half upwards.
    const [products, quantity] = [sum(amounts('products')), sum(amounts('quantity'))];
    return decimal((products * 20_000n + quantity) / (quantity * 2n), 4);
  }
  return found.length === 0 ? undefined : decimal(sum(found), 4).replace(/(\.\d\d.*?)0+$/, '$1');
}

/** The defined values by name; JSON drops the undefined ones. */
const defined = (names: readonly string[], lookUp: (name: string) => string | undefined) =>
  JSON.stringify(Object.fromEntries(names.map((name) => [name, lookUp(name)])));

/** Sums over all parts, and over those of each group in no particular order. */
export function addUp(parts: readonly PlainPart[], groupBy: readonly string[], measures: readonly string[]) {
  const sumsOf = (members: readonly PlainPart[]): PlainRow['measures'] =>
    JSON.parse(defined(measures, (measure) => measured(measure, members)));
  const groups = new Map<string, PlainPart[]>();
  for (const part of parts) {
    const group = defined(groupBy, part.value);
    const members = groups.get(group);
    if (members) members.push(part);
    else groups.set(group, [part]);
  }
  const rows = [...groups].map(
    ([group, members]): PlainRow => ({ group: JSON.parse(group), measures: sumsOf(members) }),
  );
  return { rows, sums: sumsOf(parts), documents: countOf(parts) };
}

/** Rows in an order of their own, so that two answers can be compared whatever theirs is. */
export function inOrder(rows: readonly PlainRow[]): PlainRow[] {
  const text = ({ group }: PlainRow) => JSON.stringify(Object.entries(group).sort());
  return rows.toSorted((one, other) => (text(one) < text(other) ? -1 : 1));
}
