import { plainId } from '../../../documents/summary/parties.ts';
import { searchText } from '../schema/encoding.ts';
import type { Db, ItemRow } from '../schema/schema.ts';
import { insertRows } from '../schema/sql.ts';
import type { PreparedDocument, PreparedLine } from './prepare.ts';

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

/** Remembers the name that the latest document gives each tax id. */
export async function writeParties(db: Db, documents: readonly PreparedDocument[]): Promise<void> {
  const latest = new Map<string, { tax_id: string; name: string; issued_at: string }>();
  for (const { row, parties } of documents) {
    for (const party of parties) {
      const tax_id = plainId(party);
      const { name } = party;
      if (tax_id === undefined || name === undefined) continue;
      const before = latest.get(tax_id);
      if (before === undefined || before.issued_at <= row.issued_at) {
        latest.set(tax_id, { tax_id, name, issued_at: row.issued_at });
      }
    }
  }
  await insertRows(
    db,
    'parties',
    [...latest.values()],
    `on conflict (tax_id) do update set name = excluded.name, issued_at = excluded.issued_at
      where excluded.issued_at >= parties.issued_at and excluded.name <> parties.name`,
  );
}
