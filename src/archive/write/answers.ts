import type { Insertable } from 'kysely';
import type { Period } from '../days.ts';
import type { Connections } from '../engines/connections.ts';
import { deflated } from '../schema/encoding.ts';
import { type AskedWindow, type KeptKeys, questionColumns } from '../schema/identity.ts';
import { type Schema, type Session, tables, type Unreadable } from '../schema/schema.ts';
import { type Arrival, type StoreOutcome, sightingOf } from './arrival.ts';
import { writeBatch } from './documents.ts';
import { type Received, receive } from './prepare.ts';
import { daysKnown, writeWindow, writing } from './window.ts';

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

type AnswerValues = Pick<Insertable<Schema['answers']>, 'fetched_at' | 'lines' | 'identities' | 'unreadable'>;

async function writeAnswer(
  { db, tenant }: Session,
  question: AskedWindow,
  answer: AnswerValues,
): Promise<void> {
  const columns = questionColumns(tenant, question);
  await db
    .insertInto('answers')
    .values({ ...columns, ...answer })
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
  answer: ListedAnswer,
  signal?: AbortSignal,
): Promise<StoreOutcome> {
  const { company, area, by, direction } = question;
  const prepared = await receive(area, answer.arrivals, keepXml, signal);
  const days = answer.covers ?? { from: question.from.slice(0, 10), to: question.to.slice(0, 10) };
  const { fetchedAt, unreadable } = answer;
  const window = { company, area, by, direction, ...days, fetchedAt, unreadable };
  return writing(connections, company, prepared, async (session) => {
    const outcome = answer.covers
      ? await writeWindow(session, window, prepared, signal)
      : await writeBatch(session, sightingOf(window), prepared, await daysKnown(session, window), signal);
    await writeAnswer(session, question, {
      fetched_at: fetchedAt.toISOString(),
      lines: prepared.identities.length,
      identities: deflated(prepared.identities.join('\n')),
      unreadable: JSON.stringify(unreadable ?? []),
    });
    return outcome;
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
