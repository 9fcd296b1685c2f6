import type { ExpressionBuilder } from 'kysely';
import { checkPeriod, type Period } from '../days.ts';
import type { Connections } from '../engines/connections.ts';
import { latestBelievable } from '../freshness.ts';
import { anyDirection, type Schema, type Session } from '../schema/schema.ts';
import type { Holding, Scope } from '../scope.ts';
import type { Arrival, FetchedWindow, NotedEvent, Receipt, StoreOutcome } from './arrival.ts';
import { type WasKnown, writeBatch } from './documents.ts';
import { prepareEvent, summaryOf } from './events.ts';
import { type Batch, mostAtOnce, type Received, receive, received } from './incoming.ts';
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

/** Windows of the same company, kind and date as this one that have days of it. */
function touching(tenant: string, { company, area, by, from, to }: Scope & Period) {
  return (one: ExpressionBuilder<Schema, 'coverage'>) =>
    one.and([
      one.and({ tenant, company, area, date_field: by }),
      one('from_day', '<=', to),
      one('to_day', '>=', from),
    ]);
}

/** What was fetched before of a window's days. */
async function fetchedBefore({ db, tenant }: Session, window: Scope & Period) {
  let query = db
    .selectFrom('coverage')
    .select(['from_day', 'to_day', 'direction'])
    .where(touching(tenant, window));
  const { direction } = window;
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
  await db
    .deleteFrom('coverage')
    .where(touching(tenant, window))
    .where((one) => {
      const within = one.and([one('from_day', '>=', from), one('to_day', '<=', to)]);
      const superseded = direction === anyDirection ? within : within.and('direction', '=', direction);
      // What the clock dated ahead says nothing, and would be taken for what was fetched last.
      return one.or([superseded, one('fetched_at', '>', latestBelievable(window.clock))]);
    })
    .execute();
  await db
    .insertInto('coverage')
    .values({
      tenant,
      company,
      area,
      date_field: by,
      direction,
      from_day: from,
      to_day: to,
      fetched_at: fetchedAt.toISOString(),
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
  const prepared = await received(window.area, arrivals, keepXml, signal);
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
  const prepared = await receive(area, arrivals, keepXml);
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
