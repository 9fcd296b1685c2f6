import type { Period } from '../documents/days.ts';
import { answerQuestion } from './ask/ask.ts';
import { createCoverage } from './ask/coverage.ts';
import { describeArchive, verifyArchive } from './ask/info.ts';
import { createKnownDocuments } from './ask/known-documents.ts';
import { createListing } from './ask/listing.ts';
import type { PartyGrouping, Question } from './ask/question.ts';
import { createStoredDocuments } from './ask/stored-documents.ts';
import { partiesNamed, partyNames } from './ask/words.ts';
import type { ArchiveOptions, Connections, TenantPlace } from './engines/connections.ts';
import { connectPostgres } from './engines/postgres.ts';
import { connectSqlite } from './engines/sqlite.ts';
import { explained } from './errors.ts';
import { createFileIndex } from './files/file-index.ts';
import type { Scope } from './references.ts';
import { type PurgeSelection, previewPurge, purgeDocuments } from './write/purge.ts';
import { createWriter } from './write/writer.ts';

export type { Verification } from './ask/info.ts';
export type { JudgedDocument, Listing } from './ask/listing.ts';
export type * from './ask/question.ts';
export type { StoredDocument } from './ask/stored-documents.ts';
export type { ArchivePlace } from './engines/connections.ts';
export type { AskedWindow, KeptKeys } from './schema/encoding.ts';
export type { EventOrigin, Unreadable } from './schema/schema.ts';
export type { Arrival, DocumentChange, FetchedWindow, NotedEvent, Received } from './write/arrival.ts';

/** Opens an archive's database, creating its tables if needed. @throws ArchiveError, as all of its methods */
export async function connect(place: TenantPlace): Promise<Connections> {
  const connections = await explained(() => {
    const { mode, tenant } = place;
    if (mode === 'postgres') return connectPostgres(place.url, tenant, place.databases);
    return connectSqlite(mode === 'file' ? place.folder : undefined, tenant);
  });
  const { read, write, refreshStatistics, integrity, compact } = connections;
  return {
    ...connections,
    read: (work) => explained(() => read(work)),
    write: (company, work) => explained(() => write(company, work)),
    refreshStatistics: (documents) => explained(() => refreshStatistics(documents)),
    integrity: () => explained(integrity),
    compact: () => explained(compact),
  };
}

/**
 * Opens a tenant's archive, creating it if missing.
 * @throws ArchiveError, as its methods, which also throw errors of arrivals
 */
export async function openArchive({ keepXml, tenant = '', ...place }: ArchiveOptions) {
  const connections = await connect({ ...place, tenant });
  const { read, leases } = connections;
  return {
    ...createWriter(connections, keepXml),
    ...createCoverage(connections),
    ...createStoredDocuments(connections),
    ...createListing(connections),
    ask: (question: Question) => answerQuestion(connections, question),
    parties: (text: string, role: PartyGrouping, companies?: readonly string[]) =>
      read((session) => partiesNamed(session, text, role, companies)),
    partyNames: (ids: readonly string[]) => read((session) => partyNames(session, ids)),
    /**
     * Takes the lease to fetch a period; undefined while another process fetches days of it. Absent if no one shares
     * the archive.
     */
    takeTurn:
      leases &&
      (({ company, area, by, from, to }: Scope & Period) => {
        const name = `collect ${area} ${by} ${company}`;
        return explained(() => leases.take({ name, most: 1, span: { from, to } }));
      }),
    known: createKnownDocuments(connections),
    files: createFileIndex(connections, keepXml),
    info: () => describeArchive(connections),
    verify: () => verifyArchive(connections),
    previewPurge: (selection: PurgeSelection) => previewPurge(connections, selection),
    purge: (selection: PurgeSelection) => purgeDocuments(connections, selection),
    close: () => connections.close(),
  };
}

export type Archive = Awaited<ReturnType<typeof openArchive>>;
