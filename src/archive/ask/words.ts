import { type RawBuilder, sql } from 'kysely';
import { searchText } from '../schema/encoding.ts';
import { headWord } from '../schema/head-text.ts';
import type { Session } from '../schema/schema.ts';
import { anyOf, type Condition, isPostgres } from '../schema/sql.ts';

/** A word that is looked for in items and in what their document says as a whole. */
export interface Word {
  /** The ids of documents that have it, in an item or as a whole. */
  readonly documents: RawBuilder<unknown>;
  /** An item `i` of a document `d` that has it, or whose document has it as a whole. */
  readonly inItem: Condition;
}

/** The words of a text, all of which must be found. */
export function wordsOf({ db, tenant }: Session, text: string): readonly Word[] {
  // SQLite folds case for each character of a pattern, which takes seven times as long.
  const find = isPostgres(db) ? sql`strpos` : sql`instr`;
  const contains = (value: RawBuilder<unknown>, part: string) => sql<boolean>`${find}(${value}, ${part}) > 0`;
  return [...new Set(searchText(text).split(' '))].map((word) => {
    const { inText, isWhole, code } = headWord(word);
    const head = isWhole ? sql`(' ' || s.search || ' ')` : sql`s.search`;
    const heads = sql`(select s.id from heads s where s.tenant = ${tenant} and ${contains(head, inText)})`;
    const described = sql`(select s.id from descriptions s where s.tenant = ${tenant} and ${contains(sql`s.search`, word)})`;
    const headed = (table: 'd' | 'x'): Condition => {
      const [number, key] = [sql.ref(`${table}.number`), sql.ref(`${table}.key`)];
      const numbered = (value: RawBuilder<unknown>) =>
        code === undefined ? [] : [isWhole ? sql<boolean>`${value} = ${code}` : contains(value, code)];
      return anyOf([
        sql<boolean>`${sql.ref(`${table}.head_id`)} in ${heads}`,
        ...numbered(number),
        ...numbered(key),
      ]);
    };
    return {
      documents: sql`(select t.document_id from items t where t.tenant = ${tenant} and t.description_id in ${described}
        union all select x.id from documents x where x.tenant = ${tenant} and ${headed('x')})`,
      inItem: sql<boolean>`(i.description_id in ${described} or ${headed('d')})`,
    };
  });
}

/** Every word in a document placed by `p`, or in any of its items. */
export function wordsInDocument(words: readonly Word[]): Condition[] {
  return words.map(({ documents }) => sql<boolean>`p.document_id in ${documents}`);
}
