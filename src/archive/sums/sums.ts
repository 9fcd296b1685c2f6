import { setImmediate as letOthersRun } from 'node:timers/promises';
import { type RawBuilder, sql } from 'kysely';
import { earlier, firstDay, lastDay, later, monthsBetween, type Period } from '../days.ts';
import type { Connections } from '../engines/connections.ts';
import { givenNames, rolledMeasures } from '../schema/measures.ts';
import type { Session } from '../schema/schema.ts';
import { inParts, isPostgres, quoted } from '../schema/sql.ts';
import {
  itemColumn,
  itemRollups,
  otherState,
  type RollupTable,
  rollupCounts,
  rollupKeys,
  voidStatuses,
} from './rollups.ts';

/** A company's documents of a kind under a date field. */
export interface SummedPlace {
  readonly company: string;
  readonly area: string;
  readonly by: string;
}

/** A month of one grouping that is to be summed up; an empty month stands for windows that are in no month. */
export interface StaleMonth {
  readonly grouping: string;
  readonly month: string;
}

/** A month with more documents is summed up day by day, so that no statement takes long. */
const mostAtOnce = 10_000;
/** A longer period is answered from the documents. */
const mostMonths = 240;

/** PostgreSQL answers from the documents, quickly enough; SQLite, which runs in this thread, by sums. */
export function keepsSums({ db }: Session): boolean {
  return !isPostgres(db);
}

/** Marks the months that documents stand in as stale: to be called before and after their rows change. */
export async function forgetSums(session: Session, ids: readonly number[]): Promise<void> {
  const { db, tenant } = session;
  if (!keepsSums(session)) return;
  await inParts(ids, async (part) => {
    await sql`
      delete from summed_months where tenant = ${tenant} and (company, area, date_field, month) in (
        select company, area, date_field, month from placements
        where tenant = ${tenant} and document_id in (${sql.join(part)}))`.execute(db);
    return [];
  });
}

/** The months that a company's documents of a period can be in; undefined if they are too many to be summed up. */
export async function monthsOf(
  { db, tenant }: Session,
  { company, area, by }: SummedPlace,
  { from, to }: Period,
): Promise<readonly string[] | undefined> {
  const place = sql`tenant = ${tenant} and company = ${company} and area = ${area} and date_field = ${by}`;
  const { rows } = await sql<{ first: string | null; last: string | null }>`
    select (select min(from_day) from placements where ${place}) as first,
      (select max(from_day) from placements where ${place}) as last`.execute(db);
  const { first, last } = rows[0] ?? {};
  if (!first || !last) return [];
  const months = monthsBetween(later(from, first), earlier(to, last), mostMonths);
  return by === 'issue' || months === undefined ? months : [...months, ''];
}

/** Which of these months have to be summed up by these groupings before they can be read. */
export async function staleMonths(
  { db, tenant }: Session,
  { company, area, by: date_field }: SummedPlace,
  months: readonly string[],
  groupings: readonly string[],
): Promise<StaleMonth[]> {
  const rows = await db
    .selectFrom('summed_months')
    .select(['grouping', 'month'])
    .where((one) => one.and({ tenant, company, area, date_field }))
    .where('grouping', 'in', groupings)
    .execute();
  const summed = new Set(rows.map(({ grouping, month }) => `${grouping} ${month}`));
  return groupings
    .flatMap((grouping) => months.map((month) => ({ grouping, month })))
    .filter(({ grouping, month }) => !summed.has(`${grouping} ${month}`));
}

/** What one grouping's rows are made of. */
interface Summing {
  readonly table: RollupTable;
  /** The values of the table's key, in its order. */
  readonly keys: readonly RawBuilder<unknown>[];
  readonly counts: RawBuilder<unknown>;
  readonly source: 'd' | 'i';
  readonly from: RawBuilder<unknown>;
}

const placed = sql`placements p join documents d on d.tenant = p.tenant and d.id = p.document_id`;
const columns = (table: string, names: readonly string[]) => names.map((name) => sql.ref(`${table}.${name}`));

