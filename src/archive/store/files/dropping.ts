import { sql } from 'kysely';
import type { Connections } from '../engines/connections.ts';
import { createRollupChanges, mostChanges, type RollupChanges } from '../rollups/changes.ts';
import { rolledDocuments } from '../rollups/documents.ts';
import type { Session } from '../schema/schema.ts';
import { hasId, inParts } from '../schema/sql.ts';
import { cancelledKeys } from '../write/events.ts';
import { removeDocumentRows } from '../write/removal.ts';

const batchSize = 200;

async function* batches<T>(values: readonly T[]): AsyncGenerator<T[]> {
  for (let start = 0; start < values.length; start += batchSize) yield values.slice(start, start + batchSize);
}

/** Files that gave one of these too: they are read again, so that what they alone give now is there. */
async function markDue(
  { db, tenant }: Session,
  table: 'file_documents' | 'file_events',
  column: 'document_id' | 'event_id',
  ids: readonly number[],
): Promise<void> {
  await sql`
    update files set due = 1 where tenant = ${tenant} and root <> '' and id in (
      select file_id from ${sql.table(table)} where tenant = ${tenant} and ${sql.ref(column)} in (${sql.join([...ids])}))`.execute(
    db,
  );
}

/** Documents that only files gave go with everything that hangs on them; what the service gave too stays its own. */
async function dropDocuments(
  session: Session,
  ids: readonly number[],
  rollups: RollupChanges,
): Promise<void> {
  const { db, tenant } = session;
  for await (const part of batches(ids)) {
    const rows = await db
      .selectFrom('documents')
      .select(['id', 'source'])
      .where(hasId(db, tenant, part))
      .execute();
    const going = rows.filter(({ source }) => source === 'files').map(({ id }) => id);
    const staying = rows.filter(({ source }) => source === 'both').map(({ id }) => id);
    if (going.length > 0) {
      // Taken over for good: it stays whatever becomes of the files.
      const kept = new Set(await keptForGood(session, 'file_documents', 'document_id', going));
      const gone = going.filter((id) => !kept.has(id));
      await removeDocuments(session, gone, rollups);
    }
    if (staying.length > 0) {
      await sql`
        update documents set source = 'service' where ${hasId(db, tenant, staying)}
          and not exists (select 1 from file_documents f where f.tenant = documents.tenant and f.document_id = documents.id)`.execute(
        db,
      );
    }
  }
}

async function keptForGood(
  { db, tenant }: Session,
  table: 'file_documents' | 'file_events',
  column: 'document_id' | 'event_id',
  ids: readonly number[],
): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select distinct ${sql.ref(`r.${column}`)} as id from ${sql.table(table)} r
      join files f on f.tenant = r.tenant and f.id = r.file_id
    where r.tenant = ${tenant} and f.root = '' and ${sql.ref(`r.${column}`)} in (${sql.join([...ids])})`.execute(
    db,
  );
  return rows.map(({ id }) => id);
}

async function removeDocuments(
  session: Session,
  ids: readonly number[],
  rollups: RollupChanges,
): Promise<void> {
  if (ids.length === 0) return;
  await markDue(session, 'file_documents', 'document_id', ids);
  for (const document of await rolledDocuments(session, ids)) rollups.take(document);
  await removeDocumentRows(session, ids);
  if (rollups.size > mostChanges) await rollups.write(session);
}

/** Documents that nothing cancels any more are again what they say themselves. */
async function restoreStatuses(
  session: Session,
  keys: readonly string[],
  rollups: RollupChanges,
): Promise<void> {
  const { db, tenant } = session;
  const cancelled = await cancelledKeys(session, keys);
  const rows = await inParts(
    keys.filter((key) => !cancelled.has(key)),
    (part) =>
      db
        .selectFrom('documents')
        .select('id')
        .where('tenant', '=', tenant)
        .where('key', 'in', part)
        .where('status', '=', 'cancelled')
        .where('own_status', '<>', 'cancelled')
        .where('status_from', '=', 'event')
        .execute(),
  );
  const ids = rows.map(({ id }) => id);
  for await (const part of batches(ids)) {
    for (const document of await rolledDocuments(session, part)) rollups.take(document);
    await sql`
      update documents set status = own_status, status_from = 'document'
      where ${hasId(db, tenant, part)}`.execute(db);
    for (const document of await rolledDocuments(session, part)) rollups.add(document);
  }
}

async function dropEvents(session: Session, ids: readonly number[], rollups: RollupChanges): Promise<void> {
  const { db, tenant } = session;
  const keys: string[] = [];
  for await (const part of batches(ids)) {
    const kept = new Set(await keptForGood(session, 'file_events', 'event_id', part));
    const rows = await db
      .selectFrom('events')
      .select(['id', 'key', 'cancels'])
      .where('tenant', '=', tenant)
      .where('id', 'in', part)
      .where('origin', '=', 'files')
      .execute();
    const going = rows.filter(({ id }) => !kept.has(id));
    if (going.length === 0) continue;
    const goingIds = going.map(({ id }) => id);
    await markDue(session, 'file_events', 'event_id', goingIds);
    await sql`delete from file_events where tenant = ${tenant} and event_id in (${sql.join(goingIds)})`.execute(
      db,
    );
    await sql`delete from events where tenant = ${tenant} and id in (${sql.join(goingIds)})`.execute(db);
    keys.push(...going.filter(({ cancels }) => cancels === 1).map(({ key }) => key));
  }
  await restoreStatuses(session, [...new Set(keys)], rollups);
}

/** What these files gave goes, but for what is given otherwise; the files themselves stay known. */
export async function dropContents(session: Session, fileIds: readonly number[]): Promise<void> {
  const { db, tenant } = session;
  const documents = await inParts(fileIds, (part) =>
    db
      .selectFrom('file_documents')
      .select('document_id')
      .distinct()
      .where('tenant', '=', tenant)
      .where('file_id', 'in', part)
      .execute(),
  );
  const events = await inParts(fileIds, (part) =>
    db
      .selectFrom('file_events')
      .select('event_id')
      .distinct()
      .where('tenant', '=', tenant)
      .where('file_id', 'in', part)
      .execute(),
  );
  for await (const part of batches(fileIds)) {
    for (const table of ['file_documents', 'file_events', 'given_up_numbers'] as const) {
      await sql`delete from ${sql.table(table)} where tenant = ${tenant} and file_id in (${sql.join(part)})`.execute(
        db,
      );
    }
  }
  const rollups = createRollupChanges();
  await dropDocuments(session, [...new Set(documents.map(({ document_id }) => document_id))], rollups);
  await dropEvents(session, [...new Set(events.map(({ event_id }) => event_id))], rollups);
  await rollups.write(session);
}

/** See `FileIndex.forget`. */
export async function forgetFiles(
  connections: Connections,
  root: string,
  folder: string,
  names: readonly string[] | undefined,
): Promise<void> {
  await connections.write(undefined, async (session) => {
    const { db, tenant } = session;
    const inFolder = (part?: readonly string[]) => {
      const query = db
        .selectFrom('files')
        .select('id')
        .where('tenant', '=', tenant)
        .where('root', '=', root)
        .where('folder', '=', folder);
      return (part === undefined ? query : query.where('name', 'in', part)).execute();
    };
    const rows = names === undefined ? await inFolder() : await inParts(names, inFolder);
    const ids = rows.map(({ id }) => id);
    if (ids.length === 0) return;
    await dropContents(session, ids);
    for await (const part of batches(ids)) {
      await sql`delete from files where tenant = ${tenant} and id in (${sql.join(part)})`.execute(db);
    }
  });
}
