import { sql } from 'kysely';
import type { Connections } from '../../engines/connections.ts';
import type { Session } from '../../schema/schema.ts';
import { type Condition, hasId, inParts } from '../../schema/sql.ts';
import { forgetSums } from '../../sums/sums.ts';
import { removeDocumentRows } from '../../write/removal.ts';

/** Where it stands which files gave a document or an event. */
const ofDocuments = { table: 'file_documents', column: 'document_id' } as const;
const ofEvents = { table: 'file_events', column: 'event_id' } as const;
type References = typeof ofDocuments | typeof ofEvents;

/** References `r` of a tenant that meet a condition, with their files `f`. */
function referencesWith({ tenant }: Session, { table }: References, condition: Condition) {
  return sql`${sql.table(table)} r join files f on f.tenant = r.tenant and f.id = r.file_id
    where r.tenant = ${tenant} and ${condition}`;
}

/** Whether a document or event of this id was taken over for good: it stays whatever becomes of the files. */
function isKeptForGood(session: Session, references: References, id: string): Condition {
  const { column } = references;
  const isOfImport = sql<boolean>`f.root = '' and ${sql.ref(`r.${column}`)} = ${sql.ref(id)}`;
  return sql<boolean>`exists (select 1 from ${referencesWith(session, references, isOfImport)})`;
}

/** Has files that gave one of these too read again, so that what they alone give now is there. */
async function markDue(session: Session, references: References, ids: readonly number[]): Promise<void> {
  const { db, tenant } = session;
  const gave = sql<boolean>`${sql.ref(`r.${references.column}`)} in (${sql.join([...ids])})`;
  await sql`update files set due = 1 where tenant = ${tenant} and root <> ''
    and id in (select r.file_id from ${referencesWith(session, references, gave)})`.execute(db);
}

/** Removes the references of files, and gives what they referred to. */
async function takeReferences(
  { db, tenant }: Session,
  { table, column }: References,
  fileIds: readonly number[],
): Promise<number[]> {
  const rows = await inParts(fileIds, async (part) => {
    const ofFiles = sql`${sql.table(table)} where tenant = ${tenant} and file_id in (${sql.join([...part])})`;
    const found = await sql<{ id: number }>`select distinct ${sql.ref(column)} as id from ${ofFiles}`.execute(
      db,
    );
    await sql`delete from ${ofFiles}`.execute(db);
    return found.rows;
  });
  return [...new Set(rows.map(({ id }) => id))];
}

/** Documents that only files gave go with everything that hangs on them; what the service gave too stays its own. */
async function dropDocuments(session: Session, ids: readonly number[]): Promise<void> {
  const { db, tenant } = session;
  const { rows } = await sql<{ id: number }>`select id from documents
    where ${hasId(db, tenant, ids)} and source = 'files'
      and not ${isKeptForGood(session, ofDocuments, 'documents.id')}`.execute(db);
  const going = rows.map(({ id }) => id);
  if (going.length > 0) {
    await markDue(session, ofDocuments, going);
    await forgetSums(session, going);
    await removeDocumentRows(session, going);
  }
  await sql`update documents set source = 'service' where ${hasId(db, tenant, ids)} and source = 'both'
    and not exists (select 1 from file_documents r where r.tenant = documents.tenant and r.document_id = documents.id)`.execute(
    db,
  );
}

/** Events that only files gave go. @returns the keys of documents that they had cancelled */
async function dropEvents(session: Session, ids: readonly number[]): Promise<string[]> {
  const { db, tenant } = session;
  const { rows } = await sql<{
    id: number;
    key: string;
    cancels: number;
  }>`select e.id, e.key, e.cancels from events e
    where e.tenant = ${tenant} and e.id in (${sql.join([...ids])}) and e.origin = 'files'
      and not ${isKeptForGood(session, ofEvents, 'e.id')}`.execute(db);
  if (rows.length === 0) return [];
  const going = rows.map(({ id }) => id);
  await markDue(session, ofEvents, going);
  await db.deleteFrom('file_events').where('tenant', '=', tenant).where('event_id', 'in', going).execute();
  await db.deleteFrom('events').where('tenant', '=', tenant).where('id', 'in', going).execute();
  return rows.filter(({ cancels }) => Number(cancels) === 1).map(({ key }) => key);
}

/** Documents that nothing cancels any more are again what they say themselves. */
async function restoreStatuses(session: Session, keys: readonly string[]): Promise<void> {
  const { db, tenant } = session;
  const { rows } = await sql<{ id: number }>`select d.id from documents d
    where d.tenant = ${tenant} and d.key in (${sql.join([...keys])})
      and d.status = 'cancelled' and d.own_status <> 'cancelled' and d.status_from = 'event'
      and not exists (select 1 from events e where e.tenant = d.tenant and e.key = d.key and e.cancels = 1)`.execute(
    db,
  );
  const ids = rows.map(({ id }) => id);
  if (ids.length === 0) return;
  await forgetSums(session, ids);
  await sql`update documents set status = own_status, status_from = 'document'
    where ${hasId(db, tenant, ids)}`.execute(db);
}

/** What these files gave goes, but for what is given otherwise; the files themselves stay known. */
export async function dropContents(session: Session, fileIds: readonly number[]): Promise<void> {
  const { db, tenant } = session;
  const together = <T extends number | string>(
    all: readonly T[],
    work: (part: readonly T[]) => Promise<void>,
  ) =>
    inParts(all, async (part) => {
      await work(part);
      return [];
    });
  const [documents, events] = [
    await takeReferences(session, ofDocuments, fileIds),
    await takeReferences(session, ofEvents, fileIds),
  ];
  await together(fileIds, async (part) => {
    const ofFiles = db.deleteFrom('given_up_numbers').where('tenant', '=', tenant);
    await ofFiles.where('file_id', 'in', [...part]).execute();
  });
  await together(documents, (part) => dropDocuments(session, part));
  const cancelled: string[] = [];
  await together(events, async (part) => void cancelled.push(...(await dropEvents(session, part))));
  await together([...new Set(cancelled)], (part) => restoreStatuses(session, part));
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
      const files = db.selectFrom('files').select('id').where('tenant', '=', tenant);
      const query = files.where('root', '=', root).where('folder', '=', folder);
      return (part === undefined ? query : query.where('name', 'in', part)).execute();
    };
    const rows = names === undefined ? await inFolder() : await inParts(names, inFolder);
    const ids = rows.map(({ id }) => id);
    if (ids.length === 0) return;
    await dropContents(session, ids);
    await inParts(ids, async (part) => {
      await db.deleteFrom('files').where('tenant', '=', tenant).where('id', 'in', part).execute();
      return [];
    });
  });
}
