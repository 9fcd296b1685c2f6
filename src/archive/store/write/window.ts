import { setImmediate as letOthersRun } from 'node:timers/promises';
import { checkPeriod } from '../../days.ts';
import { ArchiveCancelled } from '../../errors.ts';
import type { DocumentArea, Holding } from '../../scope.ts';
import type { Connections } from '../engines/connections.ts';
import { createRollupChanges, mostChanges } from '../rollups/changes.ts';
import { anyDirection, type Db } from '../schema/schema.ts';
import type { Arrival, FetchedWindow, StoreOutcome } from './arrival.ts';
import { type Batch, writeBatch } from './documents.ts';
import { prepareEvent } from './events.ts';
import type { Sighting } from './placements.ts';
import { prepareDocument } from './prepare.ts';

/** Large enough to share lookups, small enough that no step of it blocks the event loop for long. */
const batchSize = 200;
/** Documents prepared without letting others run. */
const stride = 20;

const nothing: StoreOutcome = { added: 0, replaced: 0, unchanged: 0, events: 0 };

/** Prepares arrivals in batches as they come; what is prepared is small beside the documents themselves. */
async function prepareAll(
  area: DocumentArea,
  arrivals: Iterable<Arrival> | AsyncIterable<Arrival>,
  keepXml: boolean,
  signal: AbortSignal | undefined,
): Promise<Batch[]> {
  const batches: Batch[] = [];
  let documents: Batch['documents'][number][] = [];
  let events: Batch['events'][number][] = [];
  const close = () => {
    if (documents.length + events.length > 0) batches.push({ documents, events });
    documents = [];
    events = [];
  };
  for await (const arrival of arrivals) {
    if (signal?.aborted) throw new ArchiveCancelled();
    if (arrival.summary.kind === 'event') events.push(prepareEvent(arrival, keepXml));
    else documents.push(prepareDocument(area, arrival, keepXml));
    const size = documents.length + events.length;
    if (size % stride === 0) await letOthersRun();
    if (size >= batchSize) close();
  }
  close();
  return batches;
}

async function writeBatches(
  db: Db,
  sighting: Sighting,
  batches: readonly Batch[],
  signal: AbortSignal | undefined,
): Promise<StoreOutcome> {
  let outcome = nothing;
  const rollups = createRollupChanges();
  for (const batch of batches) {
    if (signal?.aborted) throw new ArchiveCancelled();
    const { added, replaced, unchanged, events } = await writeBatch(db, sighting, batch, rollups);
    if (rollups.size > mostChanges) await rollups.write(db);
    outcome = {
      added: outcome.added + added,
      replaced: outcome.replaced + replaced,
      unchanged: outcome.unchanged + unchanged,
      events: outcome.events + events,
    };
  }
  await rollups.write(db);
  return outcome;
}

/** Records a window as fetched; it takes the place of what it covers wholly. */
async function recordCoverage(db: Db, window: FetchedWindow, documents: number): Promise<void> {
  const { company, area, by, direction = anyDirection, from, to, fetchedAt } = window;
  const place = { company, area, date_field: by, direction };
  let superseded = db
    .deleteFrom('coverage')
    .where('company', '=', company)
    .where('area', '=', area)
    .where('date_field', '=', by)
    .where('from_day', '>=', from)
    .where('to_day', '<=', to);
  if (direction !== anyDirection) superseded = superseded.where('direction', '=', direction);
  await superseded.execute();
  const fetched_at = fetchedAt.toISOString();
  await db
    .insertInto('coverage')
    .values({ ...place, from_day: from, to_day: to, fetched_at, documents })
    .execute();
}

/** See `Archive.store`. */
export async function storeWindow(
  connections: Connections,
  keepXml: boolean,
  window: FetchedWindow,
  arrivals: Iterable<Arrival> | AsyncIterable<Arrival>,
  signal?: AbortSignal,
): Promise<StoreOutcome> {
  checkPeriod(window);
  const { company, area } = window;
  const batches = await prepareAll(area, arrivals, keepXml, signal);
  return connections.write(async (db) => {
    const outcome = await writeBatches(db, { company, area, window }, batches, signal);
    await recordCoverage(db, window, outcome.added + outcome.replaced + outcome.unchanged);
    return outcome;
  });
}

/** See `Archive.keep`. */
export async function keepDocuments(
  connections: Connections,
  keepXml: boolean,
  { company, area }: Holding,
  arrivals: readonly Arrival[],
): Promise<StoreOutcome> {
  const batches = await prepareAll(area, arrivals, keepXml, undefined);
  return connections.write((db) => writeBatches(db, { company, area }, batches, undefined));
}
