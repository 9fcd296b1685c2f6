import { sql } from 'kysely';
import { daysOf, type Period, periodsOf } from '../../documents/days.ts';
import type { Connections } from '../engines/connections.ts';
import { type Freshness, isFresh } from '../freshness.ts';
import type { Scope } from '../references.ts';
import {
  type AskedWindow,
  eventIn,
  eventLine,
  inflated,
  type KeptKeys,
  questionColumns,
} from '../schema/encoding.ts';
import type { CoverageRow, Schema, Session, Unreadable } from '../schema/schema.ts';
import { findRows, matching, select } from '../schema/sql.ts';
import {
  type CoverageRequest,
  coverageOf,
  coversDay,
  daysCovered,
  directionsNeeded,
} from '../write/coverage.ts';
import type { AnswerPage } from './question.ts';
import { documentsBy, type StoredDocument, type StoredEvent, storedEvent } from './stored-documents.ts';

/** Orders listings by time; of two at one moment the less readable one counts as later. */
function placeInTime({ fetched_at, unreadable, from_day, to_day, direction }: CoverageRow): string {
  return [fetched_at, String(unreadable.length).padStart(9, '0'), from_day, to_day, direction].join(' ');
}

const latestFirst = (one: CoverageRow, other: CoverageRow): number =>
  placeInTime(one) < placeInTime(other) ? 1 : -1;

async function latestOf(session: Session, request: CoverageRequest): Promise<CoverageRow[]> {
  const records = (await coverageOf(session, request)).sort(latestFirst);
  const latest = daysOf(request).flatMap((day) =>
    directionsNeeded(request).flatMap(
      (direction) => records.find((record) => coversDay(record, day, direction)) ?? [],
    ),
  );
  return [...new Set(latest)];
}

/** An event listed without its document. */
function eventAlone(event: StoredEvent): StoredDocument {
  const { summary, asked_at } = event;
  const status = { status: summary.status, status_from: 'document', status_at: asked_at } as const;
  return { summary, ...status, events: [event], source: 'service', fetched_at: asked_at, contents: 1 };
}

/** Documents and events by identity; undefined if one is gone. */
async function linesOf(session: Session, lines: readonly string[]): Promise<StoredDocument[] | undefined> {
  const eventIdentities = lines.map(eventIn).filter((identity) => identity !== undefined);
  const columns = ['identity', 'summary', 'origin', 'asked_at'] as const;
  const rows = await findRows(session, 'events', columns, 'identity', eventIdentities);
  const events = rows.map((row) => [eventLine(row.identity), eventAlone(storedEvent(row))] as const);
  const known = new Map([...events, ...(await documentsBy(session, 'identity', lines))]);
  const found = lines.map((line) => known.get(line));
  return found.every((line) => line !== undefined) ? found : undefined;
}

async function answerTo({ db, tenant }: Session, question: AskedWindow) {
  const asked = matching(questionColumns(tenant, question));
  return (await select<Schema['answers']>(db, sql`select * from answers where ${asked}`))[0];
}

/** Creates the reader of coverage and of listings' last answers. */
export function createCoverage({ read }: Connections) {
  return {
    /** Parts of a period to fetch, in order, each as long as possible. */
    missing: (request: CoverageRequest, freshness: Freshness): Promise<Period[]> =>
      read(async (session) => {
        const isFreshOn = ({ fetched_at }: CoverageRow, day: string) => isFresh(day, fetched_at, freshness);
        const isCovered = daysCovered(await coverageOf(session, request), request, isFreshOn);
        return periodsOf(daysOf(request).filter((day) => !isCovered(day)));
      }),

    /** Age and unreadable parts of a period, from its latest listings. */
    fetched: (request: CoverageRequest) =>
      read(async (session) => {
        const latest = await latestOf(session, request);
        const [as_of] = latest.map(({ fetched_at }) => fetched_at).sort();
        latest.sort((one, other) =>
          one.from_day === other.from_day ? latestFirst(one, other) : one.from_day < other.from_day ? -1 : 1,
        );
        const unreadable = latest.flatMap(({ from_day: from, to_day: to, unreadable }) => {
          const days = from === to ? from : `${from}…${to}`;
          // Written by this archive, so trusted.
          const all = JSON.parse(unreadable) as Unreadable[];
          return all.map((one) => ({ ...one, place: `${days}, ${one.place}` }));
        });
        return {
          /** Oldest fetch time among its covered days, ISO 8601 in UTC; undefined if none is covered. */
          as_of,
          /** Parts that could not be read, each with its days: answers over them are incomplete. */
          unreadable,
        };
      }),

    /** Day of a company's first known document of a kind; undefined without documents. */
    firstDay: ({ company, area, by }: Pick<Scope, 'company' | 'area' | 'by'>): Promise<string | undefined> =>
      read(async ({ db, tenant }) => {
        const scope = matching({ tenant, company, area, date_field: by });
        const first = sql`select min(from_day) as first from placements where ${scope}`;
        return (await select<{ first: string | null }>(db, first))[0]?.first ?? undefined;
      }),

    findKeys: (question: AskedWindow): Promise<KeptKeys | undefined> =>
      read(async (session) => {
        const answer = await answerTo(session, question);
        if (answer === undefined) return undefined;
        // Written by this archive, so trusted.
        const list = JSON.parse(inflated(answer.identities)) as KeptKeys['list'];
        return { fetched_at: answer.fetched_at, list };
      }),

    /**
     * The last answer to the same question, with the current state of its documents; `total` counts no repeated line.
     * Undefined if it was never asked, or if a line of it is gone.
     */
    findAnswer: (question: AskedWindow, { limit, offset = 0 }: AnswerPage) =>
      read(async (session) => {
        const answer = await answerTo(session, question);
        if (answer === undefined) return undefined;
        const named = answer.lines === 0 ? [] : inflated(answer.identities).split('\n');
        const identities = [...new Set(named)];
        const lines = await linesOf(session, identities.slice(offset, offset + limit));
        if (lines === undefined) return undefined;
        // Written by this archive, so trusted.
        const unreadable = JSON.parse(answer.unreadable) as Unreadable[];
        const [total, repeated] = [identities.length, named.length - identities.length];
        return { fetched_at: answer.fetched_at, total, repeated, lines, unreadable };
      }),
  };
}
