import { type RawBuilder, sql } from 'kysely';
import { addDays, checkPeriod } from '../days.ts';
import type { Connections } from '../engines/connections.ts';
import type { DocumentArea } from '../references.ts';
import { eventLine } from '../schema/encoding.ts';
import { placedDocuments } from '../schema/expressions.ts';
import type { CoverageRow, Session } from '../schema/schema.ts';
import { allOf, type Condition, insertRows } from '../schema/sql.ts';
import { tablesOfDocuments } from './rows.ts';

/** What to remove; everything that is not narrowed. Days of issue, both included. */
export interface PurgeSelection {
  readonly company?: string;
  readonly area?: DocumentArea;
  readonly from?: string;
  readonly to?: string;
}

export interface Removal {
  /** Documents that go. */
  readonly documents: number;
  /** Documents that another company has too and that stay for it. */
  readonly kept_for_others: number;
  readonly items: number;
  readonly events: number;
  /** Records of coverage that are removed or shortened: these days will be fetched again when asked about. */
  readonly coverage: number;
  readonly companies: readonly string[];
}

const firstOfAll = '0001-01-01';
const lastOfAll = '9999-12-31';

function hasPeriod({ from, to }: PurgeSelection): boolean {
  return from !== undefined || to !== undefined;
}

function isEverything(selection: PurgeSelection): boolean {
  return selection.company === undefined && selection.area === undefined && !hasPeriod(selection);
}

/** Rows of a table with a company and an area that the selection means. */
function ofCompany(table: string, { tenant }: Session, { company, area }: PurgeSelection): Condition {
  const column = (name: string) => sql.ref(`${table}.${name}`);
  return allOf([
    sql<boolean>`${column('tenant')} = ${tenant}`,
    ...(company === undefined ? [] : [sql<boolean>`${column('company')} = ${company}`]),
    ...(area === undefined ? [] : [sql<boolean>`${column('area')} = ${area}`]),
  ]);
}

/** Documents `d` as placed by `p` that the selection means. */
function selected(session: Session, selection: PurgeSelection): RawBuilder<unknown> {
  const { from = firstOfAll, to = lastOfAll } = selection;
  const day = sql`substr(d.issued_at, 1, 10)`;
  const inPeriod = hasPeriod(selection) ? sql`${day} >= ${from} and ${day} <= ${to}` : sql`1 = 1`;
  return sql`${ofCompany('p', session, selection)} and ${inPeriod}`;
}

/** Whether another company has a document `d`; what a file gave and nobody has asked about is nobody's. */
function isShared({ company }: PurgeSelection): Condition {
  if (company === undefined) return sql<boolean>`1 = 0`;
  return sql<boolean>`exists (select 1 from placements o where o.tenant = d.tenant and o.document_id = d.id
    and o.company not in ('', ${company}))`;
}

/** Records of which nothing or not everything holds after the purge. */
async function affectedCoverage(session: Session, selection: PurgeSelection): Promise<CoverageRow[]> {
  const { from = firstOfAll, to = lastOfAll } = selection;
  const lost = sql`exists (select 1 from ${placedDocuments}
    where p.company = c.company and p.area = c.area and p.date_field = c.date_field
      and p.from_day <= c.to_day and p.to_day >= c.from_day and ${selected(session, selection)})`;
  const inPeriod = sql`((c.date_field = 'issue' and c.from_day <= ${to} and c.to_day >= ${from})
    or (c.date_field <> 'issue' and ${lost}))`;
  const { rows } = await sql<CoverageRow>`select c.* from coverage c
    where ${ofCompany('c', session, selection)} and ${hasPeriod(selection) ? inPeriod : sql`1 = 1`}`.execute(
    session.db,
  );
  return rows;
}

/** Shortens or removes records of coverage. */
async function cutCoverage(
  { db }: Session,
  records: readonly CoverageRow[],
  { from = firstOfAll, to = lastOfAll }: PurgeSelection,
): Promise<void> {
  for (const { fetched_at: _, unreadable: __, ...record } of records) {
    await db
      .deleteFrom('coverage')
      .where((row) => row.and(record))
      .execute();
  }
  const ofIssue = records.filter(({ date_field }) => date_field === 'issue');
  const before = ofIssue.filter(({ from_day }) => from_day < from);
  const after = ofIssue.filter(({ to_day }) => to_day > to);
  await insertRows(db, 'coverage', [
    ...before.map((record) => ({ ...record, to_day: addDays(from, -1) })),
    ...after.map((record) => ({ ...record, from_day: addDays(to, 1) })),
  ]);
}

