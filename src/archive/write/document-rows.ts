import type { DocumentRow, Session } from '../schema/schema.ts';
import { givenIn, insertValues, quoted } from '../schema/sql.ts';
import type { Numbers } from './lines-and-names.ts';
import type { Sighting } from './placements.ts';
import type { PreparedDocument } from './prepare.ts';

/** What is written of a document beside what it says itself. */
type Sighted = Pick<
  DocumentRow,
  | 'tenant'
  | 'head_id'
  | 'own_status'
  | 'status'
  | 'fetched_at'
  | 'source'
  | 'status_at'
  | 'status_from'
  | 'contents'
>;

/**
 * A document's row: in parts, because an object of seventy properties takes longer to make than the row to be written.
 */
export interface NewRow {
  readonly document: PreparedDocument;
  readonly sighted: Sighted;
}

/**
 * The row of a document that is new.
 * @param heads the numbers of heads' texts, that of this document among them
 */
export function newRow(
  tenant: string,
  document: PreparedDocument,
  heads: Numbers,
  sighting: Sighting,
  isCancelled: boolean,
): NewRow {
  const { own_status } = document.row;
  const sighted = {
    tenant,
    head_id: heads.get(document.head) ?? 0,
    own_status,
    status: isCancelled ? 'cancelled' : own_status,
    fetched_at: sighting.at,
    source: sighting.source,
    status_at: sighting.at,
    status_from: isCancelled && own_status !== 'cancelled' ? 'event' : 'document',
    contents: 1,
  } as const;
  return { document, sighted };
}

async function insert({ db }: Session, rows: readonly NewRow[], ending: string) {
  const [first] = rows;
  if (first === undefined) return [];
  const sighted = Object.keys(first.sighted) as (keyof Sighted)[];
  const said = saidBy(first);
  const given = givenIn(rows.map(({ document }) => document.amounts)).filter((name) => name !== 'total');
  const values = rows.map(({ document: { row, amounts }, sighted: seen }) => [
    ...sighted.map((name) => seen[name]),
    ...said.map((name) => row[name]),
    ...given.map((name) => amounts[name]),
  ]);
  const columns = [...sighted, ...said, ...given];
  return insertValues<{ id: number; identity: string }>(db, 'documents', columns, values, ending);
}

function saidBy({ document, sighted }: NewRow): (keyof PreparedDocument['row'])[] {
  const names = Object.keys(document.row) as (keyof PreparedDocument['row'])[];
  return names.filter((name) => !(name in sighted));
}

/** Adds the documents that are not there, and gives those; the others stay as they are. */
export function insertNew(session: Session, rows: readonly NewRow[]) {
  return insert(
    session,
    rows,
    `on conflict (tenant, identity) do update set identity = excluded.identity where 1 = 0
      returning id, identity`,
  );
}

/** Writes documents over those that are there. */
export async function overwrite(session: Session, rows: readonly NewRow[]): Promise<void> {
  const [first] = rows;
  if (first === undefined) return;
  const names = [...Object.keys(first.sighted), ...saidBy(first), ...Object.keys(first.document.amounts)];
  const changes = [...new Set(names)]
    .filter((name) => name !== 'contents')
    .map((name) => `${quoted(name)} = excluded.${quoted(name)}`);
  await insert(session, rows, `on conflict (tenant, identity) do update set ${changes.join(', ')}`);
}
