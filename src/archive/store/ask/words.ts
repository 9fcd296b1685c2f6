import { PostgresAdapter, type RawBuilder, sql } from 'kysely';
import { searchText } from '../schema/encoding.ts';
import { type HeadWord, headWord } from '../schema/head-text.ts';
import type { Session } from '../schema/schema.ts';
import { allOf, anyOf, type Condition } from '../schema/sql.ts';

/** A word that is looked for. */
export interface Word {
  /** Descriptions of items `s` that have it in them. */
  readonly described: Condition;
  /** A document of this name whose head has it in it. */
  readonly headed: (document: 'd' | 'x') => Condition;
  /** The ids of those documents. */
  readonly documents: RawBuilder<unknown>;
  /** So many have it that it is quicker looked for in each document than the documents by it. */
  readonly isCommon: boolean;
}

/** In per cent of the descriptions, of the heads and of the documents together: a word found so often leads nowhere. */
const often = 5;
/** So many documents with a number or key are named one by one, so that they are looked for once. */
const mostNamed = 200;

type Shares = Readonly<Record<string, number>>;

/** Whether a text has a part. SQLite folds case for each character of a pattern, which takes seven times as long. */
type Contains = (value: RawBuilder<unknown>, part: string) => Condition;

function containsIn({ db }: Session): Contains {
  return db.getExecutor().adapter instanceof PostgresAdapter
    ? (value, part) => sql<boolean>`strpos(${value}, ${part}) > 0`
    : (value, part) => sql<boolean>`instr(${value}, ${part}) > 0`;
}

/** The number or key of a document that has a word in it, in the words of the index that serves it. */
function numbered(
  document: 'd' | 'x',
  { code, isWhole }: HeadWord,
  contains: Contains,
): Condition | undefined {
  if (code === undefined) return undefined;
  const [number, key] = [sql.ref(`${document}.number`), sql.ref(`${document}.key`)];
  if (isWhole) return sql<boolean>`(${number} = ${code} or ${key} = ${code})`;
  if (/\D/.test(code)) {
    // No number has letters in it, and few keys.
    return sql<boolean>`(ltrim(${key}, '0123456789') <> '' and ${contains(key, code)})`;
  }
  return sql<boolean>`(${contains(number, code)} or ${contains(key, code)})`;
}

/** Documents by their number or key: each by itself where they are few. */
async function numberedBy(session: Session, word: HeadWord, contains: Contains) {
  const { db, tenant } = session;
  const condition = numbered('x', word, contains);
  if (condition === undefined) return undefined;
  const found = sql`from documents x where x.tenant = ${tenant} and ${condition}`;
  const { rows } = await sql<{ id: number }>`select x.id ${found} limit ${sql.lit(mostNamed + 1)}`.execute(
    db,
  );
  if (rows.length > mostNamed) {
    const counted = await sql<{ share: number }>`
      select cast(100 * (select count(*) ${found}) / count(*) as integer) as share
      from documents x where x.tenant = ${tenant}`.execute(db);
    return {
      is: (document: 'd' | 'x') => numbered(document, word, contains) ?? condition,
      share: Number(counted.rows[0]?.share ?? 0),
    };
  }
  const ids = sql.join(rows.map(({ id }) => id));
  return rows.length === 0
    ? undefined
    : { is: (document: 'd' | 'x') => sql<boolean>`${sql.ref(`${document}.id`)} in (${ids})`, share: 0 };
}

/** How many of the texts of a table have each word, in per cent. */
async function sharesOf(
  { db, tenant }: Session,
  table: 'descriptions' | 'heads',
  found: readonly Condition[],
) {
  const shares = found.map(
    (condition, index) =>
      sql`cast(coalesce(avg(case when ${condition} then 100.0 else 0 end), 0) as integer) as ${sql.ref(`w${index}`)}`,
  );
  const { rows } = await sql<Shares>`
    select ${sql.join(shares)} from ${sql.table(table)} s where s.tenant = ${tenant}`.execute(db);
  return found.map((_, index) => Number(rows[0]?.[`w${index}`] ?? 0));
}

