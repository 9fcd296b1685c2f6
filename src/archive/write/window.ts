import type { ExpressionBuilder, Insertable } from 'kysely';
import { checkPeriod, daysOf, latestBelievable, type Period } from '../days.ts';
import type { Connections } from '../engines/connections.ts';
import type { Direction, Holding, Scope } from '../references.ts';
import { type AskedWindow, deflated, type KeptKeys, questionColumns } from '../schema/encoding.ts';
import { anyDirection, type Schema, type Session, tables, type Unreadable } from '../schema/schema.ts';
import {
  type Arrival,
  type Batch,
  type FetchedWindow,
  type NotedEvent,
  type Provenance,
  prepareNoted,
  type Received,
  receive,
  type StoreOutcome,
} from './arrival.ts';
import { type WasKnown, writeBatch } from './documents.ts';
import { mostAtOnce } from './prepare.ts';

/**
 * Writes a batch while other companies write too; not where it cancels documents, which they may have, or has several
 * parts, whose locks are in no common order.
 */
async function writing(
  connections: Connections,
  company: string,
  { documents, events }: Batch,
  work: (session: Session) => Promise<StoreOutcome>,
): Promise<StoreOutcome> {
  const isExclusive = documents.length > mostAtOnce || events.some(({ cancels }) => cancels === 1);
  const outcome = await connections.write(isExclusive ? undefined : company, work);
  await connections.refreshStatistics(outcome.added);
  return outcome;
}

/** Windows of the same company, kind and date as this one that have days of it. */
function touching(tenant: string, { company, area, by, from, to }: Scope & Period) {
  return (one: ExpressionBuilder<Schema, 'coverage'>) =>
    one.and([
      one.and({ tenant, company, area, date_field: by }),
      one('from_day', '<=', to),
      one('to_day', '>=', from),
    ]);
}

/** Which days of issue were fetched before, in the window's directions; by another date all of the window or none. */
async function daysKnown({ db, tenant }: Session, window: Scope & Period): Promise<WasKnown> {
  const fetched = await db
    .selectFrom('coverage')
    .select(['from_day', 'to_day', 'direction'])
    .where(touching(tenant, window))
    .execute();
  const { by, direction } = window;
  const directions: readonly Direction[] = direction === undefined ? ['inbound', 'outbound'] : [direction];
  const isKnown: WasKnown = (day) =>
    directions.every((one) =>
      fetched.some(
        ({ from_day, to_day, direction: of }) =>
          from_day <= day && to_day >= day && (of === one || of === anyDirection),
      ),
    );
  if (by === 'issue') return isKnown;
  const isWhole = daysOf(window).every(isKnown);
  return () => isWhole;
}

/** Records a window as fetched; it replaces those that it covers wholly. */
async function recordCoverage({ db, tenant }: Session, window: FetchedWindow): Promise<void> {
  const { company, area, by, direction = anyDirection, from, to, fetchedAt, unreadable = [] } = window;
  await db
    .deleteFrom('coverage')
    .where(touching(tenant, window))
    .where((one) => {
      const within = one.and([one('from_day', '>=', from), one('to_day', '<=', to)]);
      const superseded = direction === anyDirection ? within : within.and('direction', '=', direction);
      // A time from a clock dated ahead means nothing, and would seem the latest.
      return one.or([superseded, one('fetched_at', '>', latestBelievable(fetchedAt))]);
    })
    .execute();
  const days = { date_field: by, direction, from_day: from, to_day: to };
  const fetched = { fetched_at: fetchedAt.toISOString(), unreadable: JSON.stringify(unreadable) };
  await db
    .insertInto('coverage')
    .values({ tenant, company, area, ...days, ...fetched })
    .execute();
}

/** Writes what came of a window, and what else is said of it in the same transaction. */
function writeWindow(
  connections: Connections,
  window: FetchedWindow,
  batch: Batch,
  signal: AbortSignal | undefined,
  andRecord: (session: Session) => Promise<void>,
): Promise<StoreOutcome> {
  const { company, area, fetchedAt } = window;
  const came = { source: 'service', at: fetchedAt.toISOString(), events: 'list' } as const;
  return writing(connections, company, batch, async (session) => {
    const wasKnown = await daysKnown(session, window);
    const outcome = await writeBatch(session, { company, area, window, ...came }, batch, wasKnown, signal);
    await andRecord(session);
    return outcome;
  });
}

