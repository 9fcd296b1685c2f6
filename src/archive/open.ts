import type { Archive } from './archive.ts';
import { findAnswer, findKeys } from './ask/answers.ts';
import { answerQuestion } from './ask/ask.ts';
import { type CoverageRequest, coverageOf, missingIn, oldestIn, unreadableIn } from './ask/coverage.ts';
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
import { connect } from './engines/connect.ts';
import type { ArchiveOptions } from './engines/connections.ts';
import { createFileIndex } from './files/file-index.ts';
import { recordAnswer, recordKeys } from './write/answers.ts';
import { receive } from './write/incoming.ts';
import { previewPurge, purgeDocuments } from './write/purge.ts';
import { keepDocuments, keepEvent, storeWindow } from './write/window.ts';

/** Opens the archive, which is made where it is missing. @throws ArchiveError, `ArchiveEngineMissing` without SQLite */
export async function openArchive({ keepXml, tenant = '', ...place }: ArchiveOptions): Promise<Archive> {
  const connections = await connect({ ...place, tenant });
  const { read, leases } = connections;
  const coverage = (request: CoverageRequest) => read((session) => coverageOf(session, request));
  return {
    store: (window, arrivals, signal) => storeWindow(connections, keepXml, window, arrivals, signal),
    keep: (holding, arrivals, receipt) => keepDocuments(connections, keepXml, holding, arrivals, receipt),
    keepEvent: (event) => keepEvent(connections, event),
    receive: (area, arrivals, signal) => receive(area, arrivals, keepXml, signal),
    recordAnswer: (question, answer, signal) => recordAnswer(connections, keepXml, question, answer, signal),
    recordKeys: (question, answer) => recordKeys(connections, question, answer),
    findKeys: (question) => read((session) => findKeys(session, question)),
    findAnswer: (question, page) => read((session) => findAnswer(session, question, page)),
    missing: async (request, freshness) => missingIn(await coverage(request), request, freshness),
    asOf: async (request) => oldestIn(await coverage(request), request),
    unreadable: async (request) => unreadableIn(await coverage(request), request),
    ask: (question) => answerQuestion(connections, question),
    list: (question) => read((session) => listDocuments(session, question)),
    read: (selection, offset) => readDocuments(connections, selection, offset),
    judged: (selection) => readJudged(connections, selection),
    find: (reference) => read((session) => findDocument(session, reference)),
    findByKey: (key) => read((session) => findDocumentByKey(session, key)),
    otherContents: (reference) => read((session) => otherContentsOf(session, reference)),
    events: (key) => read((session) => eventsOf(session, key)),
    parties: (text, role) => read((session) => partiesNamed(session, text, role)),
    entryDays: (selection) => read((session) => entryDays(session, selection)),
    ...turnsOf(leases),
    files: createFileIndex(connections, keepXml),
    info: () => describeArchive(connections),
    verify: () => verifyArchive(connections),
    previewPurge: (selection) => previewPurge(connections, selection),
    purge: (selection) => purgeDocuments(connections, selection),
    close: () => connections.close(),
  };
}
