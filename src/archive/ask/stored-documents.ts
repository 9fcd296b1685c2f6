import { sql } from 'kysely';
import type { DocumentStatus, DocumentSummary } from '../../documents/summary/summary.ts';
import type { Connections } from '../engines/connections.ts';
import { unusable } from '../errors.ts';
import type { DocumentReference } from '../references.ts';
import { identityOfReference, inflated, summaryFrom } from '../schema/encoding.ts';
import type { DocumentSource, EventOrigin, EventRow, Session, StatusOrigin } from '../schema/schema.ts';
import { type Condition, findRows, inParts } from '../schema/sql.ts';

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

const contentFrom = ({ summary, xml }: { summary: Uint8Array; xml: Uint8Array | null }) => ({
  summary: summaryFrom(summary),
  ...(xml && { xml: inflated(xml) }),
});

/** Parses a stored event. */
export function storedEvent({
  summary,
  origin,
  asked_at,
}: Pick<EventRow, 'summary' | 'origin' | 'asked_at'>): StoredEvent {
  return { summary: summaryFrom(summary), from: origin, asked_at };
}

/** Events by key, oldest first. */
export async function eventsByKey(
  session: Session,
  keys: readonly string[],
): Promise<ReadonlyMap<string, StoredEvent[]>> {
  const asked = [...new Set(keys)].filter((key) => key !== '');
  const columns = ['id', 'key', 'at', 'summary', 'origin', 'asked_at'] as const;
  const rows = await findRows(session, 'events', columns, 'key', asked);
  rows.sort((one, other) => (one.at === other.at ? one.id - other.id : one.at < other.at ? -1 : 1));
  const events = new Map<string, StoredEvent[]>(asked.map((key) => [key, []]));
  for (const row of rows) events.get(row.key)?.push(storedEvent(row));
  return events;
}

type ContentRow = Omit<StoredDocument, 'summary' | 'events' | 'xml'> & {
  readonly id: number;
  readonly identity: string;
  readonly key: string;
  readonly summary: Uint8Array | null;
  readonly xml: Uint8Array | null;
};

/** Documents by id or identity. @throws ArchiveError if a content is missing */
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
  const events = await eventsByKey(
    session,
    rows.map(({ key }) => key),
  );
  return new Map(
    rows.map((row) => {
      const { summary, xml, id: _, identity: __, key, ...rest } = row;
      if (summary === null) throw unusable('CONTENT_MISSING');
      return [row[column], { ...rest, ...contentFrom({ summary, xml }), events: events.get(key) ?? [] }];
    }),
  );
}

/** Documents by id, in this order. */
export async function documentsOf(session: Session, ids: readonly number[]): Promise<StoredDocument[]> {
  const byId = await documentsBy(session, 'id', ids);
  return ids.flatMap((id) => byId.get(id) ?? []);
}

async function firstId({ db, tenant }: Session, condition: Condition): Promise<number | undefined> {
  const { rows } = await sql<{ id: number }>`
    select id from documents where tenant = ${tenant} and ${condition} order by identity limit 1`.execute(db);
  return rows[0]?.id;
}

/** Id of a document; undefined if unknown. */
export function idOf(session: Session, reference: DocumentReference): Promise<number | undefined> {
  const identity = identityOfReference(reference);
  // An NFS-e's identity continues after its last bar; the next character ends the range.
  const isIt = identity.endsWith('|')
    ? sql<boolean>`identity >= ${identity} and identity < ${`${identity.slice(0, -1)}}`}`
    : sql<boolean>`identity = ${identity}`;
  return firstId(session, isIt);
}

/** Documents with their events applied, and the origin and age of their status. */
export function createStoredDocuments({ read }: Connections) {
  const findBy = (idIn: (session: Session) => Promise<number | undefined>) =>
    read(async (session): Promise<StoredDocument | undefined> => {
      const id = await idIn(session);
      return id === undefined ? undefined : (await documentsOf(session, [id]))[0];
    });
  return {
    find: (reference: DocumentReference) => findBy((session) => idOf(session, reference)),

    /** Finds a document by key, including 50-digit keys, by which the service finds no NFS-e. */
    findByKey: (key: string) => findBy((session) => firstId(session, sql`key = ${key}`)),

    /** Contents that contradict the current one under the document's key, latest first. */
    otherContents: (reference: DocumentReference) =>
      read(async (session) => {
        const id = await idOf(session, reference);
        const { rows } = await sql<{ fetched_at: string; summary: Uint8Array; xml: Uint8Array | null }>`
          select summary, xml, fetched_at from other_contents
          where tenant = ${session.tenant} and document_id = ${id ?? null}
          order by fetched_at desc, digest desc`.execute(session.db);
        return rows.map(({ fetched_at, ...content }) => ({ ...contentFrom(content), fetched_at }));
      }),

    /** Events of a document in chronological order, even if the document is unknown. */
    events: (key: string): Promise<readonly StoredEvent[]> =>
      read(async (session) => (await eventsByKey(session, [key])).get(key) ?? []),
  };
}
