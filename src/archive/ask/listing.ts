import { type RawBuilder, sql } from 'kysely';
import { wordsOfEvents } from '../../documents/events/event-names.ts';
import { currentRules, type Judgement, judge, type RegisteredEvent } from '../../documents/rules/index.ts';
import type { DocumentStatus, DocumentSummary } from '../../documents/summary/summary.ts';
import type { Connections } from '../engines/connections.ts';
import { unusable } from '../errors.ts';
import { referencesOf, summaryFrom } from '../schema/encoding.ts';
import { type AmountMeasure, amountMeasures, amountText } from '../schema/measures.ts';
import type { Db, Session } from '../schema/schema.ts';
import { allOf, changeRows, findRows, inParts, isPostgres, placedDocuments } from '../schema/sql.ts';
import { writeJudgements } from '../write/rows.ts';
import {
  columnsFor,
  documentsFound,
  installmentsOf,
  isOfStatus,
  isPlaced,
  type Owned,
  ownedBy,
} from './conditions.ts';
import type { ColumnValues, ListColumn, ListOrder, ListQuestion, Selection } from './question.ts';
import { reasonFor, type Tally, takeCensus, tallied } from './source.ts';
import { documentsOf, eventsByKey, type StoredDocument } from './stored-documents.ts';

type Row = Readonly<Record<string, string | number | null>>;

const BETWEEN_VALUES = '; ';

const amounts: readonly ListOrder[] = ['due', ...amountMeasures];

/** Whether a column is an amount that can be summed. */
const isAmount = (name: ListOrder): name is 'due' | AmountMeasure => amounts.includes(name);

const isParty = (name: ListOrder): name is 'payer' | 'counterparty' =>
  name === 'payer' || name === 'counterparty';

const nameOf = (id: RawBuilder<unknown>): RawBuilder<unknown> =>
  sql`(select y.name from parties y where y.tenant = d.tenant and y.tax_id = ${id})`;

/** Columns over a document `d` placed by `p`; null or empty if the document lacks them. */
function columnsOf(db: Db, selection: Selection): (name: ListOrder) => RawBuilder<unknown> {
  const { filters = {} } = selection;
  const group = columnsFor(selection);
  // The engines differ in the name.
  const joined = isPostgres(db) ? sql`string_agg` : sql`group_concat`;
  const several = (value: RawBuilder<unknown>, from: RawBuilder<unknown>) =>
    sql`(select ${joined}(v, ${BETWEEN_VALUES}) from (select distinct ${value} as v from ${from} order by v) s
      where v <> '')`;
  const own: Readonly<Partial<Record<ListOrder, RawBuilder<unknown>>>> = {
    count: sql`1`,
    items: sql`d.item_count`,
    due: sql`(select sum(n.due) from ${installmentsOf(filters)})`,
    due_dates: several(sql`n.due_day`, installmentsOf(filters)),
    nature: several(group('nature'), sql`items i where i.tenant = d.tenant and i.document_id = d.id`),
    references: sql`d.reference_keys`,
    // Municipal notes state the moment in their own file, without an event.
    cancelled_at: sql`coalesce(nullif(d.cancelled_at, ''), (select min(e.at) from events e
      where e.tenant = d.tenant and e.key = d.key and e.cancels = 1 and e.at <> ''))`,
    entered_on: sql`(select min(e.day) from placements e where e.tenant = d.tenant and e.company = p.company
      and e.date_field = 'entry' and e.document_id = d.id and e.day <> '')`,
    payer: group('payer'),
    counterparty: group('counterparty'),
  };
  return (name) => own[name] ?? sql.ref(`d.${name}`);
}

/** A column's value to order by; parties are ordered by name. */
function orderOf(name: ListOrder, value: RawBuilder<unknown>): RawBuilder<unknown> {
  if (isAmount(name) || name === 'count' || name === 'items') return value;
  return isParty(name) ? sql`coalesce(${nameOf(value)}, nullif(${value}, ''))` : sql`nullif(${value}, '')`;
}

/** Values of a listed document, from its row. */
function columnValues(columns: readonly ListColumn[], row: Row, summary: DocumentSummary): ColumnValues {
  const textOf = (name: ListColumn): string => {
    const text = String(row[name] ?? '');
    if (name === 'references') return referencesOf(summary).join(BETWEEN_VALUES);
    if (text === '') return '';
    if (name === 'events') return wordsOfEvents(text);
    return isAmount(name) ? amountText(text) : text;
  };
  const given = columns.flatMap((name) => [
    [name, textOf(name)],
    ...(isParty(name) ? [[`${name}_name`, String(row[`${name}_name`] ?? '')]] : []),
  ]);
  return Object.fromEntries(given.filter(([, text]) => text !== ''));
}

function selected(selection: Owned<Selection>): RawBuilder<unknown> {
  const { filters = {} } = selection;
  const more = allOf([
    !filters.withVoid && isOfStatus(filters),
    !filters.withTest && sql`d.exclusion <> 'test'`,
  ]);
  return documentsFound(selection, { more });
}

/** Sums over all listed documents but void ones; none where one document's amounts are not exact. */
function sumsOf(question: Owned<ListQuestion>, names: ReadonlySet<ListColumn>, tallies: readonly Tally[]) {
  const withoutVoid = { ...question, filters: { ...question.filters, withVoid: false } };
  const listed = tallies.filter((tally) => reasonFor(tally, withoutVoid) === undefined) as (Tally & Row)[];
  const isExact = listed.every(({ exclusion }) => exclusion !== 'inexact');
  const known = [...names].flatMap((name) => {
    const units = listed.flatMap((tally) => tally[name] ?? []);
    const sum = units.reduce((all, one) => all + BigInt(one), 0n);
    return units.length > 0 && isExact ? [[name, amountText(String(sum))]] : [];
  });
  const sums: ColumnValues = Object.fromEntries(known);
  const { total, ...others } = sums;
  return { sum: total, sums: question.columns?.includes('total') ? sums : others };
}

