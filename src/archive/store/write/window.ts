import { checkPeriod, type Period } from '../../days.ts';
import { latestBelievable } from '../../freshness.ts';
import type { Holding, Scope } from '../../scope.ts';
import type { Connections } from '../engines/connections.ts';
import { anyDirection, type Session } from '../schema/schema.ts';
import type { Arrival, FetchedWindow, NotedEvent, Receipt, StoreOutcome } from './arrival.ts';
import { type WasKnown, writeBatch } from './documents.ts';
import { prepareEvent, summaryOf } from './events.ts';
import { type Batch, mostAtOnce, type Received, readyToWrite, receive, received } from './incoming.ts';
import { daysKnownBy } from './known-days.ts';
import { sightingOf } from './placements.ts';

/**
 * Writes what came for a company: together with the writers of other companies, but alone for the tenant where documents
 * are cancelled, which other companies may have, or be about to have, and where they come in several parts, each of which
 * takes its locks in order and all together do not.
 */
export async function writing(
  connections: Connections,
  company: string,
  { documents, events }: Batch,
  work: (session: Session) => Promise<StoreOutcome>,
): Promise<StoreOutcome> {
  const cancels = events.some((event) => event.cancels === 1);
  const isAlone = cancels || documents.length > mostAtOnce;
  const outcome = await connections.write(isAlone ? undefined : company, work);
  await connections.grown(outcome.added);
  return outcome;
}

/** What was fetched before of a window's days. */
export async function fetchedBefore({ db, tenant }: Session, window: Scope & Period) {
  const { company, area, by, direction, from, to } = window;
  let query = db
    .selectFrom('coverage')
    .select(['from_day', 'to_day', 'direction'])
    .where('tenant', '=', tenant)
    .where('company', '=', company)
    .where('area', '=', area)
    .where('date_field', '=', by)
    .where('from_day', '<=', to)
    .where('to_day', '>=', from);
  if (direction !== undefined) query = query.where('direction', 'in', [direction, anyDirection]);
  return query.execute();
}

/** See `daysKnownBy`. */
export async function daysKnown(session: Session, window: FetchedWindow): Promise<WasKnown> {
  return daysKnownBy(await fetchedBefore(session, window), window);
}

/** Records a window as fetched; it takes the place of what it covers wholly. */
async function recordCoverage(
  { db, tenant }: Session,
  window: FetchedWindow,
  documents: number,
): Promise<void> {
  const { company, area, by, direction = anyDirection, from, to, fetchedAt, unreadable = [] } = window;
  let superseded = db
    .deleteFrom('coverage')
    .where('tenant', '=', tenant)
    .where('company', '=', company)
    .where('area', '=', area)
    .where('date_field', '=', by)
    .where('from_day', '>=', from)
    .where('to_day', '<=', to);
  if (direction !== anyDirection) superseded = superseded.where('direction', '=', direction);
  await superseded.execute();
  // What the clock dated ahead says nothing, and would be taken for what was fetched last.
  await db
    .deleteFrom('coverage')
    .where('tenant', '=', tenant)
    .where('company', '=', company)
    .where('area', '=', area)
    .where('date_field', '=', by)
    .where('from_day', '<=', to)
    .where('to_day', '>=', from)
    .where('fetched_at', '>', latestBelievable(window.clock))
    .execute();
  const place = { tenant, company, area, date_field: by, direction };
  const fetched_at = fetchedAt.toISOString();
  await db
    .insertInto('coverage')
    .values({
      ...place,
      from_day: from,
      to_day: to,
      fetched_at,
      documents,
      unreadable: JSON.stringify(unreadable),
    })
    .execute();
}

/** Writes a window and records it as covered. To be called in a writing transaction. */
export async function writeWindow(
  session: Session,
  window: FetchedWindow,
  prepared: Batch,
  signal?: AbortSignal,
): Promise<StoreOutcome> {
  const wasKnown = await daysKnown(session, window);
  const outcome = await writeBatch(session, sightingOf(window), prepared, wasKnown, signal);
  await recordCoverage(session, window, outcome.added + outcome.replaced + outcome.unchanged);
  return outcome;
}

/** See `Archive.store`. */
export async function storeWindow(
  connections: Connections,
  keepXml: boolean,
  window: FetchedWindow,
  arrivals: Received | Iterable<Arrival> | AsyncIterable<Arrival>,
  signal?: AbortSignal,
): Promise<StoreOutcome> {
  checkPeriod(window);
  const prepared = await readyToWrite(await received(window.area, arrivals, keepXml, signal));
  return writing(connections, window.company, prepared, (session) =>
    writeWindow(session, window, prepared, signal),
  );
}

const neverKnown: WasKnown = () => false;

/** See `Archive.keep`. */
export async function keepDocuments(
  connections: Connections,
  keepXml: boolean,
  { company, area }: Holding,
  arrivals: readonly Arrival[],
  { at = new Date(), source = 'service', events = 'document', clock }: Receipt = {},
): Promise<StoreOutcome> {
  const prepared = await readyToWrite(await receive(area, arrivals, keepXml));
  const sighting = { company, area, source, at: at.toISOString(), clock, events };
  return writing(connections, company, prepared, (session) =>
    writeBatch(session, sighting, prepared, neverKnown),
  );
}

/** The company that writes what belongs to none. */
const nobody = '';

/** See `Archive.keepEvent`. */
export async function keepEvent(connections: Connections, noted: NotedEvent): Promise<StoreOutcome> {
  const events = [prepareEvent({ summary: summaryOf(noted) }, false)];
  const at = noted.askedAt.toISOString();
  const sighting = { company: nobody, area: 'nfe', source: 'service', at, events: noted.from } as const;
  const prepared = { documents: [], events };
  return writing(connections, nobody, prepared, (session) =>
    writeBatch(session, sighting, prepared, neverKnown),
  );
}
