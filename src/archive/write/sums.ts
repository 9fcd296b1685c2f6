import { setImmediate as letOthersRun } from 'node:timers/promises';
import { type RawBuilder, sql } from 'kysely';
import {
  earlier,
  firstDay,
  lastDay,
  later,
  monthOf,
  monthsBetween,
  type Period,
} from '../../documents/days.ts';
import type { Holding } from '../references.ts';
import { type Grouping, rolledMeasures } from '../schema/measures.ts';
import { rollupGroups, type Session, tables } from '../schema/schema.ts';
import {
  eachPart,
  groupOf,
  insertRows,
  isNotVoid,
  isOneOf,
  isPostgres,
  matching,
  placedDocuments,
  placedItems,
  quoted,
  select,
} from '../schema/sql.ts';

export type RollupGroup = Grouping | 'exclusion';

/** Cached sums over documents or items, by the groups in the columns `rollupGroups`. */
export interface Rollup {
  readonly name: string;
  readonly of: 'documents' | 'items';
  readonly groups: readonly RollupGroup[];
}

const ofItems: readonly (readonly Grouping[])[] = [
  ['nature'],
  ['unit'],
  ['cfop'],
  ['cst'],
  ['class_trib'],
  ['ncm'],
  ['item'],
  ['issuer', 'cfop'],
  ['recipient', 'cfop'],
  ['cfop', 'ncm'],
];

/**
 * Smaller ones first. `days` fits any period, the others whole months. Roll-ups of items are exact at their own grain
 * only: a document with two CFOPs counts for each, so counts don't add up across groups.
 */
export const rollups: readonly Rollup[] = [
  {
    name: 'days',
    of: 'documents',
    groups: ['day', 'week', 'state', 'kind', 'status', 'exclusion'],
  },
  {
    name: 'documents',
    of: 'documents',
    groups: ['state', 'kind', 'status', 'exclusion', 'issuer', 'recipient'],
  },
  ...ofItems.map((groups) => ({ name: groups.join(' '), of: 'items', groups }) as const),
];

export interface Sums {
  readonly months: readonly string[];
  /** Whether the period covers these months completely; otherwise only daily sums fit. */
  readonly areWhole: boolean;
}

/** Larger months are summed day by day, to keep statements short. */
const mostAtOnce = 10_000;
/** Longer periods are answered from documents. */
const mostMonths = 240;

/** Marks the months of documents as stale; call before and after their rows change. */
export async function forgetSums({ db, tenant }: Session, ids: readonly number[]): Promise<void> {
  if (isPostgres(db)) return;
  await eachPart(ids, async (part) => {
    await sql`
      delete from summed_months where tenant = ${tenant} and (company, area, month) in (
        select company, area, substr(from_day, 1, 7) from placements
        where date_field = 'issue' and tenant = ${tenant} and document_id in (${sql.join(part)}))`.execute(
      db,
    );
  });
}

/** Months whose sums can answer a period. PostgreSQL is fast without; SQLite runs in this thread. */
export async function sumsFor(
  { db, tenant }: Session,
  { company, area, from, to }: Holding & Period,
): Promise<Sums | undefined> {
  if (isPostgres(db)) return undefined;
  const placed = sql`placements p where p.tenant = ${tenant} and p.company = ${company} and p.area = ${area}
    and p.date_field = 'issue'`;
  const { rows } = await sql<Record<'first' | 'last', string | null> & Record<'outside', number>>`
    select (select min(from_day) from ${placed}) as first, (select max(from_day) from ${placed}) as last,
      exists (select 1 from ${placed} and p.from_day >= ${firstDay(monthOf(from))} and p.from_day < ${from})
      or exists (select 1 from ${placed} and p.from_day > ${to} and p.from_day <= ${lastDay(monthOf(to))})
      as outside`.execute(db);
  const { first, last, outside } = rows[0] ?? {};
  if (!first || !last) return { months: [], areWhole: true };
  const months = monthsBetween(later(from, first), earlier(to, last), mostMonths);
  return months && { months, areWhole: outside === 0 };
}

export type StaleMonth = NonNullable<Awaited<ReturnType<typeof staleMonths>>>[number];

