import { setImmediate as letOthersRun } from 'node:timers/promises';
import { ArchiveEngineMissing } from '../errors.ts';
import { keepHeapSmall } from '../heap.ts';
import type { Archive } from './archive.ts';
import { findAnswer, findKeys } from './ask/answers.ts';
import { answerQuestion } from './ask/ask.ts';
import { type CoverageRequest, coverageOf, missingIn, oldestIn, unreadableIn } from './ask/coverage.ts';
import { foreseenAnswer } from './ask/foreseen.ts';
import { describeArchive } from './ask/info.ts';
import { readJudged } from './ask/judged.ts';
import { partiesNamed } from './ask/parties.ts';
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
import { turnsOf } from './collections.ts';
import { writeBehind } from './engines/behind.ts';
import { connect } from './engines/connect.ts';
import type { ArchiveOptions, Connections, TenantPlace } from './engines/connections.ts';
import { createFileIndex } from './files/asking.ts';
import { openPlainArchive } from './plain/archive.ts';
import { recordAnswer, recordKeys } from './write/answers.ts';
import { receive, received } from './write/incoming.ts';
import { previewPurge, purgeDocuments } from './write/purge.ts';
import { beginRereading } from './write/reread.ts';
import { keepDocuments, keepEvent, storeWindow } from './write/window.ts';

/** How long opening may wait for documents to be read anew: a call has time for its answer then. */
const LONGEST_OPENING_MS = 20_000;

/** Opens the database and brings its schema up to date; undefined where one in memory can't be had. */
async function connected(place: TenantPlace): Promise<Connections | undefined> {
  try {
    return await connect(place);
  } catch (error) {
    if (place.mode === 'memory' && error instanceof ArchiveEngineMissing) return undefined;
    throw error;
  }
}

/**
 * Opens the archive and brings its schema up to date; in memory, and where there is no SQLite, one that answers
 * everything but questions. Throws an `ArchiveError`.
 */
export async function openArchive({ keepXml, tenant = '', ...place }: ArchiveOptions): Promise<Archive> {
  keepHeapSmall();
  const opened = await connected({ ...place, tenant });
  if (opened === undefined) return openPlainArchive(keepXml);
  const { connections, waitFor } = writeBehind(opened);
  const rereading = beginRereading(connections);
  try {
    await rereading.within(LONGEST_OPENING_MS);
  } catch (error) {
    await rereading.stop();
    await connections.close();
    throw error;
  }
  const { read, leases } = connections;
  /** What is answered by sums and lists, which documents that are yet to be read anew would be missing in. */
  const answer: typeof read = async (work) => {
    rereading.checkOver();
    return read(work);
  };
  const coverage = (request: CoverageRequest) => read((session) => coverageOf(session, request));
  return {
    canAsk: true,
    store: (window, arrivals, signal) => storeWindow(connections, keepXml, window, arrivals, signal),
    keep: (holding, arrivals, receipt) => keepDocuments(connections, keepXml, holding, arrivals, receipt),
    keepEvent: (event) => keepEvent(connections, event),
    receive: (area, arrivals, reception) => receive(area, arrivals, keepXml, reception),
    recordAnswer(question, answer, signal, onForeseen) {
      const record = async () => {
        const came = await received(question.area, answer.arrivals, keepXml, signal);
        const foreseen =
          onForeseen && (await read((session) => foreseenAnswer(session, question, answer, came)));
        if (foreseen !== undefined) {
          waitFor(work);
          onForeseen?.(foreseen);
          // The answer goes out first.
          await letOthersRun();
        }
        // Its own writing does not wait for itself.
        const own = { ...connections, write: opened.write };
        return recordAnswer(own, keepXml, question, { ...answer, arrivals: came }, signal);
      };
      const work = record();
      return work;
    },
    recordKeys: (question, answer) => recordKeys(connections, question, answer),
    findKeys: (question) => read((session) => findKeys(session, question)),
    findAnswer: (question, page) => read((session) => findAnswer(session, question, page)),
    missing: async (request, freshness) => {
      rereading.checkOver();
      return missingIn(await coverage(request), request, freshness);
    },
    asOf: async (request) => oldestIn(await coverage(request), request),
    unreadable: async (request) => unreadableIn(await coverage(request), request),
    ask: (question) => answer((session) => answerQuestion(session, question)),
    list: (question) => answer((session) => listDocuments(session, question)),
    read: (selection, offset) => readDocuments({ ...connections, read: answer }, selection, offset),
    judged: (selection) => readJudged({ ...connections, read: answer }, selection),
    find: (reference) => read((session) => findDocument(session, reference)),
    findByKey: (key) => read((session) => findDocumentByKey(session, key)),
    otherContents: (reference) => read((session) => otherContentsOf(session, reference)),
    events: (key) => read((session) => eventsOf(session, key)),
    parties: (text, role) => read((session) => partiesNamed(session, text, role)),
    entryDays: (selection) => answer((session) => entryDays(session, selection)),
    ...turnsOf(leases),
    files: createFileIndex(connections, keepXml),
    info: () => describeArchive(connections),
    verify: () => verifyArchive(connections),
    previewPurge: (selection) => previewPurge(connections, selection),
    purge: (selection) => purgeDocuments(connections, selection),
    async close() {
      await rereading.stop();
      await connections.close();
    },
  };
}
