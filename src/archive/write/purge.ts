import { sql } from 'kysely';
import { addDays, checkPeriod } from '../days.ts';
import type { Connections } from '../engines/connections.ts';
import type { DocumentArea } from '../references.ts';
import { placedDocuments } from '../schema/expressions.ts';
import type { CoverageRow, Session } from '../schema/schema.ts';
import { allOf, type Condition, inParts, insertRows } from '../schema/sql.ts';
import { forgetSums } from '../sums/sums.ts';
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

function hasPeriod({ from, to }: PurgeSelection): boolean {
  return from !== undefined || to !== undefined;
}

function isEverything(selection: PurgeSelection): boolean {
  return selection.company === undefined && selection.area === undefined && !hasPeriod(selection);
}

/** A selection of one tenant's documents. */
type OwnedSelection = PurgeSelection & { readonly tenant: string };

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

/** Documents that the selection means: those that go, and those that stay because another company has them. */
interface Targets {
  readonly going: readonly number[];
  readonly staying: readonly number[];
  /** Of the documents that go; what happened to them goes too. */
  readonly keys: readonly string[];
}

async function targetsOf({ db, tenant }: Session, selection: PurgeSelection): Promise<Targets> {
  const { company } = selection;
  // What a file gave and nobody has asked about is nobody's.
  const elsewhere =
    company === undefined
      ? sql`0`
      : sql`case when exists (select 1 from placements o where o.tenant = d.tenant and o.document_id = d.id
          and o.company not in ('', ${company})) then 1 else 0 end`;
  const { rows } = await sql<{ id: number; key: string; shared: number }>`
    select distinct d.id, d.key, ${elsewhere} as shared from ${placedDocuments}
    where ${selected({ ...selection, tenant })} order by d.id`.execute(db);
  const going = rows.filter(({ shared }) => shared === 0);
  return {
    going: going.map(({ id }) => id),
    staying: rows.filter(({ shared }) => shared !== 0).map(({ id }) => id),
    keys: going.map(({ key }) => key).filter((key) => key !== ''),
  };
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
function remainders(
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

/** How many rows of a table have one of these values; all of the tenant's where none are named. */
async function countIn(
  { db, tenant }: Session,
  table: 'items' | 'events',
  column: 'document_id' | 'key',
  values: readonly (number | string)[] | undefined,
): Promise<number> {
  const counted = (condition: Condition) =>
    sql<{
      count: number;
    }>`select count(*) as count from ${sql.table(table)} where tenant = ${tenant} and ${condition}`
      .execute(db)
      .then(({ rows }) => rows);
  const rows =
    values === undefined
      ? await counted(sql<boolean>`1 = 1`)
      : await inParts(values, (part) => counted(sql<boolean>`${sql.ref(column)} in (${sql.join(part)})`));
  return rows.reduce((sum, { count }) => sum + Number(count), 0);
}

async function describeRemoval(
  session: Session,
  selection: PurgeSelection,
  { going, staying, keys }: Targets,
): Promise<Removal> {
  return {
    documents: going.length,
    kept_for_others: staying.length,
    items: await countIn(session, 'items', 'document_id', going),
    events: await countIn(session, 'events', 'key', isEverything(selection) ? undefined : keys),
    coverage: (await affectedCoverage(session, selection)).length,
    companies: await companiesOf(session, selection),
  };
}

async function removeTargets(
  session: Session,
  { company }: PurgeSelection,
  { going, staying, keys }: Targets,
): Promise<void> {
  const { db, tenant } = session;
  await forgetSums(session, [...going, ...staying]);
  await inParts(going, async (part) => {
    // A file that is still there is read again.
    await sql`
      update files set due = 1 where tenant = ${tenant} and id in (
        select file_id from file_documents where tenant = ${tenant} and document_id in (${sql.join(part)}))`.execute(
      db,
    );
    await removeDocumentRows(session, part);
    return [];
  });
  await inParts(staying, async (part) => {
    const placements = db
      .deleteFrom('placements')
      .where('tenant', '=', tenant)
      .where('document_id', 'in', part);
    await placements.where('company', '=', company ?? '').execute();
    return [];
  });
  await inParts(keys, async (part) => {
    await sql`
      delete from file_events where tenant = ${tenant} and event_id in (
        select id from events where tenant = ${tenant} and key in (${sql.join(part)}))`.execute(db);
    await db.deleteFrom('events').where('tenant', '=', tenant).where('key', 'in', part).execute();
    return [];
  });
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
function checkSelection({ from = firstOfAll, to = lastOfAll }: PurgeSelection): void {
  checkPeriod({ from, to });
}

/** See `Archive.previewPurge`. */
export async function previewPurge(connections: Connections, selection: PurgeSelection): Promise<Removal> {
  checkSelection(selection);
  return connections.read(async (session) =>
    describeRemoval(session, selection, await targetsOf(session, selection)),
  );
}

/** See `Archive.purge`. All of it is removed or nothing. */
export async function purgeDocuments(connections: Connections, selection: PurgeSelection): Promise<Removal> {
  checkSelection(selection);
  const removal = await connections.write(undefined, async (session) => {
    const { db, tenant } = session;
    const targets = await targetsOf(session, selection);
    const described = await describeRemoval(session, selection, targets);
    const coverage = await affectedCoverage(session, selection);
    await removeTargets(session, selection, targets);
    if (isEverything(selection)) {
      for (const table of ['events', 'file_events', 'given_up_numbers', 'files'] as const) {
        await db.deleteFrom(table).where('tenant', '=', tenant).execute();
      }
    }
    await cutCoverage(session, coverage, selection);
    await removeAnswers(session, selection);
    await removeUnused(session);
    return described;
  });
  await connections.compact();
  return removal;
}
