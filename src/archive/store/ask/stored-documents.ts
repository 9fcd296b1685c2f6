import { type RawBuilder, sql } from 'kysely';
import type { DocumentStatus, DocumentSummary } from '../../../documents/summary/summary.ts';
import { checkPeriod } from '../../days.ts';
import { InvalidQuestion } from '../../errors.ts';
import type { DocumentReference } from '../../references.ts';
import type { Connections } from '../engines/connections.ts';
import { inflated, summaryFrom } from '../schema/encoding.ts';
import { identityOfReference } from '../schema/identity.ts';
import type { Db } from '../schema/schema.ts';
import { allOf } from '../schema/sql.ts';
import { checkPage } from './ask.ts';
import { matching, takeCensus } from './census.ts';
import { placedWithin, statusAsked } from './conditions.ts';
import type { LeftOut, ListQuestion, Selection } from './question.ts';

/** A document as it is kept. */
export interface StoredDocument {
  readonly summary: DocumentSummary;
  /** With what became of it after the file was written: a cancellation that came alone counts here. */
  readonly status: DocumentStatus;
  /** Its own text, where it is kept. */
  readonly xml?: string;
}

export interface Listing {
  readonly documents: readonly StoredDocument[];
  /** How many there are in all. */
  readonly total: number;
  readonly left_out: readonly LeftOut[];
}

/** Documents read at once while all of a selection are walked through. */
const pageSize = 100;

interface ContentRow {
  readonly id: number;
  readonly status: string;
  readonly summary: Uint8Array;
  readonly xml: Uint8Array | null;
}

const statuses: readonly DocumentStatus[] = ['authorized', 'cancelled', 'denied', 'no_protocol', 'unknown'];

function storedFrom({ status, summary, xml }: ContentRow): StoredDocument {
  return {
    summary: summaryFrom(summary),
    status: statuses.find((one) => one === status) ?? 'unknown',
    ...(xml === null ? {} : { xml: inflated(xml) }),
  };
}

async function contentsOf(db: Db, ids: readonly number[]): Promise<StoredDocument[]> {
  if (ids.length === 0) return [];
  const rows = await db
    .selectFrom('contents')
    .innerJoin('documents', 'documents.id', 'contents.document_id')
    .select(['documents.id', 'documents.status', 'contents.summary', 'contents.xml'])
    .where('documents.id', 'in', [...ids])
    .execute();
  const byId = new Map(rows.map((row) => [row.id, row]));
  return ids.flatMap((id) => {
    const row = byId.get(id);
    return row === undefined ? [] : [storedFrom(row)];
  });
}

function selected(selection: Selection): RawBuilder<unknown> {
  const filters = selection.filters ?? {};
  const conditions = [
    placedWithin(selection),
    ...matching(filters, 'list'),
    ...statusAsked(filters, sql`d.status`),
    sql<boolean>`d.exclusion <> 'test'`,
  ];
  return sql`placements p join documents d on d.id = p.document_id where ${allOf(conditions)}`;
}

/** See `Archive.list`. */
export async function listDocuments(db: Db, question: ListQuestion): Promise<Listing> {
  checkPeriod(question);
  checkPage(question);
  const { orderBy = { by: 'issued_at', descending: true }, limit, offset = 0 } = question;
  if (orderBy.by !== 'issued_at' && orderBy.by !== 'total') throw new InvalidQuestion('order', orderBy.by);
  const column = sql.ref(`d.${orderBy.by}`);
  const way = orderBy.descending ? sql`desc` : sql`asc`;
  const { rows } = await sql<{ id: number }>`
    select d.id from ${selected(question)}
    order by case when ${column} is null then 1 else 0 end, ${column} ${way}, d.id ${way}
    limit ${sql.lit(limit)} offset ${sql.lit(offset)}`.execute(db);
  const { documents: total, left_out } = await takeCensus(db, question, 'list', false);
  return {
    documents: await contentsOf(
      db,
      rows.map(({ id }) => id),
    ),
    total,
    left_out,
  };
}

/** See `Archive.read`. */
export async function* readDocuments(
  connections: Connections,
  selection: Selection,
  offset = 0,
): AsyncIterable<StoredDocument> {
  checkPeriod(selection);
  const ids = await connections.read(async (db) => {
    const { rows } = await sql<{ id: number }>`
        select d.id from ${selected(selection)} order by d.issued_at, d.id`.execute(db);
    return rows.map(({ id }) => id);
  });
  for (let start = offset; start < ids.length; start += pageSize) {
    yield* await connections.read((db) => contentsOf(db, ids.slice(start, start + pageSize)));
  }
}

/** See `Archive.find`. */
export async function findDocument(
  db: Db,
  reference: DocumentReference,
): Promise<StoredDocument | undefined> {
  const identity = identityOfReference(reference);
  let query = db.selectFrom('documents').select('id');
  // The identity of an NFS-e goes on after its last bar; the character after the bar ends the range.
  query = identity.endsWith('|')
    ? query.where('identity', '>=', identity).where('identity', '<', `${identity.slice(0, -1)}}`)
    : query.where('identity', '=', identity);
  const row = await query.orderBy('identity').executeTakeFirst();
  return row === undefined ? undefined : (await contentsOf(db, [row.id]))[0];
}

/** See `Archive.events`. */
export async function eventsOf(db: Db, key: string): Promise<readonly DocumentSummary[]> {
  const rows = await db
    .selectFrom('events')
    .select('summary')
    .where('key', '=', key)
    .orderBy('at')
    .orderBy('id')
    .execute();
  return rows.map(({ summary }) => summaryFrom(summary));
}

/** See `Archive.entryDays`. */
export async function entryDays(db: Db, selection: Selection): Promise<ReadonlyMap<string, string>> {
  checkPeriod(selection);
  const conditions = [placedWithin(selection), sql<boolean>`e.day <> ''`, sql<boolean>`d.key <> ''`];
  const { rows } = await sql<{ key: string; day: string }>`
    select d.key, e.day from placements p
      join placements e on e.company = p.company and e.date_field = 'entry' and e.document_id = p.document_id
      join documents d on d.id = p.document_id
    where ${allOf(conditions)}`.execute(db);
  return new Map(rows.map(({ key, day }) => [key, day]));
}
