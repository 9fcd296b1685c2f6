import { earlier, isDay, later, monthOf, type Period, weekOf } from '../days.ts';
import type { EventOrigin, PlacementRow, Session } from '../schema/schema.ts';
import { insertRows } from '../schema/sql.ts';
import type { DateField, Direction, Holding, Scope } from '../scope.ts';
import type { FetchedWindow, Giver } from './arrival.ts';
import type { PreparedDocument } from './prepare.ts';

/** Whose documents are stored, and the window they were listed in where they were. */
export interface Sighting extends Holding {
  readonly source: Giver;
  /** When they were asked for; ISO 8601 in UTC. */
  readonly at: string;
  /** See `KeptAt`. */
  readonly clock?: Date | undefined;
  /** How the events among them came. */
  readonly events: EventOrigin;
  readonly window?: Period & Pick<Scope, 'by' | 'direction'>;
}

/** How the documents of a window are seen. */
export function sightingOf(window: FetchedWindow): Sighting {
  const { company, area, source = 'service', fetchedAt, clock } = window;
  return { company, area, window, source, at: fetchedAt.toISOString(), clock, events: 'list' };
}

function placementKey({ date_field, document_id }: Pick<PlacementRow, 'date_field' | 'document_id'>): string {
  return `${date_field} ${document_id}`;
}

/** Who issues sends, unless the note itself says that its issuer receives (a note of entry). */
export function directionRead(company: string, { row, flow }: PreparedDocument): Direction {
  return row.issuer === company && flow !== '0' ? 'outbound' : 'inbound';
}

/** The days both windows have; the later window where they have none, since the date was changed then. */
function narrowed(before: Period | undefined, now: Period): Period {
  if (before === undefined) return now;
  const from = later(before.from, now.from);
  const to = earlier(before.to, now.to);
  return from <= to ? { from, to } : now;
}

function calendarColumns({ from, to }: Period) {
  return {
    from_day: from,
    to_day: to,
    day: from === to ? from : '',
    week: weekOf(from) === weekOf(to) ? weekOf(from) : '',
    month: monthOf(from) === monthOf(to) ? monthOf(from) : '',
  };
}

function issuePeriod(document: PreparedDocument): Period | undefined {
  const day = document.row.issued_at.slice(0, 10);
  return isDay(day) ? { from: day, to: day } : undefined;
}

/** Where in time a document stands after a sighting; undefined where its date isn't known. */
function placementAt(
  tenant: string,
  sighting: Sighting,
  dateField: DateField,
  id: number,
  document: PreparedDocument,
  before: PlacementRow | undefined,
): PlacementRow | undefined {
  const { window, company, area } = sighting;
  const known = before && { from: before.from_day, to: before.to_day };
  const issued = dateField === 'issue' ? issuePeriod(document) : undefined;
  const listed = window?.by === dateField ? narrowed(known, window) : known;
  const period = issued ?? listed;
  if (period === undefined) return undefined;
  const inbound = window?.direction === 'inbound' || before?.listed_inbound === 1;
  const outbound = window?.direction === 'outbound' || before?.listed_outbound === 1;
  const direction = inbound && outbound ? 'both' : inbound ? 'inbound' : outbound ? 'outbound' : undefined;
  return {
    tenant,
    company,
    date_field: dateField,
    document_id: id,
    area,
    ...calendarColumns(period),
    direction: direction ?? directionRead(company, document),
    listed_inbound: inbound ? 1 : 0,
    listed_outbound: outbound ? 1 : 0,
  };
}

function isSame(before: PlacementRow | undefined, now: PlacementRow): boolean {
  return (
    before !== undefined &&
    before.from_day === now.from_day &&
    before.to_day === now.to_day &&
    before.direction === now.direction &&
    before.listed_inbound === now.listed_inbound &&
    before.listed_outbound === now.listed_outbound
  );
}

/** The dates that a sighting tells something of. */
function fieldsOf({ window }: Sighting): DateField[] {
  return [...new Set<DateField>(['issue', ...(window ? [window.by] : [])])];
}

/** The placements that a sighting adds or changes, of documents that have their ids. */
export async function changedPlacements(
  { db, tenant }: Session,
  sighting: Sighting,
  documents: ReadonlyMap<number, PreparedDocument>,
): Promise<PlacementRow[]> {
  if (documents.size === 0) return [];
  const rows = await db
    .selectFrom('placements')
    .selectAll()
    .where('tenant', '=', tenant)
    .where('company', '=', sighting.company)
    .where('date_field', 'in', fieldsOf(sighting))
    .where('document_id', 'in', [...documents.keys()])
    .execute();
  return changedFrom(tenant, sighting, documents, rows);
}

/** The placements of documents that were not there before. */
export function freshPlacements(
  tenant: string,
  sighting: Sighting,
  documents: ReadonlyMap<number, PreparedDocument>,
): PlacementRow[] {
  return changedFrom(tenant, sighting, documents, []);
}

function changedFrom(
  tenant: string,
  sighting: Sighting,
  documents: ReadonlyMap<number, PreparedDocument>,
  rows: readonly PlacementRow[],
): PlacementRow[] {
  const before = new Map(rows.map((row) => [placementKey(row), row]));
  const fields = fieldsOf(sighting);
  return [...documents].flatMap(([id, document]) =>
    fields.flatMap((field) => {
      const known = before.get(placementKey({ date_field: field, document_id: id }));
      const now = placementAt(tenant, sighting, field, id, document, known);
      return now === undefined || isSame(known, now) ? [] : [now];
    }),
  );
}

const replaced = [
  'from_day',
  'to_day',
  'day',
  'week',
  'month',
  'direction',
  'listed_inbound',
  'listed_outbound',
];

/** Writes placements over those of the same documents. */
export async function writePlacements({ db }: Session, rows: readonly PlacementRow[]): Promise<void> {
  const changes = replaced.map((name) => `"${name}" = excluded."${name}"`).join(', ');
  await insertRows(
    db,
    'placements',
    rows,
    `on conflict (tenant, company, date_field, document_id) do update set ${changes}`,
  );
}
