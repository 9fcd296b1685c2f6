import { checkPeriod, latestBelievable, type Period } from '../days.ts';
import type { Direction, Scope } from '../references.ts';
import { anyDirection, type CoverageRow, type Session } from '../schema/schema.ts';
import type { FetchedWindow } from './arrival.ts';

/** Days a question needs; without a direction, both. */
export interface CoverageRequest extends Scope, Period {}

/** An entry is dated by its window; a window beyond the period can't place it. */
function canPlace(record: CoverageRow, { by, from, to }: CoverageRequest): boolean {
  return by === 'issue' || (record.from_day >= from && record.to_day <= to);
}

/** Both directions unless one is asked for. */
export function directionsNeeded({ direction }: CoverageRequest): readonly Direction[] {
  return direction === undefined ? ['inbound', 'outbound'] : [direction];
}

/** Coverage records that can place documents in a period. */
export async function coverageOf({ db, tenant }: Session, request: CoverageRequest): Promise<CoverageRow[]> {
  checkPeriod(request);
  const { company, area, by, from, to } = request;
  const records = await db
    .selectFrom('coverage')
    .selectAll()
    .where('tenant', '=', tenant)
    .where('company', '=', company)
    .where('area', '=', area)
    .where('date_field', '=', by)
    .where('from_day', '<=', to)
    .where('to_day', '>=', from)
    .execute();
  return records.filter((record) => canPlace(record, request));
}

/** Whether a record is of a day in a direction. */
export function coversDay(
  { from_day, to_day, direction }: CoverageRow,
  day: string,
  asked: Direction,
): boolean {
  return from_day <= day && to_day >= day && (direction === asked || direction === anyDirection);
}

/** Whether these records cover a day in the directions asked for. */
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

/** Records a window as fetched; it replaces those that it covers wholly. */
export async function recordCoverage({ db, tenant }: Session, window: FetchedWindow): Promise<void> {
  const { company, area, by, direction = anyDirection, from, to, fetchedAt, unreadable = [] } = window;
  await db
    .deleteFrom('coverage')
    .where((one) => one.and({ tenant, company, area, date_field: by }))
    .where('from_day', '<=', to)
    .where('to_day', '>=', from)
    .where((one) => {
      const within = one.and([one('from_day', '>=', from), one('to_day', '<=', to)]);
      const superseded = direction === anyDirection ? within : within.and('direction', '=', direction);
      // A time from a clock dated ahead means nothing, and would seem the latest.
      return one.or([superseded, one('fetched_at', '>', latestBelievable(fetchedAt))]);
    })
    .execute();
  const days = { date_field: by, direction, from_day: from, to_day: to };
  const fetched = { fetched_at: fetchedAt.toISOString(), unreadable: JSON.stringify(unreadable) };
  await db
    .insertInto('coverage')
    .values({ tenant, company, area, ...days, ...fetched })
    .execute();
}
