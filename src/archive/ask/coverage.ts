import { checkPeriod, daysOf, earlier, type Period, periodsOf } from '../days.ts';
import { type Freshness, isFresh } from '../freshness.ts';
import { anyDirection, type CoverageRow, type Session, type Unreadable } from '../schema/schema.ts';
import type { Direction, Scope } from '../scope.ts';

/** What a question needs to have been fetched. Without a direction, both. */
export interface CoverageRequest extends Scope, Period {}

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

/** What was fetched of a period, as far as it can place documents in it. */
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

function coversDay({ from_day, to_day, direction }: CoverageRow, day: string, asked: Direction): boolean {
  return from_day <= day && to_day >= day && (direction === asked || direction === anyDirection);
}

/** In the order of time; of two listings of one moment the one of which more could not be read is the later one. */
function placeInTime({ fetched_at, unreadable, from_day, to_day, direction }: CoverageRow): string {
  return [fetched_at, String(unreadable.length).padStart(9, '0'), from_day, to_day, direction].join(' ');
}

function latestFirst(one: CoverageRow, other: CoverageRow): number {
  return placeInTime(one) < placeInTime(other) ? 1 : -1;
}

/** The parts of a period that these records don't cover any more. */
export function missingIn(
  records: readonly CoverageRow[],
  request: CoverageRequest,
  freshness: Freshness,
): Period[] {
  const isCovered = (day: string, direction: Direction) =>
    records.some((record) => coversDay(record, day, direction) && isFresh(day, record.fetched_at, freshness));
  const needed = directionsNeeded(request);
  return periodsOf(daysOf(request).filter((day) => !needed.every((direction) => isCovered(day, direction))));
}

/** Of each day of a request, and each direction, what is known of it: the record of when it was asked for last. */
function latestIn(records: readonly CoverageRow[], request: CoverageRequest): ReadonlySet<CoverageRow> {
  const latest = daysOf(request).flatMap((day) =>
    directionsNeeded(request).flatMap(
      (direction) =>
        records.filter((record) => coversDay(record, day, direction)).toSorted(latestFirst)[0] ?? [],
    ),
  );
  return new Set(latest);
}

/** The oldest moment that one of the days was last asked for, by these records. */
export function oldestIn(records: readonly CoverageRow[], request: CoverageRequest): string | undefined {
  const moments = [...latestIn(records, request)].map(({ fetched_at }) => fetched_at);
  return moments.length === 0 ? undefined : moments.reduce(earlier);
}

/** What of some days could not be read, with the days that were listed together. */
export interface UnreadableOfDays extends Unreadable, Period {}

/** What could not be read when each day was last asked for, by these records. */
export function unreadableIn(records: readonly CoverageRow[], request: CoverageRequest): UnreadableOfDays[] {
  return [...latestIn(records, request)]
    .sort((one, other) =>
      one.from_day === other.from_day ? latestFirst(one, other) : one.from_day < other.from_day ? -1 : 1,
    )
    .flatMap(({ from_day: from, to_day: to, unreadable }) => {
      // Written by the archive itself.
      const all = JSON.parse(unreadable) as Unreadable[];
      return all.map((one) => ({ ...one, from, to }));
    });
}
