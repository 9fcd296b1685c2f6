import { sql } from 'kysely';
import { addDays, earlier, later, type Period } from '../days.ts';
import type { Connections } from '../engines/connections.ts';
import type { DateField, Direction, DocumentArea, Scope } from '../references.ts';
import { placedDocuments } from '../schema/expressions.ts';
import { anyDirection, type Session, schemaVersion } from '../schema/schema.ts';

/** Consecutive covered days. */
export interface CoveredPeriod extends Scope, Period {
  /** Oldest and latest fetch time; ISO 8601. */
  readonly fetched_first: string;
  readonly fetched_last: string;
}

export interface HeldDocuments {
  readonly company: string;
  readonly area: DocumentArea;
  readonly documents: number;
  /** Issue days, `YYYY-MM-DD`. */
  readonly first?: string;
  readonly last?: string;
}

export interface ArchiveInfo {
  readonly mode: 'memory' | 'file' | 'postgres';
  /** Driver, e.g. `libsql`, `node:sqlite`, `pg`. */
  readonly engine: string;
  readonly schema_version: number;
  /** Size on disk or in memory. */
  readonly bytes: number;
  readonly documents: number;
  readonly items: number;
  readonly events: number;
  /** Documents with stored XML. */
  readonly with_xml: number;
  readonly held: readonly HeldDocuments[];
  readonly coverage: readonly CoveredPeriod[];
}

const areas: readonly DocumentArea[] = ['nfe', 'nfse', 'cte'];

/** Parses a stored area. */
export function areaFrom(text: string): DocumentArea {
  return areas.find((area) => area === text) ?? 'nfe';
}

async function heldDocuments({ db, tenant }: Session): Promise<HeldDocuments[]> {
  const { rows } = await sql<Required<HeldDocuments>>`
    select p.company, p.area, count(distinct p.document_id) as documents,
      min(nullif(d.issued_at, '')) as first, max(d.issued_at) as last
    from ${placedDocuments} where p.tenant = ${tenant}
    group by p.company, p.area order by p.company, p.area`.execute(db);
  return rows.map(({ company, area, documents, first, last }) => ({
    company,
    area,
    documents,
    ...(first ? { first: first.slice(0, 10), last: last.slice(0, 10) } : {}),
  }));
}

/** Covered periods, with adjacent days merged. */
async function coveredPeriods({ db, tenant }: Session): Promise<CoveredPeriod[]> {
  const rows = await db
    .selectFrom('coverage')
    .selectAll()
    .where('tenant', '=', tenant)
    .orderBy('company')
    .orderBy('area')
    .orderBy('date_field')
    .orderBy('direction')
    .orderBy('from_day')
    .execute();
  const periods: CoveredPeriod[] = [];
  let scopeBefore = '';
  for (const { company, area, date_field, direction, from_day, to_day, fetched_at } of rows) {
    const scope = JSON.stringify([company, area, date_field, direction]);
    const last = scope === scopeBefore ? periods.at(-1) : undefined;
    scopeBefore = scope;
    if (last !== undefined && from_day <= addDays(last.to, 1)) {
      const fetched_first = earlier(last.fetched_first, fetched_at);
      const fetched_last = later(last.fetched_last, fetched_at);
      periods[periods.length - 1] = { ...last, to: later(last.to, to_day), fetched_first, fetched_last };
      continue;
    }
    periods.push({
      ...{ company, area: areaFrom(area), by: date_field as DateField },
      ...(direction === anyDirection ? {} : { direction: direction as Direction }),
      ...{ from: from_day, to: to_day, fetched_first: fetched_at, fetched_last: fetched_at },
    });
  }
  return periods;
}

async function totals({ db, tenant }: Session) {
  const { rows } = await sql<Record<'documents' | 'items' | 'events' | 'with_xml', number>>`
    select (select count(*) from documents where tenant = ${tenant}) as documents,
      (select count(*) from items where tenant = ${tenant} and line > 0) as items,
      (select count(*) from events where tenant = ${tenant}) as events,
      (select count(*) from contents where tenant = ${tenant} and xml is not null) as with_xml`.execute(db);
  return rows[0] ?? { documents: 0, items: 0, events: 0, with_xml: 0 };
}

/** See `Archive.info`. */
export async function describeArchive(connections: Connections): Promise<ArchiveInfo> {
  const counted = await connections.read(async (session) => ({
    ...(await totals(session)),
    held: await heldDocuments(session),
    coverage: await coveredPeriods(session),
  }));
  return {
    mode: connections.mode,
    engine: connections.engine,
    schema_version: schemaVersion,
    bytes: await connections.size(),
    ...counted,
  };
}
