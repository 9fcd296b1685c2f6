import { type RawBuilder, sql } from 'kysely';
import type { Session } from '../schema/schema.ts';
import { inParts } from '../schema/sql.ts';
import { forgetSums } from '../sums/sums.ts';
import { renewEventCodes } from '../write/events.ts';
import { removeDocumentRows } from '../write/rows.ts';

/** References from files to the documents and events that they gave. */
const ofDocuments = { table: sql.table('file_documents'), column: sql.ref('document_id') } as const;
const ofEvents = { table: sql.table('file_events'), column: sql.ref('event_id') } as const;
type References = typeof ofDocuments | typeof ofEvents;

/** Whether a document or event was imported: it stays whatever happens to the files. */
function isImported({ tenant }: Session, { table, column }: References, id: string): RawBuilder<boolean> {
  return sql<boolean>`exists (select 1 from ${table} r join files f on f.tenant = r.tenant and f.id = r.file_id
    where r.tenant = ${tenant} and r.${column} = ${sql.ref(id)} and f.root = '')`;
}

/** Has other files that gave one of these read again, since the one that goes may have had another version. */
async function markDue({ db, tenant }: Session, { table, column }: References, ids: readonly number[]) {
  await sql`update files set due = 1 where tenant = ${tenant} and root <> '' and id in
    (select file_id from ${table} where tenant = ${tenant} and ${column} in (${sql.join([...ids])}))`.execute(
    db,
  );
}

/** Removes the references of files. @returns the ids of the documents or events */
async function takeReferences({ db, tenant }: Session, of: References, fileIds: readonly number[]) {
  const rows = await inParts(fileIds, async (part) => {
    const { rows: removed } = await sql<{ id: number }>`delete from ${of.table}
      where tenant = ${tenant} and file_id in (${sql.join(part)}) returning ${of.column} as id`.execute(db);
    return removed;
  });
  return [...new Set(rows.map(({ id }) => id))];
}

/** Removes documents that only files gave; of one that the service gave too it is noted. */
async function dropDocuments(session: Session, ids: readonly number[]): Promise<void> {
  const { db, tenant } = session;
  const { rows } = await sql<{ id: number }>`select id from documents
    where tenant = ${tenant} and id in (${sql.join([...ids])}) and source = 'files'
      and not ${isImported(session, ofDocuments, 'documents.id')}`.execute(db);
  const going = rows.map(({ id }) => id);
  if (going.length > 0) {
    await markDue(session, ofDocuments, going);
    await forgetSums(session, going);
    await removeDocumentRows(session, going);
  }
  await sql`update documents set source = 'service' where tenant = ${tenant} and id in (${sql.join([...ids])}) and source = 'both'
    and not exists (select 1 from file_documents r
      where r.tenant = documents.tenant and r.document_id = documents.id)`.execute(db);
}

/** Removes events that only files gave; a document that nothing cancels any more has its own status again. */
async function dropEvents(session: Session, ids: readonly number[]): Promise<void> {
  const { db, tenant } = session;
  const { rows } = await sql<{ id: number; key: string }>`select e.id, e.key from events e
    where e.tenant = ${tenant} and e.id in (${sql.join([...ids])}) and e.origin = 'files'
      and not ${isImported(session, ofEvents, 'e.id')}`.execute(db);
  if (rows.length === 0) return;
  const going = rows.map(({ id }) => id);
  await markDue(session, ofEvents, going);
  await db.deleteFrom('file_events').where('tenant', '=', tenant).where('event_id', 'in', going).execute();
  await db.deleteFrom('events').where('tenant', '=', tenant).where('id', 'in', going).execute();
  const keys = [...new Set(rows.map(({ key }) => key))];
  await renewEventCodes(session, keys);
  const { rows: restored } = await sql<{ id: number }>`select d.id from documents d
    where d.tenant = ${tenant} and d.key in (${sql.join(keys)})
      and d.status = 'cancelled' and d.own_status <> 'cancelled' and d.status_from = 'event'
      and not exists (select 1 from events e
        where e.tenant = d.tenant and e.key = d.key and e.cancels = 1)`.execute(db);
  if (restored.length === 0) return;
  const documents = restored.map(({ id }) => id);
  await forgetSums(session, documents);
  await sql`update documents set status = own_status, status_from = 'document'
    where tenant = ${tenant} and id in (${sql.join([...documents])})`.execute(db);
}

/** Removes what only these files gave. The files themselves stay known. */
export async function dropContents(session: Session, fileIds: readonly number[]): Promise<void> {
  const { db, tenant } = session;
  const each = (ids: readonly number[], work: (part: readonly number[]) => Promise<unknown>) =>
    inParts(ids, async (part) => {
      await work(part);
      return [];
    });
  const documents = await takeReferences(session, ofDocuments, fileIds);
  const events = await takeReferences(session, ofEvents, fileIds);
  await each(fileIds, (part) =>
    db.deleteFrom('given_up_numbers').where('tenant', '=', tenant).where('file_id', 'in', part).execute(),
  );
  await each(documents, (part) => dropDocuments(session, part));
  await each(events, (part) => dropEvents(session, part));
}
