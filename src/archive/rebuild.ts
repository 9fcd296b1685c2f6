import { rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { sql } from 'kysely';
import { readDocuments } from '../documents/summary/read-document.ts';
import type { DocumentSummary } from '../documents/summary/summary.ts';
import { XmlError } from '../documents/xml/xml.ts';
import { connect } from './archive.ts';
import { verifyArchive } from './ask/info.ts';
import { archiveFile, type Connections } from './engines/connections.ts';
import { openSqlite, type SqliteRow } from './engines/sqlite.ts';
import { ArchiveUnusable, explained } from './errors.ts';
import { createFileIndex } from './files/file-index.ts';
import type { DateField, DocumentArea } from './references.ts';
import { eventLine, identityOf, inflated, summaryFrom } from './schema/encoding.ts';
import { type CoverageRow, type EventOrigin, tables } from './schema/schema.ts';
import { insertRows, select } from './schema/sql.ts';
import { type Arrival, type Provenance, receive } from './write/arrival.ts';
import { writeBatch } from './write/documents.ts';

export interface Rebuilt {
  readonly documents: number;
  readonly events: number;
}

const PAGE_SIZE = 500;

/** Rows of a tenant in the old archive: from tables and columns that every version has had. The tenant comes first. */
type Rows = (text: string, ...values: (string | number)[]) => SqliteRow[];

/** A document or event, parsed again if its text is stored, else as parsed then. */
function arrivalOf(row: SqliteRow, isIt: (summary: DocumentSummary) => boolean): Arrival {
  const [summary, bytes] = [summaryFrom(row.summary as Uint8Array), row.xml as Uint8Array | null];
  if (bytes === null) return { summary };
  const xml = inflated(bytes);
  try {
    return { summary: readDocuments(xml).find(isIt) ?? summary, xml };
  } catch (error) {
    if (error instanceof XmlError) return { summary, xml };
    throw error;
  }
}

/** Documents or events with their provenance; without one they were imported from files. */
interface Seen {
  readonly provenance?: Provenance;
  readonly arrivals: readonly Arrival[];
}

/** A document's provenances, one for each direction it was listed in. */
function provenancesOf(document: SqliteRow, placements: readonly SqliteRow[]): Provenance[] {
  const area = document.area as DocumentArea;
  const at = String(document.fetched_at);
  const holding = { company: '', area, source: 'service', events: 'list', at } as const;
  if (placements.length === 0) return [holding];
  return placements.flatMap((row): Provenance[] => {
    const own = { ...holding, company: String(row.company) };
    const by = String(row.date_field) as DateField;
    const window = { by, from: String(row.from_day), to: String(row.to_day) };
    const directions = (['inbound', 'outbound'] as const).filter(
      (direction) => Number(row[`listed_${direction}`]) === 1,
    );
    if (directions.length === 0) return [by === 'issue' ? own : { ...own, window }];
    return directions.map((direction) => ({ ...own, window: { ...window, direction } }));
  });
}

/** Rows to copy: not those of files in folders, which are read again; imported ones have no folder. */
const isImported = (identity: string) => `exists (
  select 1 from file_contents c join files f on f.tenant = c.tenant and f.id = c.file_id
  where c.tenant = x.tenant and c.identity = ${identity} and f.root = '')`;
const copiedDocuments = `from documents x
  where x.tenant = ? and (x.source <> 'files' or ${isImported('x.identity')})`;
const copiedEvents = `from events x
  where x.tenant = ? and (x.origin <> 'files' or ${isImported(`'${eventLine('')}' || x.identity`)})`;

function* documentsOf(rowsOf: Rows): Generator<Seen[]> {
  for (let last = 0; ; ) {
    const page = rowsOf(
      `select p.*, c.summary, c.xml from
        (select x.* ${copiedDocuments} and x.id > ? order by x.id limit ${PAGE_SIZE}) p
        join contents c on c.tenant = p.tenant and c.document_id = p.id order by p.id`,
      last,
    );
    yield page.flatMap((row): Seen[] => {
      const area = row.area as DocumentArea;
      const isIt = (summary: DocumentSummary) => identityOf(area, summary, () => '') === row.identity;
      const document = arrivalOf(row, isIt);
      if (row.source === 'files') return [{ arrivals: [document] }];
      const rowsIn = (table: string, order: string) =>
        rowsOf(
          `select * from ${table} where tenant = ? and document_id = ? order by ${order}`,
          Number(row.id),
        );
      const others = rowsIn('other_contents', 'fetched_at');
      const arrivals = [...others.map((other) => arrivalOf(other, isIt)), document];
      return provenancesOf(row, rowsIn('placements', 'date_field')).map((provenance) => ({
        provenance,
        arrivals,
      }));
    });
    if (page.length < PAGE_SIZE) return;
    last = Number(page.at(-1)?.id);
  }
}

function eventsOf(rowsOf: Rows): Seen[] {
  return rowsOf(`select x.* ${copiedEvents} order by x.asked_at, x.id`).map((row) => {
    const [events, at] = [row.origin as EventOrigin, String(row.asked_at)];
    const arrivals = [arrivalOf(row, ({ kind }) => kind === 'event')];
    const provenance = { company: '', area: 'nfe', source: 'service', at, events } as const;
    return events === 'files' ? { arrivals } : { provenance, arrivals };
  });
}

/** Stores documents and events, all of one provenance together; imported ones have no file. */
async function store(target: Connections, keepXml: boolean, all: readonly Seen[]): Promise<void> {
  const groups = new Map<string, Arrival[]>();
  for (const { provenance, arrivals } of all) {
    const key = provenance === undefined ? '' : JSON.stringify(provenance);
    const group = groups.get(key) ?? [];
    groups.set(key, group);
    group.push(...arrivals);
  }
  const imported = groups.get('') ?? [];
  groups.delete('');
  for (const [key, arrivals] of groups) {
    const provenance = JSON.parse(key) as Provenance;
    const batch = await receive(provenance.area, arrivals, keepXml);
    await target.write(undefined, (session) => writeBatch(session, provenance, batch));
  }
  for (const hasXml of [true, false]) {
    const documents = imported
      .filter(({ xml }) => (xml !== undefined) === hasXml)
      .map(({ summary, xml = '' }) => ({ summary, xml }));
    if (documents.length > 0) await createFileIndex(target, keepXml && hasXml).takeForGood(documents, []);
  }
}

/** Copies the archive of a tenant. @throws ArchiveUnusable where something of it would be missing */
async function copy(rowsOf: Rows, target: Connections, keepXml: boolean): Promise<Rebuilt> {
  for (const page of documentsOf(rowsOf)) {
    await store(target, keepXml, page);
    await target.refreshStatistics(page.length);
  }
  await store(target, keepXml, eventsOf(rowsOf));
  const companies = rowsOf(`select distinct company from placements where tenant = ? and company <> ''`);
  for (const { company } of companies) await createFileIndex(target, keepXml).adopt(String(company));
  const columns = ['tenant', ...Object.keys(tables.coverage.columns)].join(', ');
  const coverage = rowsOf(`select ${columns} from coverage where tenant = ?`) as unknown as CoverageRow[];
  await target.write(undefined, async ({ db }) => void (await insertRows(db, 'coverage', coverage)));

  const countOf = (copied: string) => Number(rowsOf(`select count(*) as count ${copied}`)[0]?.count);
  const [documents, events] = [countOf(copiedDocuments), countOf(copiedEvents)];
  const { findings, documents: held } = await verifyArchive(target);
  const written = await target.read(({ db, tenant }) =>
    select(db, sql`select id from events where tenant = ${tenant}`),
  );
  const isComplete = held === documents && written.length === events && findings.length === 0;
  if (!isComplete) throw new ArchiveUnusable('REBUILD_INCOMPLETE');
  return { documents, events };
}

/**
 * Rebuilds the archive of a folder, whatever version wrote it: its documents and events are stored again by the writer
 * of this version, parsed again where their text is kept. The old file is replaced once the new one is verified, and not
 * touched before. Answers of listings and contents of folders are left out: they are fetched and read again.
 * @throws ArchiveUnusable where something of it would be missing
 */
export async function rebuildArchive(folder: string, keepXml: boolean): Promise<Rebuilt> {
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
