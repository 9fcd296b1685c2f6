import { type RawBuilder, sql } from 'kysely';
import { InvalidQuestion } from '../../errors.ts';
import type { Scope } from '../../scope.ts';
import { otherState, voidStatuses } from '../rollups/rollups.ts';
import { containing, unitsOf } from '../schema/encoding.ts';
import { allOf, type Condition, isOneOf } from '../schema/sql.ts';
import type { Filters, Selection } from './question.ts';

/** What one tenant asks about. */
export type Owned<Asked> = Asked & { readonly tenant: string };

/** Documents `d` as they are placed by `p`. */
export const placedDocuments = sql`placements p join documents d on d.tenant = p.tenant and d.id = p.document_id`;

/** Comes after every character that a code can have. */
const lastCharacter = '\u{10FFFF}';

function anyOf(conditions: readonly Condition[]): Condition {
  return sql<boolean>`(${sql.join([...conditions], sql` or `)})`;
}

function like(value: RawBuilder<unknown>, pattern: string): Condition {
  return sql<boolean>`${value} like ${pattern} escape '\\'`;
}

/** As a range and not as a pattern, for which no index is used. */
function beginsWith(value: RawBuilder<unknown>, start: string): Condition {
  return start === ''
    ? sql<boolean>`1 = 1`
    : sql<boolean>`(${value} >= ${start} and ${value} < ${start + lastCharacter})`;
}

/** A value that begins with one of these, as conditions: none where nothing is asked, a false one for an empty list. */
export function beginsWithOneOf(
  value: RawBuilder<unknown>,
  starts: readonly string[] | undefined,
): Condition[] {
  if (starts === undefined) return [];
  return [anyOf([sql<boolean>`1 = 0`, ...starts.map((start) => beginsWith(value, start))])];
}

function amountUnits(text: string): bigint {
  const units = unitsOf(text);
  if (units === undefined) throw new InvalidQuestion('amount', text);
  return units;
}

/** A placement `p` that belongs to the company and, as far as the archive can tell, to the period. */
export function placedWithin({ from, to, ...scope }: Owned<Selection>): Condition {
  return allOf([
    ...placedAnywhere(scope),
    sql<boolean>`p.from_day >= ${from}`,
    sql<boolean>`p.from_day <= ${to}`,
    sql<boolean>`p.to_day <= ${to}`,
  ]);
}

/** A placement `p` whose window crosses the edge of the period. */
export function placedAcross({ from, to, ...scope }: Owned<Selection>): Condition {
  return allOf([
    ...placedAnywhere(scope),
    sql<boolean>`p.from_day <= ${to}`,
    sql<boolean>`p.to_day >= ${from}`,
    sql<boolean>`(p.from_day < ${from} or p.to_day > ${to})`,
  ]);
}

function placedAnywhere({ tenant, company, area, by, direction }: Owned<Scope>): Condition[] {
  return [
    sql<boolean>`p.tenant = ${tenant}`,
    sql<boolean>`p.company = ${company}`,
    sql<boolean>`p.area = ${area}`,
    sql<boolean>`p.date_field = ${by}`,
    ...(direction === undefined ? [] : isOneOf(sql`p.direction`, [direction, 'both'])),
  ];
}

/** What is asked of a document `d` placed by `p`, but for its status, its items and the text in it. */
export function documentConditions(filters: Filters): Condition[] {
  const { min_total, max_total } = filters;
  return [
    ...isOneOf(sql`d.issuer`, filters.issuer),
    ...isOneOf(sql`d.recipient`, filters.recipient),
    ...isOneOf(otherState, filters.state),
    ...isOneOf(sql`d.kind`, filters.kind),
    ...(min_total === undefined ? [] : [sql<boolean>`d.total >= ${amountUnits(min_total)}`]),
    ...(max_total === undefined ? [] : [sql<boolean>`d.total <= ${amountUnits(max_total)}`]),
  ];
}

/** What is asked of an item `i`. */
export function itemConditions(filters: Filters): Condition[] {
  return [
    ...beginsWithOneOf(sql`i.cfop`, filters.cfop),
    ...beginsWithOneOf(sql`i.ncm`, filters.ncm),
    ...isOneOf(sql`i.cst`, filters.cst),
    ...isOneOf(sql`i.class_trib`, filters.class_trib),
  ];
}

function describedIn(tenant: string, pattern: string): RawBuilder<unknown> {
  return sql`(select s.id from descriptions s where s.tenant = ${tenant} and ${like(sql`s.search`, pattern)})`;
}

/** Tables to be joined and what joins them. */
interface Joined {
  readonly tables: RawBuilder<unknown>;
  readonly on: readonly Condition[];
}

/**
 * The items `i` that have the text in them or in what their document says as a whole; all of them without a text. The
 * cross join tells SQLite to begin with the few that have it.
 */
export function itemsWith({ tenant, text }: Owned<Filters>): Joined {
  if (text === undefined) return { tables: sql`items i`, on: [sql<boolean>`i.tenant = ${tenant}`] };
  const pattern = containing(text);
  // In two parts, to each of which an index leads; together they are in the order of the table.
  const found = sql`(
    select document_id, line from items
      where tenant = ${tenant} and description_id in ${describedIn(tenant, pattern)}
    union select document_id, line from items where tenant = ${tenant} and document_id in (
      select x.id from documents x where x.tenant = ${tenant} and ${like(sql`x.search`, pattern)}))`;
  return {
    tables: sql`${found} t cross join items i`,
    on: [
      sql<boolean>`i.tenant = ${tenant}`,
      sql<boolean>`i.document_id = t.document_id`,
      sql<boolean>`i.line = t.line`,
    ],
  };
}

/** The text in a document `d` or in any of its items. */
export function textInDocument({ tenant, text }: Owned<Filters>): Condition[] {
  if (text === undefined) return [];
  const pattern = containing(text);
  const documents = sql`(select t.document_id from items t
    where t.tenant = ${tenant} and t.description_id in ${describedIn(tenant, pattern)})`;
  return [anyOf([like(sql`d.search`, pattern), sql<boolean>`d.id in ${documents}`])];
}

/** A document `d` with an item that meets the filters of items, and that of the text where `withText` says so. */
export function hasItem(filters: Owned<Filters>, withText: boolean): Condition {
  const { tables, on } = itemsWith(withText ? filters : { tenant: filters.tenant });
  const conditions = [...on, ...itemConditions(filters)];
  // What an index leads to is looked up once; else only items of documents that are asked about anyway are looked at.
  return filters.ncm !== undefined || withText
    ? sql<boolean>`d.id in (select i.document_id from ${tables} where ${allOf(conditions)})`
    : sql<boolean>`exists (select 1 from ${tables} where i.document_id = d.id and ${allOf(conditions)})`;
}

/** A row with these columns whose status is asked for, or is none that keeps it out. */
export function statusAsked({ status }: Filters, column: RawBuilder<unknown>): Condition[] {
  if (status !== undefined) return isOneOf(column, status);
  return [sql<boolean>`${column} not in (${sql.join(voidStatuses.map((one) => sql.lit(one)))})`];
}
