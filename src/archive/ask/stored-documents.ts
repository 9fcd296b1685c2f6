import { type RawBuilder, sql } from 'kysely';
import type { DocumentStatus, DocumentSummary } from '../../documents/summary/summary.ts';
import { checkPeriod } from '../days.ts';
import type { Connections } from '../engines/connections.ts';
import { ArchiveUnusable, InvalidQuestion } from '../errors.ts';
import type { DocumentReference } from '../references.ts';
import { identityOfReference, inflated, summaryFrom } from '../schema/encoding.ts';
import { amountText } from '../schema/measures.ts';
import type { Db, DocumentSource, EventOrigin, EventRow, Session, StatusOrigin } from '../schema/schema.ts';
import { findRows, inParts, placedDocuments, select } from '../schema/sql.ts';
import { checkPage } from './ask.ts';
import { documentsFound, isPlaced, type Owned, ownedBy, statusAsked, within } from './conditions.ts';
import { columnsOfList, columnValues, isAmountColumn } from './list-columns.ts';
import {
  type ColumnValues,
  type LeftOut,
  type ListQuestion,
  listOrders,
  type Selection,
} from './question.ts';
import { planCensus } from './source.ts';

export interface StoredEvent {
  readonly summary: DocumentSummary;
  readonly from: EventOrigin;
  /** When it was last fetched; ISO 8601 in UTC. */
  readonly asked_at: string;
}

/** A stored document; an event listed alone is one too, with itself as its only event. */
export interface StoredDocument {
  readonly summary: DocumentSummary;
  /** With events applied, including a cancellation that came alone. */
  readonly status: DocumentStatus;
  readonly status_from: StatusOrigin;
  /** When the status was last fetched; ISO 8601 in UTC. */
  readonly status_at: string;
  /** All events in chronological order; some may not be registered. */
  readonly events: readonly StoredEvent[];
  readonly source: DocumentSource;
  /** When the content was last fetched; ISO 8601 in UTC. */
  readonly fetched_at: string;
  /** Distinct contents under its key; `Archive.otherContents` returns the superseded ones. */
  readonly contents: number;
  readonly xml?: string;
}

export interface OtherContent {
  readonly summary: DocumentSummary;
  readonly fetched_at: string;
  readonly xml?: string;
}

export interface Listing {
  readonly documents: readonly StoredDocument[];
  readonly columns: readonly ColumnValues[];
  readonly total: number;
  /** Sum of the totals; undefined if none has one, or if the sum is not exact. */
  readonly sum: string | undefined;
  readonly sums: ColumnValues;
  readonly left_out: readonly LeftOut[];
}

const pageSize = 100;

function textOf(xml: Uint8Array | null): { readonly xml?: string } {
  return xml === null ? {} : { xml: inflated(xml) };
}

export type EventColumns = Pick<EventRow, 'key' | 'summary' | 'origin' | 'asked_at'>;

/** Parses a stored event. */
export function storedEvent({ summary, origin, asked_at }: EventColumns): StoredEvent {
  return { summary: summaryFrom(summary), from: origin, asked_at };
}

/** Events by key, oldest first, converted by `form`. */
export async function eventsByKey<Event>(
  session: Session,
  keys: readonly string[],
  form: (columns: EventColumns) => Event,
): Promise<ReadonlyMap<string, Event[]>> {
  const asked = [...new Set(keys)].filter((key) => key !== '');
  const columns = ['id', 'key', 'at', 'summary', 'origin', 'asked_at'] as const;
  const rows = await findRows(session, 'events', columns, 'key', asked);
  rows.sort((one, other) => (one.at === other.at ? one.id - other.id : one.at < other.at ? -1 : 1));
  const events = new Map<string, Event[]>(asked.map((key) => [key, []]));
  for (const row of rows) events.get(row.key)?.push(form(row));
  return events;
}

type ContentRow = Omit<StoredDocument, 'summary' | 'events' | 'xml'> & {
  readonly id: number;
  readonly identity: string;
  readonly key: string;
  readonly summary: Uint8Array | null;
  readonly xml: Uint8Array | null;
};

