import { sql } from 'kysely';
import type { Period } from '../../documents/days.ts';
import { latestBelievable } from '../freshness.ts';
import type { Direction, Scope } from '../references.ts';
import { anyDirection, type CoverageRow, type Session } from '../schema/schema.ts';
import { insertRows, matching, select } from '../schema/sql.ts';
import type { FetchedWindow } from './arrival.ts';

/** Days that a question needs; without a direction, in both. */
export interface CoverageRequest extends Scope, Period {}

/** The requested direction, or both. */
export function directionsNeeded({ direction }: CoverageRequest): readonly Direction[] {
  return direction === undefined ? ['inbound', 'outbound'] : [direction];
}

/** Coverage records that overlap a period. */
export function coverageTouching(
  { db, tenant }: Session,
  { company, area, by, from, to }: CoverageRequest,
): Promise<CoverageRow[]> {
  return select(
    db,
    sql`select * from coverage where ${matching({ tenant, company, area, date_field: by })}
      and from_day <= ${to} and to_day >= ${from}`,
  );
}

/** Coverage records that can place documents in a period. */
export async function coverageOf(session: Session, request: CoverageRequest): Promise<CoverageRow[]> {
  const { by, from, to } = request;
  const records = await coverageTouching(session, request);
  // Entries are dated by their window, so a window that exceeds the period can't place them.
  return by === 'issue' ? records : records.filter((one) => one.from_day >= from && one.to_day <= to);
}

/** True if a record covers a day in a direction. */
export function coversDay(
  { from_day, to_day, direction }: CoverageRow,
  day: string,
  asked: Direction,
): boolean {
  return from_day <= day && to_day >= day && (direction === asked || direction === anyDirection);
}

/** Returns a check whether these records cover a day in the requested directions. */
export function daysCovered(
  records: readonly CoverageRow[],
  request: CoverageRequest,
  holds: (record: CoverageRow, day: string) => boolean = () => true,
): (day: string) => boolean {
  const needed = directionsNeeded(request);
  return (day) =>
    needed.every((direction) =>
      records.some((record) => coversDay(record, day, direction) && holds(record, day)),
    );
}

/** Records a window as fetched, replacing the records it fully covers. */
export async function recordCoverage({ db, tenant }: Session, window: FetchedWindow): Promise<void> {
  const { company, area, by, direction = anyDirection, from, to, fetchedAt, unreadable = [] } = window;
  const scope = { tenant, company, area, date_field: by };
  // A time in the future, from a wrong clock, is meaningless and would seem the latest.
  await sql`delete from coverage where ${matching(scope)} and from_day <= ${to} and to_day >= ${from}
    and ((from_day >= ${from} and to_day <= ${to} and ${direction} in (direction, ${anyDirection}))
      or fetched_at > ${latestBelievable(fetchedAt)})`.execute(db);
  const days = { direction, from_day: from, to_day: to };
  const fetched = { fetched_at: fetchedAt.toISOString(), unreadable: JSON.stringify(unreadable) };
  await insertRows(db, 'coverage', [{ ...scope, ...days, ...fetched }]);
}
