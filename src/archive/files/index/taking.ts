import { type Insertable, sql } from 'kysely';
import type { Connections } from '../../engines/connections.ts';
import type { Schema, Session } from '../../schema/schema.ts';
import { inParts, insertRows } from '../../schema/sql.ts';
import { writeBatch } from '../../write/documents.ts';
import { directionRead } from '../../write/placements.ts';
import { dropContents } from './dropping.ts';
import type { FilePlace, FileStamp, ReadPart } from './file-index.ts';
import { groupsOf, type PreparedPart, partiesOf, prepareParts } from './parts.ts';

type FileRow = Insertable<Schema['files']>;

/** Ids by identity, of documents or events that are there. */
async function idsOf(
  { db, tenant }: Session,
  table: 'documents' | 'events',
  identities: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  const rows = await inParts([...new Set(identities)], (part) =>
    db
      .selectFrom(table)
      .select(['id', 'identity'])
      .where('tenant', '=', tenant)
      .where('identity', 'in', part)
      .execute(),
  );
  return new Map(rows.map(({ id, identity }) => [identity, id]));
}

const placeOf = ({ root, folder, name }: FilePlace): string => `${root}\0${folder}\0${name}`;

/**
 * The files' rows as they are known from now on; their ids in the order of the parts. Before its last part has come a
 * file is to be read again.
 */
async function writeFiles({ db, tenant }: Session, parts: readonly ReadPart[]): Promise<number[]> {
  const rows = new Map<string, FileRow>();
  for (const part of parts) {
    const { root, folder, name, size, changed, digest, isLast } = part;
    const left_out = part.leftOut.named.length === 0 ? '' : JSON.stringify(part.leftOut);
    const row = { tenant, root, folder, name, digest, left_out, size, changed, due: isLast ? 0 : 1 };
    rows.set(placeOf(part), row);
  }
  const replaced = ['digest', 'left_out', 'size', 'changed', 'due'];
  const changes = replaced.map((column) => `"${column}" = excluded."${column}"`).join(', ');
  const written = await insertRows<'files', FilePlace & { id: number }>(
    db,
    'files',
    [...rows.values()],
    `on conflict (tenant, root, folder, name) do update set ${changes} returning id, root, folder, name`,
  );
  const ids = new Map(written.map((row) => [placeOf(row), row.id]));
  return parts.map((part) => {
    const id = ids.get(placeOf(part));
    if (id === undefined) throw new Error('a row was written and not returned');
    return id;
  });
}

async function writeReferences(session: Session, parts: readonly PreparedPart[], fileIds: readonly number[]) {
  const { db, tenant } = session;
  const documents = await idsOf(
    session,
    'documents',
    parts.flatMap((one) => one.documents.map(({ document }) => document.row.identity)),
  );
  const events = await idsOf(
    session,
    'events',
    parts.flatMap((one) => one.events.map(({ identity }) => identity)),
  );
  const ofDocuments = new Map<string, { tenant: string; file_id: number; document_id: number }>();
  const ofEvents = new Map<string, { tenant: string; file_id: number; event_id: number }>();
  const ofParties = new Map<
    string,
    { tenant: string; tax_id: string; direction: string; document_id: number }
  >();
  for (const [index, part] of parts.entries()) {
    const file_id = fileIds[index] ?? 0;
    for (const { document } of part.documents) {
      const document_id = documents.get(document.row.identity);
      if (document_id === undefined) continue;
      ofDocuments.set(`${file_id} ${document_id}`, { tenant, file_id, document_id });
      for (const tax_id of partiesOf(document)) {
        const direction = directionRead(tax_id, document);
        ofParties.set(`${tax_id} ${document_id}`, { tenant, tax_id, direction, document_id });
      }
    }
    for (const { identity } of part.events) {
      const event_id = events.get(identity);
      if (event_id !== undefined) ofEvents.set(`${file_id} ${event_id}`, { tenant, file_id, event_id });
    }
  }
  const once = 'on conflict do nothing';
  await insertRows(db, 'file_documents', [...ofDocuments.values()], once);
  await insertRows(db, 'file_events', [...ofEvents.values()], once);
  await insertRows(db, 'file_parties', [...ofParties.values()], once);
}

