import { checkPeriod, daysOf, type Period, periodsOf } from '../../days.ts';
import type { Direction, Scope } from '../../scope.ts';
import { anyDirection, type CoverageRow, type Db } from '../schema/schema.ts';

/** What a question needs to have been fetched. Without a direction, both. */
export interface CoverageRequest extends Scope, Period {}

/** When a day that was fetched must be fetched again. */
export interface Freshness {
  readonly now: Date;
  /** A day may still change until so many days after its end; what was fetched before then is fetched again. */
  readonly refreshDays: number;
  /** But not what was fetched within so many minutes. */
  readonly trustedMinutes: number;
}

const minute = 60_000;
const dayLength = 24 * 60 * minute;
/** A day ends last in the west of the country, at UTC-5. */
const westernDelay = 5 * 60 * minute;

/** Whether what was fetched then still holds for a day. */
function isFresh(day: string, fetchedAt: string, { now, refreshDays, trustedMinutes }: Freshness): boolean {
  const fetched = Date.parse(fetchedAt);
  const settled = Date.parse(day) + dayLength * (refreshDays + 1) + westernDelay;
  return fetched >= settled || fetched > now.getTime() - trustedMinutes * minute;
}

/**
 * A document's entry is dated by the window it was listed in, so that a window that reaches beyond the period can't
 * tell whether its documents are in it.
 */
function canPlace(record: CoverageRow, { by, from, to }: CoverageRequest): boolean {
  return by === 'issue' || (record.from_day >= from && record.to_day <= to);
}

function directionsNeeded({ direction }: CoverageRequest): readonly Direction[] {
  return direction === undefined ? ['inbound', 'outbound'] : [direction];
}

/** See `Archive.missing`. */
export async function missingPeriods(
  db: Db,
  request: CoverageRequest,
  freshness: Freshness,
): Promise<Period[]> {
  checkPeriod(request);
  const { company, area, by, from, to } = request;
  const records = await db
    .selectFrom('coverage')
    .selectAll()
    .where('company', '=', company)
    .where('area', '=', area)
    .where('date_field', '=', by)
    .where('from_day', '<=', to)
    .where('to_day', '>=', from)
    .execute();
  const usable = records.filter((record) => canPlace(record, request));
  const isCovered = (day: string, direction: Direction) =>
    usable.some(
      (record) =>
        record.from_day <= day &&
        record.to_day >= day &&
        (record.direction === direction || record.direction === anyDirection) &&
        isFresh(day, record.fetched_at, freshness),
    );
  const needed = directionsNeeded(request);
  return periodsOf(daysOf(request).filter((day) => !needed.every((direction) => isCovered(day, direction))));
}
