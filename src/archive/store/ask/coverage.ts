import { checkPeriod, daysOf, earlier, later, type Period, periodsOf } from '../../days.ts';
import { type Freshness, isFresh } from '../../freshness.ts';
import type { Direction, Scope } from '../../scope.ts';
import { anyDirection, type CoverageRow, type Session, type Unreadable } from '../schema/schema.ts';

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
async function recordsOf({ db, tenant }: Session, request: CoverageRequest): Promise<CoverageRow[]> {
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

/** See `Archive.missing`. */
export async function missingPeriods(
  session: Session,
  request: CoverageRequest,
  freshness: Freshness,
): Promise<Period[]> {
  const records = await recordsOf(session, request);
  const isCovered = (day: string, direction: Direction) =>
    records.some((record) => coversDay(record, day, direction) && isFresh(day, record.fetched_at, freshness));
  const needed = directionsNeeded(request);
  return periodsOf(daysOf(request).filter((day) => !needed.every((direction) => isCovered(day, direction))));
}

/** See `Archive.asOf`. */
export async function oldestFetch(session: Session, request: CoverageRequest): Promise<string | undefined> {
  const records = await recordsOf(session, request);
  let oldest: string | undefined;
  for (const day of daysOf(request)) {
    for (const direction of directionsNeeded(request)) {
      const moments = records.filter((record) => coversDay(record, day, direction));
      const latest = moments.reduce((last, { fetched_at }) => later(last, fetched_at), '');
      if (latest !== '') oldest = oldest === undefined ? latest : earlier(oldest, latest);
    }
  }
  return oldest;
}

/** What of some days could not be read, with the days that were listed together. */
export interface UnreadableOfDays extends Unreadable, Period {}

/** See `Archive.unreadable`. */
export async function unreadableOf(session: Session, request: CoverageRequest): Promise<UnreadableOfDays[]> {
  const needed = directionsNeeded(request);
  return (await recordsOf(session, request))
    .filter(({ direction }) => direction === anyDirection || needed.some((one) => one === direction))
    .flatMap(({ from_day: from, to_day: to, unreadable }) => {
      // Written by the archive itself.
      const all = JSON.parse(unreadable) as Unreadable[];
      return all.map((one) => ({ ...one, from, to }));
    });
}
