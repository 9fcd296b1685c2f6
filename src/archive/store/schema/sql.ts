import { setImmediate as letOthersRun } from 'node:timers/promises';
import { CompiledQuery, type Insertable, PostgresAdapter, type RawBuilder, sql } from 'kysely';
import type { Db, Schema } from './schema.ts';

/** SQL that is true or false of a row. */
export type Condition = RawBuilder<boolean>;

/** True where all of them are, also where there are none. */
export function allOf(conditions: readonly Condition[]): Condition {
  return conditions.length === 0
    ? sql<boolean>`1 = 1`
    : sql<boolean>`(${sql.join([...conditions], sql` and `)})`;
}

/** A value that is one of these, as conditions: none where nothing is asked, a false one for an empty list. */
export function isOneOf(value: RawBuilder<unknown>, values: readonly string[] | undefined): Condition[] {
  if (values === undefined) return [];
  return values.length === 0 ? [sql<boolean>`1 = 0`] : [sql<boolean>`${value} in (${sql.join([...values])})`];
}

/** So many that a statement is worth its call, so few that it does not hold up the event loop. */
const mostRows = 64;

/** Sizes of the statements that together insert so many rows: few different ones, so that they stay prepared. */
function* sizesFor(rows: number): Generator<number> {
  let left = rows;
  for (let size = mostRows; left > 0; size /= 2) {
    for (; left >= size; left -= size) yield size;
  }
}

/** A name as SQL, also one that is a word of the language. */
export function quoted(name: string): string {
  return `"${name}"`;
}

/**
 * Inserts rows given as their values in the order of the columns, many in one statement. `ending` is SQL after the
 * values, such as `on conflict …` or `returning …`; what it returns is returned.
 */
export async function insertValues<Returned = never>(
  db: Db,
  table: keyof Schema,
  columns: readonly string[],
  rows: readonly (readonly unknown[])[],
  ending = '',
): Promise<Returned[]> {
  const mark = db.getExecutor().adapter instanceof PostgresAdapter ? (n: number) => `$${n}` : () => '?';
  const textFor = (size: number) => {
    const groups = Array.from(
      { length: size },
      (_, row) => `(${columns.map((_, i) => mark(row * columns.length + i + 1)).join(', ')})`,
    );
    return `insert into ${quoted(table)} (${columns.map(quoted).join(', ')}) values ${groups.join(', ')} ${ending}`;
  };
  const returned: Returned[] = [];
  let start = 0;
  let text = '';
  let textSize = 0;
  for (const size of sizesFor(rows.length)) {
    if (size !== textSize) text = textFor(size);
    textSize = size;
    const values: unknown[] = [];
    for (const end = start + size; start < end; start++) {
      for (const value of rows[start] ?? []) values.push(value);
    }
    const result = await db.executeQuery<Returned>(CompiledQuery.raw(text, values));
    for (const row of result.rows) returned.push(row);
    await letOthersRun();
  }
  return returned;
}

/**
 * The same for rows that all have the same columns in the same order. Columns that are null in all of them are left to
 * their default, which is null for every column that may be: most documents have few of the amounts, and binding a
 * value takes longer than storing it.
 */
export async function insertRows<T extends keyof Schema, Returned = never>(
  db: Db,
  table: T,
  rows: readonly Insertable<Schema[T]>[],
  ending = '',
): Promise<Returned[]> {
  const [first] = rows;
  if (first === undefined) return [];
  const given = Object.keys(first).filter((name) =>
    rows.some((row) => row[name as keyof typeof row] !== null),
  );
  const values = rows.map((row) => given.map((name) => row[name as keyof typeof row]));
  return insertValues<Returned>(db, table, given, values, ending);
}

const valuesAtOnce = 500;

/** Asks for many values a part at a time, and gives all that is found; nothing is asked where there are none. */
export async function inParts<Value, Row>(
  values: readonly Value[],
  ask: (part: Value[]) => Promise<readonly Row[]>,
): Promise<Row[]> {
  const rows: Row[] = [];
  for (let start = 0; start < values.length; start += valuesAtOnce) {
    for (const row of await ask(values.slice(start, start + valuesAtOnce))) rows.push(row);
    await letOthersRun();
  }
  return rows;
}
