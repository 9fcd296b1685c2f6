import type { AnswerRow, Grouping, Measure } from '../../archive/ask/question.ts';
import { isAvailable } from '../../archive/ask/question.ts';
import type { DocumentArea } from '../../archive/references.ts';
import { isItemOnlyMeasure } from '../../archive/schema/measures.ts';
import type { Translator } from '../../messages/index.ts';
import { NOT_AVAILABLE } from './available.ts';

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
  const { cityLabel } = await import('../shared/cities.ts');
  return rows.map((row) => {
    const cities = asked.map((name) => [name, cityLabel(row.group[name] ?? '')]);
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
export function groupText(row: NamedRow, groupBy: readonly Grouping[], area: DocumentArea): string[] {
  return groupBy.map((grouping) =>
    isAvailable(grouping, area)
      ? [row.group[grouping], row.names[grouping]].filter((part) => part !== undefined).join(' ')
      : NOT_AVAILABLE,
  );
}

/** Units shown per row; issuers spell them freely, and a year may have hundreds. */
const MOST_UNITS = 20;

/** A measure as text, by unit where units differ. */
export function measureText({ measures: values, quantities = [], unit }: AnswerRow, name: Measure): string {
  const text = values[name] ?? undefined;
  if (text !== undefined && name === 'quantity' && unit !== undefined) return `${text} ${unit}`;
  if (text !== undefined || !isItemOnlyMeasure(name)) return text ?? '';
  const parts = quantities.flatMap(({ unit, ...one }) =>
    one[name] === undefined ? [] : `${one[name]} ${unit}`,
  );
  const more = parts.length - MOST_UNITS;
  return [...parts.slice(0, MOST_UNITS), ...(more > 0 ? [`… +${more}`] : [])].join(' | ');
}

function given(values: object): Record<string, string> {
  return Object.fromEntries(
    Object.entries(values).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
  );
}

/** Measures of a row as data. */
export function presentMeasures({ measures: values, quantities, unit }: AnswerRow, area: DocumentArea) {
  const available = Object.entries(values).filter(([name]) => isAvailable(name, area));
  return {
    measures: given(Object.fromEntries(available)),
    ...(unit && { unit }),
    ...(quantities && { quantities: quantities.slice(0, MOST_UNITS).map((one) => ({ ...one })) }),
    ...(quantities && quantities.length > MOST_UNITS && { more_units: quantities.length - MOST_UNITS }),
  };
}

/** A row as data; the kind is named only if there are several. */
export function presentRow(
  row: NamedRow,
  groupBy: readonly Grouping[],
  area: DocumentArea,
  isOfSeveral: boolean,
) {
  const named = groupBy.map((grouping) => [`${grouping}_name`, row.names[grouping]]);
  const group = given({ ...row.group, ...Object.fromEntries(named) });
  return { document: isOfSeveral ? area : undefined, group, ...presentMeasures(row, area) };
}
