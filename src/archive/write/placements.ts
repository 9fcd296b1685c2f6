import { earlier, isDay, later, monthOf, type Period, weekOf } from '../days.ts';
import type { DateField, Direction } from '../references.ts';
import type { PlacementRow, Session } from '../schema/schema.ts';
import { inParts, insertRows } from '../schema/sql.ts';
import type { Sighting } from './arrival.ts';
import type { PreparedDocument } from './prepare.ts';

/** Who issues sends, unless the note itself says that its issuer receives (a note of entry). */
export function directionRead(company: string, issuer: string, flow: string | undefined): Direction {
  return issuer === company && flow !== '0' ? 'outbound' : 'inbound';
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

/** Where in time a document stands after a sighting; undefined where its date isn't known. */
function placementAt(
  tenant: string,
  { window, company, area }: Sighting,
  date_field: DateField,
  document_id: number,
  document: PreparedDocument,
  before: PlacementRow | undefined,
): PlacementRow | undefined {
  const known = before && { from: before.from_day, to: before.to_day };
  const day = document.row.issued_at.slice(0, 10);
  const issued = date_field === 'issue' && isDay(day) ? { from: day, to: day } : undefined;
  const period = issued ?? (window?.by === date_field ? narrowed(known, window) : known);
  if (period === undefined) return undefined;
  const inbound = window?.direction === 'inbound' || before?.listed_inbound === 1;
  const outbound = window?.direction === 'outbound' || before?.listed_outbound === 1;
  const direction = inbound && outbound ? 'both' : inbound ? 'inbound' : outbound ? 'outbound' : undefined;
  return {
    tenant,
    company,
    date_field,
    document_id,
    area,
    ...calendarColumns(period),
    direction: direction ?? directionRead(company, document.row.issuer, document.flow),
    listed_inbound: inbound ? 1 : 0,
    listed_outbound: outbound ? 1 : 0,
  };
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
] as const;

/** The placements that a sighting adds or changes, of documents that have their ids. */
export async function changedPlacements(
  { db, tenant }: Session,
  sighting: Sighting,
  documents: readonly { readonly id: number; readonly document: PreparedDocument }[],
): Promise<PlacementRow[]> {
  const { window, company } = sighting;
  const fields = [...new Set<DateField>(['issue', ...(window ? [window.by] : [])])];
  const rows = await inParts(
    documents.map(({ id }) => id),
    (part) =>
      db
        .selectFrom('placements')
        .selectAll()
        .where('tenant', '=', tenant)
        .where('company', '=', company)
        .where('date_field', 'in', fields)
        .where('document_id', 'in', part)
        .execute(),
  );
  const before = new Map(rows.map((row) => [`${row.date_field} ${row.document_id}`, row]));
  return documents.flatMap(({ id, document }) =>
    fields.flatMap((field) => {
      const known = before.get(`${field} ${id}`);
      const now = placementAt(tenant, sighting, field, id, document, known);
      return now === undefined || replaced.every((name) => known?.[name] === now[name]) ? [] : [now];
    }),
  );
}

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
