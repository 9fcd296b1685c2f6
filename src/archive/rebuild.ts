import { rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { sql } from 'kysely';
import { grouped } from '../documents/grouped.ts';
import { readDocuments } from '../documents/summary/read-document.ts';
import type { DocumentSummary } from '../documents/summary/summary.ts';
import { XmlError } from '../documents/xml/xml.ts';
import { connect } from './archive.ts';
import { verifyArchive } from './ask/info.ts';
import { archiveFile, type Connections } from './engines/connections.ts';
import { openSqlite, type SqliteRow } from './engines/sqlite.ts';
import { explained, unusable } from './errors.ts';
import { createFileIndex } from './files/file-index.ts';
import type { DocumentArea } from './references.ts';
import { eventLine, identityOf, inflated, summaryFrom } from './schema/encoding.ts';
import { type CoverageRow, type EventOrigin, type PlacementRow, tables } from './schema/schema.ts';
import { changeRows, findRows, insertRows, select } from './schema/sql.ts';
import { type Arrival, receive } from './write/arrival.ts';
import { writeBatch } from './write/documents.ts';

const PAGE_SIZE = 500;

/** Rows of a tenant in the old archive: from tables and columns that every version has had. The tenant comes first. */
type Rows = (text: string, ...values: (string | number)[]) => SqliteRow[];

/** Rows to copy: not those of files in folders, which are read again; imported ones have no folder. */
const isImported = (identity: string) => `exists (
  select 1 from file_contents c join files f on f.tenant = c.tenant and f.id = c.file_id
  where c.tenant = x.tenant and c.identity = ${identity} and f.root = '')`;
const copiedDocuments = `from documents x
  where x.tenant = ? and (x.source <> 'files' or ${isImported('x.identity')})`;
const copiedEvents = `from events x
  where x.tenant = ? and (x.origin <> 'files' or ${isImported(`'${eventLine('')}' || x.identity`)})`;

/** A document or event, parsed again if its text is stored, else as parsed then. */
function arrivalOf({ identity, ...row }: SqliteRow): Arrival {
  const [summary, bytes] = [summaryFrom(row.summary as Uint8Array), row.xml as Uint8Array | null];
  if (bytes === null) return { summary };
  const xml = inflated(bytes);
  const isIt = (one: DocumentSummary) =>
    summary.kind === 'event'
      ? one.kind === 'event'
      : identityOf(row.area as DocumentArea, one, () => '') === identity;
  try {
    return { summary: readDocuments(xml).find(isIt) ?? summary, xml };
  } catch (error) {
    if (error instanceof XmlError) return { summary, xml };
    throw error;
  }
}

/** Stores documents and events, those of one origin and time together; the origin of imported ones is `files`. */
async function store(target: Connections, keepXml: boolean, rows: readonly SqliteRow[]): Promise<void> {
  for (const [key, together] of grouped(rows, ({ area, at, origin }) => JSON.stringify([area, at, origin]))) {
    const arrivals = together.map(arrivalOf);
    const [area, at, events] = JSON.parse(key) as [DocumentArea, string, EventOrigin];
    if (events === 'files') {
      await createFileIndex(target, keepXml).takeForGood(arrivals, []);
      continue;
    }
    const batch = await receive(area, arrivals, keepXml);
    const provenance = { company: '', source: 'service', at, events } as const;
    await target.write(undefined, (session) => writeBatch(session, provenance, batch));
  }
}

/** The columns of a table after its tenant, each with a prefix. */
const columnsOf = (table: 'placements' | 'coverage', prefix = '') =>
  Object.keys(tables[table].columns)
    .map((column) => `${prefix}${column}`)
    .join(', ');

/** Copies the archive of a tenant. @throws ArchiveError if the copy is incomplete */
async function copy(rowsOf: Rows, target: Connections, keepXml: boolean) {
  for (let last = 0; ; ) {
    const page = `with page as (
      select x.*, x.fetched_at as at, case x.source when 'files' then 'files' else 'list' end as origin
      ${copiedDocuments} and x.id > ? order by x.id limit ${PAGE_SIZE})`;
    const rows = rowsOf(
      `${page} select p.*, o.summary, o.xml, 0 as counts, o.fetched_at as since
          from page p join other_contents o on o.tenant = p.tenant and o.document_id = p.id
        union all select p.*, c.summary, c.xml, 1, '' from page p
          join contents c on c.tenant = p.tenant and c.document_id = p.id
        order by id, counts, since`,
      last,
    );
    if (rows.length === 0) break;
    await store(target, keepXml, rows);
    const placements = rowsOf(
      `${page} select p.identity, a.tenant, ${columnsOf('placements', 'a.')} from page p
        join placements a on a.tenant = p.tenant and a.document_id = p.id`,
      last,
    );
    const identities = rows.map(({ identity }) => String(identity));
    // Places documents in time as the old archive does.
    await target.write(undefined, async (session) => {
      const found = await findRows(session, 'documents', ['id', 'identity'], 'identity', identities);
      const ids = new Map(found.map(({ id, identity }) => [identity, id]));
      await changeRows(session, sql`delete from placements`, 'document_id', [...ids.values()]);
      const placed = placements.flatMap(({ identity, ...row }) => {
        const document_id = ids.get(String(identity));
        return document_id === undefined ? [] : [{ ...row, document_id }];
      });
      await insertRows(session.db, 'placements', placed as unknown as PlacementRow[]);
    });
    await target.refreshStatistics(rows.length);
    last = Number(rows.at(-1)?.id);
  }
  const events = `select x.*, 'nfe' as area, x.asked_at as at ${copiedEvents} order by x.asked_at, x.id`;
  await store(target, keepXml, rowsOf(events));
  const covered = rowsOf(`select tenant, ${columnsOf('coverage')} from coverage where tenant = ?`);
  await target.write(
    undefined,
    async ({ db }) => void (await insertRows(db, 'coverage', covered as unknown as CoverageRow[])),
  );

  const countOf = (copied: string) => Number(rowsOf(`select count(*) as count ${copied}`)[0]?.count);
  const counts = { documents: countOf(copiedDocuments), events: countOf(copiedEvents) };
  const { findings, documents: held } = await verifyArchive(target);
  const written = await target.read(({ db, tenant }) =>
    select(db, sql`select id from events where tenant = ${tenant}`),
  );
  const isComplete = held === counts.documents && written.length === counts.events && findings.length === 0;
  if (!isComplete) throw unusable('REBUILD_INCOMPLETE');
  return counts;
}

/**
 * Rebuilds the archive of a folder, whatever version wrote it: its documents and events are stored again by the writer
 * of this version, parsed again where their text is kept. The old file is replaced once the new one is verified, and not
 * touched before. Answers of listings and contents of folders are left out: they are fetched and read again.
 * @throws ArchiveError if the copy is incomplete
 */
export async function rebuildArchive(folder: string, keepXml: boolean) {
  const path = archiveFile(folder);
  const workplace = join(folder, 'archive.rebuild');
  return explained(async () => {
    await stat(path);
    await rm(workplace, { recursive: true, force: true });
    const sqlite = await openSqlite(path);
    const rebuilt = { documents: 0, events: 0 };
    // Nobody writes to it meanwhile.
    sqlite.run('begin immediate', []);
    try {
      const tenants = sqlite.run(
        `select tenant from documents union select tenant from coverage union select ''`,
        [],
      );
      for (const row of tenants) {
        const tenant = String(row.tenant);
        const target = await connect({ mode: 'file', folder: workplace, tenant });
        try {
          const rowsOf: Rows = (text, ...values) => sqlite.run(text, [tenant, ...values]);
          const { documents, events } = await copy(rowsOf, target, keepXml);
          rebuilt.documents += documents;
          rebuilt.events += events;
        } finally {
          await target.close();
        }
      }
    } finally {
      // A connection that is closed inside a transaction may keep its lock.
      sqlite.run('rollback', []);
      // The file is whole without its log, so that a kill between the next steps loses nothing.
      sqlite.run('pragma wal_checkpoint(truncate)', []);
      sqlite.close();
    }
    for (const ending of ['-wal', '-shm']) await rm(path + ending, { force: true });
    await rename(archiveFile(workplace), path);
    await rm(workplace, { recursive: true, force: true });
    return rebuilt;
  });
}
