import { sql } from 'kysely';
import { addDays, earlier, later, type Period } from '../days.ts';
import type { Connections } from '../engines/connections.ts';
import { schemaVersion } from '../schema/create.ts';
import { placedDocuments } from '../schema/expressions.ts';
import type { CoverageRow, Session } from '../schema/schema.ts';
import type { DateField, DocumentArea, Scope } from '../scope.ts';

/** Consecutive days fetched in the same way. */
export interface CoveredPeriod extends Scope, Period {
  /** When the oldest and the latest part of it was fetched; ISO 8601. */
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
  /** What runs it, e.g. `libsql`, `node:sqlite`, `pg`. */
  readonly engine: string;
  readonly schema_version: number;
  /** On disk, or in memory. */
  readonly bytes: number;
  readonly documents: number;
  readonly items: number;
  readonly events: number;
  /** Documents kept with their XML. */
  readonly with_xml: number;
  readonly held: readonly HeldDocuments[];
  readonly coverage: readonly CoveredPeriod[];
}

const areas: readonly DocumentArea[] = ['nfe', 'nfse', 'cte'];
const dateFields: readonly DateField[] = ['issue', 'entry', 'period'];

/** An area as it is kept. */
export function areaFrom(text: string): DocumentArea {
  return areas.find((area) => area === text) ?? 'nfe';
}

async function heldDocuments({ db, tenant }: Session): Promise<HeldDocuments[]> {
  const { rows } = await sql<{
    company: string;
    area: string;
    documents: number;
    first: string;
    last: string;
  }>`
    select p.company, p.area, count(distinct p.document_id) as documents,
      min(nullif(d.issued_at, '')) as first, max(d.issued_at) as last
    from ${placedDocuments} where p.tenant = ${tenant}
    group by p.company, p.area order by p.company, p.area`.execute(db);
  return rows.map(({ company, area, documents, first, last }) => ({
    company,
    area: areaFrom(area),
    documents,
    ...(first ? { first: first.slice(0, 10), last: last.slice(0, 10) } : {}),
  }));
}

function coveredPeriod(row: CoverageRow): CoveredPeriod {
  const { company, area, date_field, direction, from_day, to_day, fetched_at } = row;
  return {
    company,
    area: areaFrom(area),
    by: dateFields.find((field) => field === date_field) ?? 'issue',
    ...(direction === 'inbound' || direction === 'outbound' ? { direction } : {}),
    from: from_day,
    to: to_day,
    fetched_first: fetched_at,
    fetched_last: fetched_at,
  };
}

function continues(last: CoveredPeriod, next: CoveredPeriod): boolean {
  const { company, area, by, direction, to } = last;
  return (
    company === next.company &&
    area === next.area &&
    by === next.by &&
    direction === next.direction &&
    next.from <= addDays(to, 1)
  );
}

function joined(last: CoveredPeriod, next: CoveredPeriod): CoveredPeriod {
  const { fetched_first, fetched_last } = next;
  return {
    ...last,
    to: later(last.to, next.to),
    fetched_first: earlier(last.fetched_first, fetched_first),
    fetched_last: later(last.fetched_last, fetched_last),
  };
}

async function coveredPeriods({ db, tenant }: Session): Promise<CoveredPeriod[]> {
  return joinedCoverage(await db.selectFrom('coverage').selectAll().where('tenant', '=', tenant).execute());
}

function placeOf({ company, area, date_field, direction, from_day }: CoverageRow): string {
  return [company, area, date_field, direction, from_day].join('\u0000');
}

/** What was fetched, with days that follow each other joined. */
function joinedCoverage(records: readonly CoverageRow[]): CoveredPeriod[] {
  const rows = [...records].sort((one, other) => (placeOf(one) < placeOf(other) ? -1 : 1));
  const periods: CoveredPeriod[] = [];
  for (const next of rows.map(coveredPeriod)) {
    const last = periods.at(-1);
    if (last !== undefined && continues(last, next)) periods[periods.length - 1] = joined(last, next);
    else periods.push(next);
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