/** The words of a text, all of which must be found; the rarest first. */
export async function wordsOf(session: Session, text: string): Promise<readonly Word[]> {
  const { tenant } = session;
  const contains = containsIn(session);
  const all = [...new Set(searchText(text).split(' '))];
  const heads = all.map(headWord);
  const described = all.map((word) => contains(sql`s.search`, word));
  const headed = heads.map(({ inText, isWhole }) =>
    contains(isWhole ? sql`(' ' || s.search || ' ')` : sql`s.search`, inText),
  );
  const inDescriptions = await sharesOf(session, 'descriptions', described);
  const inHeads = await sharesOf(session, 'heads', headed);
  const words: (Word & { readonly share: number })[] = [];
  for (const [index, head] of heads.entries()) {
    const byNumber = await numberedBy(session, head, contains);
    const texts = sql`(select s.id from heads s where s.tenant = ${tenant} and ${headed[index]})`;
    const ofTenant = sql`select x.id from documents x where x.tenant = ${tenant} and`;
    const share = (inDescriptions[index] ?? 0) + (inHeads[index] ?? 0) + (byNumber?.share ?? 0);
    words.push({
      described: described[index] ?? sql<boolean>`1 = 0`,
      headed: (document) =>
        anyOf([
          sql<boolean>`${sql.ref(`${document}.head_id`)} in ${texts}`,
          ...(byNumber ? [byNumber.is(document)] : []),
        ]),
      documents: byNumber
        ? sql`${ofTenant} x.head_id in ${texts} union all ${ofTenant} ${byNumber.is('x')}`
        : sql`${ofTenant} x.head_id in ${texts}`,
      share,
      isCommon: share >= often,
    });
  }
  return words.sort((one, other) => one.share - other.share);
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

/** Descriptions `s` that have all of these words. */
function wholly(words: readonly Word[]): Condition {
  return allOf(words.map(({ described }) => described));
}

function descriptionsWith(tenant: string, words: readonly Word[]): RawBuilder<unknown> {
  return sql`(select s.id from descriptions s where s.tenant = ${tenant} and ${wholly(words)})`;
}

/** Descriptions that have every word in them, as the sums of items have them. */
export function describedWholly({ tenant, words }: Searching): RawBuilder<unknown> {
  return sql`(select cast(s.id as text) from descriptions s where s.tenant = ${tenant} and ${wholly(words)})`;
}

/**
 * The items `i` that have every word in them or in what their document says as a whole; all of them without words. The
 * cross join tells SQLite to begin with the few that have the rarest one.
 * @param isPartial leaves those out whose description has every word
 */
export function itemsWith({ tenant, words }: Searching, isPartial = false): Joined {
  const [first, ...others] = words;
  const ofTenant = sql<boolean>`i.tenant = ${tenant}`;
  if (first === undefined) return { tables: sql`items i`, on: [ofTenant] };
  const described = descriptionsWith(tenant, [first]);
  // In two parts that have no item in common, to each of which an index leads.
  const foundBy = (descriptions: RawBuilder<unknown>) => sql`
    select document_id, line, description_id from items where tenant = ${tenant} and description_id in ${descriptions}
    union all select document_id, line, description_id from items where tenant = ${tenant}
      and document_id in (${first.documents}) and description_id + 0 not in ${described}`;
  const partly = foundBy(
    sql`(select s.id from descriptions s where s.tenant = ${tenant} and ${first.described} and not ${wholly(words)})`,
  );
  const found = isPartial ? partly : foundBy(described);
  // A document's own text is only looked at where the description has no such word.
  const both = others.map((word) => {
    const headed = sql`exists (select 1 from documents x where x.tenant = ${tenant} and x.id = t.document_id and ${word.headed('x')})`;
    return sql<boolean>`(t.description_id in ${descriptionsWith(tenant, [word])} or ${headed})`;
  });
  // In the order of the tables, so that what lies together is read together. Where few items are found, by values, or
  // SQLite would go through all items for the sake of the order.
  const inOrder = first.isCommon
    ? sql`(${found} order by 1, 2)`
    : sql`(select * from (${found}) f order by f.document_id + 0, f.line + 0)`;
  return {
    documents: sql`select document_id from items where tenant = ${tenant} and description_id in ${descriptionsWith(tenant, words)}
      union all select t.document_id from (${partly}) t where ${allOf(both)}`,
    tables: sql`${inOrder} t cross join items i`,
    on: [ofTenant, sql<boolean>`i.document_id = t.document_id`, sql<boolean>`i.line = t.line`, ...both],
  };
}

/** What is asked of a document: of its placement `p` alone, and of itself as `d`. */
export interface Asked {
  readonly placed: readonly Condition[];
  readonly document: readonly Condition[];
}

/** Every word in a document `d` placed by `p`, or in any of its items. */
export function wordsInDocument({ tenant, words }: Searching): Asked {
  const placed: Condition[] = [];
  const document: Condition[] = [];
  for (const [index, word] of words.entries()) {
    const described = descriptionsWith(tenant, [word]);
    // Only the rarest leads to documents.
    if (index > 0 || word.isCommon) {
      const item = allOf([
        sql<boolean>`t.tenant = ${tenant}`,
        sql<boolean>`t.document_id = d.id`,
        sql<boolean>`t.description_id + 0 in ${described}`,
      ]);
      document.push(anyOf([word.headed('d'), sql<boolean>`exists (select 1 from items t where ${item})`]));
    } else {
      placed.push(sql<boolean>`p.document_id in (
        select t.document_id from items t where t.tenant = ${tenant} and t.description_id in ${described}
        union all ${word.documents})`);
    }
  }
  return { placed, document };
}
