import { sql } from 'kysely';
import { currentRules, type Judgement, judge, type RegisteredEvent } from '../../documents/rules/index.ts';
import type { DocumentStatus } from '../../documents/summary/summary.ts';
import type { Connections } from '../engines/connections.ts';
import { ArchiveUnusable } from '../errors.ts';
import { summaryFrom } from '../schema/encoding.ts';
import type { Session } from '../schema/schema.ts';
import { findRows, inParts } from '../schema/sql.ts';
import { writeJudgements } from '../write/rows.ts';
import { selectedDocuments } from './listing.ts';
import type { Selection } from './question.ts';
import { eventsByKey } from './stored-documents.ts';

export interface JudgedEvent extends RegisteredEvent {
  readonly status: DocumentStatus;
}

/** A document's check result and facts, without content. */
export interface JudgedDocument {
  readonly judgement: Judgement;
  readonly status: DocumentStatus;
  readonly contents: number;
  readonly events: readonly JudgedEvent[];
}

/** Documents per page: some milliseconds. */
const pageSize = 500;

interface JudgedRow {
  readonly id: number;
  readonly key: string;
  readonly own_status: DocumentStatus;
  readonly status: DocumentStatus;
  readonly contents: number;
  readonly events: string;
  /** Of the current rules; null without one. */
  readonly judgement: string | null;
}

async function rowsOf({ db, tenant }: Session, ids: readonly number[]): Promise<Map<number, JudgedRow>> {
  const rows = await inParts(ids, async (part) => {
    const found = await sql<JudgedRow>`
      select d.id, d.key, d.own_status, d.status, d.contents, d.events, j.judgement
      from documents d left join judgements j
        on j.tenant = d.tenant and j.document_id = d.id and j.rules = ${currentRules}
      where d.tenant = ${tenant} and d.id in (${sql.join(part)})`.execute(db);
    return found.rows;
  });
  return new Map(rows.map((row) => [row.id, row]));
}

async function judgeAgain(session: Session, ids: readonly number[]): Promise<void> {
  const rows = await findRows(session, 'contents', ['document_id', 'summary'], 'document_id', ids);
  await writeJudgements(
    session,
    rows.map(({ document_id, summary }) => [document_id, JSON.stringify(judge(summaryFrom(summary)))]),
  );
}

/** Checks documents that have no result of the current rules first. */
async function judgedPage({ read, write }: Connections, ids: readonly number[]): Promise<JudgedDocument[]> {
  let rows = await read((session) => rowsOf(session, ids));
  const old = ids.filter((id) => !rows.get(id)?.judgement);
  if (old.length > 0) {
    await write(undefined, (session) => judgeAgain(session, old));
    rows = await read((session) => rowsOf(session, ids));
  }
  // Some may have been removed since the ids were read.
  const found = ids.flatMap((id) => rows.get(id) ?? []);
  const events = await read((session) =>
    eventsByKey(
      session,
      found.map(({ key }) => key),
    ),
  );
  return found.map(({ key, status, contents, ...row }) => {
    if (row.judgement === null) throw new ArchiveUnusable('CONTENT_MISSING');
    // Written by this archive, so trusted.
    const { facts, ...judgement } = JSON.parse(row.judgement) as Judgement;
    const standing = row.events.split(' ');
    const isTakenBack = ({ code = '' }: RegisteredEvent) => /^\d{6}$/.test(code) && !standing.includes(code);
    const known = (events.get(key) ?? []).map(({ summary }): JudgedEvent => {
      return { status: summary.status, code: summary.event?.code, at: summary.event?.at };
    });
    return {
      // Another content of the document may have settled its status.
      judgement: {
        ...judgement,
        events: judgement.events.filter((event) => !isTakenBack(event)),
        facts: { ...facts, status: row.own_status },
      },
      status,
      contents: Number(contents),
      events: known.filter((event) => event.status !== 'authorized' || !isTakenBack(event)),
    };
  });
}

/** Streams a selection's documents with their check results instead of their content. */
export async function* readJudged(
  connections: Connections,
  selection: Selection,
): AsyncIterable<JudgedDocument> {
  const ids = await connections.read((session) => selectedDocuments(session, selection));
  for (let start = 0; start < ids.length; start += pageSize) {
    yield* await judgedPage(connections, ids.slice(start, start + pageSize));
  }
}
