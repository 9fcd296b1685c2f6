import { sql } from 'kysely';
import { daysOf } from '../../documents/days.ts';
import { isVoid } from '../../documents/summary/summary.ts';
import { ArchiveError } from '../errors.ts';
import type { DocumentRow, Session } from '../schema/schema.ts';
import { changeRows, findRows, inParts, insertRows, replacing, select } from '../schema/sql.ts';
import type { Batch, DocumentChange, HeldDocument, Provenance, StoreOutcome } from './arrival.ts';
import { coverageTouching, daysCovered } from './coverage.ts';
import { applyEvents, writeEvents } from './events.ts';
import { type Known, type Plan, type PreparedDocument, planFor, preparePart } from './prepare.ts';
import { changedPlacements, countContents, keepContents, writeContents, writePlacements } from './rows.ts';
import { forgetSums } from './sums.ts';

/** Documents looked up and written at a time, so that memory doesn't grow with the batch. */
const mostAtOnce = 600;

/**
 * Splits a batch's documents into parts ordered by identity, to prevent deadlocks. Identities are unique within a part:
 * another version of a document goes to a later part.
 */
export function partsOf(documents: Batch['documents']): Batch['documents'][] {
  const rounds: HeldDocument[][] = [];
  const times = new Map<string, number>();
  for (const document of documents) {
    const time = times.get(document.identity) ?? 0;
    times.set(document.identity, time + 1);
    rounds[time] ??= [];
    rounds[time].push(document);
  }
  return rounds.flatMap((round) => {
    round.sort((one, other) => (one.identity < other.identity ? -1 : 1));
    const count = Math.ceil(round.length / mostAtOnce);
    return Array.from({ length: count }, (_, at) => round.slice(at * mostAtOnce, (at + 1) * mostAtOnce));
  });
}

/** Stored documents by identity, with their summaries if the received ones differ. */
async function findKnown(
  session: Session,
  documents: readonly PreparedDocument[],
): Promise<Map<string, Known>> {
  const { db, tenant } = session;
  const digests = new Map(documents.map(({ identity, digest }) => [identity, digest]));
  const rows = await inParts([...digests.keys()], (part) =>
    select<Omit<Known, 'summary'>>(
      db,
      sql`select d.id, d.identity, d.key, d.digest, d.kind, d.own_status, d.status, d.source, d.status_at,
          d.number, d.issued_at, d.issuer, d.recipient, d.item_count, cast(d.total as text) as total,
          (select count(c.xml) from contents c where c.tenant = d.tenant and c.document_id = d.id) as xmls
        from documents d where d.tenant = ${tenant} and d.identity in (${sql.join(part)})`,
    ),
  );
  const changed = rows.filter(({ identity, digest }) => digests.get(identity) !== digest);
  const ids = changed.map(({ id }) => id);
  const stored = await findRows(session, 'contents', ['document_id', 'summary'], 'document_id', ids);
  const summaries = new Map(stored.map(({ document_id, summary }) => [document_id, summary]));
  return new Map(rows.map((row) => [row.identity, { ...row, summary: summaries.get(row.id) }]));
}

/** Inserts new documents, and returns a plan for each document. */
async function plansFor(session: Session, documents: readonly PreparedDocument[]): Promise<Plan[]> {
  const added = await insertRows<'documents', { id: number; identity: string }>(
    session.db,
    'documents',
    documents.map(({ row }) => row),
    // Locks known rows without changing them.
    'on conflict (tenant, identity) do update set identity = excluded.identity where 1 = 0 returning id, identity',
  );
  const fresh = new Map(added.map(({ id, identity }) => [identity, id]));
  const known = await findKnown(
    session,
    documents.filter(({ identity }) => !fresh.has(identity)),
  );
  return documents.flatMap((document) => {
    const before = known.get(document.identity);
    const id = fresh.get(document.identity) ?? before?.id;
    return id === undefined ? [] : [planFor(id, document, before)];
  });
}

/** Writes new or changed contents. */
async function rewrite(session: Session, plans: readonly Plan[]): Promise<void> {
  const rows: DocumentRow[] = [];
  const rewritten: number[] = [];
  for (const { id, known, document, statuses } of plans) {
    if (known === undefined) continue;
    const { row } = document;
    // A file doesn't confirm the current status.
    const status_at = known.source !== 'files' && row.source === 'files' ? known.status_at : row.status_at;
    const source = known.source === row.source ? known.source : 'both';
    rows.push({ ...row, ...statuses, status_at, source });
    rewritten.push(id);
  }
  for (const table of ['items', 'installments', 'document_texts', 'contents', 'judgements'] as const)
    await changeRows(session, sql`delete from ${sql.table(table)}`, 'document_id', rewritten);
  const changed = Object.keys(rows[0] ?? {}).filter((name) => name !== 'contents');
  await insertRows(session.db, 'documents', rows, replacing('documents', changed));
  await writeContents(session, plans);
}

const hasNewStatus = ({ known, statuses }: Plan): boolean =>
  known !== undefined && (known.status !== statuses.status || known.own_status !== statuses.own_status);

