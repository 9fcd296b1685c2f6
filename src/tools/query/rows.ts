import * as z from 'zod';
import { type AnswerRow, isAvailable } from '../../archive/ask/question.ts';
import type { DocumentArea } from '../../archive/references.ts';
import { amountText, isItemOnlyMeasure, unitsOf } from '../../archive/schema/measures.ts';
import { addDecimals, negateDecimal } from '../../documents/decimals.ts';
import { kindName } from '../../documents/summary/summary.ts';
import type { Translator } from '../../messages/index.ts';
import { basisShape } from '../shared/basis.ts';
import { sentences } from '../shared/definition.ts';
import { resolvedShape } from '../shared/resolve.ts';

/** Measures with those of an earlier period; quantities by unit if there are several. */
const measuredShape = () => ({
  measures: z.record(z.string(), z.string()),
  unit: z.string().optional(),
  quantities: z.array(z.object({ unit: z.string(), quantity: z.string() }).loose()).optional(),
  more_units: z.int().optional(),
  previous: z.record(z.string(), z.string()).optional().describe('The same of compared_with'),
  change: z.record(z.string(), z.string().nullable()).optional().describe('Percent; null: not comparable'),
});

const rowShape = () =>
  z.object({
    document: z.string().optional().describe('Where several kinds were asked for'),
    group: z.record(z.string(), z.string()),
    ...measuredShape(),
    share: z.record(z.string(), z.string()).optional().describe('Percent of sums'),
    others: z.boolean().optional().describe('What limit cut off, together'),
  });

export const queryOutput = () =>
  z.object({
    ...basisShape(),
    ...resolvedShape(),
    total_groups: z.int().optional(),
    rows: z.array(rowShape()).optional().describe('Sums; a measure no document gives is absent'),
    sums: z
      .array(z.object({ document: z.string(), ...measuredShape() }))
      .describe('Of all groups or documents, by kind'),
    compared_with: z
      .looseObject({ from: z.string(), to: z.string(), complete: z.boolean() })
      .optional()
      .describe('The earlier period'),
    unavailable: z
      .array(z.object({ argument: z.string(), value: z.string(), document: z.string(), reason: z.string() }))
      .optional()
      .describe('What a kind does not have'),
    text_in: z.array(z.string()).optional().describe('Where text was looked for'),
    text_counts: z.string().optional().describe('documents: whole ones with the text were added up'),
    meanings: z.record(z.string(), z.enum(['documents', 'items'])).optional(),
    freight_paid_by: z.object({ own: z.string(), others: z.string() }).optional().describe('Of CT-e'),
    beside: z.record(z.string(), z.string()).optional().describe('In no sum'),
    total: z.int().optional(),
    listed: z.array(z.looseObject({ key: z.string().optional() })).optional(),
  });

export type QueryOutput = z.input<ReturnType<typeof queryOutput>>;
/** A row of an answer; the kind is named only if there are several. */
export type GroupRow = z.input<ReturnType<typeof rowShape>>;
export type Measured = Pick<GroupRow, 'measures' | 'unit' | 'quantities' | 'more_units'>;
/** Something asked for that a kind, or its items, does not have. */
export type Unavailable = NonNullable<QueryOutput['unavailable']>[number];

/** Shown for values that can't exist. */
export const NOT_AVAILABLE = 'n/a';

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
      .map(({ argument, value }) => ({ argument, value, document, reason: 'not_in_kind' })),
  );
}

/** Sentences by kind: what is not shown, and which filters match nothing. */
export function unavailableSentences(all: readonly Unavailable[], { say }: Translator): string[] {
  return [...new Set(all.map(({ document }) => document))].flatMap((document) => {
    const kind = kindName(document);
    const names = (areShown: boolean) =>
      all
        .filter((one) => one.document === document)
        .filter(({ argument }) => shownArguments.has(argument) === areShown)
        .map(({ argument, value }) => (areShown || valuedArguments.has(argument) ? value : argument))
        .join(', ');
    const [shown, filters] = [names(true), names(false)];
    return sentences(
      shown !== '' && `⚠ ${say('analysis.not_in_kind', { kind, names: shown })}`,
      filters !== '' && `⚠ ${say('analysis.filter_not_in_kind', { kind, names: filters })}`,
    );
  });
}

/** Heading of a measure; for services it says net or gross. */
export function headingOf(name: string, areas: readonly DocumentArea[], { say }: Translator): string {
  if (areas.some((area) => area !== 'nfse')) return name;
  if (name === 'total') return say('analysis.heading_net', { name });
  return name === 'services' ? say('analysis.heading_gross', { name }) : name;
}

