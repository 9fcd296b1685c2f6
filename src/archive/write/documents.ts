import { sql } from 'kysely';
import { ArchiveCancelled } from '../errors.ts';
import { latestBelievable } from '../freshness.ts';
import { isVoid } from '../schema/expressions.ts';
import type { Session } from '../schema/schema.ts';
import { hasId, inParts } from '../schema/sql.ts';
import { forgetSums } from '../sums/sums.ts';
import type { StoreOutcome } from './arrival.ts';
import { type Changes, createChanges } from './changes.ts';
import { claimDocuments, type Known } from './claim.ts';
import {
  addMissingXml,
  type OtherContent,
  setContentsAside,
  writeContents,
  writeOtherContents,
} from './contents.ts';
import { newRow, overwrite } from './document-rows.ts';
import { cancelledKeys, type PreparedEvent, writeEvents } from './events.ts';
import { type Batch, partsOf, preparedPart } from './incoming.ts';
import { describe, headsOf, type Numbers, writeLines, writeParties } from './lines-and-names.ts';
import { changedPlacements, freshPlacements, type Sighting, writePlacements } from './placements.ts';
import { candidatesFrom, isKept, type Kept, type Plan, planFor } from './plans.ts';

/** So many at a time that lookups are shared and nothing holds up the event loop for long. */
const batchSize = 64;

function hasNewStatus({ known, own_status, status }: Kept): boolean {
  return known.status !== status || known.own_status !== own_status;
}

/** Documents that events of this batch cancel, by their identities. */
async function cancelledDocuments(
  { db, tenant }: Session,
  events: readonly PreparedEvent[],
): Promise<string[]> {
  const keys = events.filter(({ cancels, key }) => cancels === 1 && key !== '').map(({ key }) => key);
  const rows = await inParts(keys, (part) =>
    db
      .selectFrom('documents')
      .select('identity')
      .where('tenant', '=', tenant)
      .where('key', 'in', part)
      .where('status', '!=', 'cancelled')
      .execute(),
  );
  return rows.map(({ identity }) => identity);
}

/** The ids of the texts that documents have in common with others. */
interface Texts {
  readonly descriptions: Numbers;
  readonly heads: Numbers;
}

const noTexts: Texts = { descriptions: new Map(), heads: new Map() };

/** Writes what the documents say with all that hangs on it. */
async function writeContent(
  session: Session,
  plans: readonly Plan[],
  sighting: Sighting,
  texts: Texts,
): Promise<void> {
  const { db, tenant } = session;
  const before = plans.filter(isKept);
  if (before.length > 0) {
    const ids = before.map(({ id }) => id);
    await setContentsAside(
      session,
      before.filter(({ setsAside }) => setsAside).map(({ id }) => id),
    );
    await db.deleteFrom('items').where('tenant', '=', tenant).where('document_id', 'in', ids).execute();
    const rows = before.map(({ document, own_status, status, known }) => {
      const { sighted } = newRow(tenant, document, texts.heads, sighting, status === 'cancelled');
      return {
        document,
        sighted: {
          ...sighted,
          own_status,
          status,
          status_from: status === own_status ? ('document' as const) : ('event' as const),
          ...(known.source !== 'files' && sighting.source === 'files' ? { status_at: known.status_at } : {}),
          source: known.source === sighting.source ? known.source : ('both' as const),
        },
      };
    });
    await overwrite(session, rows);
  }
  const documents = new Map(plans.map(({ id, document }) => [id, document]));
  await writeContents(
    session,
    documents,
    before.map(({ id }) => id),
  );
  await writeLines(
    session,
    new Map(plans.map(({ id, document }) => [id, document.lines])),
    texts.descriptions,
  );
}

