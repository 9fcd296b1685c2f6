import { sql } from 'kysely';
import { ArchiveCancelled } from '../errors.ts';
import { isVoid } from '../schema/expressions.ts';
import type { DocumentRow, Session } from '../schema/schema.ts';
import { deleteRows, findRows, inParts, updateRows } from '../schema/sql.ts';
import type { DocumentChange, Sighting, StoreOutcome } from './arrival.ts';
import { eventMarks, renewEventCodes, standingCodes, writeEvents } from './events.ts';
import { changedPlacements, writePlacements } from './placements.ts';
import { candidatesFrom, type Known, type Plan, planFresh, planKnown } from './plans.ts';
import { type Batch, type PreparedDocument, partsOf, preparePart } from './prepare.ts';
import {
  idsOfTexts,
  insertNewDocuments,
  overwriteDocuments,
  setContentsAside,
  writeContents,
  writeOtherContents,
  writeParties,
} from './rows.ts';
import { forgetSums } from './sums.ts';

/** Whether a day of issue had been fetched before these documents came. */
export type WasKnown = (day: string) => boolean;

interface Work {
  readonly session: Session;
  readonly sighting: Sighting;
  readonly changes: DocumentChange[];
  /** When each was cancelled, by key, as far as events say. */
  readonly cancelledAt: ReadonlyMap<string, string>;
  readonly wasKnown: WasKnown;
}

type IdsOfTexts = ReadonlyMap<string, number>;

function rowOf(
  { session: { tenant }, sighting: { at, source } }: Work,
  { row, head }: PreparedDocument,
  heads: IdsOfTexts,
  status: string,
  own_status = row.own_status,
): DocumentRow {
  const status_from: DocumentRow['status_from'] = status === own_status ? 'document' : 'event';
  const sighted = { fetched_at: at, source, status_at: at, status_from, contents: 1 };
  return { tenant, head_id: heads.get(head) ?? 0, ...row, own_status, status, ...sighted };
}

/** Documents as they are stored, by their identities; with their summaries where others came now. */
async function findKnown(
  session: Session,
  documents: readonly PreparedDocument[],
): Promise<Map<string, Known>> {
  const { db, tenant } = session;
  const digests = new Map(documents.map(({ identity, digest }) => [identity, digest]));
  const identities = [...digests.keys()];
  const rows = await inParts(identities, (part) =>
    db
      .selectFrom('documents')
      .select(['id', 'identity', 'key', 'digest', 'kind', 'own_status', 'status', 'source', 'status_at'])
      .select(['number', 'issued_at', 'issuer', 'recipient', 'item_count'])
      .select(sql<string | null>`cast(total as text)`.as('total'))
      .select(
        sql<number>`(select count(c.xml) from contents c
          where c.tenant = documents.tenant and c.document_id = documents.id)`.as('xmls'),
      )
      .where('tenant', '=', tenant)
      .where('identity', 'in', part)
      .execute(),
  );
  const changed = rows.filter(({ identity, digest }) => digests.get(identity) !== digest);
  const ids = changed.map(({ id }) => id);
  const stored = await findRows(session, 'contents', ['document_id', 'summary'], 'document_id', ids);
  const summaries = new Map(stored.map(({ document_id, summary }) => [document_id, summary]));
  return new Map(rows.map((row) => [row.identity, { ...row, summary: summaries.get(row.id) }]));
}

/** Adds new documents, locks the others, in the order of identities against deadlocks, and plans what to do about each. */
async function plansFor(
  work: Work,
  arrived: readonly PreparedDocument[],
  heads: IdsOfTexts,
): Promise<Plan[]> {
  const { session, sighting } = work;
  const marks = await eventMarks(
    session,
    arrived.map(({ row }) => row.key),
  );
  const documents = arrived.map((document) => {
    const known = marks.get(document.row.key);
    if (known === undefined) return document;
    return { ...document, row: { ...document.row, events: standingCodes(document.row.own_events, known) } };
  });
  const candidates = candidatesFrom(documents);
  const cancelled = new Set(
    [...marks].filter(([, known]) => known.some(({ cancels }) => cancels === 1)).map(([key]) => key),
  );
  const added = await insertNewDocuments(
    session,
    candidates.map(({ document }) => {
      const { own_status, key } = document.row;
      return rowOf(work, document, heads, cancelled.has(key) ? 'cancelled' : own_status);
    }),
  );
  const fresh = new Map(added.map(({ id, identity }) => [identity, id]));
  const knownBefore = candidates.filter(({ document }) => !fresh.has(document.identity));
  const known = await findKnown(
    session,
    knownBefore.map(({ document }) => document),
  );
  return candidates.flatMap((candidate) => {
    const { identity, row } = candidate.document;
    const [id, before, isCancelled] = [fresh.get(identity), known.get(identity), cancelled.has(row.key)];
    if (id !== undefined) return [planFresh(candidate, id, isCancelled)];
    return before === undefined ? [] : [planKnown(candidate, before, isCancelled, sighting.source)];
  });
}

