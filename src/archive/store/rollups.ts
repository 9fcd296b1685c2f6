import { setImmediate as letOthersRun } from 'node:timers/promises';
import { type RawBuilder, sql } from 'kysely';
import type { Db } from './connect.ts';
import { rollupKeys } from './migrations.ts';
import { amountMeasures, type itemGroupings } from './question.ts';
import { givenName } from './schema.ts';

type ItemGrouping = (typeof itemGroupings)[number];

/** A grouping of items that has its own sums. `first` and `second` are its columns, or SQL for them. */
export interface ItemRollup {
  readonly name: string;
  readonly groups: readonly [ItemGrouping] | readonly [ItemGrouping, ItemGrouping];
}

/**
 * The groupings of items kept summed up. Each is exact at its own grain only: a document with two CFOPs is one document
 * of each, so that counts of documents can't be added across groups.
 */
export const itemRollups: readonly ItemRollup[] = [
  { name: 'cfop', groups: ['cfop'] },
  { name: 'ncm', groups: ['ncm'] },
  { name: 'cfop ncm', groups: ['cfop', 'ncm'] },
  { name: 'cst', groups: ['cst'] },
  { name: 'class_trib', groups: ['class_trib'] },
  { name: 'item', groups: ['item'] },
];

/** Documents in these states are in no sum unless asked for. Source: fiscal-domain notes, sections 3 and 6. */
export const voidStatuses = ['cancelled', 'denied'] as const;

/** The other party's state, of a document `d` placed by `p`. */
export const otherState = sql<string>`case when p.direction = 'outbound' then d.recipient_state else d.issuer_state end`;

/** The value of an item grouping of an item `i`. */
export function itemColumn(group: ItemGrouping): RawBuilder<string> {
  return group === 'item' ? sql<string>`cast(i.description_id as text)` : sql.ref<string>(`i.${group}`);
}

type RollupTable = keyof typeof rollupKeys;

const counted: Record<RollupTable, readonly string[]> = {
  document_rollup: ['documents', 'lined', 'items'],
  item_rollup: ['documents', 'items'],
};

function sumsOf(source: 'd' | 'i', sign: RawBuilder<unknown>): RawBuilder<unknown> {
  const given = amountMeasures.map((name) => sql`${sign}count(${sql.ref(`${source}.${name}`)})`);
  const sums = amountMeasures.map((name) => sql`${sign}coalesce(sum(${sql.ref(`${source}.${name}`)}), 0)`);
  return sql.join([...given, ...sums]);
}

function valueColumns(table: RollupTable): readonly string[] {
  return [...counted[table], ...amountMeasures.map(givenName), ...amountMeasures];
}

function addTo(table: RollupTable, contributions: RawBuilder<unknown>): RawBuilder<unknown> {
  const keys = rollupKeys[table];
  const values = valueColumns(table);
  const additions = values.map(
    (name) => sql`${sql.ref(name)} = ${sql.ref(`${table}.${name}`)} + ${sql.ref(`excluded.${name}`)}`,
  );
  const columns = sql.join([...keys, ...values].map((name) => sql.ref(name)));
  return sql`insert into ${sql.table(table)} (${columns}) ${contributions}
    on conflict (${sql.join(keys.map((name) => sql.ref(name)))}) do update set ${sql.join(additions)}`;
}

/** Documents `c` of which the contributions are wanted. */
const changingDocuments = sql`changing`;
const allDocuments = sql`(select id as document_id from documents)`;

function documentContributions(among: RawBuilder<unknown>, sign: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`
    select p.company, p.area, p.date_field, p.month, p.direction, d.kind, d.status, d.exclusion, d.issuer, d.recipient,
      ${otherState}, ${sign}count(*), ${sign}sum(d.has_lines), ${sign}sum(d.item_count), ${sumsOf('d', sign)}
    from ${among} c join placements p on p.document_id = c.document_id join documents d on d.id = c.document_id
    where true group by 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11`;
}

function itemContributions(
  { name, groups }: ItemRollup,
  among: RawBuilder<unknown>,
  sign: RawBuilder<unknown>,
): RawBuilder<unknown> {
  const [first, second] = groups;
  return sql`
    select p.company, p.area, p.date_field, ${sql.lit(name)}, p.month, ${itemColumn(first)},
      ${second === undefined ? sql.lit('') : itemColumn(second)}, p.direction,
      ${sign}count(distinct i.document_id), ${sign}sum(case when i.line > 0 then 1 else 0 end), ${sumsOf('i', sign)}
    from ${among} c join placements p on p.document_id = c.document_id join documents d on d.id = c.document_id
      join items i on i.document_id = c.document_id
    where d.exclusion = '' and d.status not in (${sql.join(voidStatuses.map((status) => sql.lit(status)))})
    group by 1, 2, 3, 5, 6, 7, 8`;
}

/**
 * Adds what the documents in `changing` contribute, as they are now, to the roll-ups or takes it away. To be called
 * before they change and after, in the transaction that changes them.
 */
export async function adjustRollups(db: Db, change: 'add' | 'take'): Promise<void> {
  const sign = change === 'add' ? sql`` : sql`-`;
  await addTo('document_rollup', documentContributions(changingDocuments, sign)).execute(db);
  for (const rollup of itemRollups) {
    await addTo('item_rollup', itemContributions(rollup, changingDocuments, sign)).execute(db);
    await letOthersRun();
  }
}

/** Removes what has come down to nothing. */
export async function dropEmptyRollups(db: Db): Promise<void> {
  for (const table of ['document_rollup', 'item_rollup'] as const) {
    await db.deleteFrom(table).where('documents', '=', 0).execute();
  }
}

/** The names of the roll-ups that are not what the documents add up to. */
export async function wrongRollups(db: Db): Promise<string[]> {
  const wrong: string[] = [];
  const compare = async (
    name: string,
    table: RollupTable,
    contributions: RawBuilder<unknown>,
    kept: RawBuilder<unknown>,
  ) => {
    const columns = sql.join(
      [...rollupKeys[table], ...valueColumns(table)].map((column) => sql.ref(`r.${column}`)),
    );
    const stored = sql`select ${columns} from ${sql.table(table)} r where ${kept}`;
    const { rows } = await sql<{ different: number }>`
      select (select count(*) from (select * from (${contributions}) a except ${stored}) b)
        + (select count(*) from (${stored} except select * from (${contributions}) c) d) as different`.execute(
      db,
    );
    if (rows[0]?.different !== 0) wrong.push(name);
    await letOthersRun();
  };
  await compare('documents', 'document_rollup', documentContributions(allDocuments, sql``), sql`1 = 1`);
  for (const rollup of itemRollups) {
    const contributions = itemContributions(rollup, allDocuments, sql``);
    await compare(rollup.name, 'item_rollup', contributions, sql`r."grouping" = ${sql.lit(rollup.name)}`);
  }
  return wrong;
}