/** Documents that are as they were: that they were seen again, and what has become of their status. */
async function writeSightings(
  { db, tenant }: Session,
  plans: readonly Kept[],
  { at, source, clock }: Sighting,
): Promise<void> {
  for (const { id, own_status, status } of plans.filter(hasNewStatus)) {
    await db
      .updateTable('documents')
      .set({ own_status, status })
      .where('tenant', '=', tenant)
      .where('id', '=', id)
      .execute();
  }
  if (plans.length === 0) return;
  const known = hasId(
    db,
    tenant,
    plans.map(({ id }) => id),
  );
  const isOlder = sql`(fetched_at <= ${at} or fetched_at > ${latestBelievable(clock)})`;
  // A file tells nothing of what the service would say now.
  if (source === 'files') {
    await sql`
      update documents set fetched_at = case when ${isOlder} then ${at} else fetched_at end,
        source = case when source = 'files' then source else 'both' end
      where ${known}`.execute(db);
    return;
  }
  await sql`
    update documents set fetched_at = ${at}, status_at = ${at},
      status_from = case when status <> own_status then 'event' else 'document' end,
      source = case when source = ${source} then source else 'both' end
    where ${known} and ${isOlder}`.execute(db);
}

async function cancel({ db, tenant }: Session, ids: readonly number[], sighting: Sighting): Promise<void> {
  if (ids.length === 0) return;
  const status_from = sighting.events === 'service' || sighting.events === 'write' ? 'service' : 'event';
  await db
    .updateTable('documents')
    .set({ status: 'cancelled', status_at: sighting.at, status_from })
    .where(hasId(db, tenant, ids))
    .execute();
}

function noteCancelled(
  changes: Changes,
  known: Pick<Known, 'key' | 'status'>,
  events: ReadonlyMap<string, string>,
) {
  if (!isVoid(known.status)) {
    changes.note({ key: known.key, what: 'cancelled', at: events.get(known.key) || undefined });
  }
}

/** Whether a day of issue had been fetched before these documents came. */
export type WasKnown = (day: string) => boolean;

interface Work {
  readonly session: Session;
  readonly sighting: Sighting;
  readonly changes: Changes;
  /** When each was cancelled, by key, as far as events say. */
  readonly cancelledAt: ReadonlyMap<string, string>;
  readonly wasKnown: WasKnown;
}

async function writePlans(
  work: Work,
  plans: readonly Plan[],
  cancelled: readonly Known[],
  texts: Texts,
): Promise<void> {
  const { session, sighting, changes, cancelledAt } = work;
  const kept = plans.filter(isKept);
  const rewritten = plans.filter(({ isRewritten }) => isRewritten);
  const seen = kept.filter(({ isRewritten }) => !isRewritten);
  const moved = await changedPlacements(
    session,
    sighting,
    new Map(
      kept
        .filter(({ document, others }) => !others.includes(document))
        .map(({ id, document }) => [id, document]),
    ),
  );
  const changing = new Set([
    ...[...rewritten.filter(isKept), ...seen.filter(hasNewStatus)].map(({ id }) => id),
    ...moved.map(({ document_id }) => document_id),
    ...cancelled.map(({ id }) => id),
  ]);
  await forgetSums(session, [...changing]);

  await writeContent(session, rewritten, sighting, texts);
  await writeSightings(session, seen, sighting);
  await cancel(
    session,
    cancelled.map(({ id }) => id),
    sighting,
  );
  await addMissingXml(
    session,
    new Map(
      seen
        .filter(({ known, document }) => known.digest === document.row.digest)
        .map(({ id, document }) => [id, document]),
    ),
  );
  const others: OtherContent[] = plans.flatMap(({ id, others: all }) =>
    all.map((document) => ({ document_id: id, document })),
  );
  const asideOf = plans.filter(({ setsAside }) => setsAside).map(({ id }) => id);
  await writeOtherContents(session, others, asideOf, sighting.at);
  const added = rewritten.filter((plan) => !isKept(plan));
  const placed = freshPlacements(
    session.tenant,
    sighting,
    new Map(added.map(({ id, document }) => [id, document])),
  );
  await writePlacements(session, [...moved, ...placed]);

  await forgetSums(
    session,
    [...moved, ...placed].map(({ document_id }) => document_id),
  );
  for (const { known, status } of kept)
    if (status === 'cancelled') noteCancelled(changes, known, cancelledAt);
  for (const known of cancelled) noteCancelled(changes, known, cancelledAt);
  for (const { document } of added) {
    const { key, issued_at } = document.row;
    if (work.wasKnown(issued_at.slice(0, 10))) changes.note({ key, what: 'new', at: issued_at || undefined });
  }
}