/** Units shown per row; issuers spell them freely, and a year may have hundreds. */
const MOST_UNITS = 20;

/** A measure as text, by unit where units differ. */
export function measureText({ measures, quantities = [], unit, more_units }: Measured, name: string): string {
  const text = measures[name];
  if (text !== undefined && name === 'quantity' && unit !== undefined) return `${text} ${unit}`;
  if (text !== undefined || !isItemOnlyMeasure(name)) return text ?? '';
  const parts = quantities.flatMap(({ unit: of, [name]: one }) => (one === undefined ? [] : `${one} ${of}`));
  return [...parts, ...(more_units === undefined ? [] : [`… +${more_units}`])].join(' | ');
}

const textsOf = (values: object) =>
  Object.entries(values).filter((entry): entry is [string, string] => typeof entry[1] === 'string');

/** A row's group for the answer, with the names of parties and cities beside their ids and codes. */
export function presentGroup(
  { group, names }: AnswerRow,
  cityName?: (code: string) => string | undefined,
): Record<string, string> {
  const cities = { city: cityName?.(group.city ?? ''), iss_city: cityName?.(group.iss_city ?? '') };
  const named = textsOf({ ...names, ...cities }).map(([grouping, name]) => [`${grouping}_name`, name]);
  return Object.fromEntries([...textsOf(group), ...named]);
}

/** Converts the measures of a row for the answer. */
export function presentMeasures(
  { measures, quantities, unit }: Omit<AnswerRow, 'group' | 'names'>,
  area: DocumentArea,
): Measured {
  const more = (quantities?.length ?? 0) - MOST_UNITS;
  return {
    measures: Object.fromEntries(textsOf(measures).filter(([name]) => isAvailable(name, area))),
    ...(unit && { unit }),
    ...(quantities && { quantities: quantities.slice(0, MOST_UNITS) }),
    ...(more > 0 && { more_units: more }),
  };
}

type Value = string | null | undefined;
type Values = Readonly<Record<string, Value>>;
type Percents = Record<string, string>;

function exactUnits(text: Value): bigint | undefined {
  const units = unitsOf(text ?? '');
  return units === undefined ? undefined : BigInt(units);
}

/** Percentage with two decimals, rounded half away from zero; null without either value, or of zero. */
function percentOf(part: Value, whole: Value): string | null {
  const [units, all] = [exactUnits(part), exactUnits(whole)];
  if (units === undefined || !all) return null;
  const size = (value: bigint) => (value < 0n ? -value : value);
  const hundredths = (20_000n * size(units) + size(all)) / (2n * size(all));
  const isNegative = units < 0n !== all < 0n;
  return amountText(String((isNegative ? -hundredths : hundredths) * 10_000n));
}

/** Growth of an amount; undefined without either value. */
export function differenceOf(after: Value, before: Value): string | undefined {
  return after && before ? addDecimals([after, negateDecimal(before)]) : undefined;
}

/** Percentage change; null from zero or without either value. */
export function percentChange(now: Value, before: Value): string | null {
  return percentOf(differenceOf(now, before), before?.replace('-', ''));
}

/** Measures that add up over groups: no prices, quantities or overlapping counts. */
export function sharedMeasures<Name extends string>(
  measures: readonly Name[],
  basis: 'documents' | 'items',
): Name[] {
  return measures.filter((name) => !isItemOnlyMeasure(name) && (name !== 'count' || basis === 'documents'));
}

/** A row's share of the total sums; none for a measure without a sum or with a zero sum. */
export function sharesOf(row: Values, sums: Values, names: readonly string[]): Percents {
  const shares = names.map((name) => [name, percentOf(row[name], sums[name])]);
  return Object.fromEntries(shares.filter(([, share]) => share !== null));
}

/** Total sums minus the rows shown. */
export function othersThan(rows: readonly Values[], sums: Values, names: readonly string[]): Percents {
  return Object.fromEntries(
    names.flatMap((name) => {
      const whole = exactUnits(sums[name]);
      if (whole === undefined) return [];
      const rest = amountText(
        String(rows.reduce((left, row) => left - (exactUnits(row[name]) ?? 0n), whole)),
      );
      return [[name, name === 'count' || name === 'items' ? rest.replace(/\.00$/, '') : rest]];
    }),
  );
}
