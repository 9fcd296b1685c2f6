import { setImmediate as letOthersRun } from 'node:timers/promises';
import { CompiledQuery, type Insertable, PostgresAdapter } from 'kysely';
import type { Db } from './connect.ts';
import type { Schema } from './schema.ts';

/** So many that a statement is worth its call, so few that it does not hold up the event loop. */
const mostRows = 64;

/** Sizes of the statements that together insert so many rows: few different ones, so that they stay prepared. */
function* sizesFor(rows: number): Generator<number> {
  let left = rows;
  for (let size = mostRows; left > 0; size /= 2) {
    for (; left >= size; left -= size) yield size;
  }
}

function quoted(name: string): string {
  return `"${name}"`;
}

/**
 * Inserts rows that all have the same columns in the same order, many in one statement. `ending` is SQL after the
 * values, such as `on conflict …` or `returning …`; what it returns is returned.
 */
export async function insertRows<T extends keyof Schema, Returned = never>(
  db: Db,
  table: T,
  rows: readonly Insertable<Schema[T]>[],
  ending = '',
): Promise<Returned[]> {
  const [first] = rows;
  if (first === undefined) return [];
  const columns = Object.keys(first);
  const mark = db.getExecutor().adapter instanceof PostgresAdapter ? (n: number) => `$${n}` : () => '?';
  const head = `insert into ${quoted(table)} (${columns.map(quoted).join(', ')}) values `;
  const returned: Returned[] = [];
  let start = 0;
  for (const size of sizesFor(rows.length)) {
    const part = rows.slice(start, start + size);
    start += size;
    const groups = part.map(
      (_, row) => `(${columns.map((_, i) => mark(row * columns.length + i + 1)).join(', ')})`,
    );
    const values = part.flatMap((row) => Object.values(row));
    const query = CompiledQuery.raw(`${head}${groups.join(', ')} ${ending}`, values);
    const result = await db.executeQuery<Returned>(query);
    for (const row of result.rows) returned.push(row);
    await letOthersRun();
  }
  return returned;
}
