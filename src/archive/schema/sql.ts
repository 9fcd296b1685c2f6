import { setImmediate as letOthersRun } from 'node:timers/promises';
import {
  CompiledQuery,
  type Insertable,
  PostgresAdapter,
  type RawBuilder,
  type Selectable,
  sql,
} from 'kysely';
import { voidStatuses } from '../../documents/summary/summary.ts';
import { codesOf, type Nature, natures } from '../../documents/tables/cfop.ts';
import type { Grouping } from './measures.ts';
import { type Db, type Schema, type Session, type Table, tables } from './schema.ts';

export type Condition = RawBuilder<boolean>;

/** A condition, or none where it is not asked. */
type Asked = Condition | undefined | false;

const joined = (conditions: readonly Asked[], word: RawBuilder<unknown>, ofNone: Condition): Condition => {
  const asked = conditions.filter((one) => one !== undefined && one !== false);
  return asked.length === 0 ? ofNone : sql<boolean>`(${sql.join(asked, word)})`;
};

/** True if all hold; true for none. */
export function allOf(conditions: readonly Asked[]): Condition {
  return joined(conditions, sql` and `, sql`1 = 1`);
}

/** True if any holds; false for none. */
export function anyOf(conditions: readonly Asked[]): Condition {
  return joined(conditions, sql` or `, sql`1 = 0`);
}

/** Condition that a value is one of these; false for none. */
export function isOneOf(value: RawBuilder<unknown>, values: readonly string[]): Condition {
  return values.length === 0 ? sql`1 = 0` : sql`${value} in (${sql.join([...values])})`;
}

/** Condition that columns have these values. */
export function matching(values: Readonly<Record<string, unknown>>): Condition {
  return allOf(Object.entries(values).map(([name, value]) => sql<boolean>`${sql.ref(name)} = ${value}`));
}

/** Runs a statement and returns its rows. */
export async function select<Row>(db: Db, statement: RawBuilder<unknown>): Promise<Row[]> {
  return (await statement.execute(db)).rows as Row[];
}

export const isPostgres = (db: Db): boolean => db.getExecutor().adapter instanceof PostgresAdapter;

/** Rows per statement: more would block others. */
const mostRows = 32;

/** Quotes a name, also a reserved word. */
export const quoted = (name: string): string => `"${name}"`;

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

