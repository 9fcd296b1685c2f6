import { sql } from 'kysely';
import type { Session } from '../schema/schema.ts';
import { hasId } from '../schema/sql.ts';

/** Every table that holds something of a document by its id. */
const tablesOfDocuments = [
  'placements',
  'items',
  'contents',
  'judgements',
  'other_contents',
  'file_documents',
  'file_parties',
] as const;

/** Removes documents, some hundreds at most, with everything that hangs on them. The sums beside them are the caller's. */
export async function removeDocumentRows({ db, tenant }: Session, ids: readonly number[]): Promise<void> {
  for (const table of tablesOfDocuments) {
    await db
      .deleteFrom(table)
      .where('tenant', '=', tenant)
      .where(sql<boolean>`document_id in (${sql.join([...ids])})`)
      .execute();
  }
  await db
    .deleteFrom('documents')
    .where(hasId(db, tenant, ids))
    .execute();
}