async function writeGivenUp(
  { db, tenant }: Session,
  parts: readonly PreparedPart[],
  fileIds: readonly number[],
) {
  const rows = parts.flatMap(({ part }, index) =>
    part.givenUp.map(({ area, company, model, series, year, protocol = '', first, last }) => ({
      tenant,
      area,
      company,
      model,
      series,
      year,
      protocol,
      file_id: fileIds[index] ?? 0,
      first_number: first,
      last_number: last,
    })),
  );
  await insertRows(db, 'given_up_numbers', rows, 'on conflict do nothing');
}

/** Files by their folder: they are looked up together. */
function byFolder(parts: readonly PreparedPart[]): ReadPart[][] {
  const folders = new Map<string, ReadPart[]>();
  for (const { part } of parts) {
    if (!part.isFirst || part.root === '') continue;
    const folder = `${part.root}\0${part.folder}`;
    const own = folders.get(folder);
    if (own === undefined) folders.set(folder, [part]);
    else own.push(part);
  }
  return [...folders.values()];
}

/** What files that have changed gave before goes, but for what is given otherwise. */
async function giveUpBefore(session: Session, parts: readonly PreparedPart[]): Promise<void> {
  const { db, tenant } = session;
  for (const files of byFolder(parts)) {
    const [{ root, folder } = { root: '', folder: '' }] = files;
    const now = new Map(files.map((file) => [file.name, file]));
    const known = await inParts([...now.keys()], (names) =>
      db
        .selectFrom('files')
        .select(['id', 'name', 'digest', 'size'])
        .where('tenant', '=', tenant)
        .where('root', '=', root)
        .where('folder', '=', folder)
        .where('name', 'in', names)
        .execute(),
    );
    const changed = known.filter(({ name, digest, size }) => {
      const file = now.get(name);
      return file?.digest === '' || file?.digest !== digest || Number(size) !== file.size;
    });
    if (changed.length > 0) {
      await dropContents(
        session,
        changed.map(({ id }) => id),
      );
    }
    await inParts(known, async (some) => {
      const ids = some.map(({ id }) => id);
      const theirs = db.deleteFrom('given_up_numbers').where('tenant', '=', tenant);
      await theirs.where('file_id', 'in', ids).execute();
      return [];
    });
  }
}

/** See `FileIndex.take`. */
export async function takeParts(
  connections: Connections,
  keepXml: boolean,
  parts: readonly ReadPart[],
  company: string | undefined,
): Promise<void> {
  const prepared = await prepareParts(parts, keepXml);
  const events = prepared.flatMap((one) => one.events);
  const groups = groupsOf(prepared, company);
  const at = new Date().toISOString();
  const added = await connections.write(undefined, async (session) => {
    await giveUpBefore(session, prepared);
    const fileIds = await writeFiles(session, parts);
    let count = 0;
    const sighted = { source: 'files', at, events: 'files' } as const;
    for (const { company: owner, area, batch } of groups) {
      const outcome = await writeBatch(session, { ...sighted, company: owner, area }, batch, () => false);
      count += outcome.added;
    }
    if (events.length > 0) {
      const batch = { documents: [], events };
      await writeBatch(session, { ...sighted, company: '', area: 'nfe' }, batch, () => false);
    }
    await writeReferences(session, prepared, fileIds);
    await writeGivenUp(session, prepared, fileIds);
    return count;
  });
  await connections.grown(added);
}

/** See `FileIndex.touch`. */
export async function touchFiles(
  connections: Connections,
  files: readonly (FilePlace & FileStamp)[],
): Promise<void> {
  await connections.write(undefined, async ({ db, tenant }) => {
    for (const { root, folder, name, size, changed } of files) {
      await sql`
        update files set size = ${size}, changed = ${changed}, due = 0
        where tenant = ${tenant} and root = ${root} and folder = ${folder} and name = ${name}`.execute(db);
    }
  });
}
