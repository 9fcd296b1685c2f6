import { checkPeriod, daysOf, earlier, type Freshness, isFresh, type Period, periodsOf } from '../days.ts';
import type { Direction, Scope } from '../references.ts';
import { type AskedWindow, eventIn, inflated, type KeptKeys, questionColumns } from '../schema/encoding.ts';
import { anyDirection, type CoverageRow, type Session, type Unreadable } from '../schema/schema.ts';
import { findRows } from '../schema/sql.ts';
import { checkPage } from './ask.ts';
import { documentsBy, type EventColumns, type StoredDocument, storedEvent } from './stored-documents.ts';

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

/** A page of a listing's last answer. */
export interface KeptAnswer {
  readonly fetched_at: string;
  /** Number of distinct documents and events. */
  readonly total: number;
  /** Repeated lines of the service's answer, not counted. */
  readonly repeated: number;
  readonly lines: readonly StoredDocument[];
  readonly unreadable: readonly Unreadable[];
}

export interface AnswerPage {
  readonly limit: number;
  readonly offset?: number;
}

/** An event listed without its document. */
function eventAlone(row: EventColumns): StoredDocument {
  const event = storedEvent(row);
  const { summary, asked_at } = event;
  return {
    summary,
    status: summary.status,
    status_from: 'document',
    status_at: asked_at,
    events: [event],
    source: 'service',
    fetched_at: asked_at,
    contents: 1,
  };
}

async function linesOf(session: Session, lines: readonly string[]): Promise<StoredDocument[] | undefined> {
  const eventIdentities = lines.map(eventIn).filter((identity) => identity !== undefined);
  const columns = ['identity', 'key', 'summary', 'origin', 'asked_at'] as const;
  const rows = await findRows(session, 'events', columns, 'identity', eventIdentities);
  const events = new Map(rows.map((row) => [row.identity, eventAlone(row)]));
  const documents = await documentsBy(
    session,
    'identity',
    lines.filter((line) => eventIn(line) === undefined),
  );
  const found = lines.map((line) => events.get(eventIn(line) ?? '') ?? documents.get(line));
  return found.every((line) => line !== undefined) ? found : undefined;
}

function answerTo({ db, tenant }: Session, question: AskedWindow) {
  const columns = questionColumns(tenant, question);
  return db
    .selectFrom('answers')
    .selectAll()
    .where((row) => row.and(columns))
    .executeTakeFirst();
}

/** See `Archive.findKeys`. */
export async function findKeys(session: Session, question: AskedWindow): Promise<KeptKeys | undefined> {
  const answer = await answerTo(session, question);
  if (answer === undefined) return undefined;
  // Written by this archive, so trusted.
  return { fetched_at: answer.fetched_at, list: JSON.parse(inflated(answer.identities)) as KeptKeys['list'] };
}

/** See `Archive.findAnswer`. */
export async function findAnswer(
  session: Session,
  question: AskedWindow,
  page: AnswerPage,
): Promise<KeptAnswer | undefined> {
  checkPage(page);
  const answer = await answerTo(session, question);
  if (answer === undefined) return undefined;
  const { offset = 0, limit } = page;
  const named = answer.lines === 0 ? [] : inflated(answer.identities).split('\n');
  const identities = [...new Set(named)];
  const lines = await linesOf(session, identities.slice(offset, offset + limit));
  if (lines === undefined) return undefined;
  // Written by this archive, so trusted.
  const unreadable = JSON.parse(answer.unreadable) as Unreadable[];
  const [total, repeated] = [identities.length, named.length - identities.length];
  return { fetched_at: answer.fetched_at, total, repeated, lines, unreadable };
}
