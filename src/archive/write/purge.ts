import { type RawBuilder, sql } from 'kysely';
import { addDays, type Period } from '../../documents/days.ts';
import type { Connections } from '../engines/connections.ts';
import type { Holding } from '../references.ts';
import { eventIn, eventLine } from '../schema/encoding.ts';
import type { CoverageRow, Session } from '../schema/schema.ts';
import {
  allOf,
  type Condition,
  changeRows,
  eachPart,
  inParts,
  insertRows,
  isOneOf,
  matching,
  placedDocuments,
  select,
} from '../schema/sql.ts';
import { applyEvents } from './events.ts';
import { forgetSums } from './sums.ts';

/** Tables with rows by document id. */
const tablesOfDocuments = [
  'placements',
  'items',
  'installments',
  'document_texts',
  'contents',
  'judgements',
  'other_contents',
  'file_parties',
] as const;

/** Documents to remove; default all. Days of issue, inclusive. */
export type PurgeSelection = Partial<Holding & Period>;

export interface Removal {
  readonly documents: number;
  /** Documents shared with another company, which stay for it. */
  readonly kept_for_others: number;
  readonly items: number;
  readonly events: number;
  /** Coverage records removed or shortened; questions about their days fetch them again. */
  readonly coverage: number;
  readonly companies: readonly string[];
}

const firstOfAll = '0001-01-01';
const lastOfAll = '9999-12-31';

/** Condition for rows of the selection's company and area. */
function ofCompany(table: string, { tenant }: Session, { company, area }: PurgeSelection): Condition {
  const column = (name: string) => sql.ref(`${table}.${name}`);
  return allOf([
    sql<boolean>`${column('tenant')} = ${tenant}`,
    company !== undefined && sql<boolean>`${column('company')} = ${company}`,
    area !== undefined && sql<boolean>`${column('area')} = ${area}`,
  ]);
}

function planPurge(session: Session, selection: PurgeSelection) {
  const { company, area, from = firstOfAll, to = lastOfAll } = selection;
  const hasPeriod = selection.from !== undefined || selection.to !== undefined;
  const issued = sql`substr(d.issued_at, 1, 10) between ${from} and ${to}`;
  const selected = sql`${ofCompany('p', session, selection)} and ${hasPeriod ? issued : sql`1 = 1`}`;
  const found = sql`from ${placedDocuments} where ${selected}`;
  // Another company may hold the document too; a placement without a company (never asked about) does not count.
  const shared = sql`exists (select 1 from placements o where o.tenant = d.tenant and o.document_id = d.id
    and o.company not in ('', ${company}))`;
  const isShared = company === undefined ? sql`1 = 0` : shared;
  const lost = sql`exists (select 1 from ${placedDocuments}
    where p.company = c.company and p.area = c.area and p.date_field = c.date_field
      and p.from_day <= c.to_day and p.to_day >= c.from_day and ${selected})`;
  const inPeriod = sql`((c.date_field = 'issue' and c.from_day <= ${to} and c.to_day >= ${from})
    or (c.date_field <> 'issue' and ${lost}))`;
  return {
    isEverything: company === undefined && area === undefined && !hasPeriod,
    found,
    /** Ids and keys of documents to remove, and ids of shared ones that stay. */
    going: sql`(select d.id ${found} and not ${isShared})`,
    keys: sql`(select d.key ${found} and d.key <> '' and not ${isShared})`,
    staying: sql`(select d.id ${found} and ${isShared})`,
    /** Coverage records `c` that become partly or wholly invalid. */
    coverage: sql`from coverage c
      where ${ofCompany('c', session, selection)} and ${hasPeriod ? inPeriod : sql`1 = 1`}`,
  };
}

type Plan = ReturnType<typeof planPurge>;

async function describeRemoval({ db, tenant }: Session, plan: Plan): Promise<Removal> {
  const { found, going, keys, staying, coverage, isEverything } = plan;
  const distinct = (ids: RawBuilder<unknown>) => sql`(select count(distinct id) from ${ids} as documents)`;
  const { rows } = await sql<Omit<Removal, 'companies'>>`
    select ${distinct(going)} as documents, ${distinct(staying)} as kept_for_others,
      (select count(*) from items where tenant = ${tenant} and document_id in ${going}) as items,
      (select count(*) from events
        where tenant = ${tenant} and ${isEverything ? sql`1 = 1` : sql`"key" in ${keys}`}) as events,
      (select count(*) ${coverage}) as coverage`.execute(db);
  const companies = await sql<{ company: string }>`select distinct p.company ${found} order by 1`.execute(db);
  const counts = rows[0] ?? { documents: 0, kept_for_others: 0, items: 0, events: 0, coverage: 0 };
  return { ...counts, companies: companies.rows.map(({ company }) => company) };
}