/** Documents by id or identity. @throws ArchiveUnusable if a content is missing */
export async function documentsBy<Column extends 'id' | 'identity'>(
  session: Session,
  column: Column,
  values: readonly ContentRow[Column][],
): Promise<Map<ContentRow[Column], StoredDocument>> {
  const { db, tenant } = session;
  const rows = await inParts(values, async (part) => {
    const found = await sql<ContentRow>`
      select d.id, d.identity, d.key, d.status, d.status_from, d.status_at, d.source, d.fetched_at, d.contents,
        c.summary, c.xml
      from documents d left join contents c on c.tenant = d.tenant and c.document_id = d.id
      where d.tenant = ${tenant} and ${sql.ref(`d.${column}`)} in (${sql.join(part)})`.execute(db);
    return found.rows;
  });
  const keys = rows.map(({ key }) => key);
  const events = await eventsByKey(session, keys, storedEvent);
  return new Map(
    rows.map((row) => {
      const { summary, xml, id: _, identity: __, key, ...rest } = row;
      if (summary === null) throw new ArchiveUnusable('CONTENT_MISSING');
      const stored = { ...rest, summary: summaryFrom(summary), ...textOf(xml) };
      return [row[column], { ...stored, events: events.get(key) ?? [] }];
    }),
  );
}

async function contentsOf(session: Session, ids: readonly number[]): Promise<StoredDocument[]> {
  const byId = await documentsBy(session, 'id', ids);
  return ids.flatMap((id) => byId.get(id) ?? []);
}

async function contentOf(session: Session, id: number | undefined): Promise<StoredDocument | undefined> {
  return id === undefined ? undefined : (await contentsOf(session, [id]))[0];
}

function selected(selection: Owned<Selection>): RawBuilder<unknown> {
  const filters = selection.filters ?? {};
  return documentsFound(selection, 'list', within, [
    ...(filters.withVoid ? [] : statusAsked(filters, sql`d.status`)),
    ...(filters.withTest ? [] : [sql<boolean>`d.exclusion <> 'test'`]),
  ]);
}

async function sumsOfList(db: Db, question: Owned<ListQuestion>): Promise<Pick<Listing, 'sum' | 'sums'>> {
  const { valueSql } = columnsOfList(question);
  const amounts = (question.columns ?? []).filter(isAmountColumn);
  const added = amounts.map((name) => sql`cast(sum(${valueSql(name)}) as text) as ${sql.ref(`s_${name}`)}`);
  const { rows } = await sql<Readonly<Record<string, string | number | null>>>`
    select ${sql.join([
      sql`cast(sum(d.total) as text) as total`,
      sql`sum(case when d.exclusion = 'inexact' then 1 else 0 end) as inexact`,
      ...added,
    ])} from ${selected({ ...question, filters: { ...question.filters, withVoid: false } })}`.execute(db);
  const [row = {}] = rows;
  const textOf = (units: string | number | null | undefined) =>
    units === null || units === undefined || Number(row.inexact) > 0 ? undefined : amountText(String(units));
  const sums = amounts.flatMap((name) => {
    const text = textOf(row[`s_${name}`]);
    return text === undefined ? [] : [[name, text]];
  });
  return { sum: textOf(row.total), sums: Object.fromEntries(sums) };
}

async function listDocuments(session: Session, asked: ListQuestion): Promise<Listing> {
  const { db } = session;
  const question = await ownedBy(asked, session, 'list');
  checkPeriod(question);
  checkPage(question);
  const { orderBy = { by: 'issued_at', descending: true }, limit, offset = 0, columns = [] } = question;
  if (!listOrders.includes(orderBy.by)) throw new InvalidQuestion('order', orderBy.by);
  const { orderOf, shown } = columnsOfList(question);
  const value = orderOf(orderBy.by);
  const way = orderBy.descending ? sql`desc` : sql`asc`;
  const { rows } = await sql<{ readonly id: number }>`
    select ${sql.join([sql`d.id`, ...shown(db, columns)])} from ${selected(question)}
    order by case when ${value} is null then 1 else 0 end, ${value} ${way}, d.id ${way}
    limit ${sql.lit(limit)} offset ${sql.lit(offset)}`.execute(db);
  const { documents: total, left_out } = await planCensus(question, 'list', undefined).take(db);
  const documents = await contentsOf(
    session,
    rows.map(({ id }) => id),
  );
  return {
    documents,
    columns: documents.map(({ summary }, index) => columnValues(columns, { ...rows[index] }, summary)),
    total,
    ...(await sumsOfList(db, question)),
    left_out,
  };
}

