import { sql } from 'kysely';
import { addDays, checkPeriod } from '../../days.ts';
import type { DocumentArea } from '../../references.ts';
import type { Connections } from '../engines/connections.ts';
import { createRollupChanges, mostChanges, type RollupChanges } from '../rollups/changes.ts';
import { rolledDocuments } from '../rollups/documents.ts';
import type { CoverageRow, Session } from '../schema/schema.ts';
import { allOf, type Condition, insertRows } from '../schema/sql.ts';
import { removeDocumentRows } from './removal.ts';

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
const batchSize = 200;

function hasPeriod({ from, to }: PurgeSelection): boolean {
  return from !== undefined || to !== undefined;
}

function isEverything(selection: PurgeSelection): boolean {
  return selection.company === undefined && selection.area === undefined && !hasPeriod(selection);
}

/** A selection of one tenant's documents. */
type OwnedSelection = PurgeSelection & { readonly tenant: string };

const placedDocuments = sql`placements p join documents d on d.tenant = p.tenant and d.id = p.document_id`;

/** Documents `d` as placed by `p` that the selection means. */
function selected({ tenant, ...selection }: OwnedSelection): Condition {
  const { company, area, from = firstOfAll, to = lastOfAll } = selection;
  const day = sql`substr(d.issued_at, 1, 10)`;
  return allOf([
    sql<boolean>`p.tenant = ${tenant}`,
    ...(company === undefined ? [] : [sql<boolean>`p.company = ${company}`]),
    ...(area === undefined ? [] : [sql<boolean>`p.area = ${area}`]),
    ...(hasPeriod(selection) ? [sql<boolean>`${day} >= ${from}`, sql<boolean>`${day} <= ${to}`] : []),
  ]);
}

interface Target {
  readonly id: number;
  readonly key: string;
  /** 1 where another company has it too; what a file gave and nobody has asked about is nobody's. */
  readonly shared: number;
}

async function targets({ db, tenant }: Session, selection: PurgeSelection): Promise<Target[]> {
  const { company } = selection;
  const elsewhere =
    company === undefined
      ? sql`0`
      : sql`case when exists (select 1 from placements o where o.tenant = d.tenant and o.document_id = d.id
          and o.company not in ('', ${company}))
          then 1 else 0 end`;
  const { rows } = await sql<Target>`
    select distinct d.id, d.key, ${elsewhere} as shared from ${placedDocuments}
    where ${selected({ ...selection, tenant })} order by d.id`.execute(db);
  return rows;
}

async function companiesOf({ db, tenant }: Session, selection: PurgeSelection): Promise<string[]> {
  const { rows } = await sql<{ company: string }>`
    select distinct p.company from ${placedDocuments}
    where ${selected({ ...selection, tenant })} order by 1`.execute(db);
  return rows.map(({ company }) => company);
}

/** Records of which nothing or not everything holds after the purge. */
async function affectedCoverage({ db, tenant }: Session, selection: PurgeSelection): Promise<CoverageRow[]> {
  const { company, area, from = firstOfAll, to = lastOfAll } = selection;
  const lost = sql`exists (select 1 from ${placedDocuments}
    where p.company = c.company and p.area = c.area and p.date_field = c.date_field
      and p.from_day <= c.to_day and p.to_day >= c.from_day and ${selected({ ...selection, tenant })})`;
  const conditions = [
    sql<boolean>`c.tenant = ${tenant}`,
    ...(company === undefined ? [] : [sql<boolean>`c.company = ${company}`]),
    ...(area === undefined ? [] : [sql<boolean>`c.area = ${area}`]),
    ...(hasPeriod(selection)
      ? [
          sql<boolean>`((c.date_field = 'issue' and c.from_day <= ${to} and c.to_day >= ${from})
          or (c.date_field <> 'issue' and ${lost}))`,
        ]
      : []),
  ];
  const { rows } = await sql<CoverageRow>`select c.* from coverage c where ${allOf(conditions)}`.execute(db);
  return rows;
}

/** What stays of a record of coverage by issue date when the days of a period are taken out of it. */
export function remainders(
  record: CoverageRow,
  { from = firstOfAll, to = lastOfAll }: PurgeSelection,
): CoverageRow[] {
  if (record.date_field !== 'issue') return [];
  const before = record.from_day < from ? [{ ...record, to_day: addDays(from, -1) }] : [];
  const after = record.to_day > to ? [{ ...record, from_day: addDays(to, 1) }] : [];
  return [...before, ...after];
}

async function cutCoverage(
  { db, tenant }: Session,
  records: readonly CoverageRow[],
  selection: PurgeSelection,
): Promise<void> {
  for (const record of records) {
    await db
      .deleteFrom('coverage')
      .where('tenant', '=', tenant)
      .where('company', '=', record.company)
      .where('area', '=', record.area)
      .where('date_field', '=', record.date_field)
      .where('direction', '=', record.direction)
      .where('from_day', '=', record.from_day)
      .where('to_day', '=', record.to_day)
      .execute();
  }
  await insertRows(
    db,
    'coverage',
    records.flatMap((record) => remainders(record, selection)),
  );
}

