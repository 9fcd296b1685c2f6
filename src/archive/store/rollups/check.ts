import { setImmediate as letOthersRun } from 'node:timers/promises';
import { type RawBuilder, sql } from 'kysely';
import { givenNames, rolledMeasures } from '../schema/measures.ts';
import type { Session } from '../schema/schema.ts';
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
  const given = rolledMeasures.map((name) => sql`count(${sql.ref(`${source}.${name}`)})`);
  const sums = rolledMeasures.map((name) => sql`coalesce(sum(${sql.ref(`${source}.${name}`)}), 0)`);
  return sql.join([...given, ...sums]);
}

const documentSums = (tenant: string): RawBuilder<unknown> => sql`
  select p.tenant, p.company, p.area, p.date_field, p.month, p.direction, d.kind, d.status, d.exclusion, d.issuer, d.recipient,
    ${otherState}, count(*), sum(d.has_lines), sum(d.item_count), ${sumsOf('d')}
  from placements p join documents d on d.tenant = p.tenant and d.id = p.document_id
  where p.tenant = ${tenant}
  group by 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12`;

const daySums = (tenant: string): RawBuilder<unknown> => sql`
  select p.tenant, p.company, p.area, p.date_field, p.from_day, p.to_day, p.day, p.week, p.month, p.direction, d.kind, d.status,
    d.exclusion, ${otherState}, count(*), sum(d.has_lines), sum(d.item_count), ${sumsOf('d')}
  from placements p join documents d on d.tenant = p.tenant and d.id = p.document_id
  where p.tenant = ${tenant}
  group by 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14`;

function itemSums(tenant: string, { name, groups }: ItemRollup): RawBuilder<unknown> {
  const [first, second] = groups;
  return sql`
    select p.tenant, p.company, p.area, p.date_field, ${sql.lit(name)}, p.month, ${itemColumn(first)},
      ${second === undefined ? sql.lit('') : itemColumn(second)}, p.direction,
      count(distinct i.document_id), sum(case when i.line > 0 then 1 else 0 end), ${sumsOf('i')}
    from placements p join documents d on d.tenant = p.tenant and d.id = p.document_id
      join items i on i.tenant = p.tenant and i.document_id = p.document_id
    where p.tenant = ${tenant} and d.exclusion = '' and d.status not in (${sql.join(voidStatuses.map((status) => sql.lit(status)))})
    group by 1, 2, 3, 4, 6, 7, 8, 9`;
}

/** Whether the rows kept of a roll-up are other than these. */
async function differs(
  { db, tenant }: Session,
  table: RollupTable,
  sums: RawBuilder<unknown>,
  kept: RawBuilder<unknown>,
): Promise<boolean> {
  const names = [...rollupKeys[table], ...rollupCounts[table], ...givenNames, ...rolledMeasures];
  const columns = sql.join(names.map((name) => sql.ref(`r.${name}`)));
  const stored = sql`select ${columns} from ${sql.table(table)} r where r.tenant = ${tenant} and ${kept}`;
  const { rows } = await sql<{ different: number }>`
    select (select count(*) from (select * from (${sums}) a except ${stored}) b)
      + (select count(*) from (${stored} except select * from (${sums}) c) d) as different`.execute(db);
  await letOthersRun();
  return rows[0]?.different !== 0;
}

/** The names of the roll-ups that are not what the documents add up to; calculated by the database. */
export async function wrongRollups(session: Session): Promise<string[]> {
  const wrong: string[] = [];
  const all = sql`1 = 1`;
  const { tenant } = session;
  if (await differs(session, 'document_rollup', documentSums(tenant), all)) wrong.push('documents');
  if (await differs(session, 'day_rollup', daySums(tenant), all)) wrong.push('days');
  for (const rollup of itemRollups) {
    const kept = sql`r."grouping" = ${sql.lit(rollup.name)}`;
    if (await differs(session, 'item_rollup', itemSums(tenant, rollup), kept)) wrong.push(rollup.name);
  }
  return wrong;
}
