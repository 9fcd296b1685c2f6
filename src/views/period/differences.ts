import { listOf, textOf, type Unknown } from '../frame/dom.ts';
import type { Speaker } from '../frame/words.ts';
import { periodBefore, type Row, type Table, type Times, times } from './table.ts';

const DECIMAL = /^(-?)(\d{1,30})(?:\.(\d{1,20}))?$/;
const PLACES = 20;

/** A decimal text as a whole number of its last place; undefined for what is none. */
function scaled(text: string): bigint | undefined {
  const [, sign = '', whole, places = ''] = DECIMAL.exec(text) ?? [];
  if (whole === undefined) return undefined;
  const value = BigInt(`${whole}${places.padEnd(PLACES, '0')}`);
  return sign === '' ? value : -value;
}

function placesOf(text: string): number {
  const point = text.indexOf('.');
  return point === -1 ? 0 : text.length - point - 1;
}

function written(value: bigint, places: number): string {
  const digits = String(value < 0n ? -value : value).padStart(PLACES + 1, '0');
  const whole = digits.slice(0, -PLACES);
  const rest = digits.slice(-PLACES).slice(0, places);
  return `${value < 0n ? '-' : ''}${whole}${rest === '' ? '' : `.${rest}`}`;
}

/** The exact sum; undefined where there is no part, or one is no number: a sum of half the parts would be wrong. */
export function sumOf(parts: readonly string[]): string | undefined {
  let sum = 0n;
  let places = 0;
  for (const part of parts) {
    const value = scaled(part);
    if (value === undefined) return undefined;
    sum += value;
    places = Math.max(places, placesOf(part));
  }
  return parts.length === 0 ? undefined : written(sum, places);
}

/** How much the second is more than the first, exactly, and in per cent of the first where that isn't nothing. */
function differenceOf(
  before: string,
  after: string,
): { readonly amount: string; readonly percent?: number } | undefined {
  const [from, to] = [scaled(before), scaled(after)];
  if (from === undefined || to === undefined) return undefined;
  const amount = written(to - from, Math.max(placesOf(before), placesOf(after)));
  const base = Number(before);
  return base === 0 ? { amount } : { amount, percent: (Number(amount) / Math.abs(base)) * 100 };
}

/** Name of the column that says how much a period differs from the one before. */
const DIFFERENCE = 'difference';

/** Whether the days that were asked about, and those that are missing, cut a group of time. */
function isCut(name: keyof Times, value: string, answer: Unknown): boolean {
  const [first, last] = times[name](value);
  const [from, to] = [textOf(answer.from), textOf(answer.to)];
  if (from === undefined || to === undefined || from.slice(0, 10) > first || to.slice(0, 10) < last)
    return true;
  const gaps = [...listOf(answer.missing), ...listOf(answer.not_fetched_yet)] as readonly Unknown[];
  return gaps.some((gap) => String(gap.from) <= last && String(gap.to) >= first);
}

/** Everything that names a group but its time. */
function otherwise({ cells, document }: Row, { columns, measures, time }: Table): string {
  const named = columns.filter(
    ({ name }) => name !== time && name !== DIFFERENCE && !measures.includes(name),
  );
  return JSON.stringify([document, ...named.map(({ name }) => cells[name])]);
}

/** Adds how much a measure differs from the period before, where both periods are whole. */
export function withDifferences(table: Table, measure: string, answer: Unknown, speaker: Speaker): Table {
  const { time, form } = table;
  if (form !== 'groups' || time === undefined || !(time in times)) return table;
  const name = time as keyof Times;
  const known = new Map(table.rows.map((row) => [`${row.cells[time]} ${otherwise(row, table)}`, row]));
  const rows = table.rows.map((row) => {
    const value = row.cells[time] ?? '';
    const earlier = periodBefore(name, value);
    const before = known.get(`${earlier} ${otherwise(row, table)}`)?.cells[measure];
    const own = row.cells[measure];
    if (before === undefined || own === undefined) return row;
    if (isCut(name, value, answer) || isCut(name, earlier, answer)) return row;
    const difference = differenceOf(before, own);
    return {
      ...row,
      cells: { ...row.cells, [DIFFERENCE]: difference?.amount, percent: difference?.percent?.toFixed(1) },
    };
  });
  if (!rows.some(({ cells }) => cells[DIFFERENCE] !== undefined)) return table;
  const column = {
    name: DIFFERENCE,
    heading: speaker.name('column', DIFFERENCE),
    kind: 'difference',
  } as const;
  return { ...table, rows, columns: [...table.columns, column] };
}
