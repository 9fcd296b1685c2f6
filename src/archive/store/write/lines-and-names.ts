import { plainId } from '../../../documents/summary/parties.ts';
import { searchText } from '../schema/encoding.ts';
import type { ItemRow, Session } from '../schema/schema.ts';
import { inParts, insertRows } from '../schema/sql.ts';
import type { PreparedDocument, PreparedLine } from './prepare.ts';

/**
 * The ids of descriptions, which are kept once however many items have them. In their own order, so that two writers
 * who add the same ones wait for each other instead of both for ever.
 */
export async function describe(
  { db, tenant }: Session,
  documents: readonly PreparedDocument[],
): Promise<ReadonlyMap<string, number>> {
  const texts = new Set(documents.flatMap(({ lines }) => lines.map(({ description }) => description)));
  const find = (part: string[]) =>
    db
      .selectFrom('descriptions')
      .select(['id', 'text'])
      .where('tenant', '=', tenant)
      .where('text', 'in', part)
      .execute();
  const ids = new Map((await inParts([...texts], find)).map(({ id, text }) => [text, id]));
  const missing = [...texts].filter((text) => !ids.has(text)).sort();
  const added = await insertRows<'descriptions', { id: number; text: string }>(
    db,
    'descriptions',
    missing.map((text) => ({ tenant, text, search: searchText(text) })),
    'on conflict (tenant, text) do nothing returning id, text',
  );
  for (const { id, text } of added) ids.set(text, id);
  const others = await inParts(
    missing.filter((text) => !ids.has(text)),
    find,
  );
  for (const { id, text } of others) ids.set(text, id);
  return ids;
}

/** Writes the lines of documents that have none; the keys are the documents' ids. Gives the rows in the same order. */
export async function writeLines(
  { db, tenant }: Session,
  documents: ReadonlyMap<number, readonly PreparedLine[]>,
  descriptions: ReadonlyMap<string, number>,
): Promise<ReadonlyMap<number, readonly ItemRow[]>> {
  const rows = new Map<number, ItemRow[]>();
  for (const [document_id, lines] of documents) {
    rows.set(
      document_id,
      lines.map(({ description, ...columns }) => ({
        tenant,
        document_id,
        description_id: descriptions.get(description) ?? 0,
        ...columns,
      })),
    );
  }
  await insertRows(db, 'items', [...rows.values()].flat());
  return rows;
}

/** Remembers the name that the latest document gives each tax id. */
export async function writeParties(
  { db, tenant }: Session,
  documents: readonly PreparedDocument[],
): Promise<void> {
  const latest = new Map<string, { tenant: string; tax_id: string; name: string; issued_at: string }>();
  for (const { row, parties } of documents) {
    for (const party of parties) {
      const tax_id = plainId(party);
      const { name } = party;
      if (tax_id === undefined || name === undefined) continue;
      const before = latest.get(tax_id);
      if (before === undefined || before.issued_at <= row.issued_at) {
        latest.set(tax_id, { tenant, tax_id, name, issued_at: row.issued_at });
      }
    }
  }
  await insertRows(
    db,
    'parties',
    [...latest.values()].sort((one, other) => (one.tax_id < other.tax_id ? -1 : 1)),
    `on conflict (tenant, tax_id) do update set name = excluded.name, issued_at = excluded.issued_at
      where excluded.issued_at >= parties.issued_at and excluded.name <> parties.name`,
  );
}