/** Records documents received again unchanged, and their new status. */
async function recordUnchanged(
  session: Session,
  { at, source }: Provenance,
  plans: readonly Plan[],
): Promise<void> {
  for (const { id, statuses } of plans.filter(hasNewStatus)) {
    const changed = sql`own_status = ${statuses.own_status}, status = ${statuses.status}`;
    await changeRows(session, sql`update documents set ${changed}`, 'id', [id]);
  }
  const came = sql`fetched_at = ${at}, source = case when source = ${source} then source else 'both' end`;
  // A file doesn't confirm the current status.
  const asked = sql`status_at = ${at},
    status_from = case when status <> own_status then 'event' else 'document' end`;
  const ids = plans.map(({ id }) => id);
  const change = source === 'files' ? came : sql`${came}, ${asked}`;
  await changeRows(session, sql`update documents set ${change}`, 'id', ids);
}

/** Writes documents together; returns the plan of each. */
async function writePart(
  session: Session,
  provenance: Provenance,
  held: Batch['documents'],
): Promise<Plan[]> {
  const plans = await plansFor(session, await preparePart(session, provenance, held));
  const rewritten = plans.filter(({ isRewritten }) => isRewritten);
  const unchanged = plans.filter(({ isRewritten }) => !isRewritten);
  const contradicted = plans.filter(({ contradicts }) => contradicts);
  const placed = plans.filter(({ contradicts, counts }) => counts || !contradicts);
  const moved = await changedPlacements(session, provenance, placed);
  const changing = [
    ...plans.filter((plan) => plan.isRewritten || hasNewStatus(plan)).map(({ id }) => id),
    ...moved.map(({ document_id }) => document_id),
  ];
  await forgetSums(session, changing);
  await keepContents(session, contradicted);
  await rewrite(session, rewritten);
  await recordUnchanged(session, provenance, unchanged);
  await countContents(session, contradicted);
  await writePlacements(session, moved);
  // Invalidates the months of the new placements too.
  await forgetSums(session, changing);
  return plans;
}

const eventChanges: Readonly<Record<string, DocumentChange['what']>> = {
  110110: 'corrected',
  210200: 'manifested',
  210210: 'manifested',
  210220: 'manifested',
  210240: 'manifested',
};

/** Changes by importance; the first `mostNamed` are listed. */
const order = ['cancelled', 'corrected', 'manifested', 'new'];
const mostNamed = 200;

/** Returns a check whether a day of issue was fetched before; for other dates, whether the whole window was. */
async function daysKnown(session: Session, window: Provenance['window']): Promise<(day: string) => boolean> {
  if (window === undefined) return () => false;
  const isKnown = daysCovered(await coverageTouching(session, window), window);
  if (window.by === 'issue') return isKnown;
  const isWhole = daysOf(window).every(isKnown);
  return () => isWhole;
}

/**
 * Writes a batch: documents replace their stored versions, events update their documents' status, and affected sums
 * become stale. Call it in a writing transaction; it can be retried, since it keeps no state between attempts.
 */
export async function writeBatch(
  session: Session,
  provenance: Provenance,
  batch: Batch,
  signal?: AbortSignal,
): Promise<StoreOutcome> {
  const wasKnown = await daysKnown(session, provenance.window);
  const registered = await writeEvents(session, batch.events, provenance);
  const changes: DocumentChange[] = [];
  const cancelling = batch.events.filter(({ cancels }) => cancels === 1);
  const cancelledAt = new Map(cancelling.map(({ key, at }) => [key, at]));
  const note = (what: DocumentChange['what'], key: string, at: string | undefined) =>
    changes.push({ key, what, at: at || undefined });

  const fresh = new Set<number>();
  for (const part of partsOf(batch.documents)) {
    if (signal?.aborted) throw new ArchiveError('cancelled');
    for (const { id, known, document, statuses } of await writePart(session, provenance, part)) {
      const { key, issued_at } = document.row;
      if (known === undefined) fresh.add(id);
      if (known === undefined && wasKnown(issued_at.slice(0, 10))) note('new', key, issued_at);
      if (known && !fresh.has(id) && statuses.status === 'cancelled' && !isVoid(known.status))
        note('cancelled', known.key, cancelledAt.get(known.key));
    }
  }

  const affected = await applyEvents(
    session,
    batch.events.map(({ key }) => key),
    provenance,
  );
  const known = new Set<string>();
  for (const { id, key, status, isNewlyCancelled } of affected) {
    if (isNewlyCancelled && !isVoid(status)) note('cancelled', key, cancelledAt.get(key));
    if (!fresh.has(id)) known.add(key);
  }
  for (const { key, code, at } of registered) {
    const what = eventChanges[code];
    if (what !== undefined && known.has(key)) note(what, key, at);
  }
  const place = ({ what, key }: DocumentChange) => `${order.indexOf(what)} ${key}`;
  const sorted = changes.toSorted((one, other) => (place(one) < place(other) ? -1 : 1));
  return { added: fresh.size, changes: sorted.slice(0, mostNamed), changes_total: changes.length };
}
