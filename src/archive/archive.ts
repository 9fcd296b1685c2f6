import { answerQuestion } from './ask/ask.ts';
import type { AnswerPage } from './ask/coverage.ts';
import {
  type CoverageRequest,
  coverageOf,
  findAnswer,
  findKeys,
  firstDay,
  missingIn,
  oldestIn,
  unreadableIn,
} from './ask/coverage.ts';
import { describeArchive, verifyArchive } from './ask/info.ts';
import { readJudged } from './ask/judged.ts';
import { createKnownDocuments } from './ask/known-documents.ts';
import type { ListQuestion, PartyGrouping, Question, Selection } from './ask/question.ts';
import {
  entryDays,
  eventsOf,
  findDocument,
  findDocumentByKey,
  listDocuments,
  otherContentsOf,
  readDocuments,
} from './ask/stored-documents.ts';
import { partiesNamed, partyNames } from './ask/words.ts';
import type { Freshness, Period } from './days.ts';
import type { ArchiveOptions, Connections, TenantPlace } from './engines/connections.ts';
import { connectPostgres } from './engines/postgres.ts';
import { connectSqlite } from './engines/sqlite.ts';
import { explained } from './errors.ts';
import { createFileIndex } from './files/file-index.ts';
import type { DocumentArea, DocumentReference, Holding, Scope } from './references.ts';
import type { AskedWindow, KeptKeys } from './schema/encoding.ts';
import type { Arrival, FetchedWindow, NotedEvent } from './write/arrival.ts';
import { type Received, receive } from './write/arrival.ts';
import { type PurgeSelection, previewPurge, purgeDocuments } from './write/purge.ts';
import {
  keepDocuments,
  keepEvent,
  type ListedAnswer,
  recordAnswer,
  recordKeys,
  storeWindow,
} from './write/window.ts';

export type { AnswerPage, CoverageRequest } from './ask/coverage.ts';
export type { HeldDocuments, Verification } from './ask/info.ts';
export type { JudgedDocument } from './ask/judged.ts';
export type * from './ask/question.ts';
export type { Listing, StoredDocument } from './ask/stored-documents.ts';
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
 *
 * Arrivals are written by `store` (a listing of whole days, which become covered), `recordAnswer` (a listing as
 * asked, line by line), `keep` (single documents) and `keepEvent` (an event without its text). Writing is idempotent:
 * a document that arrives again replaces itself, unless the new form is abridged; an event changes its document's
 * status in either order of arrival; contradicting contents under one key are both kept. Documents are returned with
 * their events applied and the origin and age of their status.
 *
 * Methods throw an `ArchiveError`, or errors of the arrivals.
 * @throws ArchiveError, `ArchiveEngineMissing` without SQLite
 */
