import { rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { readDocuments } from '../documents/summary/read-document.ts';
import type { DocumentSummary } from '../documents/summary/summary.ts';
import { XmlError } from '../documents/xml/events.ts';
import { areaFrom } from './ask/info.ts';
import { verifyArchive } from './ask/verify.ts';
import { connect } from './engines/connect.ts';
import type { Connections } from './engines/connections.ts';
import { archiveFile } from './engines/connections.ts';
import { openSqlite, type SqliteConnection, type SqliteRow } from './engines/sqlite.ts';
import { ArchiveUnusable, explained } from './errors.ts';
import { createFileIndex } from './files/file-index.ts';
import { inflated, summaryFrom } from './schema/encoding.ts';
import { identityOf } from './schema/identity.ts';
import type { CoverageRow, EventOrigin } from './schema/schema.ts';
import { insertRows } from './schema/sql.ts';
import type { DateField, Direction } from './scope.ts';
import type { Arrival, Sighting } from './write/arrival.ts';
import { writeBatch } from './write/documents.ts';
import { receive } from './write/prepare.ts';

/** What a rebuilt archive holds. */
export interface Rebuilt {
  readonly documents: number;
  readonly events: number;
}

/** Documents read from the old archive at a time. */
const pageSize = 500;

/** The old archive: tables and columns that every version has had since tenants came first in every key. */
interface Old {
  readonly sqlite: SqliteConnection;
  readonly tenant: string;
}

const rowsOf = ({ sqlite, tenant }: Old, text: string, ...values: (string | number)[]): SqliteRow[] =>
  sqlite.run(text, [tenant, ...values]);

/** A document or event as it is read today where its text is kept, else as it was read then. */
function arrivalOf(row: SqliteRow, isIt: (summary: DocumentSummary) => boolean): Arrival {
  const [kept, bytes] = [row.summary as Uint8Array, row.xml as Uint8Array | null];
  if (bytes === null) return { summary: summaryFrom(kept) };
  const xml = inflated(bytes);
  try {
    return { summary: readDocuments(xml).find(isIt) ?? summaryFrom(kept), xml };
  } catch (error) {
    if (error instanceof XmlError) return { summary: summaryFrom(kept), xml };
    throw error;
  }
}

/** How a document was seen, by its placements: once for each direction that it was listed in. */
function sightingsOf(document: SqliteRow, placements: readonly SqliteRow[]): Sighting[] {
  const holding = { area: areaFrom(String(document.area)), source: 'service', events: 'list' } as const;
  const at = String(document.fetched_at);
  if (placements.length === 0) return [{ ...holding, company: '', at }];
  return placements.flatMap((row) => {
    const company = String(row.company);
    const by = String(row.date_field) as DateField;
    const window = { by, from: String(row.from_day), to: String(row.to_day) };
    const listed = (['inbound', 'outbound'] as const satisfies readonly Direction[]).filter(
      (direction) => Number(row[`listed_${direction}`]) === 1,
    );
    if (listed.length > 0) {
      return listed.map(
        (direction): Sighting => ({ ...holding, company, at, window: { ...window, direction } }),
      );
    }
    return [by === 'issue' ? { ...holding, company, at } : { ...holding, company, at, window }];
  });
}

/** What belongs to files that are still to be read anew; what was taken over for good has no file. */
const isOfFolders = (table: 'file_documents' | 'file_events', column: string, isFromFiles: string): string =>
  `${isFromFiles} and not exists (select 1 from ${table} r join files f on f.tenant = r.tenant and f.id = r.file_id
    where r.tenant = x.tenant and r.${column} = x.id and f.root = '')`;

async function copyDocuments(old: Old, target: Connections, keepXml: boolean): Promise<void> {
  for (let last = 0; ; ) {
    const page = rowsOf(
      old,
      `select x.id, x.identity, x.area, x.fetched_at, x.source, c.summary, c.xml from documents x
        join contents c on c.tenant = x.tenant and c.document_id = x.id
        where x.tenant = ? and x.id > ? and not (${isOfFolders('file_documents', 'document_id', "x.source = 'files'")})
        order by x.id limit ${pageSize}`,
      last,
    );
    const groups = new Map<string, { sighting: Sighting; arrivals: Arrival[] }>();
    const forGood: Arrival[] = [];
    for (const row of page) {
      const [id, area] = [Number(row.id), areaFrom(String(row.area))];
      const isIt = (summary: DocumentSummary) => identityOf(area, summary, () => '') === row.identity;
      const document = arrivalOf(row, isIt);
      if (row.source === 'files') {
        forGood.push(document);
        continue;
      }
      const others = rowsOf(
        old,
        'select * from other_contents where tenant = ? and document_id = ? order by fetched_at',
        id,
      );
      const placements = rowsOf(old, 'select * from placements where tenant = ? and document_id = ?', id);
      for (const sighting of sightingsOf(row, placements)) {
        const key = JSON.stringify(sighting);
        const group = groups.get(key) ?? { sighting, arrivals: [] };
        group.arrivals.push(...others.map((other) => arrivalOf(other, isIt)), document);
        groups.set(key, group);
      }
    }
    for (const { sighting, arrivals } of groups.values()) {
      const batch = await receive(sighting.area, arrivals, keepXml);
      await target.write(undefined, (session) => writeBatch(session, sighting, batch, () => false));
    }
    await takeForGood(target, keepXml, forGood);
    await target.grown(page.length);
    if (page.length < pageSize) return;
    last = Number(page.at(-1)?.id);
  }
}

/** What was imported stays, whatever becomes of the files it came from. */
async function takeForGood(
  target: Connections,
  keepXml: boolean,
  arrivals: readonly Arrival[],
): Promise<void> {
  const file = { root: '', folder: '', name: '', size: 0, changed: 0 };
  const rest = { ...file, isFirst: true, isLast: true, givenUp: [], leftOut: { counts: {}, named: [] } };
  for (const hasXml of [true, false]) {
    const documents = arrivals.flatMap(({ summary, xml }) =>
      (xml !== undefined) === hasXml ? [{ summary, xml: xml ?? '' }] : [],
    );
    if (documents.length === 0) continue;
    await createFileIndex(target, keepXml && hasXml).take([{ ...rest, documents }], undefined);
  }
}

async function copyEvents(old: Old, target: Connections, keepXml: boolean): Promise<void> {
  const rows = rowsOf(
    old,
    `select x.* from events x where x.tenant = ?
      and not (${isOfFolders('file_events', 'event_id', "x.origin = 'files'")}) order by x.asked_at, x.id`,
  );
  const groups = new Map<string, { events: EventOrigin; at: string; arrivals: Arrival[] }>();
  for (const row of rows) {
    const [events, at] = [row.origin as EventOrigin, String(row.asked_at)];
    const key = `${events} ${at}`;
    const group = groups.get(key) ?? { events, at, arrivals: [] };
    group.arrivals.push(arrivalOf(row, ({ kind }) => kind === 'event'));
    groups.set(key, group);
  }
  for (const { events, at, arrivals } of groups.values()) {
    if (events === 'files') {
      await takeForGood(target, keepXml, arrivals);
      continue;
    }
    const sighting = { company: '', area: 'nfe', source: 'service', at, events } as const;
    const batch = await receive('nfe', arrivals, keepXml);
    await target.write(undefined, (session) => writeBatch(session, sighting, batch, () => false));
  }
}

/** Places what was imported for the companies that had asked about documents. */
async function adopt(old: Old, target: Connections, keepXml: boolean): Promise<void> {
  const companies = rowsOf(old, `select distinct company from placements where tenant = ? and company <> ''`);
  for (const { company } of companies) await createFileIndex(target, keepXml).adopt(String(company));
}

async function copyCoverage(old: Old, target: Connections): Promise<void> {
  const rows = rowsOf(old, 'select * from coverage where tenant = ?') as unknown as CoverageRow[];
  await target.write(undefined, ({ db }) => insertRows(db, 'coverage', rows).then(() => undefined));
}

/** Whether everything of the old archive is in the new one, and is sound there. */
async function isComplete(old: Old, target: Connections): Promise<Rebuilt | undefined> {
  const counted = (text: string) => Number(rowsOf(old, text)[0]?.count);
  const documents = counted(
    `select count(*) as count from documents x where x.tenant = ?
      and not (${isOfFolders('file_documents', 'document_id', "x.source = 'files'")})`,
  );
  const events = counted(
    `select count(*) as count from events x where x.tenant = ?
      and not (${isOfFolders('file_events', 'event_id', "x.origin = 'files'")})`,
  );
  const { findings, documents: held } = await verifyArchive(target);
  const ofEvents = await target.read(({ db, tenant }) =>
    db
      .selectFrom('events')
      .select((one) => one.fn.countAll<number>().as('count'))
      .where('tenant', '=', tenant)
      .executeTakeFirst(),
  );
  const isWhole = held === documents && Number(ofEvents?.count) === events && findings.length === 0;
  return isWhole ? { documents, events } : undefined;
}

/**
 * Rebuilds the archive of a folder, whatever version wrote it: what it keeps is stored again by the writer of this
 * version, read anew where the text is kept. The old file is replaced once the new one is verified, and not touched
 * before. Answers of listings and what folders of files gave are left out: they are fetched and read again.
 * @throws ArchiveUnusable where something of it would be missing
 */
export async function rebuildArchive(folder: string, keepXml: boolean): Promise<Rebuilt> {
  const path = archiveFile(folder);
  const workplace = join(folder, 'archive.rebuild');
  return explained(async () => {
    await stat(path);
    await rm(workplace, { recursive: true, force: true });
    const sqlite = await openSqlite(path);
    let rebuilt: Rebuilt = { documents: 0, events: 0 };
    // Nobody writes to it meanwhile.
    sqlite.run('begin immediate', []);
    try {
      for (const { tenant } of sqlite.run(
        `select tenant from documents union select tenant from coverage union select ''`,
        [],
      )) {
        const old = { sqlite, tenant: String(tenant) };
        const target = await connect({ mode: 'file', folder: workplace, tenant: old.tenant });
        try {
          await copyDocuments(old, target, keepXml);
          await copyEvents(old, target, keepXml);
          await adopt(old, target, keepXml);
          await copyCoverage(old, target);
          const complete = await isComplete(old, target);
          if (complete === undefined) throw new ArchiveUnusable('REBUILD_INCOMPLETE');
          rebuilt = {
            documents: rebuilt.documents + complete.documents,
            events: rebuilt.events + complete.events,
          };
        } finally {
          await target.close();
        }
      }
    } finally {
      // A connection that is closed inside a transaction may keep its lock.
      sqlite.run('rollback', []);
      sqlite.close();
    }
    // The new file comes in the place of the old one in one step, and nothing of the old one's beside it is left.
    for (const ending of ['-wal', '-shm']) await rm(path + ending, { force: true });
    await rename(archiveFile(workplace), path);
    await rm(workplace, { recursive: true, force: true });
    return rebuilt;
  });
}
