import { setImmediate as letOthersRun } from 'node:timers/promises';
import { type RawBuilder, sql } from 'kysely';
import { amountMeasures, givenNames } from '../schema/measures.ts';
import type { Db } from '../schema/schema.ts';
import {
  type ItemRollup,
  itemColumn,
  itemRollups,
  otherState,
  type RollupTable,
  rollupCounts,
  rollupKeys,
  voidStatuses,
} from './rollups.ts';

function sumsOf(source: 'd' | 'i'): RawBuilder<unknown> {
  const given = amountMeasures.map((name) => sql`count(${sql.ref(`${source}.${name}`)})`);
  const sums = amountMeasures.map((name) => sql`coalesce(sum(${sql.ref(`${source}.${name}`)}), 0)`);
  return sql.join([...given, ...sums]);
}

const documentSums = sql`
  select p.company, p.area, p.date_field, p.month, p.direction, d.kind, d.status, d.exclusion, d.issuer, d.recipient,
    ${otherState}, count(*), sum(d.has_lines), sum(d.item_count), ${sumsOf('d')}
  from placements p join documents d on d.id = p.document_id
  group by 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11`;

function itemSums({ name, groups }: ItemRollup): RawBuilder<unknown> {
  const [first, second] = groups;
  return sql`
    select p.company, p.area, p.date_field, ${sql.lit(name)}, p.month, ${itemColumn(first)},
      ${second === undefined ? sql.lit('') : itemColumn(second)}, p.direction,
      count(distinct i.document_id), sum(case when i.line > 0 then 1 else 0 end), ${sumsOf('i')}
    from placements p join documents d on d.id = p.document_id join items i on i.document_id = p.document_id
    where d.exclusion = '' and d.status not in (${sql.join(voidStatuses.map((status) => sql.lit(status)))})
    group by 1, 2, 3, 5, 6, 7, 8`;
}

const documentColumns = [
  ...rollupKeys.document_rollup,
  ...rollupCounts.document_rollup,
  ...givenNames,
  ...amountMeasures,
];

/** Makes the documents' roll-up anew from the documents. To be called in a writing transaction. */
export async function rebuildDocumentRollup(db: Db): Promise<void> {
  await db.deleteFrom('document_rollup').execute();
  const columns = sql.join(documentColumns.map((name) => sql.ref(name)));
  await sql`insert into document_rollup (${columns}) ${documentSums}`.execute(db);
}

/** Whether the rows kept of a roll-up are other than these. */
async function differs(
  db: Db,
  table: RollupTable,
  sums: RawBuilder<unknown>,
  kept: RawBuilder<unknown>,
): Promise<boolean> {
  const names = [...rollupKeys[table], ...rollupCounts[table], ...givenNames, ...amountMeasures];
  const columns = sql.join(names.map((name) => sql.ref(`r.${name}`)));
  const stored = sql`select ${columns} from ${sql.table(table)} r where ${kept}`;
  const { rows } = await sql<{ different: number }>`
    select (select count(*) from (select * from (${sums}) a except ${stored}) b)
      + (select count(*) from (${stored} except select * from (${sums}) c) d) as different`.execute(db);
  await letOthersRun();
  return rows[0]?.different !== 0;
}

/** The names of the roll-ups that are not what the documents add up to; calculated by the database. */
export async function wrongRollups(db: Db): Promise<string[]> {
  const wrong = (await differs(db, 'document_rollup', documentSums, sql`1 = 1`)) ? ['documents'] : [];
  for (const rollup of itemRollups) {
    const kept = sql`r."grouping" = ${sql.lit(rollup.name)}`;
    if (await differs(db, 'item_rollup', itemSums(rollup), kept)) wrong.push(rollup.name);
  }
  return wrong;
}
