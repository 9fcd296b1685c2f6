import type { AnswerPage } from './ask/answers.ts';
import { findAnswer, findKeys } from './ask/answers.ts';
import { answerQuestion, namesOf } from './ask/ask.ts';
import {
  type CoverageRequest,
  coverageOf,
  firstDay,
  missingIn,
  oldestIn,
  unreadableIn,
} from './ask/coverage.ts';
import { describeArchive } from './ask/info.ts';
import { readJudged } from './ask/judged.ts';
import { createKnownDocuments } from './ask/known-documents.ts';
import { partiesNamed, partyNames } from './ask/parties.ts';
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
import { verifyArchive } from './ask/verify.ts';
import { connect } from './engines/connect.ts';
import type { ArchiveOptions } from './engines/connections.ts';
import { createFileIndex } from './files/file-index.ts';
import type { Freshness } from './freshness.ts';
import type { DocumentReference } from './references.ts';
import type { AskedWindow, KeptKeys } from './schema/identity.ts';
import type { DocumentArea, Holding, Scope } from './scope.ts';
import { type Collection, takeTurn } from './turns.ts';
import { type ListedAnswer, recordAnswer, recordKeys } from './write/answers.ts';
import type { Arrival, FetchedWindow, NotedEvent } from './write/arrival.ts';
import { type Received, receive } from './write/prepare.ts';
import { type PurgeSelection, previewPurge, purgeDocuments } from './write/purge.ts';
import { keepDocuments, keepEvent, storeWindow } from './write/window.ts';

export type { AnswerPage } from './ask/answers.ts';
export type { CoverageRequest } from './ask/coverage.ts';
export type { HeldDocuments } from './ask/info.ts';
export type { JudgedDocument } from './ask/judged.ts';
export type * from './ask/question.ts';
export type { Listing, StoredDocument } from './ask/stored-documents.ts';
export type { Verification } from './ask/verify.ts';
export type { ArchivePlace } from './engines/connections.ts';
export type { AskedWindow, KeptKeys } from './schema/identity.ts';
export type { EventOrigin, Unreadable } from './schema/schema.ts';
export type { ListedAnswer } from './write/answers.ts';
export type { Arrival, DocumentChange, FetchedWindow, NotedEvent } from './write/arrival.ts';
export type { Received } from './write/prepare.ts';
export type { PurgeSelection } from './write/purge.ts';

/**
 * Opens the archive, which is made where it is missing: the one memory of documents, for one tenant.
 *
 * Arrivals go in by `store` (a listing of whole days, which are covered from then on), `recordAnswer` (a listing as it
 * was asked, line by line), `keep` (documents that came alone) and `keepEvent` (an event without its text). The same
 * document that comes again replaces itself; a fuller form stays when a lesser one comes, an event changes the status
 * of its document whichever of the two came first, and two contents that contradict each other under one key are both
 * kept. Every document that comes out has its events applied and says where its status is from and when it was last
 * asked for.
 *
 * Every function throws an `ArchiveError`, and the errors of the arrivals while they are read.
 * @throws ArchiveError, `ArchiveEngineMissing` without SQLite
 */
