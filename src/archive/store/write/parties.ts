import { unmaskTaxId } from '../../../documents/identity/tax-ids.ts';
import type { Db } from '../schema/schema.ts';
import { insertRows } from './bulk-insert.ts';
import type { PreparedDocument } from './document-rows.ts';

/** Remembers the name that the latest document gives each tax id. */
export async function writeParties(db: Db, documents: readonly PreparedDocument[]): Promise<void> {
  const latest = new Map<string, { tax_id: string; name: string; issued_at: string }>();
  for (const { row, parties } of documents) {
    for (const { id, name } of parties) {
      if (id === undefined || name === undefined) continue;
      const tax_id = unmaskTaxId(id);
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
