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

/** True where one of them is, of which there is at least one. */
export function anyOf(conditions: readonly Condition[]): Condition {
  return sql<boolean>`(${sql.join([...conditions], sql` or `)})`;
}

/** A value that is one of these, as conditions: none where nothing is asked, a false one for an empty list. */
export function isOneOf(value: RawBuilder<unknown>, values: readonly string[] | undefined): Condition[] {
  if (values === undefined) return [];
  return values.length === 0 ? [sql<boolean>`1 = 0`] : [sql<boolean>`${value} in (${sql.join([...values])})`];
}

/** Whether the engine is PostgreSQL, else it is SQLite. */
export function isPostgres(db: Db): boolean {
  return db.getExecutor().adapter instanceof PostgresAdapter;
}

/**
 * Rows of a table with an `id` that have one of these, of which there is at least one. Until statistics are gathered,
 * SQLite takes the rows of a tenant for few and would go through all of them by an index that begins with the tenant.
 */
export function hasId(db: Db, tenant: string, ids: readonly number[]): Condition {
  return sql<boolean>`${isPostgres(db) ? sql`tenant` : sql`+tenant`} = ${tenant} and id in (${sql.join([...ids])})`;
}

/** So many that a statement is worth its call, so few that it does not hold up the event loop. */
const mostRows = 32;

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

/** Texts of inserting statements by what they say and how many rows they take; making one takes as long as running it. */
const texts = new Map<string, Map<number, string>>();
const mostTexts = 200;

function insertTexts(
  isNumbered: boolean,
  table: keyof Schema,
  columns: readonly string[],
  ending: string,
): (rows: number) => string {
  const name = [isNumbered ? 'pg' : '', table, ending, ...columns].join(' ');
  const known = texts.get(name) ?? new Map<number, string>();
  if (texts.size >= mostTexts) texts.clear();
  texts.set(name, known);
  const mark = isNumbered ? (n: number) => `$${n}` : () => '?';
  const start = `insert into ${quoted(table)} (${columns.map(quoted).join(', ')}) values `;
  return (size) => {
    const before = known.get(size);
    if (before !== undefined) return before;
    const groups = Array.from(
      { length: size },
      (_, row) => `(${columns.map((_, i) => mark(row * columns.length + i + 1)).join(', ')})`,
    );
    const text = `${start}${groups.join(', ')} ${ending}`;
    known.set(size, text);
    return text;
  };
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
  const textFor = insertTexts(isPostgres(db), table, columns, ending);
  const returned: Returned[] = [];
  let start = 0;
  for (const size of sizesFor(rows.length)) {
    const values: unknown[] = [];
    for (const end = start + size; start < end; start++) {
      for (const value of rows[start] ?? []) values.push(value);
    }
    const result = await db.executeQuery<Returned>(CompiledQuery.raw(textFor(size), values));
    for (const row of result.rows) returned.push(row);
    await letOthersRun();
  }
  return returned;
}

/**
 * The columns that not all of these rows have null in; they have the same ones. The others may be left to their default,
 * which is null for every column that may be: most documents have few of the amounts, and binding a value takes longer
 * than storing it.
 */
export function givenIn<Row extends object>(rows: readonly Row[]): (keyof Row & string)[] {
  const [first] = rows;
  if (first === undefined) return [];
  const names = Object.keys(first) as (keyof Row & string)[];
  return names.filter((name) => rows.some((row) => row[name] !== null));
}

/** The same for rows that all have the same columns in the same order. */
export async function insertRows<T extends keyof Schema, Returned = never>(
  db: Db,
  table: T,
  rows: readonly Insertable<Schema[T]>[],
  ending = '',
): Promise<Returned[]> {
  const names = givenIn(rows);
  const values = rows.map((row) => names.map((name) => row[name]));
  return insertValues<Returned>(db, table, names, values, ending);
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