export async function openArchive({ keepXml, tenant = '', ...place }: ArchiveOptions) {
  const connections = await connect({ ...place, tenant });
  const { read, leases } = connections;
  const coverage = (request: CoverageRequest) => read((session) => coverageOf(session, request));
  return {
    /**
     * Keeps a window's documents and events and records the window as covered, in one transaction that starts after the
     * last document has come: if the process ends before, nothing of the window is kept.
     */
    store: (
      window: FetchedWindow,
      arrivals: Received | Iterable<Arrival> | AsyncIterable<Arrival>,
      signal?: AbortSignal,
    ) => storeWindow(connections, keepXml, window, arrivals, signal),
    /** Keeps documents that came alone, which covers nothing. @param at when they were asked for */
    keep: (holding: Holding, arrivals: readonly Arrival[], at: Date) =>
      keepDocuments(connections, keepXml, holding, arrivals, at),
    /** Keeps an event that is known without its text: from the answer to a write or a look-up of its status. */
    keepEvent: (event: NotedEvent) => keepEvent(connections, event),
    /** Receives documents, ready to be recorded once all of them have come; nothing is kept yet. */
    receive: (
      area: DocumentArea,
      arrivals: Iterable<Arrival> | AsyncIterable<Arrival>,
      signal?: AbortSignal,
    ) => receive(area, arrivals, keepXml, signal),
    /**
     * Keeps the answer of a listing: its documents and events as `store` does, and its lines in their order, which
     * replace the earlier answer to the same question. Days are covered only where `covers` says so.
     */
    recordAnswer: (question: AskedWindow, answer: ListedAnswer, signal?: AbortSignal) =>
      recordAnswer(connections, keepXml, question, answer, signal),
    /** Keeps the keys that a listing answered, which replace the earlier answer to the same question. */
    recordKeys: (question: AskedWindow, answer: KeptKeys) => recordKeys(connections, question, answer),
    /** The keys of the last answer to the very same question. */
    findKeys: (question: AskedWindow) => read((session) => findKeys(session, question)),
    /**
     * The last answer to the very same question, with the documents as they are known now. Undefined where it was never
     * asked or a line of it is no longer there.
     */
    findAnswer: (question: AskedWindow, page: AnswerPage) =>
      read((session) => findAnswer(session, question, page)),
    /** The parts of a period that must be fetched, in order, each as long as can be. */
    missing: async (request: CoverageRequest, freshness: Freshness) =>
      missingIn(await coverage(request), request, freshness),
    /** The oldest moment that a day of the period was last asked for, of those that were; ISO 8601 in UTC. */
    asOf: async (request: CoverageRequest) => oldestIn(await coverage(request), request),
    /** Unreadable parts of the last replies about days of a period: answers that rest on them are not complete. */
    unreadable: async (request: CoverageRequest) => unreadableIn(await coverage(request), request),
    /** The day of the first document of a kind that is known of a company; undefined of none. */
    firstDay: (scope: Pick<Scope, 'company' | 'area' | 'by'>) => read((session) => firstDay(session, scope)),
    ask: (question: Question) => answerQuestion(connections, question),
    list: (question: ListQuestion) => read((session) => listDocuments(session, question)),
    /** The documents of a selection in the order of their issue, a few in memory at a time; all but the first `offset`. */
    read: (selection: Selection, offset?: number) => readDocuments(connections, selection, offset),
    /** The same documents with their check results instead of their content. */
    judged: (selection: Selection) => readJudged(connections, selection),
    find: (reference: DocumentReference) => read((session) => findDocument(session, reference)),
    /** The document of a key, also of the 50 positions that name no NFS-e to the service. */
    findByKey: (key: string) => read((session) => findDocumentByKey(session, key)),
    /** Other contents that came under the document's key and contradict the one that counts; the latest first. */
    otherContents: (reference: DocumentReference) => read((session) => otherContentsOf(session, reference)),
    /** The events of a document, in the order of time, also where the document itself is not known. */
    events: (key: string) => read((session) => eventsOf(session, key)),
    /** Names of parties by tax id, of those that a document names. */
    names: (ids: readonly string[]) => read((session) => namesOf(session, ids)),
    /** Parties of a role, for these companies or for all, whose name has all the words of a text, or parts of words, in it. */
    parties: (text: string, role: PartyGrouping, companies?: readonly string[]) =>
      read((session) => partiesNamed(session, text, role, companies)),
    /** The names last seen of tax ids. */
    partyNames: (ids: readonly string[]) => read((session) => partyNames(session, ids)),
    /**
     * The days of entry (`YYYY-MM-DD`), by key, of the documents of a period: only of those that questions by date of
     * entry have brought, since an issue date says nothing of the entry.
     */
    entryDays: (selection: Selection) => read((session) => entryDays(session, selection)),
    /**
     * The right to fetch a period, where others who share the archive fetch too: undefined while somebody is at days of
     * it. Where nobody shares the archive there is no such function.
     */
    takeTurn: leases && ((collection: Collection) => takeTurn(leases, collection)),
    /** Documents without their content, to be held against what others list. */
    known: createKnownDocuments(connections),
    /** The index of the user's own files. */
    files: createFileIndex(connections, keepXml),
    info: () => describeArchive(connections),
    verify: () => verifyArchive(connections),
    /** The effect of a purge. Nothing is removed. */
    previewPurge: (selection: PurgeSelection) => previewPurge(connections, selection),
    purge: (selection: PurgeSelection) => purgeDocuments(connections, selection),
    close: () => connections.close(),
  };
}

export type Archive = Awaited<ReturnType<typeof openArchive>>;
