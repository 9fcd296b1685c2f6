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
  type Condition,
  eachPart,
  groupOf,
  insertRows,
  isOneOf,
  isPostgres,
  matching,
  placedDocuments,
  placedItems,
  quoted,
  select,
} from '../schema/sql.ts';

/** Cached sums of documents or items, grouped by the columns `rollupGroups`, month and status. */
export interface Rollup {
  readonly name: string;
  readonly of: 'documents' | 'items';
  readonly groups: readonly Grouping[];
}

const rollupsOf = (of: Rollup['of'], ...all: readonly (readonly Grouping[])[]) =>
  all.map((groups): Rollup => ({ name: groups.join(' '), of, groups }));

/**
 * Smallest first. Roll-ups of items are exact only at their own grain: a document with two CFOPs counts for each, so
 * counts don't add up across groups.
 */
export const rollups: readonly Rollup[] = [
  ...rollupsOf('documents', ['state', 'kind'], ['state', 'kind', 'issuer', 'recipient']),
  ...rollupsOf('items', ['nature'], ['unit'], ['cfop'], ['cst'], ['class_trib'], ['ncm'], ['item']),
  ...rollupsOf('items', ['issuer', 'cfop'], ['recipient', 'cfop'], ['cfop', 'ncm']),
];

/** Months answered from cached sums, and the remaining days of the period. */
export interface Sums {
  readonly months: readonly string[];
  readonly rest: readonly Period[];
}

/** Documents; larger months are summed day by day, to keep statements short. */
const mostAtOnce = 10_000;
/** Months; longer periods are answered from documents. */
const mostMonths = 240;

/** Marks the months of documents stale; call it before and after changing their rows. */
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

/** Cached sums; undefined without a whole month. PostgreSQL is fast without them; SQLite runs in this thread. */
export async function sumsFor(
  { db, tenant }: Session,
  { company, area, from, to }: Holding & Period,
): Promise<Sums | undefined> {
  if (isPostgres(db)) return undefined;
  const placed = sql`placements p where p.tenant = ${tenant} and p.company = ${company} and p.area = ${area}
    and p.date_field = 'issue'`;
  const { rows } = await sql<Record<'first' | 'last', string | null> & Record<'before' | 'after', number>>`
    select (select min(from_day) from ${placed}) as first, (select max(from_day) from ${placed}) as last,
      exists (select 1 from ${placed} and p.from_day >= ${firstDay(monthOf(from))} and p.from_day < ${from})
        as before,
      exists (select 1 from ${placed} and p.from_day > ${to} and p.from_day <= ${lastDay(monthOf(to))})
        as after`.execute(db);
  const { first, last, before, after } = rows[0] ?? {};
  if (!first || !last) return undefined;
  const all = monthsBetween(later(from, first), earlier(to, last), mostMonths) ?? [];
  // A month is whole if the period contains all of its documents.
  const cut = all.filter(
    (month) => (before === 1 && month === monthOf(from)) || (after === 1 && month === monthOf(to)),
  );
  const months = all.filter((month) => !cut.includes(month));
  const rest = cut.map((month) => ({
    from: later(from, firstDay(month)),
    to: earlier(to, lastDay(month)),
  }));
  return months.length > 0 ? { months, rest } : undefined;
}

export type StaleMonth = NonNullable<Awaited<ReturnType<typeof staleMonths>>>[number];

/** Months of these roll-ups to refill before reading; undefined if an undated document rules out cached sums. */
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

/** Columns common to placements and sums, and to documents and sums. */
const placeColumns = ['tenant', 'company', 'area', 'month', 'direction'];
const documentColumns = ['status', 'exclusion'];

/** Columns of sums: the groups, then the measures. */
function columnsOf(measures: readonly string[]) {
  const groups = [...placeColumns, ...documentColumns, ...rollupGroups, 'grouping'];
  const summed = ['documents', 'lined', 'items', ...measures];
  return { summed, names: sql.raw([...groups, ...summed].map(quoted).join(', ')) };
}

/** Sums of a roll-up over the placements `p` that meet a condition. */
function summedUp({ name, of, groups }: Rollup, condition: Condition, measures: readonly string[]) {
  const keys = [
    ...placeColumns.map((column) => sql.ref(`p.${column}`)),
    ...documentColumns.map((column) => sql.ref(`d.${column}`)),
    ...groups.map((group) => groupOf(group, sql`p.company`)),
  ];
  const rows = of === 'documents' ? 'd' : 'i';
  const distinct = sql`count(distinct i.document_id)`;
  const counts = {
    documents: sql`count(*), sum(d.has_lines), sum(d.item_count)`,
    items: sql`${distinct}, ${distinct}, sum(case when i.line > 0 then 1 else 0 end)`,
  };
  const values = [
    ...keys,
    ...rollupGroups.slice(groups.length).map(() => sql.lit('')),
    sql.lit(name),
    counts[of],
    ...measures.map((measure) => sql`sum(${sql.ref(`${rows}.${measure}`)})`),
  ];
  return sql`select ${sql.join(values)} from ${of === 'documents' ? placedDocuments : placedItems}
    where ${condition} group by ${sql.join(keys.map((_, index) => sql.lit(index + 1)))}`;
}

/** The sums of a company's months, and of the placements `p` of further days, as a table. */
export function summedRows(
  { tenant, company, area }: Holding & Pick<Session, 'tenant'>,
  rollup: Rollup,
  months: readonly string[],
  rest: Condition | undefined,
  measures: readonly string[],
): RawBuilder<unknown> {
  const { names } = columnsOf(measures);
  // Only months verified as current.
  const cached = sql`select ${names} from rollups
    where ${matching({ tenant, company, area, grouping: rollup.name })} and ${isOneOf(sql`month`, months)}`;
  return rest === undefined
    ? sql`(${cached})`
    : sql`(${cached} union all ${summedUp(rollup, rest, measures)})`;
}

async function addSums({ db }: Session, rollup: Rollup, part: Condition): Promise<void> {
  const { summed, names } = columnsOf(rolledMeasures);
  // An amount absent from all rows is absent, not zero.
  const added = summed.map((column) => {
    const [kept, more] = [`rollups.${quoted(column)}`, `excluded.${quoted(column)}`];
    return `${quoted(column)} = coalesce(${kept} + ${more}, ${kept}, ${more})`;
  });
  await sql`
    insert into rollups (${names}) ${summedUp(rollup, part, rolledMeasures)}
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
  const ofMonth = sql<boolean>`p.tenant = ${tenant} and p.company = ${company} and p.area = ${area}
    and p.date_field = 'issue' and p.from_day >= ${firstDay(month)} and p.from_day <= ${lastDay(month)}`;
  const counted = await sql<{ from_day: string; to_day: string; documents: number }>`
    select p.from_day, max(p.to_day) as to_day, count(*) as documents from placements p
    where ${ofMonth} group by 1`.execute(db);
  // An undated document counts on all days of its window.
  const undated = counted.rows.some(({ from_day, to_day }) => to_day > from_day);
  const documents = counted.rows.reduce((sum, row) => sum + Number(row.documents), 0);
  const byDay = () =>
    counted.rows.map(({ from_day }) => sql<boolean>`${ofMonth} and p.from_day = ${from_day}`);
  const parts = documents > mostAtOnce ? byDay() : [ofMonth];
  if (!undated) for (const part of parts) await addSums(session, rollup, part);
  await insertRows(db, 'summed_months', [{ ...place, undated: undated ? 1 : 0 }], 'on conflict do nothing');
}
