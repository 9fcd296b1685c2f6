import type { DocumentSummary } from '../../documents/summary/summary.ts';
import type { Period } from '../days.ts';
import type { DocumentReference } from '../references.ts';
import type { Holding } from '../scope.ts';
import { answerQuestion } from './ask/ask.ts';
import { type CoverageRequest, type Freshness, missingPeriods } from './ask/coverage.ts';
import { type ArchiveInfo, describeArchive } from './ask/info.ts';
import type { Answer, ListQuestion, Question, Selection } from './ask/question.ts';
import {
  entryDays,
  eventsOf,
  findDocument,
  type Listing,
  listDocuments,
  readDocuments,
  type StoredDocument,
} from './ask/stored-documents.ts';
import { type Verification, verifyArchive } from './ask/verify.ts';
import { connect } from './engines/connect.ts';
import type { ArchiveOptions } from './engines/connections.ts';
import type { Arrival, FetchedWindow, StoreOutcome } from './write/arrival.ts';
import { type PurgeSelection, previewPurge, purgeDocuments, type Removal } from './write/purge.ts';
import { keepDocuments, storeWindow } from './write/window.ts';

export type { CoverageRequest, Freshness } from './ask/coverage.ts';
export type { ArchiveInfo, HeldDocuments } from './ask/info.ts';
export type * from './ask/question.ts';
export type { Listing, StoredDocument } from './ask/stored-documents.ts';
export type { Verification } from './ask/verify.ts';
export type { ArchiveOptions, ArchivePlace } from './engines/connections.ts';
export type { Arrival, FetchedWindow, StoreOutcome } from './write/arrival.ts';
export type { PurgeSelection, Removal } from './write/purge.ts';

/**
 * What has been fetched, kept and can be asked. Every function throws an `ArchiveError`, and what the arrivals throw
 * while they are read.
 */
export interface Archive {
  /**
   * Keeps a window's documents and events and records the window as covered, in one transaction that starts after the
   * last document has come: if the process ends before, nothing of the window is kept. What comes again replaces
   * itself.
   */
  store(
    window: FetchedWindow,
    arrivals: Iterable<Arrival> | AsyncIterable<Arrival>,
    signal?: AbortSignal,
  ): Promise<StoreOutcome>;
  /** Keeps documents that came alone, which covers nothing. */
  keep(holding: Holding, arrivals: readonly Arrival[]): Promise<StoreOutcome>;
  /** The parts of a period that must be fetched, in order, each as long as can be. */
  missing(request: CoverageRequest, freshness: Freshness): Promise<readonly Period[]>;
  ask(question: Question): Promise<Answer>;
  list(question: ListQuestion): Promise<Listing>;
  /** The documents of a selection in the order of their issue, a few in memory at a time; all but the first `offset`. */
  read(selection: Selection, offset?: number): AsyncIterable<StoredDocument>;
  find(reference: DocumentReference): Promise<StoredDocument | undefined>;
  /** What happened to a document, in the order of time. */
  events(key: string): Promise<readonly DocumentSummary[]>;
  /**
   * The days of entry (`YYYY-MM-DD`), by key, of the documents of a period: only of those that questions by date of
   * entry have brought, since an issue date says nothing of the entry.
   */
  entryDays(selection: Selection): Promise<ReadonlyMap<string, string>>;
  info(): Promise<ArchiveInfo>;
  verify(): Promise<Verification>;
  /** What a purge would remove. Nothing is removed. */
  previewPurge(selection: PurgeSelection): Promise<Removal>;
  purge(selection: PurgeSelection): Promise<Removal>;
  close(): Promise<void>;
}

/** Opens the archive and brings its schema up to date. Throws an `ArchiveError`. */
export async function openArchive({ keepXml, ...place }: ArchiveOptions): Promise<Archive> {
  const connections = await connect(place);
  const { read } = connections;
  return {
    store: (window, arrivals, signal) => storeWindow(connections, keepXml, window, arrivals, signal),
    keep: (holding, arrivals) => keepDocuments(connections, keepXml, holding, arrivals),
    missing: (request, freshness) => read((db) => missingPeriods(db, request, freshness)),
    ask: (question) => read((db) => answerQuestion(db, question)),
    list: (question) => read((db) => listDocuments(db, question)),
    read: (selection, offset) => readDocuments(connections, selection, offset),
    find: (reference) => read((db) => findDocument(db, reference)),
    events: (key) => read((db) => eventsOf(db, key)),
    entryDays: (selection) => read((db) => entryDays(db, selection)),
    info: () => describeArchive(connections),
    verify: () => verifyArchive(connections),
    previewPurge: (selection) => previewPurge(connections, selection),
    purge: (selection) => purgeDocuments(connections, selection),
    close: () => connections.close(),
  };
}