function summingOf(grouping: string): Summing {
  const byDocument = {
    counts: sql`count(*), sum(d.has_lines), sum(d.item_count)`,
    source: 'd',
    from: sql`${placed} where 1 = 1`,
  } as const;
  const said = columns('d', ['kind', 'status', 'exclusion']);
  if (grouping === 'documents') {
    const keys = [
      ...columns('p', ['tenant', 'company', 'area', 'date_field', 'month', 'direction']),
      ...said,
    ];
    return {
      table: 'document_rollup',
      keys: [...keys, ...columns('d', ['issuer', 'recipient']), otherState],
      ...byDocument,
    };
  }
  if (grouping === 'days') {
    const days = ['from_day', 'to_day', 'day', 'week', 'month', 'direction'];
    const keys = [...columns('p', ['tenant', 'company', 'area', 'date_field', ...days]), ...said, otherState];
    return { table: 'day_rollup', keys, ...byDocument };
  }
  const [first, second] = itemRollups.find(({ name }) => name === grouping)?.groups ?? [];
  const values = [first, second].map((group) => (group === undefined ? sql.lit('') : itemColumn(group)));
  const place = columns('p', ['tenant', 'company', 'area', 'date_field']);
  return {
    table: 'item_rollup',
    keys: [...place, sql.lit(grouping), sql.ref('p.month'), ...values, sql.ref('p.direction')],
    counts: sql`count(distinct i.document_id), sum(case when i.line > 0 then 1 else 0 end)`,
    source: 'i',
    from: sql`${placed} join items i on i.tenant = p.tenant and i.document_id = p.document_id
      where d.exclusion = '' and d.status not in (${sql.join(voidStatuses.map((status) => sql.lit(status)))})`,
  };
}

/** Sums up a part of a month and adds it to what is there. */
async function addSums(
  { db }: Session,
  { table, keys, counts, source, from }: Summing,
  part: RawBuilder<unknown>,
): Promise<void> {
  const summed = [...rollupCounts[table], ...givenNames, ...rolledMeasures];
  const names = [...rollupKeys[table], ...summed].map(quoted).join(', ');
  const added = summed.map((name) => `${quoted(name)} = ${table}.${quoted(name)} + excluded.${quoted(name)}`);
  const given = rolledMeasures.map((name) => sql`count(${sql.ref(`${source}.${name}`)})`);
  const sums = rolledMeasures.map((name) => sql`coalesce(sum(${sql.ref(`${source}.${name}`)}), 0)`);
  // Constants of SQL are no columns to group by.
  const by = keys.flatMap((_, index) => (table === 'item_rollup' && index === 4 ? [] : [sql.lit(index + 1)]));
  await sql`
    insert into ${sql.table(table)} (${sql.raw(names)})
    select ${sql.join([...keys, counts, ...given, ...sums])} from ${from} and ${part} group by ${sql.join(by)}
    on conflict (${sql.raw(rollupKeys[table].map(quoted).join(', '))}) do update set ${sql.raw(added.join(', '))}`.execute(
    db,
  );
  await letOthersRun();
}

/** Fills the sums of a month anew from its documents. @throws SumTooLarge */
export async function refillSums(
  connections: Connections,
  place: SummedPlace,
  { grouping, month }: StaleMonth,
): Promise<void> {
  const { company, area, by: date_field } = place;
  await connections.write(company, async (session) => {
    const { db, tenant } = session;
    const summing = summingOf(grouping);
    const { table } = summing;
    const ofMonth = (t: string) =>
      sql`${sql.ref(`${t}.tenant`)} = ${tenant} and ${sql.ref(`${t}.company`)} = ${company} and ${sql.ref(`${t}.area`)} = ${area}
        and ${sql.ref(`${t}.date_field`)} = ${date_field} and ${sql.ref(`${t}.month`)} = ${month}`;
    // The days lead to the month's placements.
    const days =
      month === '' ? sql`` : sql`and p.from_day >= ${firstDay(month)} and p.from_day <= ${lastDay(month)}`;
    const part = sql`${ofMonth('p')} ${days}`;
    const ofGrouping = table === 'item_rollup' ? sql`and "grouping" = ${grouping}` : sql``;
    await sql`delete from ${sql.table(table)} where ${ofMonth(table)} ${ofGrouping}`.execute(db);
    const counted = await sql<{ from_day: string; documents: number }>`
      select p.from_day, count(*) as documents from placements p where ${part} group by 1`.execute(db);
    const documents = counted.rows.reduce((sum, row) => sum + Number(row.documents), 0);
    const parts =
      documents > mostAtOnce
        ? counted.rows.map(({ from_day }) => sql`${part} and p.from_day = ${from_day}`)
        : [part];
    for (const one of parts) await addSums(session, summing, one);
    await db
      .insertInto('summed_months')
      .values({ tenant, company, area, date_field, month, grouping })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  });
}