/** Ids of a selection's documents in order of issue. */
export async function selectedDocuments(session: Session, selection: Selection): Promise<number[]> {
  const owned = await ownedBy(selection, session, 'list');
  const { rows } = await sql<{ id: number }>`
    select d.id from ${selected(owned)} order by d.issued_at, d.id`.execute(session.db);
  return rows.map(({ id }) => id);
}

/** Id of a document; undefined if unknown. */
export async function idOf(
  { db, tenant }: Session,
  reference: DocumentReference,
): Promise<number | undefined> {
  const identity = identityOfReference(reference);
  // An NFS-e's identity continues after its last bar; the next character ends the range.
  const isIt = identity.endsWith('|')
    ? sql`identity >= ${identity} and identity < ${`${identity.slice(0, -1)}}`}`
    : sql`identity = ${identity}`;
  const statement = sql`select id from documents where tenant = ${tenant} and ${isIt} order by identity limit 1`;
  return (await select<{ id: number }>(db, statement))[0]?.id;
}

/** Documents with their events applied, and the origin and age of their status. */
export function createStoredDocuments({ read }: Connections) {
  return {
    list: (question: ListQuestion): Promise<Listing> => read((session) => listDocuments(session, question)),

    /** Streams a selection's documents in order of issue, after `offset`, with few in memory. */
    async *read(selection: Selection, offset = 0): AsyncIterable<StoredDocument> {
      checkPeriod(selection);
      const ids = await read((session) => selectedDocuments(session, selection));
      for (let start = offset; start < ids.length; start += pageSize) {
        yield* await read((session) => contentsOf(session, ids.slice(start, start + pageSize)));
      }
    },

    find: (reference: DocumentReference): Promise<StoredDocument | undefined> =>
      read(async (session) => contentOf(session, await idOf(session, reference))),

    /** Finds a document by key, including 50-digit keys, by which the service finds no NFS-e. */
    findByKey: (key: string): Promise<StoredDocument | undefined> =>
      read(async (session) => {
        const rows = await findRows(session, 'documents', ['id', 'identity'], 'key', [key]);
        return contentOf(session, rows.sort((one, other) => (one.identity < other.identity ? -1 : 1))[0]?.id);
      }),

    /** Contents that contradict the current one under the document's key, latest first. */
    otherContents: (reference: DocumentReference): Promise<OtherContent[]> =>
      read(async (session) => {
        const id = await idOf(session, reference);
        const columns = ['summary', 'xml', 'fetched_at', 'digest'] as const;
        const ids = id === undefined ? [] : [id];
        const rows = await findRows(session, 'other_contents', columns, 'document_id', ids);
        const place = ({ fetched_at, digest }: (typeof rows)[number]) => fetched_at + digest;
        rows.sort((one, other) => (place(one) > place(other) ? -1 : 1));
        return rows.map(({ summary, xml, fetched_at }) => {
          return { summary: summaryFrom(summary), fetched_at, ...textOf(xml) };
        });
      }),

    /** Events of a document in chronological order, even if the document is unknown. */
    events: (key: string): Promise<readonly StoredEvent[]> =>
      read(async (session) => (await eventsByKey(session, [key], storedEvent)).get(key) ?? []),

    /**
     * Days of entry (`YYYY-MM-DD`) by key of a period's documents. Only questions by date of entry bring them: an issue
     * date does not tell the entry.
     */
    entryDays: (selection: Selection): Promise<ReadonlyMap<string, string>> =>
      read(async ({ db, tenant }) => {
        checkPeriod(selection);
        const { rows } = await sql<{ key: string; day: string }>`
          select d.key, e.day from ${placedDocuments} join placements e on e.tenant = p.tenant
            and e.company = p.company and e.date_field = 'entry' and e.document_id = p.document_id
          where ${isPlaced({ ...selection, tenant }, within)} and e.day <> '' and d.key <> ''`.execute(db);
        return new Map(rows.map(({ key, day }) => [key, day]));
      }),
  };
}