export type Listing = Awaited<ReturnType<typeof listDocuments>>;

async function listDocuments(session: Session, asked: ListQuestion) {
  const { db } = session;
  const question = await ownedBy(asked, session, 'list');
  const { orderBy = { by: 'issued_at', descending: true }, limit, offset = 0, columns = [] } = question;
  const column = columnsOf(db, question);
  const shown = columns.flatMap((name) => [
    sql`cast(${column(name)} as text) as ${sql.ref(name)}`,
    ...(isParty(name) ? [sql`${nameOf(column(name))} as ${sql.ref(`${name}_name`)}`] : []),
  ]);
  const value = orderOf(orderBy.by, column(orderBy.by));
  const way = orderBy.descending ? sql`desc` : sql`asc`;
  const { rows } = await sql<Row & { readonly id: number }>`
    select ${sql.join([sql`d.id`, ...shown])} from ${selected(question)}
    order by ${value} ${way} nulls last, d.id ${way}
    limit ${sql.lit(limit)} offset ${sql.lit(offset)}`.execute(db);
  const added = new Set([...columns.filter(isAmount), 'total' as const]);
  const sums = [...added].map((name) => sql`cast(sum(${column(name)}) as text) as ${sql.ref(name)}`);
  const tallies = await tallied(db, question, undefined, sums);
  const { documents: total, left_out } = await takeCensus(db, question, tallies);
  const documents = await documentsOf(
    session,
    rows.map(({ id }) => id),
  );
  return {
    documents,
    columns: documents.map(({ summary }, index) => columnValues(columns, { ...rows[index] }, summary)),
    total,
    ...sumsOf(question, added, tallies),
    left_out,
  };
}

/** Ids of a selection's documents in order of issue. */
async function selectedDocuments(session: Session, selection: Selection): Promise<number[]> {
  const owned = await ownedBy(selection, session, 'list');
  const { rows } = await sql<{ id: number }>`
    select d.id from ${selected(owned)} order by d.issued_at, d.id`.execute(session.db);
  return rows.map(({ id }) => id);
}

/** Documents per page: some milliseconds. */
const judgedAtOnce = 500;

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
  await changeRows(session, sql`delete from judgements`, 'document_id', ids);
  await writeJudgements(
    session,
    rows.map(({ document_id, summary }) => [document_id, JSON.stringify(judge(summaryFrom(summary)))]),
  );
}

/** A document's check result and facts, without content. */
export type JudgedDocument = Awaited<ReturnType<typeof judgedPage>>[number];

/** Checks documents that have no result of the current rules first. */
async function judgedPage({ read, write }: Connections, ids: readonly number[]) {
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
    if (row.judgement === null) throw unusable('CONTENT_MISSING');
    // Written by this archive, so trusted.
    const { facts, events: own, verdicts } = JSON.parse(row.judgement) as Judgement;
    const standing = row.events.split(' ');
    const isTakenBack = ({ code = '', status = 'authorized' }: RegisteredEvent) =>
      status === 'authorized' && /^\d{6}$/.test(code) && !standing.includes(code);
    const known = (events.get(key) ?? []).map(({ summary }): RegisteredEvent => {
      return { status: summary.status, code: summary.event?.code, at: summary.event?.at };
    });
    return {
      judgement: {
        verdicts,
        // Another content of the document may have settled its status.
        facts: { ...facts, status: row.own_status },
        events: [...own, ...known].filter((event) => !isTakenBack(event)),
      },
      status,
      contents: Number(contents),
    };
  });
}

const pageSize = 100;

/** Documents of a selection. */
export function createListing(connections: Connections) {
  const { read } = connections;
  return {
    /** A page, with the requested columns and the sums over all pages. */
    list: (question: ListQuestion) => read((session) => listDocuments(session, question)),

    /** Streams the documents in order of issue, after `offset`, with few in memory. */
    async *read(selection: Selection, offset = 0): AsyncIterable<StoredDocument> {
      const ids = await read((session) => selectedDocuments(session, selection));
      for (let start = offset; start < ids.length; start += pageSize) {
        yield* await read((session) => documentsOf(session, ids.slice(start, start + pageSize)));
      }
    },

    /** Streams the documents with their check results instead of their content. */
    async *judged(selection: Selection): AsyncIterable<JudgedDocument> {
      const ids = await read((session) => selectedDocuments(session, selection));
      for (let start = 0; start < ids.length; start += judgedAtOnce) {
        yield* await judgedPage(connections, ids.slice(start, start + judgedAtOnce));
      }
    },

    /**
     * Days of entry (`YYYY-MM-DD`) by key of a period's documents. Only questions by date of entry bring them: an issue
     * date does not determine the entry.
     */
    entryDays: (selection: Selection): Promise<ReadonlyMap<string, string>> =>
      read(async ({ db, tenant }) => {
        const { rows } = await sql<{ key: string; day: string }>`
          select d.key, e.day from ${placedDocuments} join placements e on e.tenant = p.tenant
            and e.company = p.company and e.date_field = 'entry' and e.document_id = p.document_id
          where ${isPlaced({ ...selection, tenant })} and e.day <> '' and d.key <> ''`.execute(db);
        return new Map(rows.map(({ key, day }) => [key, day]));
      }),
  };
}
