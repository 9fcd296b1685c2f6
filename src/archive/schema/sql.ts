import { setImmediate as letOthersRun } from 'node:timers/promises';
import {
  CompiledQuery,
  type Insertable,
  PostgresAdapter,
  type RawBuilder,
  type Selectable,
  sql,
} from 'kysely';
import type { Db, Schema, Session, tables } from './schema.ts';

export type Condition = RawBuilder<boolean>;

/** True if all hold; true for none. */
export function allOf(conditions: readonly Condition[]): Condition {
  return conditions.length === 0
    ? sql<boolean>`1 = 1`
    : sql<boolean>`(${sql.join([...conditions], sql` and `)})`;
}

/** True if any holds; needs at least one. */
export function anyOf(conditions: readonly Condition[]): Condition {
  return sql<boolean>`(${sql.join([...conditions], sql` or `)})`;
}

/** Condition that a value is one of these: none if undefined, false for an empty list. */
export function isOneOf(value: RawBuilder<unknown>, values: readonly string[] | undefined): Condition[] {
  if (values === undefined) return [];
  return values.length === 0 ? [sql<boolean>`1 = 0`] : [sql<boolean>`${value} in (${sql.join([...values])})`];
}

export function isPostgres(db: Db): boolean {
  return db.getExecutor().adapter instanceof PostgresAdapter;
}

/** Rows per statement: more would block others. */
const mostRows = 32;

/** Quotes a name, also a reserved word. */
export function quoted(name: string): string {
  return `"${name}"`;
}

/** Inserts rows with the same columns. @param ending SQL after the values, such as `on conflict …`, `returning …` */
export async function insertRows<T extends keyof Schema, Returned = never>(
  db: Db,
  table: T,
  rows: readonly Insertable<Schema[T]>[],
  ending = '',
): Promise<Returned[]> {
  const [first = {}] = rows as readonly Readonly<Record<string, unknown>>[];
  // Most documents have few amounts: columns without a value keep their default.
  const names = Object.keys(first).filter((name) =>
    rows.some((row) => row[name as keyof typeof row] !== null),
  );
  const columns = names.map(quoted).join(', ');
  const isNumbered = isPostgres(db);
  const returned: Returned[] = [];
  for (let start = 0; start < rows.length; start += mostRows) {
    const part = rows.slice(start, start + mostRows);
    const values = part.flatMap((row) => names.map((name) => row[name as keyof typeof row] as unknown));
    const mark = (index: number) => (isNumbered ? `$${index + 1}` : '?');
    const groups = part.map(
      (_, row) => `(${names.map((_name, column) => mark(row * names.length + column)).join(', ')})`,
    );
    const text = `insert into ${quoted(table)} (${columns}) values ${groups.join(', ')} ${ending}`;
    const result = await db.executeQuery<Returned>(CompiledQuery.raw(text, values));
    for (const row of result.rows) returned.push(row);
    await letOthersRun();
  }
  return returned;
}

const valuesAtOnce = 500;

/** Processes many values in batches; nothing for none. */
export async function eachPart<Value>(
  values: readonly Value[],
  work: (part: Value[]) => Promise<unknown>,
): Promise<void> {
  for (let start = 0; start < values.length; start += valuesAtOnce) {
    await work(values.slice(start, start + valuesAtOnce));
    await letOthersRun();
  }
}

/** As `eachPart`, collecting the rows. */
export async function inParts<Value, Row>(
  values: readonly Value[],
  work: (part: Value[]) => Promise<readonly Row[]>,
): Promise<Row[]> {
  const rows: Row[] = [];
  await eachPart(values, async (part) => {
    for (const row of await work(part)) rows.push(row);
  });
  return rows;
}

/** Deletes rows with one of these values in a column. */
export async function deleteRows<T extends keyof typeof tables>(
  { db, tenant }: Session,
  table: T,
  by: keyof Schema[T] & string,
  values: readonly (string | number)[],
): Promise<void> {
  await eachPart(values, async (part) => {
    await sql`delete from ${sql.table(table)}
      where tenant = ${tenant} and ${sql.ref(by)} in (${sql.join(part)})`.execute(db);
  });
}

/** Updates rows with one of these values in a column. @param change SQL after `set` */
export async function updateRows<T extends keyof typeof tables>(
  { db, tenant }: Session,
  table: T,
  change: RawBuilder<unknown>,
  by: keyof Schema[T] & string,
  values: readonly (string | number)[],
): Promise<void> {
  await eachPart(values, async (part) => {
    await sql`update ${sql.table(table)} set ${change}
      where tenant = ${tenant} and ${sql.ref(by)} in (${sql.join(part)})`.execute(db);
  });
}

/** Columns of rows with one of these values in a column. */
export function findRows<T extends keyof typeof tables, Column extends keyof Selectable<Schema[T]> & string>(
  { db, tenant }: Session,
  table: T,
  columns: readonly Column[],
  by: keyof Schema[T] & string,
  values: Iterable<string | number>,
): Promise<Pick<Selectable<Schema[T]>, Column>[]> {
  return inParts([...new Set(values)], async (part) => {
    const { rows } = await sql<Pick<Selectable<Schema[T]>, Column>>`
      select ${sql.join(columns.map((column) => sql.ref(column)))} from ${sql.table(table)}
      where tenant = ${tenant} and ${sql.ref(by)} in (${sql.join(part)})`.execute(db);
    return rows;
  });
}