/** Writes contents that are new or others than before. */
async function rewrite(work: Work, plans: readonly Plan[], heads: IdsOfTexts): Promise<void> {
  const { session, sighting } = work;
  const documents = plans.map(({ document }) => document);
  const words = documents.flatMap(({ lines }) =>
    lines.flatMap(({ description, code, order }) => [description, code, order]),
  );
  const descriptions = await idsOfTexts(session, 'descriptions', new Set(words));
  await writeParties(session, documents);
  const idsWhere = (isIt: (plan: Plan) => boolean) => plans.filter(isIt).map(({ id }) => id);
  await setContentsAside(
    session,
    idsWhere(({ setsAside }) => setsAside),
  );
  const rewritten = idsWhere(({ known }) => known !== undefined);
  for (const table of ['items', 'installments', 'remarks', 'contents'] as const)
    await deleteRows(session, table, 'document_id', rewritten);
  const rows = plans.flatMap(({ known, document, own_status, status }): DocumentRow[] => {
    if (known === undefined) return [];
    const row = rowOf(work, document, heads, status, own_status);
    // A file doesn't say what the service would say now.
    const status_at =
      known.source !== 'files' && sighting.source === 'files' ? known.status_at : row.status_at;
    const source = known.source === sighting.source ? known.source : 'both';
    return [{ ...row, status_at, source }];
  });
  await overwriteDocuments(session, rows);
  await writeContents(session, plans, descriptions);
}

const hasNewStatus = ({ known, own_status, status }: Plan): boolean =>
  known !== undefined && (known.status !== status || known.own_status !== own_status);

/** Notes that documents came again as they were, with what has changed of their status. */
async function writeSightings(
  { db, tenant }: Session,
  plans: readonly Plan[],
  { at, source }: Sighting,
): Promise<void> {
  for (const { id, own_status, status } of plans.filter(hasNewStatus)) {
    await db
      .updateTable('documents')
      .set({ own_status, status })
      .where('id', '=', id)
      .where('tenant', '=', tenant)
      .execute();
  }
  if (plans.length === 0) return;
  const known = sql`tenant = ${tenant} and id in (${sql.join(plans.map(({ id }) => id))})`;
  // A file doesn't say what the service would say now.
  if (source === 'files') {
    await sql`
      update documents set fetched_at = ${at},
        source = case when source = 'files' then source else 'both' end
      where ${known}`.execute(db);
    return;
  }
  await sql`
    update documents set fetched_at = ${at}, status_at = ${at},
      status_from = case when status <> own_status then 'event' else 'document' end,
      source = case when source = ${source} then source else 'both' end
    where ${known}`.execute(db);
}

function noteCancelled({ changes, cancelledAt }: Work, { key, status }: Pick<Known, 'key' | 'status'>): void {
  if (!isVoid(status)) changes.push({ key, what: 'cancelled', at: cancelledAt.get(key) || undefined });
}

function noteChanges(work: Work, plans: readonly Plan[]): void {
  for (const { known, status, document } of plans) {
    const { key, issued_at } = document.row;
    if (known !== undefined && status === 'cancelled') noteCancelled(work, known);
    if (known === undefined && work.wasKnown(issued_at.slice(0, 10)))
      work.changes.push({ key, what: 'new', at: issued_at || undefined });
  }
}

