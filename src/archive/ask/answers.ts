import { type AskedWindow, eventIn, inflated, type KeptKeys, questionColumns } from '../schema/encoding.ts';
import type { Session, Unreadable } from '../schema/schema.ts';
import { findRows } from '../schema/sql.ts';
import { checkPage } from './ask.ts';
import { documentsBy, type EventColumns, type StoredDocument, storedEvent } from './stored-documents.ts';

/** A page of a listing's last answer. */
export interface KeptAnswer {
  readonly fetched_at: string;
  /** Number of distinct documents and events. */
  readonly total: number;
  /** Repeated lines of the service's answer, not counted. */
  readonly repeated: number;
  readonly lines: readonly StoredDocument[];
  readonly unreadable: readonly Unreadable[];
}

export interface AnswerPage {
  readonly limit: number;
  readonly offset?: number;
}

/** An event listed without its document. */
function eventAlone(row: EventColumns): StoredDocument {
  const event = storedEvent(row);
  const { summary, asked_at } = event;
  return {
    summary,
    status: summary.status,
    status_from: 'document',
    status_at: asked_at,
    events: [event],
    source: 'service',
    fetched_at: asked_at,
    contents: 1,
  };
}

async function linesOf(session: Session, lines: readonly string[]): Promise<StoredDocument[] | undefined> {
  const eventIdentities = lines.map(eventIn).filter((identity) => identity !== undefined);
  const columns = ['identity', 'key', 'summary', 'origin', 'asked_at'] as const;
  const rows = await findRows(session, 'events', columns, 'identity', eventIdentities);
  const events = new Map(rows.map((row) => [row.identity, eventAlone(row)]));
  const documents = await documentsBy(
    session,
    'identity',
    lines.filter((line) => eventIn(line) === undefined),
  );
  const found = lines.map((line) => events.get(eventIn(line) ?? '') ?? documents.get(line));
  return found.every((line) => line !== undefined) ? found : undefined;
}

function answerTo({ db, tenant }: Session, question: AskedWindow) {
  const columns = questionColumns(tenant, question);
  return db
    .selectFrom('answers')
    .selectAll()
    .where((row) => row.and(columns))
    .executeTakeFirst();
}

/** See `Archive.findKeys`. */
export async function findKeys(session: Session, question: AskedWindow): Promise<KeptKeys | undefined> {
  const answer = await answerTo(session, question);
  if (answer === undefined) return undefined;
  // Written by this archive, so trusted.
  return { fetched_at: answer.fetched_at, list: JSON.parse(inflated(answer.identities)) as KeptKeys['list'] };
}

/** See `Archive.findAnswer`. */
export async function findAnswer(
  session: Session,
  question: AskedWindow,
  page: AnswerPage,
): Promise<KeptAnswer | undefined> {
  checkPage(page);
  const answer = await answerTo(session, question);
  if (answer === undefined) return undefined;
  const { offset = 0, limit } = page;
  const named = answer.lines === 0 ? [] : inflated(answer.identities).split('\n');
  const identities = [...new Set(named)];
  const lines = await linesOf(session, identities.slice(offset, offset + limit));
  if (lines === undefined) return undefined;
  // Written by this archive, so trusted.
  const unreadable = JSON.parse(answer.unreadable) as Unreadable[];
  const [total, repeated] = [identities.length, named.length - identities.length];
  return { fetched_at: answer.fetched_at, total, repeated, lines, unreadable };
}