async function removeSelected(session: Session, selection: PurgeSelection, plan: Plan): Promise<void> {
  const { db, tenant } = session;
  const { going, keys, staying, coverage, isEverything } = plan;
  const { from = firstOfAll, to = lastOfAll } = selection;
  const removeFrom = (table: string, condition: RawBuilder<unknown>) =>
    sql`delete from ${sql.table(table)} where tenant = ${tenant} and ${condition}`.execute(db);

  const records = await select<CoverageRow>(db, sql`select c.* ${coverage}`);
  for (const { fetched_at: _, unreadable: __, ...record } of records)
    await removeFrom('coverage', matching(record));
  const ofIssue = records.filter(({ date_field }) => date_field === 'issue');
  const before = ofIssue.filter(({ from_day }) => from_day < from);
  const after = ofIssue.filter(({ to_day }) => to_day > to);
  await insertRows(db, 'coverage', [
    ...before.map((record) => ({ ...record, to_day: addDays(from, -1) })),
    ...after.map((record) => ({ ...record, from_day: addDays(to, 1) })),
  ]);

  const ofFiles = sql`identity in (
    select identity from documents where tenant = ${tenant} and id in ${going} union all
    select ${eventLine('')} || identity from events where tenant = ${tenant} and "key" in ${keys})`;
  // Files that still exist are read again.
  await sql`update files set due = 1 where tenant = ${tenant} and id in (
    select file_id from file_contents where tenant = ${tenant} and ${ofFiles})`.execute(db);
  await removeFrom('file_contents', ofFiles);
  await removeFrom('events', sql`"key" in ${keys}`);
  await removeFrom(
    'placements',
    sql`${ofCompany('placements', session, selection)} and document_id in ${staying}`,
  );
  // Placements select the documents, so they are removed last.
  const others = tablesOfDocuments.filter((name) => name !== 'placements');
  for (const table of others) await removeFrom(table, sql`document_id in ${going}`);
  await removeFrom('documents', sql`id in ${going}`);
  const exists = (condition: RawBuilder<unknown>) =>
    sql`exists (select 1 from documents d where d.tenant = ${tenant} and ${condition})`;
  await removeFrom('placements', sql`not ${exists(sql`d.id = placements.document_id`)}`);
  if (isEverything)
    for (const table of ['events', 'file_contents', 'given_up_numbers', 'files'])
      await removeFrom(table, sql`1 = 1`);
  // Cached sums and answers of listings may name removed documents.
  for (const table of ['answers', 'summed_months', 'rollups'])
    await removeFrom(table, ofCompany(table, session, selection));

  // Texts and names without references.
  await removeFrom(
    'descriptions',
    sql`id not in (select description_id from items where tenant = ${tenant})`,
  );
  // One indexed lookup each; a single condition with `or` would scan.
  const isUnnamed = ['issuer', 'recipient', 'payer'].map(
    (role) => sql`not ${exists(sql`${sql.ref(`d.${role}`)} = parties.tax_id`)}`,
  );
  await removeFrom('parties', sql.join(isUnnamed, sql` and `));
}

/** Previews a purge; removes nothing. */
export async function previewPurge(connections: Connections, selection: PurgeSelection): Promise<Removal> {
  return connections.read((session) => describeRemoval(session, planPurge(session, selection)));
}

/** Removes all of a selection or nothing. */
export async function purgeDocuments(connections: Connections, selection: PurgeSelection): Promise<Removal> {
  const removal = await connections.write(undefined, async (session) => {
    const plan = planPurge(session, selection);
    const described = await describeRemoval(session, plan);
    await removeSelected(session, selection, plan);
    return described;
  });
  await connections.compact();
  return removal;
}

/**
 * Removes documents and events found only in these files. Documents also held by the service lose the files as a
 * source, and those that lose their cancellation regain their own status. The files stay in the index.
 */
export async function dropContents(session: Session, fileIds: readonly number[]): Promise<void> {
  const { db, tenant } = session;
  const found = await inParts(fileIds, (part) =>
    select<{ identity: string }>(
      db,
      sql`delete from file_contents
        where tenant = ${tenant} and file_id in (${sql.join(part)}) returning identity`,
    ),
  );
  await changeRows(session, sql`delete from given_up_numbers`, 'file_id', fileIds);
  await eachPart(found, async (part) => {
    const identities = part.map(({ identity }) => identity);
    const having = sql`from file_contents c join files f on f.tenant = c.tenant and f.id = c.file_id
      where c.tenant = ${tenant} and c.identity in (${sql.join(identities)})`;
    // Rereads other files with the same documents: the removed file may have had another version.
    await sql`update files set due = 1
      where tenant = ${tenant} and root <> '' and id in (select f.id ${having})`.execute(db);
    const imported = await select<{ identity: string }>(db, sql`select c.identity ${having} and f.root = ''`);
    const kept = new Set(imported.map(({ identity }) => identity));
    const lost = identities.filter((one) => !kept.has(one));
    const among = (some: readonly string[]) =>
      sql`tenant = ${tenant} and ${isOneOf(sql.ref('identity'), some)}`;
    const going = await select<{ id: number }>(
      db,
      sql`select id from documents where ${among(lost)} and source = 'files'`,
    );
    await sql`update documents set source = 'service'
      where ${among(lost)} and source = 'both' and not exists (select 1 from file_contents c
        where c.tenant = documents.tenant and c.identity = documents.identity)`.execute(db);
    const ids = going.map(({ id }) => id);
    await forgetSums(session, ids);
    for (const table of tablesOfDocuments)
      await changeRows(session, sql`delete from ${sql.table(table)}`, 'document_id', ids);
    await changeRows(session, sql`delete from documents`, 'id', ids);
    const events = lost.flatMap((one) => eventIn(one) ?? []);
    const dropped = await select<{ key: string }>(
      db,
      sql`delete from events where ${among(events)} and origin = 'files' returning key`,
    );
    const keys = dropped.map(({ key }) => key);
    await applyEvents(session, keys, { events: 'files', at: new Date().toISOString() });
  });
}