/** Months of these roll-ups to refill before reading; undefined where an undated document prevents cached sums. */
export async function staleMonths(
  { db, tenant }: Session,
  { company, area }: Holding,
  { months }: Sums,
  read: readonly Rollup[],
) {
  const groupings = read.map(({ name }) => name);
  const rows = await select<{ grouping: string; month: string; undated: number }>(
    db,
    sql`select grouping, month, undated from summed_months where ${matching({ tenant, company, area })}
      and ${isOneOf(sql`grouping`, groupings)} and ${isOneOf(sql`month`, months)}`,
  );
  if (rows.some(({ undated }) => undated === 1)) return undefined;
  const summed = new Set(rows.map(({ grouping, month }) => `${grouping} ${month}`));
  return read.flatMap((rollup) =>
    months.filter((month) => !summed.has(`${rollup.name} ${month}`)).map((month) => ({ rollup, month })),
  );
}

/** Columns common to placements and sums. */
const placeColumns = ['tenant', 'company', 'area', 'month', 'direction'];

async function addSums(
  { db }: Session,
  { name, of, groups }: Rollup,
  part: RawBuilder<unknown>,
): Promise<void> {
  const summed = ['documents', 'lined', 'items', ...rolledMeasures];
  const columns = [...placeColumns, ...rollupGroups, 'grouping', ...summed];
  const keys = [
    ...placeColumns.map((column) => sql.ref(`p.${column}`)),
    ...groups.map((group) =>
      group === 'exclusion' ? sql.ref(`d.${group}`) : groupOf(group, sql`p.company`),
    ),
  ];
  const [counts, from] =
    of === 'documents'
      ? [sql`count(*), sum(d.has_lines), sum(d.item_count)`, sql`${placedDocuments} where ${part}`]
      : [
          sql`count(distinct i.document_id), 0, sum(case when i.line > 0 then 1 else 0 end)`,
          sql`${placedItems} where ${part} and d.exclusion = '' and ${isNotVoid(sql`d.status`)}`,
        ];
  const amounts = rolledMeasures.map((measure) => sql.ref(`${of === 'documents' ? 'd' : 'i'}.${measure}`));
  const values = [
    ...keys,
    ...rollupGroups.slice(groups.length).map(() => sql.lit('')),
    sql.lit(name),
    counts,
    ...amounts.map((amount) => sql`sum(${amount})`),
  ];
  // An amount that no row has is absent, not zero.
  const added = summed.map((column) => {
    const [kept, more] = [`rollups.${quoted(column)}`, `excluded.${quoted(column)}`];
    return `${quoted(column)} = coalesce(${kept} + ${more}, ${kept}, ${more})`;
  });
  await sql`
    insert into rollups (${sql.raw(columns.map(quoted).join(', '))})
    select ${sql.join(values)} from ${from} group by ${sql.join(keys.map((_, index) => sql.lit(index + 1)))}
    on conflict (${sql.raw(['tenant', ...tables.rollups.key].map(quoted).join(', '))})
      do update set ${sql.raw(added.join(', '))}`.execute(db);
  await letOthersRun();
}

/** Refills a month of a roll-up. @throws SumTooLarge */
export async function refillSums(
  session: Session,
  { company, area }: Holding,
  { rollup, month }: StaleMonth,
): Promise<void> {
  const { db, tenant } = session;
  const place = { tenant, company, area, month, grouping: rollup.name };
  await sql`delete from rollups where ${matching(place)}`.execute(db);
  const ofMonth = sql`p.tenant = ${tenant} and p.company = ${company} and p.area = ${area}
    and p.date_field = 'issue' and p.from_day >= ${firstDay(month)} and p.from_day <= ${lastDay(month)}`;
  const counted = await sql<{ from_day: string; to_day: string; documents: number }>`
    select p.from_day, max(p.to_day) as to_day, count(*) as documents from placements p
    where ${ofMonth} group by 1`.execute(db);
  // An undated document counts on all days of its window.
  const undated = counted.rows.some(({ from_day, to_day }) => to_day > from_day);
  const documents = counted.rows.reduce((sum, row) => sum + Number(row.documents), 0);
  const byDay = () => counted.rows.map(({ from_day }) => sql`${ofMonth} and p.from_day = ${from_day}`);
  const parts = documents > mostAtOnce ? byDay() : [ofMonth];
  if (!undated) for (const part of parts) await addSums(session, rollup, part);
  await insertRows(db, 'summed_months', [{ ...place, undated: undated ? 1 : 0 }], 'on conflict do nothing');
}
