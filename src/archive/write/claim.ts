import { sql } from 'kysely';
import type { DocumentSource, Session } from '../schema/schema.ts';
import { inParts } from '../schema/sql.ts';
import type { Content } from './contents.ts';
import { insertNew, type NewRow } from './document-rows.ts';

/** A document that was in the archive before. */
export interface Known extends Content {
  readonly id: number;
  readonly identity: string;
  readonly key: string;
  readonly status: string;
  readonly source: DocumentSource;
  readonly status_at: string;
}

/** Documents that nobody else changes until the transaction ends. */
export interface Claim {
  /** The ids of those that were not there, and are now, by their identities. */
  readonly fresh: ReadonlyMap<string, number>;
  readonly known: ReadonlyMap<string, Known>;
}

/**
 * Adds the documents that are not there and locks those that are, in the order of their identities: two companies may
 * have the same document, and their writers then wait for each other, never both for ever.
 * @param rows in the order of their identities
 * @param others identities of documents that are there and that nobody else can be changing
 */
export async function claimDocuments(
  session: Session,
  rows: readonly NewRow[],
  others: readonly string[],
): Promise<Claim> {
  const { db, tenant } = session;
  const added = await insertNew(session, rows);
  const fresh = new Map(added.map(({ id, identity }) => [identity, id]));
  const identities = rows
    .map(({ document }) => document.row.identity)
    .filter((identity) => !fresh.has(identity));
  const known = await inParts([...identities, ...others], (part) =>
    db
      .selectFrom('documents')
      .select(['id', 'identity', 'key', 'digest', 'kind', 'own_status', 'status', 'source', 'status_at'])
      .select(['number', 'issued_at', 'issuer', 'recipient', 'item_count'])
      .select(sql<string | null>`cast(total as text)`.as('total'))
      .where('tenant', '=', tenant)
      .where('identity', 'in', part)
      .execute(),
  );
  return { fresh, known: new Map(known.map((row) => [row.identity, row])) };
}
