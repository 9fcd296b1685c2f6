import { checkPeriod, daysOf, earlier, type Freshness, isFresh, type Period, periodsOf } from '../days.ts';
import type { Direction, Scope } from '../references.ts';
import { anyDirection, type CoverageRow, type Session, type Unreadable } from '../schema/schema.ts';

/** Days a question needs; without a direction, both. */
export interface CoverageRequest extends Scope, Period {}

/** An entry is dated by its window; a window beyond the period can't place it. */
function canPlace(record: CoverageRow, { by, from, to }: CoverageRequest): boolean {
  return by === 'issue' || (record.from_day >= from && record.to_day <= to);
}

function directionsNeeded({ direction }: CoverageRequest): readonly Direction[] {
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

function coversDay({ from_day, to_day, direction }: CoverageRow, day: string, asked: Direction): boolean {
  return from_day <= day && to_day >= day && (direction === asked || direction === anyDirection);
}

/** Orders listings by time; of two at one moment the less readable one counts as later. */
function placeInTime({ fetched_at, unreadable, from_day, to_day, direction }: CoverageRow): string {
  return [fetched_at, String(unreadable.length).padStart(9, '0'), from_day, to_day, direction].join(' ');
}

const latestFirst = (one: CoverageRow, other: CoverageRow): number =>
  placeInTime(one) < placeInTime(other) ? 1 : -1;

/** Parts of a period no longer covered by these records. */
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

function latestIn(records: readonly CoverageRow[], request: CoverageRequest): ReadonlySet<CoverageRow> {
  const latest = daysOf(request).flatMap((day) =>
    directionsNeeded(request).flatMap(
      (direction) =>
        records.filter((record) => coversDay(record, day, direction)).toSorted(latestFirst)[0] ?? [],
    ),
  );
  return new Set(latest);
}

/** Oldest fetch time of the days. */
export function oldestIn(records: readonly CoverageRow[], request: CoverageRequest): string | undefined {
  const moments = [...latestIn(records, request)].map(({ fetched_at }) => fetched_at);
  return moments.length === 0 ? undefined : moments.reduce(earlier);
}

/** See `Archive.firstDay`. */
export async function firstDay(
  { db, tenant }: Session,
  { company, area, by }: Pick<Scope, 'company' | 'area' | 'by'>,
): Promise<string | undefined> {
  const first = await db
    .selectFrom('placements')
    .select('from_day')
    .where('tenant', '=', tenant)
    .where('company', '=', company)
    .where('area', '=', area)
    .where('date_field', '=', by)
    .orderBy('from_day')
    .limit(1)
    .executeTakeFirst();
  return first?.from_day;
}

/** An unreadable part of a listing, with the listed days. */
export interface UnreadableOfDays extends Unreadable, Period {}

/** Unreadable parts of each day's latest listing. */
export function unreadableIn(records: readonly CoverageRow[], request: CoverageRequest): UnreadableOfDays[] {
  return [...latestIn(records, request)]
    .sort((one, other) =>
      one.from_day === other.from_day ? latestFirst(one, other) : one.from_day < other.from_day ? -1 : 1,
    )
    .flatMap(({ from_day: from, to_day: to, unreadable }) => {
      // Written by this archive, so trusted.
      const all = JSON.parse(unreadable) as Unreadable[];
      return all.map((one) => ({ ...one, from, to }));
    });
}