async function describeRemoval(session: Session, selection: PurgeSelection): Promise<Removal> {
  const { db, tenant } = session;
  const found = selected(session, selection);
  const ofGoing = sql`and e.key in (select key from found where shared = 0 and key <> '')`;
  const { rows } = await sql<Omit<Removal, 'coverage' | 'companies'>>`
    with found as (select distinct d.id, d.key, case when ${isShared(selection)} then 1 else 0 end as shared
      from ${placedDocuments} where ${found})
    select (select count(*) from found where shared = 0) as documents,
      (select count(*) from found where shared = 1) as kept_for_others,
      (select count(*) from items i
        where i.tenant = ${tenant} and i.document_id in (select id from found where shared = 0)) as items,
      (select count(*) from events e
        where e.tenant = ${tenant} ${isEverything(selection) ? sql`` : ofGoing}) as events`.execute(db);
  const companies = await sql<{ company: string }>`
    select distinct p.company from ${placedDocuments} where ${found} order by 1`.execute(db);
  const counts = rows[0] ?? { documents: 0, kept_for_others: 0, items: 0, events: 0 };
  return {
    ...counts,
    coverage: (await affectedCoverage(session, selection)).length,
    companies: companies.rows.map(({ company }) => company),
  };
}

async function removeSelected(session: Session, selection: PurgeSelection): Promise<void> {
  const { db, tenant } = session;
  const found = sql`from ${placedDocuments} where ${selected(session, selection)}`;
  const going = sql`(select d.id ${found} and not ${isShared(selection)})`;
  const staying = sql`(select d.id ${found} and ${isShared(selection)})`;
  const keys = sql`(select d.key ${found} and d.key <> '' and not ${isShared(selection)})`;
  const ofFiles = sql`tenant = ${tenant} and identity in (
    select identity from documents where tenant = ${tenant} and id in ${going} union all
    select ${eventLine('')} || identity from events where tenant = ${tenant} and key in ${keys})`;
  // A file that is still there is read again.
  await sql`update files set due = 1 where tenant = ${tenant} and id in (
    select file_id from file_contents where ${ofFiles})`.execute(db);
  await sql`delete from file_contents where ${ofFiles}`.execute(db);
  await sql`delete from events where tenant = ${tenant} and key in ${keys}`.execute(db);
  await sql`delete from placements
    where ${ofCompany('placements', session, selection)} and document_id in ${staying}`.execute(db);
  // Placements lead to the documents that go, and are removed after them.
  for (const table of tablesOfDocuments.filter((name) => name !== 'placements')) {
    await sql`delete from ${sql.table(table)} where tenant = ${tenant} and document_id in ${going}`.execute(
      db,
    );
  }
  await sql`delete from documents where tenant = ${tenant} and id in ${going}`.execute(db);
  await removeOrphans(session, 'placements', sql`d.id = placements.document_id`);
}

/** Removes rows of a table that no document refers to any more. */
async function removeOrphans(
  { db, tenant }: Session,
  table: string,
  isOf: RawBuilder<unknown>,
): Promise<void> {
  await sql`delete from ${sql.table(table)} where tenant = ${tenant} and not exists (
    select 1 from documents d where d.tenant = ${tenant} and ${isOf})`.execute(db);
}

async function removeUnused(session: Session): Promise<void> {
  const { db, tenant } = session;
  const isUnused = ['description_id', 'code_id', 'order_id'].map(
    (column) => sql`not exists (
      select 1 from items i where i.tenant = ${tenant} and ${sql.ref(`i.${column}`)} = descriptions.id)`,
  );
  await sql`delete from descriptions where tenant = ${tenant} and ${sql.join(isUnused, sql` and `)}`.execute(
    db,
  );
  await removeOrphans(session, 'heads', sql`d.head_id = heads.id`);
  // Two look-ups by an index; with `or` in one there would be none.
  await sql`delete from parties where tenant = ${tenant}
    and not exists (select 1 from documents d where d.tenant = ${tenant} and d.issuer = parties.tax_id)
    and not exists (select 1 from documents d where d.tenant = ${tenant} and d.recipient = parties.tax_id)`.execute(
    db,
  );
}

function checkSelection({ from = firstOfAll, to = lastOfAll }: PurgeSelection): void {
  checkPeriod({ from, to });
}

/** See `Archive.previewPurge`. */
export async function previewPurge(connections: Connections, selection: PurgeSelection): Promise<Removal> {
  checkSelection(selection);
  return connections.read((session) => describeRemoval(session, selection));
}

/** See `Archive.purge`. All of it is removed or nothing. */
export async function purgeDocuments(connections: Connections, selection: PurgeSelection): Promise<Removal> {
  checkSelection(selection);
  const removal = await connections.write(undefined, async (session) => {
    const { db, tenant } = session;
    const described = await describeRemoval(session, selection);
    await cutCoverage(session, await affectedCoverage(session, selection), selection);
    await removeSelected(session, selection);
    if (isEverything(selection)) {
      for (const table of ['events', 'file_contents', 'given_up_numbers', 'files'] as const) {
        await db.deleteFrom(table).where('tenant', '=', tenant).execute();
      }
    }
    // Cached sums and answers of listings may name what has gone.
    for (const table of ['answers', 'summed_months', 'rollups'] as const) {
      await sql`delete from ${sql.table(table)} where ${ofCompany(table, session, selection)}`.execute(db);
    }
    await removeUnused(session);
    return described;
  });
  await connections.compact();
  return removal;
}