/** Writes documents that came together; returns what was planned for each. */
async function writePart(work: Work, part: Batch['documents']): Promise<Plan[]> {
  const { session, sighting } = work;
  const documents = await preparePart(part);
  const heads = await idsOfTexts(session, 'heads', new Set(documents.map(({ head }) => head)));
  const plans = await plansFor(work, documents, heads);
  const seen = plans.filter(({ isRewritten }) => !isRewritten);
  const moved = await changedPlacements(
    session,
    sighting,
    plans.filter(({ document, others }) => !others.includes(document)),
  );
  const changing = [
    ...plans.filter((plan) => plan.isRewritten || hasNewStatus(plan)).map(({ id }) => id),
    ...moved.map(({ document_id }) => document_id),
  ];
  await forgetSums(session, changing);
  await rewrite(
    work,
    plans.filter(({ isRewritten }) => isRewritten),
    heads,
  );
  await writeSightings(session, seen, sighting);
  await writeOtherContents(
    session,
    plans.filter(({ others, setsAside }) => others.length > 0 || setsAside),
    sighting.at,
  );
  await writePlacements(session, moved);
  // The months that they are placed in now.
  await forgetSums(session, changing);
  noteChanges(work, plans);
  return plans;
}

/** Cancels documents that are stored and not among those that came. */
async function cancelOthers(work: Work): Promise<void> {
  const { session, sighting, cancelledAt } = work;
  const status_from = sighting.events === 'service' || sighting.events === 'write' ? 'service' : 'event';
  const keys = [...cancelledAt.keys()].filter((key) => key !== '');
  const found = await findRows(session, 'documents', ['id', 'key', 'status'], 'key', keys);
  const others = found.filter(({ status }) => status !== 'cancelled');
  const ids = others.map(({ id }) => id);
  await forgetSums(session, ids);
  const cancelled = sql`status = 'cancelled', status_at = ${sighting.at}, status_from = ${status_from}`;
  await updateRows(session, 'documents', cancelled, 'id', ids);
  for (const known of others) noteCancelled(work, known);
}

const eventChanges: Readonly<Record<string, DocumentChange['what']>> = {
  110110: 'corrected',
  210200: 'manifested',
  210210: 'manifested',
  210220: 'manifested',
  210240: 'manifested',
};

/** Notes registered events of documents that were stored before. */
async function noteEvents(
  { session, changes }: Work,
  fresh: ReadonlySet<number>,
  events: readonly { readonly key: string; readonly code: string; readonly at: string }[],
): Promise<void> {
  const keys = events.map(({ key }) => key);
  const rows = await findRows(session, 'documents', ['id', 'key'], 'key', keys);
  const known = new Set(rows.filter(({ id, key }) => key !== '' && !fresh.has(id)).map(({ key }) => key));
  for (const { key, code, at } of events) {
    const what = eventChanges[code];
    if (what !== undefined && known.has(key)) changes.push({ key, what, at: at || undefined });
  }
}

/** The more important changes come first, and so many are named. */
const order = ['cancelled', 'corrected', 'manifested', 'new'];
const mostNamed = 200;

function firstOf(changes: readonly DocumentChange[]): DocumentChange[] {
  const place = ({ what, key }: DocumentChange) => `${order.indexOf(what)} ${key}`;
  return changes.toSorted((one, other) => (place(one) < place(other) ? -1 : 1)).slice(0, mostNamed);
}

/**
 * Writes a batch: documents replace themselves, events change the status of theirs, and sums they were in are stale. To
 * be called in a writing transaction. Nothing in it depends on an earlier try of the same transaction.
 */
export async function writeBatch(
  session: Session,
  sighting: Sighting,
  batch: Batch,
  wasKnown: WasKnown,
  signal?: AbortSignal,
): Promise<StoreOutcome> {
  const registered = await writeEvents(session, batch.events, sighting);
  const changes: DocumentChange[] = [];
  const cancelling = batch.events.filter(({ cancels }) => cancels === 1);
  const cancelledAt = new Map(cancelling.map(({ key, at }) => [key, at]));
  const work = { session, sighting, changes, cancelledAt, wasKnown };
  const fresh = new Set<number>();
  for (const part of partsOf(batch.documents)) {
    if (signal?.aborted) throw new ArchiveCancelled();
    for (const { id, known } of await writePart(work, part)) if (known === undefined) fresh.add(id);
  }
  await cancelOthers(work);
  await renewEventCodes(
    session,
    batch.events.map(({ key }) => key),
  );
  await noteEvents(work, fresh, registered);
  return { added: fresh.size, changes: firstOf(changes), changes_total: changes.length };
}
