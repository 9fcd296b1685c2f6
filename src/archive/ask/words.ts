import { type RawBuilder, sql } from 'kysely';
import { isNamed, searchText } from '../schema/encoding.ts';
import { type TextPlace, textPlaces } from '../schema/measures.ts';
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
import type { PartyGrouping } from './question.ts';

/** Conditions for a word of a text. */
export interface Word {
  /** Condition on the texts `s` of a document. */
  readonly isInDocument: Condition;
  /** Condition on an item `i` of a document `d`: it or the document besides its items has the word. */
  readonly isInItem: Condition;
  /** Descriptions `t` that contain it. */
  readonly descriptions: RawBuilder<unknown>;
}

/** Of any document: only a whole key is looked for among those that a document names. */
const ACCESS_KEY = /^(?:[0-9a-z]{44}|\d{50})$/;

/** The words of a text, to be found in these places. */
export function wordsOf(
  { db, tenant }: Session,
  text: string,
  places: readonly TextPlace[] = textPlaces,
): readonly Word[] {
  // `like` folds the case of every character, which takes seven times as long.
  const find = isPostgres(db) ? sql`strpos` : sql`instr`;
  const asks = (place: TextPlace) => places.includes(place);
  return [...new Set(searchText(text).split(' '))].map((word) => {
    const contains = (column: string, part = word) => sql<boolean>`${find}(${sql.ref(column)}, ${part}) > 0`;
    // Three digits occur in every other key: short numbers must be whole words.
    const says = (column: string) => contains(column, /^\d{1,3}$/.test(word) ? ` ${word} ` : word);
    const isReferred = sql<boolean>`s.document_id in (select x.id from documents x
      where x.tenant = ${tenant} and ${contains('x.reference_keys', word.toUpperCase())})`;
    const descriptions = sql`descriptions t where t.tenant = ${tenant} and ${contains('t.search')}`;
    const isBesideItems = anyOf([
      asks('names') && says('s.names'),
      asks('remarks') && says('s.remarks'),
      asks('names') && ACCESS_KEY.test(word) && isReferred,
    ]);
    return {
      isInDocument: anyOf([
        isBesideItems,
        asks('items') && contains('s.items'),
        asks('codes') && says('s.codes'),
        asks('orders') && says('s.orders'),
      ]),
      isInItem: anyOf([
        asks('items') && sql`i.description_id in (select t.id from ${descriptions})`,
        asks('codes') && says('i.code'),
        asks('orders') && says('i.buyer_order'),
        sql`d.id in (select s.document_id from document_texts s where s.tenant = ${tenant} and ${isBesideItems})`,
      ]),
      descriptions,
    };
  });
}

/** The word in the fewest descriptions first: most items need no search for the others. */
export async function rarestFirst({ db }: Session, words: readonly Word[]): Promise<readonly Word[]> {
  const counts = words.map(
    ({ descriptions }, at) => sql`(select count(*) from ${descriptions}) as ${sql.ref(`w${at}`)}`,
  );
  const { rows } = await sql<Record<string, number>>`select ${sql.join(counts)}`.execute(db);
  const countOf = (word: Word) => Number(rows[0]?.[`w${words.indexOf(word)}`]);
  return words.toSorted((one, other) => countOf(one) - countOf(other));
}

/** Selects ids of documents with all words that meet a condition on `d`; SQLite would search again per statement. */
export async function documentsWith(
  { db, tenant }: Session,
  words: readonly Word[],
  condition: Condition | undefined,
): Promise<RawBuilder<unknown>> {
  const haveAll = allOf(words.map(({ isInDocument }) => isInDocument));
  const found = sql`select s.document_id as id from document_texts s where s.tenant = ${tenant} and ${haveAll}`;
  const all =
    condition === undefined
      ? found
      : sql`select d.id from documents d where d.tenant = ${tenant} and d.id in (${found}) and ${condition}`;
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
