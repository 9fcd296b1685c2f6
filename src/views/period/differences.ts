import { listOf, textOf, type Unknown } from '../frame/reading.ts';
import type { Speaker } from '../frame/words.ts';
import { differenceOf } from './amounts.ts';
import type { Row, Table } from './columns.ts';
import { periodBefore, type Times, times } from './drill-down.ts';

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
