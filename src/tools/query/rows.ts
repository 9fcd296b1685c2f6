import { type AnswerRow, type Grouping, isAvailable } from '../../archive/ask/question.ts';
import type { DocumentArea } from '../../archive/references.ts';
import { amountText, isItemOnlyMeasure, type Units, unitsOf } from '../../archive/schema/measures.ts';
import { kindName } from '../../documents/summary/summary.ts';
import type { Translator } from '../../messages/index.ts';
import { sentences } from '../shared/definition.ts';
import { cityLabels } from '../shared/resolve.ts';

/** Shown for values that can't exist. */
export const NOT_AVAILABLE = 'n/a';

/** Something asked for that a kind, or its items, does not have. */
export interface Unavailable {
  readonly argument: string;
  readonly value: string;
  readonly document: DocumentArea;
  readonly reason: 'not_in_kind' | 'per_document_only';
}

/** Arguments that list names shown in the answer. */
const shownArguments: ReadonlySet<string> = new Set(['group_by', 'measures', 'columns', 'text_in']);

/** Arguments whose values differ by kind. */
const valuedArguments: ReadonlySet<string> = new Set(['text_in', 'event']);

/** Measures, groupings and filters of a call that a kind does not have. */
export function unavailableOf(args: object, areas: readonly DocumentArea[]): Unavailable[] {
  const asked = Object.entries(args).flatMap(([argument, given]) => {
    if (given === undefined) return [];
    const all = [given].flat() as (string | { readonly given: string })[];
    const values = all.map((one) => (typeof one === 'string' ? one : one.given));
    if (valuedArguments.has(argument))
      return values.map((value) => ({ argument, value, name: `${argument}.${value}` }));
    return shownArguments.has(argument)
      ? values.map((value) => ({ argument, value, name: value }))
      : [{ argument, value: values.join(', '), name: argument }];
  });
  return areas.flatMap((document) =>
    asked
      .filter(({ name }) => !isAvailable(name, document))
      .map(({ argument, value }) => ({ argument, value, document, reason: 'not_in_kind' as const })),
  );
}

/** Sentences by kind: what is not shown, and which filters match nothing. */
export function unavailableSentences(all: readonly Unavailable[], { say }: Translator): string[] {
  const isShown = ({ argument }: Unavailable) => shownArguments.has(argument);
  return [...new Set(all.map(({ document }) => document))].flatMap((document) => {
    const own = all.filter((one) => one.document === document);
    const shown = own.filter(isShown).map(({ value }) => value);
    const filters = own
      .filter((one) => !isShown(one))
      .map(({ argument, value }) => (valuedArguments.has(argument) ? value : argument));
    const kind = kindName(document);
    return sentences(
      shown.length > 0 && `⚠ ${say('analysis.not_in_kind', { kind, names: shown.join(', ') })}`,
      filters.length > 0 && `⚠ ${say('analysis.filter_not_in_kind', { kind, names: filters.join(', ') })}`,
    );
  });
}

/** A row with the names of its codes. */
export interface NamedRow extends Omit<AnswerRow, 'names'> {
  readonly names: { readonly [Name in Grouping]?: string };
}

/** Adds city names to rows. */
export async function withCities<Row extends NamedRow>(
  rows: readonly Row[],
  groupBy: readonly Grouping[],
): Promise<Row[]> {
  const asked = (['city', 'iss_city'] as const).filter((name) => groupBy.includes(name));
  if (asked.length === 0) return [...rows];
  const { label } = await cityLabels();
  return rows.map((row) => {
    const cities = asked.map((name) => [name, label(row.group[name] ?? '')]);
    return { ...row, names: { ...row.names, ...Object.fromEntries(cities) } };
  });
}

/** Heading of a measure; for services it says net or gross. */
export function headingOf(name: string, areas: readonly DocumentArea[], { say }: Translator): string {
  if (areas.some((area) => area !== 'nfse')) return name;
  if (name === 'total') return say('analysis.heading_net', { name });
  return name === 'services' ? say('analysis.heading_gross', { name }) : name;
}

/** Cells of a row's group. */
export function groupCells({ group, names }: NamedRow, groupBy: readonly Grouping[], area: DocumentArea) {
  return groupBy.map((grouping) =>
    isAvailable(grouping, area)
      ? [group[grouping], names[grouping]].filter((part) => part !== undefined).join(' ')
      : NOT_AVAILABLE,
  );
}

/** A row's group for the answer, with names beside codes. */
export function presentGroup({ group, names }: NamedRow): Record<string, string> {
  const named = Object.entries(names).map(([grouping, name]) => [`${grouping}_name`, name]);
  return given({ ...group, ...Object.fromEntries(named) });
}

/** Units shown per row; issuers spell them freely, and a year may have hundreds. */
const MOST_UNITS = 20;

/** Quantity and prices of goods in one unit. */
type UnitAmounts = Record<string, string> & { unit: string; quantity: string };

