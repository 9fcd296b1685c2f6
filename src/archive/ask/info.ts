import { setImmediate as letOthersRun } from 'node:timers/promises';
import { type RawBuilder, sql } from 'kysely';
import { addDays, earlier, later, type Period } from '../../documents/days.ts';
import type { Connections } from '../engines/connections.ts';
import { failedFor } from '../errors.ts';
import type { Direction, Holding, Scope } from '../references.ts';
import { digestOf, inflated } from '../schema/encoding.ts';
import { anyDirection, type CoverageRow, type Session, schemaVersion } from '../schema/schema.ts';
import { placedDocuments, select } from '../schema/sql.ts';

interface CoveredPeriod extends Scope, Period {
  /** Oldest and latest fetch time; ISO 8601. */
  readonly fetched_first: string;
  readonly fetched_last: string;
}

async function coveredPeriods({ db, tenant }: Session): Promise<CoveredPeriod[]> {
  const rows = await select<CoverageRow>(
    db,
    sql`select * from coverage where tenant = ${tenant}
      order by company, area, date_field, direction, from_day`,
  );
  const periods: CoveredPeriod[] = [];
  let scopeBefore = '';
  for (const { company, area, date_field, direction, from_day, to_day, fetched_at } of rows) {
    const scope = JSON.stringify([company, area, date_field, direction]);
    const last = scope === scopeBefore ? periods.at(-1) : undefined;
    scopeBefore = scope;
    const isAdjoining = last !== undefined && from_day <= addDays(last.to, 1);
    if (isAdjoining) periods.pop();
    periods.push({
      ...{ company, area, by: date_field },
      ...(direction !== anyDirection && { direction: direction as Direction }),
      from: isAdjoining ? last.from : from_day,
      to: isAdjoining ? later(last.to, to_day) : to_day,
      fetched_first: isAdjoining ? earlier(last.fetched_first, fetched_at) : fetched_at,
      fetched_last: isAdjoining ? later(last.fetched_last, fetched_at) : fetched_at,
    });
  }
  return periods;
}

/** Describes an archive's contents: counts, known documents by company and kind, fetched periods. */
export async function describeArchive({ read, mode, engine, size }: Connections) {
  const counted = await read(async (session) => {
    const { db, tenant } = session;
    const totals = await sql<Record<'documents' | 'items' | 'events' | 'with_xml', number>>`
      select (select count(*) from documents where tenant = ${tenant}) as documents,
        (select count(*) from items where tenant = ${tenant} and line > 0) as items,
        (select count(*) from events where tenant = ${tenant}) as events,
        (select count(*) from contents where tenant = ${tenant} and xml is not null) as with_xml`.execute(db);
    const held = await sql<Holding & { documents: number; first: string | null; last: string | null }>`
      select p.company, p.area, count(distinct p.document_id) as documents,
        min(nullif(substr(d.issued_at, 1, 10), '')) as first, max(substr(d.issued_at, 1, 10)) as last
      from ${placedDocuments} where p.tenant = ${tenant}
      group by p.company, p.area order by p.company, p.area`.execute(db);
    const [counts = { documents: 0, items: 0, events: 0, with_xml: 0 }] = totals.rows;
    return {
      ...counts,
      held: held.rows.map(({ first, last, ...known }) => ({
        ...known,
        ...(first && last && { from: first, to: last }),
      })),
      coverage: await coveredPeriods(session),
    };
  });
  return { mode, engine, schema_version: schemaVersion, bytes: await size(), ...counted };
}

type Damage =
  | 'engine'
  /** A stored text that is unreadable, or not the original. */
  | 'content'
  /** Missing or surplus item rows. */
  | 'items'
  /** A status that contradicts the events. */
  | 'status';

interface Finding {
  readonly damage: Damage;
  /** E.g. the identity of the document; never an amount or a name. */
  readonly detail: string;
}

const pageSize = 200;

function isText(bytes: Uint8Array, digest: string): boolean {
  try {
    return digestOf(inflated(bytes)) === digest;
  } catch {
    return false;
  }
}

async function checkContents({ db, tenant }: Session) {
  const wrong: string[] = [];
  let checked = 0;
  for (let last = 0; ; ) {
    const { rows } = await sql<{ id: number; identity: string; digest: string; summary: Uint8Array | null }>`
      select d.id, d.identity, d.digest, c.summary from documents d
        left join contents c on c.tenant = d.tenant and c.document_id = d.id
      where d.tenant = ${tenant} and d.id > ${last} order by d.id limit ${sql.lit(pageSize)}`.execute(db);
    for (const { identity, digest, summary } of rows)
      if (summary === null || !isText(summary, digest)) wrong.push(identity);
    checked += rows.length;
    last = rows.at(-1)?.id ?? last;
    if (rows.length < pageSize) return { checked, wrong };
    await letOthersRun();
  }
}

const hasOtherLines = sql`d.has_lines <> (case when exists (select 1 from items i
  where i.tenant = d.tenant and i.document_id = d.id) then 1 else 0 end)`;

const hasOtherStatus = sql`d.status <> case when d.key <> '' and exists (select 1 from events e
  where e.tenant = d.tenant and e.key = d.key and e.cancels = 1) then 'cancelled' else d.own_status end`;

/** Verifies an archive. Reads everything: some seconds for a hundred thousand documents. */
export async function verifyArchive({ read, integrity }: Connections) {
  let documents = 0;
  const contradictory = (condition: RawBuilder<unknown>) =>
    read(async ({ db, tenant }) => {
      const { rows } = await sql<{ identity: string }>`select d.identity from documents d
        where d.tenant = ${tenant} and ${condition} order by d.id`.execute(db);
      return rows.map(({ identity }) => identity);
    });
  const checks: Readonly<Record<Damage, () => Promise<readonly string[]>>> = {
    engine: integrity,
    async content() {
      const { checked, wrong } = await read(checkContents);
      documents = checked;
      return wrong;
    },
    items: () => contradictory(hasOtherLines),
    status: () => contradictory(hasOtherStatus),
  };
  const findings: Finding[] = [];
  for (const damage of ['engine', 'content', 'items', 'status'] as const) {
    try {
      findings.push(...(await checks[damage]()).map((detail) => ({ damage, detail })));
    } catch (error) {
      // Damage that prevents reading ends a check and is a finding.
      if (!failedFor('damage', error)) throw error;
      findings.push({ damage: 'engine', detail: `${damage}: ${error.values.code}` });
    }
  }
  return { documents, findings };
}

export type Verification = Awaited<ReturnType<typeof verifyArchive>>;
