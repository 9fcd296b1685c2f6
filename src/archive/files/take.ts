import { setImmediate as letOthersRun } from 'node:timers/promises';
import { type Insertable, sql } from 'kysely';
import type { GivenUpNumbers } from '../../documents/layouts/given-up-numbers.ts';
import { type DocumentSummary, familyOf } from '../../documents/summary/summary.ts';
import type { DocumentArea } from '../references.ts';
import { eventIn, eventLine, namedParties } from '../schema/encoding.ts';
import type { Schema, Session } from '../schema/schema.ts';
import { deleteRows, findRows, inParts, insertRows } from '../schema/sql.ts';
import { type HeldDocument, hold, type PreparedEvent, prepareEvent } from '../write/arrival.ts';
import { writeBatch } from '../write/documents.ts';
import { applyEvents } from '../write/events.ts';
import { taxIdOf } from '../write/prepare.ts';
import { directionRead, removeDocumentRows } from '../write/rows.ts';
import { forgetSums } from '../write/sums.ts';
import type { FiledDocument, LeftOutTally } from './contents.ts';
import type { FileStamp } from './folders.ts';

/** The place of a file: below one of the configured folders, or that itself where it is a file. */
export interface FilePlace {
  readonly root: string;
  /** Relative to the root's folder, with `/`; empty for the root's own. */
  readonly folder: string;
  readonly name: string;
}

/** The contents of a file: all of them, or one part after the other where there are many documents. */
export interface ReadPart extends FilePlace, FileStamp {
  readonly isLast: boolean;
  readonly documents: readonly FiledDocument[];
  readonly givenUp: readonly GivenUpNumbers[];
  /** Of this part and those before it. */
  readonly leftOut: LeftOutTally;
}

/** A document of a file, and the tax ids that it names: each of them may ask about it. */
interface Taken {
  readonly area: DocumentArea;
  readonly document: HeldDocument;
  readonly parties: readonly Pick<Insertable<Schema['file_parties']>, 'tax_id' | 'direction'>[];
}

export interface PreparedPart {
  readonly part: ReadPart;
  readonly documents: readonly Taken[];
  readonly events: readonly PreparedEvent[];
}

const STRIDE = 20;

function partiesOf(summary: DocumentSummary): Taken['parties'] {
  const ids = namedParties(summary)
    .filter(({ id_type }) => id_type !== 'foreign')
    .map(taxIdOf)
    .filter((id) => /^[0-9A-Z]{14}$|^\d{11}$/.test(id));
  const issuer = taxIdOf(summary.issuer);
  return [...new Set(ids)].map((tax_id) => ({
    tax_id,
    direction: directionRead(tax_id, issuer, summary.flow),
  }));
}

/** Puts the contents of files into the form they are held in. */
export async function prepareParts(parts: readonly ReadPart[], keepXml: boolean): Promise<PreparedPart[]> {
  let count = 0;
  const prepared: PreparedPart[] = [];
  for (const part of parts) {
    const documents: Taken[] = [];
    const events: PreparedEvent[] = [];
    for (const filed of part.documents) {
      const { summary } = filed;
      const area = familyOf(summary.kind);
      if (summary.kind === 'event') events.push(prepareEvent(filed, keepXml));
      else documents.push({ area, document: hold(area, filed, keepXml), parties: partiesOf(summary) });
      if (++count % STRIDE === 0) await letOthersRun();
    }
    prepared.push({ part, documents, events });
  }
  return prepared;
}

/** Removes documents that only files contained; those of the service too lose the files as a source. */
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

/** Removes events that only files contained; a document without a cancellation regains its own status. */
async function dropEvents(session: Session, identities: readonly string[]): Promise<void> {
  const { db, tenant } = session;
  const keys = await inParts(identities, async (part) => {
    const { rows } = await sql<{ key: string }>`delete from events
      where tenant = ${tenant} and identity in (${sql.join(part)}) and origin = 'files'
      returning key`.execute(db);
    return rows.map(({ key }) => key);
  });
  await applyEvents(session, keys, { events: 'files', at: new Date().toISOString() });
}

/** Removes documents that only these files contain. The files themselves stay known. */
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
    // Other files with the same documents are read again: the removed one may have had another version.
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

const placeOf = ({ root, folder, name }: FilePlace): string => `${root}\0${folder}\0${name}`;

