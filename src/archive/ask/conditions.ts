import { type RawBuilder, sql } from 'kysely';
import type { Period } from '../days.ts';
import { InvalidQuestion } from '../errors.ts';
import type { Session } from '../schema/schema.ts';
import { allOf, anyOf, type Condition, isOneOf } from '../schema/sql.ts';
import { type Units, unitsOf } from '../schema/units.ts';
import { natureFor } from '../sums/nature.ts';
import { otherCity, otherState, voidStatuses } from '../sums/rollups.ts';
import type { Filters, Selection } from './question.ts';
import { type Word, wordsInDocument, wordsOf } from './words.ts';

/** What one tenant asks about, and the words that are to be found. */
export type Owned<Asked> = Asked & { readonly tenant: string; readonly words: readonly Word[] };

/** A question as it is asked over a connection. */
export function ownedBy<Asked extends Pick<Selection, 'filters'>>(
  asked: Asked,
  session: Session,
): Owned<Asked> {
  const { text } = asked.filters ?? {};
  return { ...asked, tenant: session.tenant, words: text === undefined ? [] : wordsOf(session, text) };
}

/** Companies that a selection is about. */
function companiesOf({ company, others = [] }: Pick<Selection, 'company' | 'others'>): readonly string[] {
  return [company, ...others];
}

/** What an item `i` of a document `d` is for the companies asked about. */
export function natureOfItem(selection: Pick<Selection, 'company' | 'others'>): RawBuilder<string> {
  return natureFor(sql.join([...companiesOf(selection)]));
}

/** Documents `d` as they are placed by `p`. */
export const placedDocuments = sql`placements p join documents d on d.tenant = p.tenant and d.id = p.document_id`;

/** Comes after every character that a code can have. */
const lastCharacter = '\u{10FFFF}';

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
  // No condition beside the ranges: with an `or` that is no range SQLite goes by no index.
  return [starts.length === 0 ? sql<boolean>`1 = 0` : anyOf(starts.map((start) => beginsWith(value, start)))];
}

const rootLength = 8;
const cnpjLength = 14;

/** The root of a CNPJ; another tax id as it is. */
export function rootOf(id: RawBuilder<unknown>): RawBuilder<string> {
  return sql<string>`case when length(${id}) = ${sql.lit(cnpjLength)} then substr(${id}, 1, ${sql.lit(rootLength)}) else ${id} end`;
}

/** A party that is one of these ids, or a branch of one of these roots. */
export function isParty(id: RawBuilder<unknown>, wanted: readonly string[] | undefined): Condition[] {
  if (wanted === undefined) return [];
  const roots = wanted.filter(({ length }) => length === rootLength);
  const branches = roots.map(
    (root) => sql<boolean>`(length(${id}) = ${sql.lit(cnpjLength)} and ${beginsWith(id, root)})`,
  );
  return [anyOf([...isOneOf(id, wanted), ...branches])];
}

function amountUnits(text: string): Units {
  const units = unitsOf(text);
  if (units === undefined) throw new InvalidQuestion('amount', text);
  return units;
}

/** A placement that belongs to the company and, as far as the archive can tell, to the period. */
export function placedWithin(selection: Owned<Selection>): Condition {
  return placedOnce(selection, ({ from, to }, place) => [
    sql<boolean>`${place('from_day')} >= ${from}`,
    sql<boolean>`${place('from_day')} <= ${to}`,
    sql<boolean>`${place('to_day')} <= ${to}`,
  ]);
}

/** A placement `p` whose window crosses the edge of the period. */
export function placedAcross(selection: Owned<Selection>): Condition {
  return placedOnce(selection, ({ from, to }, place) => [
    sql<boolean>`${place('from_day')} <= ${to}`,
    sql<boolean>`${place('to_day')} >= ${from}`,
    sql<boolean>`(${place('from_day')} < ${from} or ${place('to_day')} > ${to})`,
  ]);
}

type Days = (period: Period, place: (column: string) => RawBuilder<unknown>) => Condition[];

/** A placement `p`; where several companies are asked about, the first one of its document. */
function placedOnce(selection: Owned<Selection>, days: Days): Condition {
  const { tenant, others = [] } = selection;
  const companies = sql.join([...companiesOf(selection)]);
  const placed = (table: string): Condition => {
    const { direction } = selection;
    const place = (column: string) => sql.ref(`${table}.${column}`);
    return allOf([
      sql<boolean>`${sql.ref(`${table}.tenant`)} = ${tenant}`,
      sql<boolean>`${sql.ref(`${table}.company`)} in (${companies})`,
      sql<boolean>`${sql.ref(`${table}.date_field`)} = ${selection.by}`,
      sql<boolean>`${place('area')} = ${selection.area}`,
      ...(direction === undefined ? [] : isOneOf(place('direction'), [direction, 'both'])),
      ...days(selection, place),
    ]);
  };
  if (others.length === 0) return placed('p');
  const earlier = sql<boolean>`not exists (select 1 from placements o
    where o.document_id = p.document_id and o.company < p.company and ${placed('o')})`;
  return allOf([placed('p'), earlier]);
}