/** `on conflict` with the same key: replaces these columns. */
export function replacing(table: keyof typeof tables, columns: readonly string[]): string {
  const { key, unique = [] }: Table = tables[table];
  const of = ['tenant', ...(key ?? unique)].map(quoted).join(', ');
  return `on conflict (${of}) do update set ${columns.map((one) => `${quoted(one)} = excluded.${quoted(one)}`).join(', ')}`;
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

/** Updates or deletes rows with one of these values in a column. @param statement SQL before `where` */
export async function changeRows(
  { db, tenant }: Session,
  statement: RawBuilder<unknown>,
  by: string,
  values: readonly (string | number)[],
): Promise<void> {
  await eachPart(values, async (part) => {
    await sql`${statement} where tenant = ${tenant} and ${sql.ref(by)} in (${sql.join(part)})`.execute(db);
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

/** Documents `d` as they are placed by `p`. */
export const placedDocuments = sql`placements p join documents d on d.tenant = p.tenant and d.id = p.document_id`;

/** The same with their items `i`. */
export const placedItems = sql`${placedDocuments} join items i on i.tenant = p.tenant and i.document_id = p.document_id`;

/** The same with their instalments `n`. */
export const placedInstallments = sql`${placedDocuments} join installments n on n.tenant = p.tenant and n.document_id = p.document_id`;

export const isNotVoid = (status: RawBuilder<unknown>): Condition =>
  sql`${status} not in (${sql.join(voidStatuses.map((one) => sql.lit(one)))})`;

type Party = 'issuer' | 'recipient';

/** Columns of a document and its placement, wherever they are. */
export type PartyColumns = (name: Party | 'company' | 'direction') => RawBuilder<string>;

/**
 * The column of the other party: the recipient of documents that the company issued, including its own notes of entry
 * (tpNF 0), where that is the supplier abroad. Source: MOC NF-e, layout 4.00, group E.
 */
function ofOtherParty(columns: PartyColumns, own: (party: Party) => RawBuilder<string>): RawBuilder<string> {
  return sql<string>`case when ${columns('issuer')} = ${columns('company')} or ${columns('direction')} = 'outbound'
    then ${own('recipient')} else ${own('issuer')} end`;
}

/** The root of a CNPJ, which has 14 positions; any other tax id unchanged. */
const rootOf = (id: RawBuilder<unknown>): RawBuilder<string> =>
  sql`case when length(${id}) = 14 then substr(${id}, 1, 8) else ${id} end`;

/** The issuer's sale is the other party's purchase; every other nature is the same on both sides. */
const otherSide: Readonly<Partial<Record<Nature, Nature>>> = { sale: 'purchase', purchase: 'sale' };

/** An item's nature for companies, given as a list in SQL. Source: docs/fiscal/checks.md. */
function natureFor(companies: RawBuilder<unknown>): RawBuilder<string> {
  const byCode = (seen: (nature: Nature) => Nature) => {
    const coded = natures.filter((nature) => nature !== 'other');
    const branches = coded.map((nature) => {
      const codes = sql.join(codesOf(nature).map((code) => sql.lit(code)));
      return sql`when i.cfop in (${codes}) then ${sql.lit(seen(nature))}`;
    });
    // Services have no CFOP: their issuer sells them. Amounts without an item have no nature.
    return sql`case ${sql.join(branches, sql` `)}
      when i.cfop <> '' then 'other' when d.area = 'nfse' then ${sql.lit(seen('sale'))} else '' end`;
  };
  return sql`case when d.issuer in (${companies}) then ${byCode((nature) => nature)}
    else ${byCode((nature) => otherSide[nature] ?? nature)} end`;
}

/** Groupings that follow from the parties, and the parties that they need. */
export const derivedGroups = {
  counterparty: { of: ['issuer', 'recipient'], value: (columns) => ofOtherParty(columns, columns) },
  issuer_root: { of: ['issuer'], value: (columns) => rootOf(columns('issuer')) },
  recipient_root: { of: ['recipient'], value: (columns) => rootOf(columns('recipient')) },
} as const satisfies Partial<
  Record<Grouping, { of: readonly Party[]; value: (columns: PartyColumns) => RawBuilder<string> }>
>;

const columnsOf = <Name extends string>(table: string, ...names: readonly Name[]) =>
  Object.fromEntries(names.map((name) => [name, sql.ref(`${table}.${name}`)])) as Readonly<
    Record<Name, RawBuilder<string>>
  >;

const placed: PartyColumns = (name) =>
  sql.ref(name === 'company' || name === 'direction' ? `p.${name}` : `d.${name}`);

const groups: Readonly<Record<Exclude<Grouping, 'nature'>, RawBuilder<string>>> = {
  ...columnsOf('d', 'issuer', 'recipient', 'payer', 'kind', 'status', 'purpose', 'competence', 'regime'),
  ...columnsOf('d', 'iss_city', 'origin_state', 'destination_state'),
  ...columnsOf('p', 'month', 'week', 'day'),
  ...columnsOf('i', 'cfop', 'ncm', 'cst', 'class_trib', 'pis_cofins_cst', 'unit'),
  ...columnsOf('n', 'due_day', 'due_week', 'due_month'),
  counterparty: derivedGroups.counterparty.value(placed),
  issuer_root: derivedGroups.issuer_root.value(placed),
  recipient_root: derivedGroups.recipient_root.value(placed),
  state: ofOtherParty(placed, (party) => sql.ref(`d.${party}_state`)),
  city: ofOtherParty(placed, (party) => sql.ref(`d.${party}_city`)),
  event: sql`d.events`,
  item: sql`cast(i.description_id as text)`,
};

/** The value of a grouping of a document `d` placed by `p`, of its item `i` or its instalment `n`. @param companies a list in SQL */
export function groupOf(grouping: Grouping, companies: RawBuilder<unknown>): RawBuilder<string> {
  return grouping === 'nature' ? natureFor(companies) : groups[grouping];
}