/** Events of documents that were known before. */
async function noteEvents(
  { session, changes }: Work,
  fresh: ReadonlySet<number>,
  events: readonly Pick<PreparedEvent, 'key' | 'code' | 'at'>[],
): Promise<void> {
  const { db, tenant } = session;
  const rows = await inParts([...new Set(events.map(({ key }) => key))], (part) =>
    db
      .selectFrom('documents')
      .select(['id', 'key'])
      .where('tenant', '=', tenant)
      .where('key', 'in', part)
      .execute(),
  );
  const known = new Set(rows.filter(({ id, key }) => key !== '' && !fresh.has(id)).map(({ key }) => key));
  for (const event of events) if (known.has(event.key)) changes.noteEvent(event);
}

/** Writes documents that come together; gives what was planned for each. */
async function writePart(work: Work, part: Batch['documents'], signal?: AbortSignal): Promise<Plan[]> {
  const { session, sighting } = work;
  const candidates = candidatesFrom(await preparedPart(part));
  const rows = candidates.map(({ document }) => document);
  const keys = rows.map(({ row }) => row.key).filter((key) => key !== '');
  const cancelled = await cancelledKeys(session, keys);
  const heads = await headsOf(
    session,
    rows.map(({ head }) => head),
  );
  const claim = await claimDocuments(
    session,
    rows.map((document) =>
      newRow(session.tenant, document, heads, sighting, cancelled.has(document.row.key)),
    ),
    [],
  );
  const plans = candidates.flatMap((candidate) => planFor(candidate, claim, cancelled, sighting.source));
  const rewritten = plans.filter(({ isRewritten }) => isRewritten).map(({ document }) => document);
  const texts = { heads, descriptions: await describe(session, rewritten) };
  await writeParties(session, rewritten);
  for (let start = 0; start < plans.length; start += batchSize) {
    if (signal?.aborted) throw new ArchiveCancelled();
    await writePlans(work, plans.slice(start, start + batchSize), [], texts);
  }
  return plans;
}

/** Cancels documents that are in the archive and not among those that came. */
async function cancelOthers(work: Work, { documents, events }: Batch): Promise<void> {
  const here = new Set(documents.map(({ identity }) => identity));
  const identities = await cancelledDocuments(work.session, events);
  const { known } = await claimDocuments(
    work.session,
    [],
    identities.filter((identity) => !here.has(identity)),
  );
  const others = [...known.values()];
  for (let start = 0; start < others.length; start += batchSize) {
    await writePlans(work, [], others.slice(start, start + batchSize), noTexts);
  }
}

/**
 * Writes what came: documents replace themselves, events change the status of theirs, and sums they were in are stale.
 * To be called in a writing transaction. Nothing in it depends on what an earlier try of the same transaction did.
 */
export async function writeBatch(
  session: Session,
  sighting: Sighting,
  batch: Batch,
  wasKnown: WasKnown,
  signal?: AbortSignal,
): Promise<StoreOutcome> {
  const events = await writeEvents(session, batch.events, sighting);
  const changes = createChanges();
  const cancelledAt = new Map(
    batch.events.filter(({ cancels }) => cancels === 1).map(({ key, at }) => [key, at]),
  );
  const work = { session, sighting, changes, cancelledAt, wasKnown };
  const fresh = new Set<number>();
  const count = { documents: 0, replaced: 0 };
  for (const part of partsOf(batch.documents)) {
    const plans = await writePart(work, part, signal);
    count.documents += plans.length;
    count.replaced += plans.filter((plan) => isKept(plan) && plan.isRewritten).length;
    for (const { id, known } of plans) if (known === undefined) fresh.add(id);
  }
  await cancelOthers(work, batch);
  await noteEvents(work, fresh, events.registered);
  return {
    added: fresh.size,
    replaced: count.replaced,
    unchanged: count.documents - count.replaced - fresh.size,
    events: events.changed,
    ...changes.result(),
  };
}
