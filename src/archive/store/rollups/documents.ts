import { sql } from 'kysely';
import type { RolledMeasure } from '../schema/measures.ts';
import { rolledMeasures } from '../schema/measures.ts';
import type { PlacementRow, Session } from '../schema/schema.ts';
import { hasId } from '../schema/sql.ts';
import { type Units, unitsRead } from '../schema/units.ts';
import type { RolledDocument, RolledLine } from './changes.ts';

type AmountTexts = { readonly [Name in RolledMeasure]: string | null };

/** Amounts as text: as numbers they would not be exact. */
const amountTexts = sql.join(
  rolledMeasures.map((name) => sql`cast(${sql.ref(name)} as text) as ${sql.ref(name)}`),
);

/** In the order of `rolledMeasures`. */
function unitsIn(row: AmountTexts): (Units | null)[] {
  return rolledMeasures.map((name) => {
    const text = row[name];
    return text === null ? null : unitsRead(text);
  });
}

type DocumentTexts = RolledDocument['document'] &
  AmountTexts & { readonly id: number; readonly status: string };
type LineTexts = Omit<RolledLine, 'amounts'> & AmountTexts & { readonly document_id: number };

/** Rows by the document they belong to. */
export function byDocument<Row extends { readonly document_id: number }>(
  rows: readonly Row[],
): Map<number, Row[]> {
  const all = new Map<number, Row[]>();
  for (const row of rows) {
    const own = all.get(row.document_id);
    if (own === undefined) all.set(row.document_id, [row]);
    else own.push(row);
  }
  return all;
}

/** Documents as they are in the archive now. */
export async function rolledDocuments(
  { db, tenant }: Session,
  ids: readonly number[],
): Promise<RolledDocument[]> {
  if (ids.length === 0) return [];
  const documents = await sql<DocumentTexts>`
    select id, kind, status, exclusion, issuer, issuer_state, recipient, recipient_state, item_count, has_lines,
      ${amountTexts} from documents where ${hasId(db, tenant, ids)}`.execute(db);
  const lines = await sql<LineTexts>`
    select document_id, line, description_id, ncm, cfop, cst, class_trib, unit, ${amountTexts}
    from items where tenant = ${tenant} and document_id in (${sql.join(ids)})`.execute(db);
  const placements: PlacementRow[] = await db
    .selectFrom('placements')
    .selectAll()
    .where('tenant', '=', tenant)
    .where('document_id', 'in', ids)
    .execute();
  const linesOf = byDocument(lines.rows);
  const placementsOf = byDocument(placements);
  return documents.rows.map((row) => ({
    document: row,
    amounts: unitsIn(row),
    status: row.status,
    lines: (linesOf.get(row.id) ?? []).map((line) => {
      const { line: number, description_id, ncm, cfop, cst, class_trib, unit } = line;
      return { line: number, description_id, ncm, cfop, cst, class_trib, unit, amounts: unitsIn(line) };
    }),
    placements: placementsOf.get(row.id) ?? [],
  }));
}
