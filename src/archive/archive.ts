import type { AnswerPage, KeptAnswer } from './ask/answers.ts';
import type { CoverageRequest, UnreadableOfDays } from './ask/coverage.ts';
import type { ArchiveInfo } from './ask/info.ts';
import type { JudgedDocument } from './ask/judged.ts';
import type { NamedParty } from './ask/parties.ts';
import type { Answer, ListQuestion, PartyGrouping, Question, Selection } from './ask/question.ts';
import type { Listing, OtherContent, StoredDocument, StoredEvent } from './ask/stored-documents.ts';
import type { Verification } from './ask/verify.ts';
import type { Collection, Turn } from './collections.ts';
import type { Period } from './days.ts';
import type { FileIndex } from './files/file-index.ts';
import type { Freshness } from './freshness.ts';
import type { DocumentReference } from './references.ts';
import type { AskedWindow, KeptKeys } from './schema/asked-window.ts';
import type { DocumentArea, Holding } from './scope.ts';
import type { ListedAnswer } from './write/answers.ts';
import type { Arrival, FetchedWindow, NotedEvent, Receipt, StoreOutcome } from './write/arrival.ts';
import type { Received } from './write/incoming.ts';
import type { PurgeSelection, Removal } from './write/purge.ts';

export type { AnswerPage, KeptAnswer } from './ask/answers.ts';
export type { CoverageRequest, UnreadableOfDays } from './ask/coverage.ts';
export type { ArchiveInfo, HeldDocuments } from './ask/info.ts';
export type { JudgedDocument } from './ask/judged.ts';
export type { NamedParty } from './ask/parties.ts';
export type * from './ask/question.ts';
export type {
  Listing,
  OtherContent,
  StoredDocument,
  StoredEvent,
} from './ask/stored-documents.ts';
export type { Verification } from './ask/verify.ts';
export type { Collection, Turn } from './collections.ts';
export type { ArchivePlace } from './engines/connections.ts';
export type { AskedWindow, KeptKeys } from './schema/asked-window.ts';
export type { EventOrigin, Unreadable } from './schema/schema.ts';
export type { ListedAnswer } from './write/answers.ts';
export type {
  Arrival,
  DocumentChange,
  FetchedWindow,
  NotedEvent,
  Receipt,
  StoreOutcome,
} from './write/arrival.ts';
export type { Received } from './write/incoming.ts';
export type { PurgeSelection, Removal } from './write/purge.ts';

/**
 * The one memory of documents: what has been fetched, kept and can be asked, for one tenant.
 *
 * What arrives goes in by `store` (a listing of whole days, which are known from then on), `recordAnswer` (a listing
 * as it was asked, line by line), `keep` (documents that came alone) and `keepEvent` (an event without its text). The
 * same document that comes again replaces itself; a fuller form stays when a lesser one comes, an event changes the
 * status of its document whichever of the two came first, and two contents that contradict each other under one key
 * are both kept. Every document that comes out has its events applied and says where its status is from and when it
 * was last asked for.
 *
 * Every function throws an `ArchiveError`, and what the arrivals throw while they are read.
 */
export interface Archive {
  /**
   * Keeps a window's documents and events and records the window as covered, in one transaction that starts after the
   * last document has come: if the process ends before, nothing of the window is kept.
   */
  store(
    window: FetchedWindow,
    arrivals: Received | Iterable<Arrival> | AsyncIterable<Arrival>,
    signal?: AbortSignal,
  ): Promise<StoreOutcome>;
  /** Keeps documents that came alone, which covers nothing. */
  keep(holding: Holding, arrivals: readonly Arrival[], receipt?: Receipt): Promise<StoreOutcome>;
  /** Keeps an event that is known without its text: from the answer to a write or a look-up of its status. */
  keepEvent(event: NotedEvent): Promise<StoreOutcome>;
  /**
   * Keeps what a listing answered: its documents and events as `store` does, and its lines in their order, which take
   * the place of what the same question was answered before. Days are covered only where `covers` says so.
   */
  recordAnswer(question: AskedWindow, answer: ListedAnswer, signal?: AbortSignal): Promise<StoreOutcome>;
  /** Takes what arrives, ready to be recorded once all of it has come; nothing is kept yet. */
  receive(
    area: DocumentArea,
    arrivals: Iterable<Arrival> | AsyncIterable<Arrival>,
    signal?: AbortSignal,
  ): Promise<Received>;
  /**
   * What the very same question was answered last, with the documents as they are known now. Undefined where it was
   * never asked or a line of it is no longer there.
   */
  findAnswer(question: AskedWindow, page: AnswerPage): Promise<KeptAnswer | undefined>;
  /** Keeps the keys that a listing answered, in the place of what the same question was answered before. */
  recordKeys(question: AskedWindow, answer: KeptKeys): Promise<void>;
  /** The keys that the very same question was answered last. */
  findKeys(question: AskedWindow): Promise<KeptKeys | undefined>;
  /** The parts of a period that must be fetched, in order, each as long as can be. */
  missing(request: CoverageRequest, freshness: Freshness): Promise<readonly Period[]>;
  /** The oldest moment that a day of the period was last asked for, of those that were; ISO 8601 in UTC. */
  asOf(request: CoverageRequest): Promise<string | undefined>;
  /** What could not be read when the days of a period were last asked for: answers that rest on them are not complete. */
  unreadable(request: CoverageRequest): Promise<readonly UnreadableOfDays[]>;
  ask(question: Question): Promise<Answer>;
  list(question: ListQuestion): Promise<Listing>;
  /** The documents of a selection in the order of their issue, a few in memory at a time; all but the first `offset`. */
  read(selection: Selection, offset?: number): AsyncIterable<StoredDocument>;
  /** The same documents with what is judged of each instead of its content. */
  judged(selection: Selection): AsyncIterable<JudgedDocument>;
  find(reference: DocumentReference): Promise<StoredDocument | undefined>;
  /** The document of a key, also of the 50 positions that name no NFS-e to the service. */
  findByKey(key: string): Promise<StoredDocument | undefined>;
  /** What else came under the document's key and contradicts what counts; the latest first. */
  otherContents(reference: DocumentReference): Promise<readonly OtherContent[]>;
  /** What happened to a document, in the order of time, also where the document itself is not known. */
  events(key: string): Promise<readonly StoredEvent[]>;
  /**
   * The days of entry (`YYYY-MM-DD`), by key, of the documents of a period: only of those that questions by date of
   * entry have brought, since an issue date says nothing of the entry.
   */
  entryDays(selection: Selection): Promise<ReadonlyMap<string, string>>;
  /** Those of a role in the documents kept here whose name has all the words of a text, or parts of words, in it. */
  parties(text: string, role: PartyGrouping): Promise<readonly NamedParty[]>;
  /**
   * The right to fetch what a period lacks, for others who share the archive fetch too: undefined while somebody is at
   * days of it. Where nobody shares the archive there is no such function.
   */
  readonly takeTurn?: (collection: Collection) => Promise<Turn | undefined>;
  /** What the user's own files gave. */
  readonly files: FileIndex;
  info(): Promise<ArchiveInfo>;
  verify(): Promise<Verification>;
  /** What a purge would remove. Nothing is removed. */
  previewPurge(selection: PurgeSelection): Promise<Removal>;
  purge(selection: PurgeSelection): Promise<Removal>;
  close(): Promise<void>;
}
