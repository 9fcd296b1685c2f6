import { sql } from 'kysely';
import { eventIn } from '../schema/encoding.ts';
import type { Session } from '../schema/schema.ts';
import { deleteRows, inParts, updateRows } from '../schema/sql.ts';
import { renewEventCodes } from '../write/events.ts';
import { removeDocumentRows } from '../write/rows.ts';
import { forgetSums } from '../write/sums.ts';

/** Removes documents that only files gave; of one that the service gave too it is noted. */
async function dropDocuments(session: Session, identities: readonly string[]): Promise<void> {
  const { db, tenant } = session;
  const going = await inParts(identities, async (part) => {
    const { rows } = await sql<{ id: number }>`select id from documents
      where tenant = ${tenant} and identity in (${sql.join(part)}) and source = 'files'`.execute(db);
    await sql`update documents set source = 'service'
      where tenant = ${tenant} and identity in (${sql.join(part)}) and source = 'both'
        and not exists (select 1 from file_contents c
          where c.tenant = documents.tenant and c.identity = documents.identity)`.execute(db);
    return rows.map(({ id }) => id);
  });
  await forgetSums(session, going);
  await removeDocumentRows(session, going);
}

/** Removes events that only files gave; a document that nothing cancels any more has its own status again. */
async function dropEvents(session: Session, identities: readonly string[]): Promise<void> {
  const { db, tenant } = session;
  const keys = await inParts(identities, async (part) => {
    const { rows } = await sql<{ key: string }>`delete from events
      where tenant = ${tenant} and identity in (${sql.join(part)}) and origin = 'files'
      returning key`.execute(db);
    return rows.map(({ key }) => key);
  });
  await renewEventCodes(session, keys);
  const restored = await inParts(keys, async (part) => {
    const { rows } = await sql<{ id: number }>`select d.id from documents d
      where d.tenant = ${tenant} and d.key in (${sql.join(part)})
        and d.status = 'cancelled' and d.own_status <> 'cancelled' and d.status_from = 'event'
        and not exists (select 1 from events e
          where e.tenant = d.tenant and e.key = d.key and e.cancels = 1)`.execute(db);
    return rows.map(({ id }) => id);
  });
  await forgetSums(session, restored);
  const own = sql`status = own_status, status_from = 'document'`;
  await updateRows(session, 'documents', own, 'id', restored);
}

/** Removes what only these files gave. The files themselves stay known. */
export async function dropContents(session: Session, fileIds: readonly number[]): Promise<void> {
  const { db, tenant } = session;
  const identities = await inParts(fileIds, async (part) => {
    const { rows } = await sql<{ identity: string }>`delete from file_contents
      where tenant = ${tenant} and file_id in (${sql.join(part)}) returning identity`.execute(db);
    return rows.map(({ identity }) => identity);
  });
  await deleteRows(session, 'given_up_numbers', 'file_id', fileIds);
  const going = await inParts(identities, async (part) => {
    const having = sql`from file_contents c join files f on f.tenant = c.tenant and f.id = c.file_id
      where c.tenant = ${tenant} and c.identity in (${sql.join(part)})`;
    // Another file that gave the same is read again, since the one that goes may have had another version.
    await sql`update files set due = 1
      where tenant = ${tenant} and root <> '' and id in (select f.id ${having})`.execute(db);
    const { rows } = await sql<{ identity: string }>`
      select c.identity ${having} and f.root = ''`.execute(db);
    const imported = new Set(rows.map(({ identity }) => identity));
    return part.filter((identity) => !imported.has(identity));
  });
  await dropDocuments(
    session,
    going.filter((identity) => eventIn(identity) === undefined),
  );
  await dropEvents(
    session,
    going.flatMap((identity) => eventIn(identity) ?? []),
  );
}
