import { type RawBuilder, sql } from 'kysely';
import { isNamed, searchText } from '../schema/encoding.ts';
import type { Session } from '../schema/schema.ts';
import {
  allOf,
  anyOf,
  type Condition,
  findRows,
  groupOf,
  isOneOf,
  isPostgres,
  placedDocuments,
} from '../schema/sql.ts';
import { type PartyGrouping, type TextPlace, textPlaces } from './question.ts';

/** A place where a word occurs: documents, and the column of items that refers to its texts. */
interface Place {
  readonly documents: RawBuilder<unknown>;
  readonly item?: { readonly column: string; readonly texts: RawBuilder<unknown> };
}

export type Word = readonly Place[];

/**
 * Condition that an item `i` of a document `d`, or the document, has a word.
 * @param isOfDocument whether the document leads to the item: SQLite must not scan the items of every text
 */
export function itemHas(word: Word, isOfDocument = false): Condition {
  const isThere = ({ documents, item }: Place) => {
    if (item === undefined) return sql<boolean>`d.id in (${documents})`;
    const column = sql.ref(`i.${item.column}`);
    return sql<boolean>`${isOfDocument ? sql`+${column}` : column} in (${item.texts})`;
  };
  return anyOf(word.map(isThere));
}

const textColumns = { items: 'description_id', codes: 'code_id', orders: 'order_id' } as const;

/** Of any document: only a whole key is looked for among those that a document names. */
const ACCESS_KEY = /^(?:[0-9a-z]{44}|\d{50})$/;

function placesOf({ db, tenant }: Session, word: string, places: readonly TextPlace[]): Place[] {
  // `like` folds the case of every character, which takes seven times as long.
  const find = isPostgres(db) ? sql`strpos` : sql`instr`;
  const contains = (text: RawBuilder<unknown>, part = word) => sql`${find}(${text}, ${part}) > 0`;
  // Three digits occur in every other key: short numbers must be whole words.
  const says = (text: RawBuilder<unknown>) =>
    /^\d{1,3}$/.test(word) ? contains(sql`(' ' || ${text} || ' ')`, ` ${word} `) : contains(text);
  const inTexts = (column: 'head' | 'remarks'): Place => ({
    documents: sql`select s.document_id as id from document_texts s
      where s.tenant = ${tenant} and ${says(sql.ref(`s.${column}`))}`,
  });

  return places.flatMap((place): Place[] => {
    if (place === 'remarks') return [inTexts('remarks')];
    if (place === 'names') {
      const documents = sql`select x.id from documents x
        where x.tenant = ${tenant} and ${contains(sql`x.reference_keys`, word.toUpperCase())}`;
      return [inTexts('head'), ...(ACCESS_KEY.test(word) ? [{ documents }] : [])];
    }
    const column = textColumns[place];
    const texts = sql`select s.id from descriptions s
      where s.tenant = ${tenant} and ${place === 'items' ? contains(sql`s.search`) : says(sql`s.search`)}`;
    const documents = sql`select i.document_id as id from items i
      where i.tenant = ${tenant} and ${sql.ref(`i.${column}`)} in (${texts})`;
    return [{ documents, item: { column, texts } }];
  });
}

/**
 * Words of a text with the places where they occur; other places need no search. The word in the fewest texts and
 * documents comes first: it leaves the fewest in which to search for the others.
 */
export async function wordsOf(
  session: Session,
  text: string,
  places: readonly TextPlace[] = textPlaces,
): Promise<readonly Word[]> {
  const words: { readonly word: Word; readonly count: number }[] = [];
  for (const word of new Set(searchText(text).split(' '))) {
    const all = placesOf(session, word, places);
    const counts = all.map(
      ({ documents, item }, place) => sql`case when exists (${documents})
        then (select count(*) from (${item?.texts ?? documents}) t) else 0 end as ${sql.ref(`p${place}`)}`,
    );
    const { rows } = await sql<Record<string, number>>`select ${sql.join(counts)}`.execute(session.db);
    const found = all.map((_, place) => Number(rows[0]?.[`p${place}`]));
    words.push({
      word: all.filter((_, place) => found[place] !== 0),
      count: found.reduce((sum, count) => sum + count, 0),
    });
  }
  return words.sort((one, other) => one.count - other.count).map(({ word }) => word);
}

/** Selects ids of documents with every word; materialised, since SQLite would repeat the search per statement. */
export async function documentsWith(
  { db, tenant }: Session,
  [first = [], ...others]: readonly Word[],
): Promise<RawBuilder<unknown>> {
  const ids = first.map(({ documents }) => documents);
  const found = ids.length === 0 ? sql`select 0 as id where 1 = 0` : sql.join(ids, sql` union all `);
  const isThere = (place: Place) =>
    place.item === undefined
      ? itemHas([place])
      : sql<boolean>`exists (select 1 from items i where i.tenant = ${tenant} and i.document_id = d.id
        and ${itemHas([place], true)})`;
  const hasOthers = allOf(others.map((word) => anyOf(word.map(isThere))));
  const all = sql`select distinct d.id from (${found}) d where ${hasOthers}`;
  if (isPostgres(db)) return all;
  const { rows } = await sql<{ ids: string }>`select json_group_array(id) as ids from (${all}) v`.execute(db);
  return sql`select value from json_each(${rows[0]?.ids ?? '[]'})`;
}

/** Tax ids of parties in a role, as one column `id`. */
function idsOf(role: PartyGrouping, tenant: string, companies: readonly string[]): RawBuilder<unknown> {
  if (role !== 'counterparty') {
    const party = sql.ref(`d.${role}`);
    return sql`select distinct ${party} as id from documents d where d.tenant = ${tenant} and ${party} <> ''`;
  }
  // The counterparty depends on the companies asked about.
  const other = groupOf(role, sql`null`);
  const isAsked = allOf([companies.length > 0 && isOneOf(sql`p.company`, companies)]);
  return sql`select distinct ${other} as id from ${placedDocuments}
    where p.tenant = ${tenant} and ${other} <> '' and ${isAsked}`;
}

/** Latest names of tax ids. */
export async function partyNames(
  session: Session,
  ids: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const rows = await findRows(session, 'parties', ['tax_id', 'name'], 'tax_id', ids);
  return new Map(rows.map(({ tax_id, name }) => [tax_id, name]));
}

/** Parties in a role, of these companies or all, whose name contains all words of a text. */
export async function partiesNamed(
  { db, tenant }: Session,
  text: string,
  role: PartyGrouping,
  companies: readonly string[] = [],
) {
  const { rows } = await sql<{ readonly id: string; readonly name: string }>`
    select x.id, coalesce(nullif(y.name, ''), x.id) as name
    from (${idsOf(role, tenant, companies)}) x
      left join parties y on y.tenant = ${tenant} and y.tax_id = x.id`.execute(db);
  return rows
    .filter(({ id, name }) => id === text || isNamed(name, text))
    .sort((one, other) => (`${one.name}\0${one.id}` < `${other.name}\0${other.id}` ? -1 : 1));
}
