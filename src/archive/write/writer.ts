import { type Insertable, sql } from 'kysely';
import type { Period } from '../../documents/days.ts';
import type { Connections } from '../engines/connections.ts';
import type { DocumentArea, Holding } from '../references.ts';
import { type AskedWindow, deflated, type KeptKeys, questionColumns } from '../schema/encoding.ts';
import type { Schema, Session, Unreadable } from '../schema/schema.ts';
import { insertRows, replacing } from '../schema/sql.ts';
import {
  type Arrival,
  type Arrivals,
  type Batch,
  type FetchedWindow,
  type NotedEvent,
  type Provenance,
  type Received,
  receive,
  type StoreOutcome,
  summaryOfNoted,
} from './arrival.ts';
import { recordCoverage } from './coverage.ts';
import { partsOf, writeBatch } from './documents.ts';

interface ListedAnswer {
  readonly fetchedAt: Date;
  readonly arrivals: Arrivals;
  readonly unreadable?: readonly Unreadable[];
  /** Whole days completed by this answer, which questions need not fetch. */
  readonly covers?: Period | undefined;
}

/** Retention of answers, a week; further pages are requested within minutes. */
const keptMilliseconds = 7 * 86_400_000;

async function writeAnswer(
  { db, tenant }: Session,
  question: AskedWindow,
  answer: Pick<Insertable<Schema['answers']>, 'fetched_at' | 'lines' | 'identities' | 'unreadable'>,
): Promise<void> {
  const row = { ...questionColumns(tenant, question), ...answer };
  await insertRows(db, 'answers', [row], replacing('answers', Object.keys(answer)));
  const oldest = new Date(Date.parse(answer.fetched_at) - keptMilliseconds).toISOString();
  await sql`delete from answers
    where tenant = ${tenant} and company = ${question.company} and fetched_at < ${oldest}`.execute(db);
}

/**
 * Writes arrivals, each call in one transaction begun after the last arrival, so a killed process leaves no partial
 * write. Writing is idempotent: a document replaces its stored version, unless the new one is abridged; an event
 * updates its document's status in either order of arrival; contradicting versions under one key are both kept.
 */
export function createWriter(connections: Connections, keepXml: boolean) {
  /**
   * Writes a batch and its record concurrently with other companies. Exclusive if it cancels documents, which other
   * companies may share, or has several parts, whose locks have no common order.
   */
  async function write(
    provenance: Provenance,
    batch: Batch,
    record?: (session: Session) => Promise<void>,
    signal?: AbortSignal,
  ): Promise<StoreOutcome> {
    const isExclusive =
      partsOf(batch.documents).length > 1 || batch.events.some(({ cancels }) => cancels === 1);
    const outcome = await connections.write(isExclusive ? undefined : provenance.company, async (session) => {
      const written = await writeBatch(session, provenance, batch, signal);
      await record?.(session);
      return written;
    });
    await connections.refreshStatistics(outcome.added);
    return outcome;
  }

  function writeListed(
    { fetchedAt, unreadable, ...window }: FetchedWindow,
    batch: Batch,
    record: (session: Session) => Promise<void>,
    signal?: AbortSignal,
  ): Promise<StoreOutcome> {
    const came = { source: 'service', at: fetchedAt.toISOString(), events: 'list' } as const;
    return write({ company: window.company, window, ...came }, batch, record, signal);
  }

  return {
    /** Prepares arriving documents, to be stored once all have arrived. */
    receive: (area: DocumentArea, arrivals: Arrivals, signal?: AbortSignal): Promise<Received> =>
      receive(area, arrivals, keepXml, signal),

    /** Stores the documents and events of a listing of whole days, which become covered. */
    async store(window: FetchedWindow, arrivals: Arrivals, signal?: AbortSignal): Promise<StoreOutcome> {
      const batch = await receive(window.area, arrivals, keepXml, signal);
      return writeListed(window, batch, (session) => recordCoverage(session, window), signal);
    },

    /** Stores single documents, without coverage. @param at time of the request */
    async keep({ company, area }: Holding, arrivals: readonly Arrival[], at: Date): Promise<StoreOutcome> {
      const came = { source: 'service', at: at.toISOString(), events: 'document' } as const;
      return write({ company, ...came }, await receive(area, arrivals, keepXml));
    },

    /** Stores an event known without its text, from a write or a status query. */
    async keepEvent(noted: NotedEvent): Promise<StoreOutcome> {
      const came = { source: 'service', at: noted.askedAt.toISOString(), events: noted.from } as const;
      return write(
        { company: '', ...came },
        await receive(undefined, [{ summary: summaryOfNoted(noted) }], false),
      );
    },

    /**
     * Stores a listing's answer: documents and events as `store` does, and its lines in order, replacing the earlier
     * answer to the same question. Marks days covered only if `covers` says so.
     */
    async recordAnswer(
      question: AskedWindow,
      { fetchedAt, arrivals, unreadable = [], covers }: ListedAnswer,
      signal?: AbortSignal,
    ): Promise<StoreOutcome> {
      const { company, area, by, direction } = question;
      const batch = await receive(area, arrivals, keepXml, signal);
      const days = covers ?? { from: question.from.slice(0, 10), to: question.to.slice(0, 10) };
      const window = { company, area, by, direction, ...days, fetchedAt, unreadable };
      const record = async (session: Session) => {
        if (covers !== undefined) await recordCoverage(session, window);
        await writeAnswer(session, question, {
          fetched_at: fetchedAt.toISOString(),
          lines: batch.identities.length,
          identities: deflated(batch.identities.join('\n')),
          unreadable: JSON.stringify(unreadable),
        });
      };
      return writeListed(window, batch, record, signal);
    },

    /** Stores the keys of a listing, replacing the earlier answer to the same question. */
    async recordKeys(question: AskedWindow, { fetched_at, list }: KeptKeys): Promise<void> {
      const identities = deflated(JSON.stringify(list));
      const lines = list.keys.length + list.identifiers.length;
      await connections.write(question.company, (session) =>
        writeAnswer(session, question, { fetched_at, lines, identities, unreadable: '[]' }),
      );
    },
  };
}
