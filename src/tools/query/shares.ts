import type { AnswerRow, Measure } from '../../archive/ask/question.ts';
import { amountText, isItemOnlyMeasure, type Units, unitsOf } from '../../archive/schema/measures.ts';

type Measures = AnswerRow['measures'];

/** Percentages by measure, two decimals, rounded half away from zero. */
export type Shares = Readonly<Record<string, string>>;

function unitsIn(measures: Measures, name: Measure): Units | undefined {
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
export function sharedMeasures(measures: readonly Measure[], basis: 'documents' | 'items'): Measure[] {
  return measures.filter((name) => !isItemOnlyMeasure(name) && (name !== 'count' || basis === 'documents'));
}

/** A row's share of the total sums; none for a measure without a sum or with a zero sum. */
export function sharesOf(row: Measures, sums: Measures, names: readonly Measure[]): Shares {
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
export function othersThan(rows: readonly Measures[], sums: Measures, names: readonly Measure[]): Measures {
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
