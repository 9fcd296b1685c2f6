import type { Db, ItemRow } from '../schema/schema.ts';
import { searchText } from '../schema/search-text.ts';
import { insertRows } from './bulk-insert.ts';
import type { PreparedLine } from './document-rows.ts';

/** The ids of descriptions, which are kept once however many items have them. */
async function descriptionIds(db: Db, texts: ReadonlySet<string>): Promise<ReadonlyMap<string, number>> {
  if (texts.size === 0) return new Map();
  const known = await db
    .selectFrom('descriptions')
    .select(['id', 'text'])
    .where('text', 'in', [...texts])
    .execute();
  const ids = new Map(known.map(({ id, text }) => [text, id]));
  const missing = [...texts].filter((text) => !ids.has(text));
  const added = await insertRows<'descriptions', { id: number; text: string }>(
    db,
    'descriptions',
    missing.map((text) => ({ text, search: searchText(text) })),
    'returning id, text',
  );
  for (const { id, text } of added) ids.set(text, id);
  return ids;
}

/** Writes the lines of documents that have none; the keys are the documents' ids. Gives the rows in the same order. */
export async function writeLines(
  db: Db,
  documents: ReadonlyMap<number, readonly PreparedLine[]>,
): Promise<ReadonlyMap<number, readonly ItemRow[]>> {
  const ids = await descriptionIds(
    db,
    new Set([...documents.values()].flat().map(({ description }) => description)),
  );
  const rows = new Map<number, ItemRow[]>();
  for (const [document_id, lines] of documents) {
    rows.set(
      document_id,
      lines.map(({ description, ...columns }) => ({
        document_id,
        description_id: ids.get(description) ?? 0,
        ...columns,
      })),
    );
  }
  await insertRows(db, 'items', [...rows.values()].flat());
  return rows;
}