/** Removes contents of earlier states of these files; a further part of a file, or one that is only due, has its stamp. */
async function dropEarlier(session: Session, parts: readonly ReadPart[]): Promise<void> {
  const { db, tenant } = session;
  const now = new Map(parts.flatMap((part) => (part.root === '' ? [] : [[placeOf(part), part]])));
  const known = await inParts([...now.values()], async (some) => {
    const places = some.map(({ root, folder, name }) => sql`(${root}, ${folder}, ${name})`);
    const { rows } = await sql<FilePlace & FileStamp & { id: number }>`
      select id, root, folder, name, size, changed from files
      where tenant = ${tenant} and (root, folder, name) in (values ${sql.join(places)})`.execute(db);
    return rows;
  });
  const changed = known.filter((row) => {
    const part = now.get(placeOf(row));
    return Number(row.size) !== part?.size || Number(row.changed) !== part.changed;
  });
  await dropContents(
    session,
    changed.map(({ id }) => id),
  );
}

/** Writes the rows of files; a file is due until its last part has come. @returns their ids by place */
async function writeFiles({ db, tenant }: Session, parts: readonly ReadPart[]) {
  const rows = new Map(
    parts.map(({ root, folder, name, size, changed, isLast, leftOut }) => {
      const left_out = leftOut.named.length === 0 ? '' : JSON.stringify(leftOut);
      const row = { tenant, root, folder, name, left_out, size, changed, due: isLast ? 0 : 1 };
      return [placeOf(row), row];
    }),
  );
  const changes = ['left_out', 'size', 'changed', 'due'].map((column) => `${column} = excluded.${column}`);
  const written = await insertRows<'files', FilePlace & { id: number }>(
    db,
    'files',
    [...rows.values()],
    `on conflict (tenant, root, folder, name) do update set ${changes.join(', ')} returning id, root, folder, name`,
  );
  return new Map(written.map((row) => [placeOf(row), row.id]));
}

/** Writes the documents, events and given-up numbers of each file, and the parties of the documents. */
async function writeReferences(session: Session, parts: readonly PreparedPart[]): Promise<void> {
  const { db, tenant } = session;
  const files = await writeFiles(
    session,
    parts.map(({ part }) => part),
  );
  const fileId = ({ part }: PreparedPart) => files.get(placeOf(part)) ?? 0;
  const once = 'on conflict do nothing';
  const contents = parts.flatMap((one) => {
    const documents = one.documents.map(({ document }) => document.identity);
    const events = one.events.map(({ identity }) => eventLine(identity));
    return [...documents, ...events].map((identity) => ({ tenant, identity, file_id: fileId(one) }));
  });
  await insertRows(db, 'file_contents', contents, once);
  const taken = parts.flatMap(({ documents }) => documents);
  const identities = taken.map(({ document }) => document.identity);
  const rows = await findRows(session, 'documents', ['id', 'identity'], 'identity', identities);
  const ids = new Map(rows.map(({ id, identity }) => [identity, id]));
  const parties = taken.flatMap(({ document, parties: named }) => {
    const document_id = ids.get(document.identity);
    return document_id === undefined ? [] : named.map((party) => ({ tenant, ...party, document_id }));
  });
  await insertRows(db, 'file_parties', parties, once);
  const givenUp = parts.flatMap((one) =>
    one.part.givenUp.map(({ protocol = '', first, last, ...numbers }) => {
      const range = { first_number: first, last_number: last, file_id: fileId(one) };
      return { tenant, ...numbers, protocol, ...range };
    }),
  );
  await insertRows(db, 'given_up_numbers', givenUp, once);
}

/**
 * Replaces contents of earlier states of these files by the current ones.
 * @param company whose documents are placed immediately
 * @returns number of new documents
 */
export async function writeParts(
  session: Session,
  parts: readonly PreparedPart[],
  company: string | undefined,
): Promise<number> {
  const came = { source: 'files', at: new Date().toISOString(), events: 'files' } as const;
  const groups = new Map<string, { owner: string; area: DocumentArea; documents: HeldDocument[] }>();
  for (const { area, document, parties } of parts.flatMap(({ documents }) => documents)) {
    const isOwn = company !== undefined && parties.some(({ tax_id }) => tax_id === company);
    const owner = isOwn ? company : '';
    const group = groups.get(`${owner} ${area}`) ?? { owner, area, documents: [] };
    group.documents.push(document);
    groups.set(`${owner} ${area}`, group);
  }
  await dropEarlier(
    session,
    parts.map(({ part }) => part),
  );
  let added = 0;
  for (const { owner, area, documents } of groups.values()) {
    const batch = { documents, events: [] };
    added += (await writeBatch(session, { ...came, company: owner, area }, batch)).added;
  }
  const events = parts.flatMap((one) => one.events);
  const batch = { documents: [], events };
  if (events.length > 0) await writeBatch(session, { ...came, company: '', area: 'nfe' }, batch);
  await writeReferences(session, parts);
  return added;
}