/** See `Archive.store`. */
export async function storeWindow(
  connections: Connections,
  keepXml: boolean,
  window: FetchedWindow,
  arrivals: Received | Iterable<Arrival> | AsyncIterable<Arrival>,
  signal?: AbortSignal,
): Promise<StoreOutcome> {
  checkPeriod(window);
  const batch = await receive(window.area, arrivals, keepXml, signal);
  return writeWindow(connections, window, batch, signal, (session) => recordCoverage(session, window));
}

/** Writes what came by itself, so that no day was known before. */
function writeAlone(connections: Connections, provenance: Provenance, batch: Batch): Promise<StoreOutcome> {
  return writing(connections, provenance.company, batch, (session) =>
    writeBatch(session, provenance, batch, () => false),
  );
}

/** See `Archive.keep`. */
export async function keepDocuments(
  connections: Connections,
  keepXml: boolean,
  { company, area }: Holding,
  arrivals: readonly Arrival[],
  at: Date,
): Promise<StoreOutcome> {
  const came = { source: 'service', at: at.toISOString(), events: 'document' } as const;
  return writeAlone(connections, { company, area, ...came }, await receive(area, arrivals, keepXml));
}

/** See `Archive.keepEvent`. */
export function keepEvent(connections: Connections, noted: NotedEvent): Promise<StoreOutcome> {
  const came = { source: 'service', at: noted.askedAt.toISOString(), events: noted.from } as const;
  const batch = { documents: [], events: [prepareNoted(noted)] };
  return writeAlone(connections, { company: '', area: 'nfe', ...came }, batch);
}

/** What a listing answered, in its own order. */
export interface ListedAnswer {
  readonly fetchedAt: Date;
  readonly arrivals: Received | Iterable<Arrival> | AsyncIterable<Arrival>;
  readonly unreadable?: readonly Unreadable[];
  /** Whole days that are complete by this answer, so that no question has to fetch them. */
  readonly covers?: Period;
}

/** Answers are kept for a week: a further page is asked for within minutes. */
const keptMilliseconds = 7 * 86_400_000;

async function writeAnswer(
  { db, tenant }: Session,
  question: AskedWindow,
  answer: Pick<Insertable<Schema['answers']>, 'fetched_at' | 'lines' | 'identities' | 'unreadable'>,
): Promise<void> {
  await db
    .insertInto('answers')
    .values({ ...questionColumns(tenant, question), ...answer })
    .onConflict((conflict) => conflict.columns(['tenant', ...tables.answers.key]).doUpdateSet(answer))
    .execute();
  const oldest = new Date(Date.parse(answer.fetched_at) - keptMilliseconds).toISOString();
  await db
    .deleteFrom('answers')
    .where((one) => one.and({ tenant, company: question.company }))
    .where('fetched_at', '<', oldest)
    .execute();
}

/** See `Archive.recordAnswer`. */
export async function recordAnswer(
  connections: Connections,
  keepXml: boolean,
  question: AskedWindow,
  { fetchedAt, arrivals, unreadable = [], covers }: ListedAnswer,
  signal?: AbortSignal,
): Promise<StoreOutcome> {
  const { company, area, by, direction } = question;
  const batch = await receive(area, arrivals, keepXml, signal);
  const days = covers ?? { from: question.from.slice(0, 10), to: question.to.slice(0, 10) };
  const window = { company, area, by, direction, ...days, fetchedAt, unreadable };
  return writeWindow(connections, window, batch, signal, async (session) => {
    if (covers !== undefined) await recordCoverage(session, window);
    await writeAnswer(session, question, {
      fetched_at: fetchedAt.toISOString(),
      lines: batch.identities.length,
      identities: deflated(batch.identities.join('\n')),
      unreadable: JSON.stringify(unreadable),
    });
  });
}

/** See `Archive.recordKeys`. */
export async function recordKeys(
  connections: Connections,
  question: AskedWindow,
  { fetched_at, list }: KeptKeys,
): Promise<void> {
  const identities = deflated(JSON.stringify(list));
  const lines = list.keys.length + list.identifiers.length;
  await connections.write(question.company, (session) =>
    writeAnswer(session, question, { fetched_at, lines, identities, unreadable: '[]' }),
  );
}