/** Measures in an answer; quantities by unit if there are several. */
export interface Measured {
  readonly measures: Readonly<Record<string, string>>;
  readonly unit?: string | undefined;
  readonly quantities?: UnitAmounts[] | undefined;
  readonly more_units?: number | undefined;
}

interface ComparedMeasures extends Measured {
  readonly previous?: Readonly<Record<string, string>> | undefined;
  readonly change?: Readonly<Record<string, string | null>> | undefined;
}

/** A row of an answer; the kind is named only if there are several. */
export interface GroupRow extends ComparedMeasures {
  readonly document?: string | undefined;
  readonly group: Readonly<Record<string, string>>;
  readonly share?: Shares | undefined;
  readonly others?: boolean | undefined;
}

/** The sum over all groups of a kind of document. */
export interface SumRow extends ComparedMeasures {
  readonly document: string;
}

/** A measure as text, by unit where units differ. */
export function measureText({ measures, quantities = [], unit, more_units }: Measured, name: string): string {
  const text = measures[name];
  if (text !== undefined && name === 'quantity' && unit !== undefined) return `${text} ${unit}`;
  if (text !== undefined || !isItemOnlyMeasure(name)) return text ?? '';
  const parts = quantities.flatMap(({ unit: of, [name]: one }) => (one === undefined ? [] : `${one} ${of}`));
  return [...parts, ...(more_units === undefined ? [] : [`… +${more_units}`])].join(' | ');
}

function given(values: object): Record<string, string> {
  const isText = (entry: [string, unknown]): entry is [string, string] => typeof entry[1] === 'string';
  return Object.fromEntries(Object.entries(values).filter(isText));
}

/** Converts the measures of a row for the answer. */
export function presentMeasures(
  { measures, quantities, unit }: Omit<AnswerRow, 'group' | 'names'>,
  area: DocumentArea,
): Measured {
  const available = Object.entries(measures).filter(([name]) => isAvailable(name, area));
  const more = (quantities?.length ?? 0) - MOST_UNITS;
  return {
    measures: given(Object.fromEntries(available)),
    ...(unit && { unit }),
    ...(quantities && {
      quantities: quantities.slice(0, MOST_UNITS).map((one) => ({ ...one }) as UnitAmounts),
    }),
    ...(more > 0 && { more_units: more }),
  };
}

type Values = Readonly<Record<string, string | null | undefined>>;

/** Percentages by measure, two decimals, rounded half away from zero. */
export type Shares = Readonly<Record<string, string>>;

function unitsIn(measures: Values, name: string): Units | undefined {
  return unitsOf(measures[name] ?? '');
}

function percentOf(part: Units, whole: Units): string {
  const [numerator, denominator] = [BigInt(part) * 10_000n, BigInt(whole)];
  const size = (value: bigint) => (value < 0n ? -value : value);
  const hundredths = (2n * size(numerator) + size(denominator)) / (2n * size(denominator));
  const isNegative = hundredths !== 0n && numerator < 0n !== denominator < 0n;
  return amountText(String((isNegative ? -hundredths : hundredths) * 10_000n));
}

/** Percentage change; null from zero or without either value. */
export function percentChange(now: string | undefined, before: string | undefined): string | null {
  const [units, base] = [unitsOf(now ?? ''), unitsOf(before ?? '')];
  if (units === undefined || base === undefined || BigInt(base) === 0n) return null;
  const size = BigInt(base) < 0n ? -BigInt(base) : BigInt(base);
  return percentOf(BigInt(units) - BigInt(base), size);
}

/** Measures that add up over groups: no prices, quantities or overlapping counts. */
export function sharedMeasures<Name extends string>(
  measures: readonly Name[],
  basis: 'documents' | 'items',
): Name[] {
  return measures.filter((name) => !isItemOnlyMeasure(name) && (name !== 'count' || basis === 'documents'));
}

/** A row's share of the total sums; none for a measure without a sum or with a zero sum. */
export function sharesOf(row: Values, sums: Values, names: readonly string[]): Shares {
  return Object.fromEntries(
    names.flatMap((name) => {
      const [part, whole] = [unitsIn(row, name), unitsIn(sums, name)];
      return part === undefined || whole === undefined || BigInt(whole) === 0n
        ? []
        : [[name, percentOf(part, whole)]];
    }),
  );
}

/** Total sums minus the rows shown. */
export function othersThan(
  rows: readonly Values[],
  sums: Values,
  names: readonly string[],
): Record<string, string> {
  return Object.fromEntries(
    names.flatMap((name) => {
      const whole = unitsIn(sums, name);
      if (whole === undefined) return [];
      const shown = rows.reduce((sum, row) => sum + BigInt(unitsIn(row, name) ?? 0), 0n);
      const rest = amountText(String(BigInt(whole) - shown));
      return [[name, name === 'count' || name === 'items' ? rest.replace(/\.00$/, '') : rest]];
    }),
  );
}