export async function openArchive({ keepXml, tenant = '', ...place }: ArchiveOptions) {
  const connections = await connect({ ...place, tenant });
  const { read, leases } = connections;
  const coverage = (request: CoverageRequest) => read((session) => coverageOf(session, request));
  return {
    /**
     * Stores a window's documents and events and marks it covered, in one transaction begun after the last document
     * arrived: a killed process leaves nothing of the window.
     */
    store: (
      window: FetchedWindow,
      arrivals: Received | Iterable<Arrival> | AsyncIterable<Arrival>,
      signal?: AbortSignal,
    ) => storeWindow(connections, keepXml, window, arrivals, signal),
    /** Stores single documents, without coverage. @param at when they were requested */
    keep: (holding: Holding, arrivals: readonly Arrival[], at: Date) =>
      keepDocuments(connections, keepXml, holding, arrivals, at),
    /** Stores an event known without its text, from a write or a look-up. */
    keepEvent: (event: NotedEvent) => keepEvent(connections, event),
    /** Prepares arriving documents; they are stored once all have come. */
    receive: (
      area: DocumentArea,
      arrivals: Iterable<Arrival> | AsyncIterable<Arrival>,
      signal?: AbortSignal,
    ) => receive(area, arrivals, keepXml, signal),
    /**
     * Stores a listing's answer: documents and events as `store` does, and its lines in order, replacing the earlier
     * answer to the same question. Marks days covered only if `covers` says so.
     */
    recordAnswer: (question: AskedWindow, answer: ListedAnswer, signal?: AbortSignal) =>
      recordAnswer(connections, keepXml, question, answer, signal),
    /** Stores the keys of a listing, replacing the earlier answer to the same question. */
    recordKeys: (question: AskedWindow, answer: KeptKeys) => recordKeys(connections, question, answer),
    /** Keys of the last answer to the same question. */
    findKeys: (question: AskedWindow) => read((session) => findKeys(session, question)),
    /**
     * The last answer to the same question, with the current state of its documents. Undefined if it was never asked,
     * or if a line of it is gone.
     */
    findAnswer: (question: AskedWindow, page: AnswerPage) =>
      read((session) => findAnswer(session, question, page)),
    /** Parts of a period to fetch, in order, each as long as possible. */
    missing: async (request: CoverageRequest, freshness: Freshness) =>
      missingIn(await coverage(request), request, freshness),
    /** Oldest fetch time among the period's covered days; ISO 8601 in UTC. */
    asOf: async (request: CoverageRequest) => oldestIn(await coverage(request), request),
    /** Unreadable parts of the latest listings of a period: answers over them are incomplete. */
    unreadable: async (request: CoverageRequest) => unreadableIn(await coverage(request), request),
    /** Day of a company's first known document of a kind; undefined without documents. */
    firstDay: (scope: Pick<Scope, 'company' | 'area' | 'by'>) => read((session) => firstDay(session, scope)),
    ask: (question: Question) => answerQuestion(connections, question),
    list: (question: ListQuestion) => read((session) => listDocuments(session, question)),
    /** Streams a selection's documents in order of issue, after `offset`, with few in memory. */
    read: (selection: Selection, offset?: number) => readDocuments(connections, selection, offset),
    /** Streams a selection's documents with their check results instead of their content. */
    judged: (selection: Selection) => readJudged(connections, selection),
    find: (reference: DocumentReference) => read((session) => findDocument(session, reference)),
    /** Finds a document by key, including 50-digit keys, by which the service finds no NFS-e. */
    findByKey: (key: string) => read((session) => findDocumentByKey(session, key)),
    /** Contents that contradict the current one under the document's key, latest first. */
    otherContents: (reference: DocumentReference) => read((session) => otherContentsOf(session, reference)),
    /** Events of a document in chronological order, even if the document is unknown. */
    events: (key: string) => read((session) => eventsOf(session, key)),
    /** Parties in a role, of these companies or all, whose name contains all words of a text. */
    parties: (text: string, role: PartyGrouping, companies?: readonly string[]) =>
      read((session) => partiesNamed(session, text, role, companies)),
    /** Latest names of tax ids. */
    partyNames: (ids: readonly string[]) => read((session) => partyNames(session, ids)),
    /**
     * Days of entry (`YYYY-MM-DD`) by key of a period's documents. Only questions by date of entry bring them: an
     * issue date does not tell the entry.
     */
    entryDays: (selection: Selection) => read((session) => entryDays(session, selection)),
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
    /** Documents without content, for comparison with books. */
    known: createKnownDocuments(connections),
    /** Index of the user's files. */
    files: createFileIndex(connections, keepXml),
    info: () => describeArchive(connections),
    verify: () => verifyArchive(connections),
    /** Previews a purge; removes nothing. */
    previewPurge: (selection: PurgeSelection) => previewPurge(connections, selection),
    purge: (selection: PurgeSelection) => purgeDocuments(connections, selection),
    close: () => connections.close(),
  };
}

export type Archive = Awaited<ReturnType<typeof openArchive>>;