async function countIn(
  { db, tenant }: Session,
  table: 'items' | 'events',
  targets: readonly Target[],
): Promise<number> {
  let count = 0;
  for (let start = 0; start < targets.length; start += batchSize) {
    const part = targets.slice(start, start + batchSize);
    const query = db.selectFrom(table).select((e) => e.fn.countAll<number>().as('count'));
    const column = table === 'items' ? sql.ref('document_id') : sql.ref('key');
    const values = part.map(({ id, key }) => (table === 'items' ? id : key));
    const row = await query
      .where('tenant', '=', tenant)
      .where(sql<boolean>`${column} in (${sql.join(values)})`)
      .executeTakeFirst();
    count += Number(row?.count ?? 0);
  }
  return count;
}

async function describeRemoval(
  session: Session,
  selection: PurgeSelection,
  found: readonly Target[],
): Promise<Removal> {
  const going = found.filter(({ shared }) => shared === 0);
  const { db, tenant } = session;
  const allEvents = db
    .selectFrom('events')
    .select((e) => e.fn.countAll<number>().as('count'))
    .where('tenant', '=', tenant);
  return {
    documents: going.length,
    kept_for_others: found.length - going.length,
    items: await countIn(session, 'items', going),
    events: isEverything(selection)
      ? Number((await allEvents.executeTakeFirst())?.count ?? 0)
      : await countIn(
          session,
          'events',
          going.filter(({ key }) => key !== ''),
        ),
    coverage: (await affectedCoverage(session, selection)).length,
    companies: await companiesOf(session, selection),
  };
}

async function removeBatch(
  session: Session,
  { company }: PurgeSelection,
  found: readonly Target[],
  rollups: RollupChanges,
): Promise<void> {
  const { db, tenant } = session;
  const ids = found.map(({ id }) => id);
  for (const document of await rolledDocuments(session, ids)) rollups.take(document);
  let placements = db.deleteFrom('placements').where('tenant', '=', tenant).where('document_id', 'in', ids);
  if (company !== undefined) placements = placements.where('company', '=', company);
  await placements.execute();
  const going = found.filter(({ shared }) => shared === 0);
  const goingIds = going.map(({ id }) => id);
  if (goingIds.length > 0) {
    // A file that is still there is read again.
    await sql`
      update files set due = 1 where tenant = ${tenant} and id in (
        select file_id from file_documents where tenant = ${tenant} and document_id in (${sql.join(goingIds)}))`.execute(
      db,
    );
    await removeDocumentRows(session, goingIds);
  }
  const keys = going.map(({ key }) => key).filter((key) => key !== '');
  if (keys.length > 0) {
    await sql`
      delete from file_events where tenant = ${tenant} and event_id in (
        select id from events where tenant = ${tenant} and key in (${sql.join(keys)}))`.execute(db);
    await db.deleteFrom('events').where('tenant', '=', tenant).where('key', 'in', keys).execute();
  }
  const staying = found.filter(({ shared }) => shared === 1).map(({ id }) => id);
  for (const document of await rolledDocuments(session, staying)) rollups.add(document);
  if (rollups.size > mostChanges) await rollups.write(session);
}

/** Names and texts that no document has any more. */
async function removeUnused({ db, tenant }: Session): Promise<void> {
  await sql`delete from descriptions where tenant = ${tenant} and not exists (
    select 1 from items i where i.tenant = descriptions.tenant and i.description_id = descriptions.id)`.execute(
    db,
  );
  await sql`delete from heads where tenant = ${tenant} and not exists (
    select 1 from documents d where d.tenant = heads.tenant and d.head_id = heads.id)`.execute(db);
  const named = (column: 'issuer' | 'recipient') => sql`exists (
    select 1 from documents d where d.tenant = parties.tenant and ${sql.ref(`d.${column}`)} = parties.tax_id)`;
  await sql`delete from parties where tenant = ${tenant} and not ${named('issuer')} and not ${named('recipient')}`.execute(
    db,
  );
}

/** Answers of listings that may name what goes; they are asked for anew. */
async function removeAnswers({ db, tenant }: Session, { company, area }: PurgeSelection): Promise<void> {
  let answers = db.deleteFrom('answers').where('tenant', '=', tenant);
  if (company !== undefined) answers = answers.where('company', '=', company);
  if (area !== undefined) answers = answers.where('area', '=', area);
  await answers.execute();
}

/** Throws `InvalidQuestion` for days that are none. */
export function checkSelection({ from = firstOfAll, to = lastOfAll }: PurgeSelection): void {
  checkPeriod({ from, to });
}

/** See `Archive.previewPurge`. */
export async function previewPurge(connections: Connections, selection: PurgeSelection): Promise<Removal> {
  checkSelection(selection);
  return connections.read(async (session) =>
    describeRemoval(session, selection, await targets(session, selection)),
  );
}

/** See `Archive.purge`. All of it is removed or nothing. */
export async function purgeDocuments(connections: Connections, selection: PurgeSelection): Promise<Removal> {
  checkSelection(selection);
  const removal = await connections.write(undefined, async (session) => {
    const { db, tenant } = session;
    const found = await targets(session, selection);
    const described = await describeRemoval(session, selection, found);
    const coverage = await affectedCoverage(session, selection);
    const rollups = createRollupChanges();
    for (let start = 0; start < found.length; start += batchSize) {
      await removeBatch(session, selection, found.slice(start, start + batchSize), rollups);
    }
    if (isEverything(selection)) {
      for (const table of ['events', 'file_events', 'given_up_numbers', 'files'] as const) {
        await db.deleteFrom(table).where('tenant', '=', tenant).execute();
      }
    }
    await cutCoverage(session, coverage, selection);
    await removeAnswers(session, selection);
    await rollups.write(session);
    await removeUnused(session);
    return described;
  });
  await connections.compact();
  return removal;
}
