import type { Insertable } from 'kysely';
import type { Period } from '../days.ts';
import type { Connections } from '../engines/connections.ts';
import { type AskedWindow, type KeptKeys, questionColumns } from '../schema/asked-window.ts';
import { deflated } from '../schema/encoding.ts';
import { packKeys } from '../schema/kept-keys.ts';
import type { Schema, Session, Unreadable } from '../schema/schema.ts';
import type { Arrival, KeptAt, StoreOutcome } from './arrival.ts';
import { writeBatch } from './documents.ts';
import { type Received, received } from './incoming.ts';
import { sightingOf } from './placements.ts';
import { daysKnown, writeWindow, writing } from './window.ts';

/** What a listing answered, in its own order. */
export interface ListedAnswer extends KeptAt {
  readonly fetchedAt: Date;
  readonly arrivals: Received | Iterable<Arrival> | AsyncIterable<Arrival>;
  readonly unreadable?: readonly Unreadable[];
  /** Whole days that are complete by this answer, so that no question has to fetch them. */
  readonly covers?: Period;
}

/** Answers a company may have; the ones asked last. */
const mostAnswers = 500;

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
    .onConflict((conflict) =>
      conflict
        .columns([
          'tenant',
          'company',
          'area',
          'operation',
          'date_field',
          'direction',
          'from_moment',
          'to_moment',
        ])
        .doUpdateSet(answer),
    )
    .execute();
  await forgetOldest({ db, tenant }, question, columns);
}

/** Of too many answers the oldest go, never the one that was just given: a clock may have been set back. */
async function forgetOldest(
  { db, tenant }: Session,
  { company }: AskedWindow,
  { tenant: _, company: __, ...given }: ReturnType<typeof questionColumns>,
): Promise<void> {
  const ofCompany = db
    .selectFrom('answers')
    .where('tenant', '=', tenant)
    .where('company', '=', company)
    .where((answer) => answer.not(answer.and(given)));
  const oldest = await ofCompany
    .select('fetched_at')
    .orderBy('fetched_at', 'desc')
    .offset(mostAnswers - 1)
    .limit(1)
    .executeTakeFirst();
  if (oldest === undefined) return;
  await db
    .deleteFrom('answers')
    .where('tenant', '=', tenant)
    .where('company', '=', company)
    .where('fetched_at', '<=', oldest.fetched_at)
    .where((answer) => answer.not(answer.and(given)))
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
  const prepared = await received(area, answer.arrivals, keepXml, signal);
  const days = answer.covers ?? { from: question.from.slice(0, 10), to: question.to.slice(0, 10) };
  const { fetchedAt, unreadable, clock } = answer;
  const window = { company, area, by, direction, ...days, fetchedAt, unreadable, clock };
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
  const identities = await packKeys(list);
  const lines = list.keys.length + list.identifiers.length;
  await connections.write(question.company, (session) =>
    writeAnswer(session, question, { fetched_at, lines, identities, unreadable: '[]' }),
  );
}
