import { PostgresAdapter, type RawBuilder, sql } from 'kysely';
import { searchText } from '../schema/encoding.ts';
import type { Session } from '../schema/schema.ts';
import { allOf, anyOf, type Condition } from '../schema/sql.ts';

/** A word that is looked for. */
export interface Word {
  /** Descriptions of items `s` that have it in them. */
  readonly described: Condition;
  /** Documents with this text to search that have it in it. */
  readonly headed: (search: RawBuilder<unknown>) => Condition;
  /** So many have it that it is quicker looked for in each document than the documents by it. */
  readonly isCommon: boolean;
}

/** Three digits are in every other key: a number so short is looked for as a word of its own, but for descriptions. */
const shortNumber = /^\d{1,3}$/;

/** Whether the text of a document's head, as `searchText` makes it, has a word. */
export function hasWord(search: string, word: string): boolean {
  return shortNumber.test(word) ? ` ${search} `.includes(` ${word} `) : search.includes(word);
}

/** In per cent of the descriptions and of the documents together: a word found so often leads to no document. */
const often = 5;
/** The last documents, which stand for all. */
const sampled = 1_000;

type Shares = Readonly<Record<string, number>>;

/** The words of a text, all of which must be found; the rarest first. */
export async function wordsOf({ db, tenant }: Session, text: string): Promise<readonly Word[]> {
  const isPostgres = db.getExecutor().adapter instanceof PostgresAdapter;
  // SQLite folds case for each character of a pattern, which takes seven times as long as looking for a text.
  const contains = (value: RawBuilder<unknown>, part: string) =>
    isPostgres ? sql<boolean>`strpos(${value}, ${part}) > 0` : sql<boolean>`instr(${value}, ${part}) > 0`;
  const words = [...new Set(searchText(text).split(' '))].map((word) => ({
    described: contains(sql`s.search`, word),
    headed: (search: RawBuilder<unknown>) =>
      shortNumber.test(word) ? contains(sql`(' ' || ${search} || ' ')`, ` ${word} `) : contains(search, word),
  }));
  const share = (name: string, found: Condition) =>
    sql`cast(coalesce(avg(case when ${found} then 100.0 else 0 end), 0) as integer) as ${sql.ref(name)}`;
  const described = words.map((word, index) => share(`w${index}`, word.described));
  const headed = words.map((word, index) => share(`w${index}`, word.headed(sql`x.search`)));
  const shares = await Promise.all(
    [
      sql<Shares>`select ${sql.join(described)} from descriptions s where s.tenant = ${tenant}`,
      sql<Shares>`select ${sql.join(headed)} from (
        select search from documents where tenant = ${tenant}
          and id > (select max(document_id) from items where tenant = ${tenant}) - ${sql.lit(sampled)}) x`,
    ].map(async (ask) => (await ask.execute(db)).rows[0] ?? {}),
  );
  return words
    .map((word, index) => ({
      ...word,
      share: shares.reduce((sum, one) => sum + Number(one[`w${index}`] ?? 0), 0),
    }))
    .sort((one, other) => one.share - other.share)
    .map(({ share: found, ...word }) => ({ ...word, isCommon: found >= often }));
}

/** Tables to be joined and what joins them. */
interface Joined {
  /** The documents of these items, where nothing else is asked of them. */
  readonly documents?: RawBuilder<unknown>;
  readonly tables: RawBuilder<unknown>;
  readonly on: readonly Condition[];
}

interface Searching {
  readonly tenant: string;
  readonly words: readonly Word[];
}

function descriptionsWith(tenant: string, { described }: Word): RawBuilder<unknown> {
  return sql`(select s.id from descriptions s where s.tenant = ${tenant} and ${described})`;
}

function documentsWith(tenant: string, { headed }: Word): RawBuilder<unknown> {
  return sql`select x.id from documents x where x.tenant = ${tenant} and ${headed(sql`x.search`)}`;
}

/**
 * The items `i` that have every word in them or in what their document says as a whole; all of them without words. The
 * cross join tells SQLite to begin with the few that have the rarest one.
 */
export function itemsWith({ tenant, words: [first, ...others] }: Searching): Joined {
  const ofTenant = sql<boolean>`i.tenant = ${tenant}`;
  if (first === undefined) return { tables: sql`items i`, on: [ofTenant] };
  // In two parts that have no item in common, to each of which an index leads; in the order of the tables, so that what
  // lies together is read together.
  const described = descriptionsWith(tenant, first);
  const found = sql`(select document_id, line, description_id from items where tenant = ${tenant} and description_id in ${described}
    union all select document_id, line, description_id from items where tenant = ${tenant}
      and document_id in (${documentsWith(tenant, first)}) and description_id + 0 not in ${described}
    order by 1, 2)`;
  // A document's own text is only looked at where the description has no such word.
  const both = others.map((word) => {
    const search = sql`(select x.search from documents x where x.tenant = ${tenant} and x.id = t.document_id)`;
    return sql<boolean>`(t.description_id in ${descriptionsWith(tenant, word)} or ${word.headed(search)})`;
  });
  return {
    documents: sql`select t.document_id from ${found} t where ${allOf(both)}`,
    tables: sql`${found} t cross join items i`,
    on: [ofTenant, sql<boolean>`i.document_id = t.document_id`, sql<boolean>`i.line = t.line`, ...both],
  };
}

/** Every word in a document `d` placed by `p`, or in any of its items. */
export function wordsInDocument({ tenant, words }: Searching): Condition[] {
  return words.map((word, index) => {
    const described = descriptionsWith(tenant, word);
    // Only the rarest leads to documents.
    if (index > 0 || word.isCommon) {
      const item = allOf([
        sql<boolean>`t.tenant = ${tenant}`,
        sql<boolean>`t.document_id = d.id`,
        sql<boolean>`t.description_id + 0 in ${described}`,
      ]);
      return anyOf([word.headed(sql`d.search`), sql<boolean>`exists (select 1 from items t where ${item})`]);
    }
    return sql<boolean>`p.document_id in (
      select t.document_id from items t where t.tenant = ${tenant} and t.description_id in ${described}
      union all ${documentsWith(tenant, word)})`;
  });
}