/** What is asked of a document `d` placed by `p`, but for its status, its items and the text in it. */
export function documentConditions(filters: Filters): Condition[] {
  const { min_total, max_total } = filters;
  return [
    ...isParty(sql`d.issuer`, filters.issuer),
    ...isParty(sql`d.recipient`, filters.recipient),
    ...isParty(sql`d.payer`, filters.payer),
    ...isOneOf(otherState, filters.state),
    ...isOneOf(otherCity, filters.city),
    ...isOneOf(sql`d.kind`, filters.kind),
    ...isOneOf(sql`ltrim(d.number, '0')`, filters.number),
    ...isOneOf(sql`d.purpose`, filters.purpose),
    ...isOneOf(sql`d.competence`, filters.competence),
    ...isOneOf(sql`d.regime`, filters.regime),
    ...isOneOf(sql`d.source`, filters.source),
    ...(min_total === undefined ? [] : [sql<boolean>`d.total >= ${amountUnits(min_total)}`]),
    ...(max_total === undefined ? [] : [sql<boolean>`d.total <= ${amountUnits(max_total)}`]),
  ];
}

/** What is asked of an item `i` of a document `d`. */
function itemConditions(filters: Filters, selection: Pick<Selection, 'company' | 'others'>): Condition[] {
  return [
    ...(filters.nature === undefined ? [] : isOneOf(natureOfItem(selection), filters.nature)),
    ...isOneOf(sql`i.unit`, filters.unit),
    ...beginsWithOneOf(sql`i.cfop`, filters.cfop),
    ...beginsWithOneOf(sql`i.ncm`, filters.ncm),
    ...isOneOf(sql`i.cst`, filters.cst),
    ...isOneOf(sql`i.class_trib`, filters.class_trib),
  ];
}

/** Each item `i` of a selection with its document and placement, from the first table to the last condition. */
export function itemsFound(question: Owned<Selection>): RawBuilder<unknown> {
  const { filters = {}, words } = question;
  const conditions = [
    placedWithin(question),
    ...documentConditions(filters),
    ...itemConditions(filters, question),
    ...words.map(({ inItem }) => inItem),
    ...statusAsked(filters, sql`d.status`),
    sql<boolean>`d.exclusion = ''`,
  ];
  return sql`${placedDocuments} join items i on i.tenant = p.tenant and i.document_id = p.document_id
    where ${allOf(conditions)}`;
}

/** Filters that are about items, so that an answer to them is made of items. */
export function asksItems({ cfop, ncm, cst, class_trib, nature, unit }: Filters): boolean {
  return [cfop, ncm, cst, class_trib, nature, unit].some((filter) => filter !== undefined);
}

/** A document `d` with an item that meets the filters of items and, where `words` are given, has every word. */
function hasItem(selection: Owned<Selection>, words: readonly Word[]): Condition {
  const { tenant, filters = {} } = selection;
  const asked = [...itemConditions(filters, selection), ...words.map(({ inItem }) => inItem)];
  return sql<boolean>`exists (select 1 from items i where i.tenant = ${tenant} and i.document_id = d.id and ${allOf(asked)})`;
}

/** What is counted: documents summed up, their items, or documents as they are listed. */
export type Basis = 'documents' | 'items' | 'list';

/** What every filter but that of the status asks of a document `d` placed by `p`. */
export function matching(selection: Owned<Selection>, basis: Basis): Condition[] {
  const { filters = {}, words } = selection;
  const document = documentConditions(filters);
  // The words of a text may stand in several items of a document, and then in none of those that are summed up.
  if (basis === 'items' && (asksItems(filters) || words.length > 1))
    return [...document, hasItem(selection, words)];
  const items = asksItems(filters) ? [hasItem(selection, [])] : [];
  return [...document, ...items, ...wordsInDocument(words)];
}

/** A row with these columns whose status is asked for, or is none that keeps it out. */
export function statusAsked({ status }: Filters, column: RawBuilder<unknown>): Condition[] {
  if (status !== undefined) return isOneOf(column, status);
  return [sql<boolean>`${column} not in (${sql.join(voidStatuses.map((one) => sql.lit(one)))})`];
}
