import { sql } from 'kysely';
import { plainId } from '../../documents/summary/parties.ts';
import { searchText } from '../schema/encoding.ts';
import { lineAmounts } from '../schema/measures.ts';
import type { Session } from '../schema/schema.ts';
import { inParts, insertRows, insertValues } from '../schema/sql.ts';
import type { PreparedDocument, PreparedLine } from './prepare.ts';

/** The ids of texts that are kept once however often they come. */
export type Numbers = ReadonlyMap<string, number>;

interface Numbered {
  readonly id: number;
  readonly text: string;
}

/** In their own order, so that two writers who add the same ones wait for each other instead of both for ever. */
async function numbersOf(
  { db, tenant }: Session,
  table: 'descriptions' | 'heads',
  texts: ReadonlySet<string>,
): Promise<Numbers> {
  const isSearched = table === 'heads';
  const column = isSearched ? 'search' : 'text';
  const find = async (part: string[]) => {
    const found = await sql<Numbered>`select id, ${sql.ref(column)} as text from ${sql.table(table)}
      where tenant = ${tenant} and ${sql.ref(column)} in (${sql.join(part)})`.execute(db);
    return found.rows;
  };
  const ids = new Map((await inParts([...texts], find)).map(({ id, text }) => [text, id]));
  const missing = [...texts].filter((text) => !ids.has(text)).sort();
  const added = await insertValues<Numbered>(
    db,
    table,
    isSearched ? ['tenant', 'search'] : ['tenant', 'text', 'search'],
    missing.map((text) => (isSearched ? [tenant, text] : [tenant, text, searchText(text)])),
    `on conflict (tenant, ${column}) do nothing returning id, ${column} as text`,
  );
  for (const { id, text } of added) ids.set(text, id);
  const others = await inParts(
    missing.filter((text) => !ids.has(text)),
    find,
  );
  for (const { id, text } of others) ids.set(text, id);
  return ids;
}

/** The ids of what the lines of documents are described by. */
export function describe(session: Session, documents: readonly PreparedDocument[]): Promise<Numbers> {
  const texts = new Set(documents.flatMap(({ lines }) => lines.map(({ description }) => description)));
  return numbersOf(session, 'descriptions', texts);
}

/** The ids of what documents' heads say; see `headText`. */
export function headsOf(session: Session, texts: readonly string[]): Promise<Numbers> {
  return numbersOf(session, 'heads', new Set(texts));
}

/** Columns of a line, beside its amounts. */
const lineColumns = [
  'tenant',
  'document_id',
  'description_id',
  'line',
  'ncm',
  'cfop',
  'cst',
  'class_trib',
  'unit',
];

/** The places of the amounts that not all of these lines lack, see `givenIn`. */
function givenPlaces(documents: Iterable<readonly PreparedLine[]>): number[] {
  const isGiven = lineAmounts.map(() => false);
  for (const lines of documents) {
    for (const { amounts } of lines) {
      for (let place = 0; place < isGiven.length; place++) {
        if (amounts[place] !== null) isGiven[place] = true;
      }
    }
  }
  return isGiven.flatMap((is, place) => (is ? [place] : []));
}

/** Writes the lines of documents that have none; the keys are the documents' ids. */
export async function writeLines(
  { db, tenant }: Session,
  documents: ReadonlyMap<number, readonly PreparedLine[]>,
  descriptions: ReadonlyMap<string, number>,
): Promise<void> {
  const given = givenPlaces(documents.values());
  const rows: unknown[][] = [];
  for (const [id, lines] of documents) {
    for (const { line, description, ncm, cfop, cst, class_trib, unit, amounts } of lines) {
      const description_id = descriptions.get(description) ?? 0;
      const row: unknown[] = [tenant, id, description_id, line, ncm, cfop, cst, class_trib, unit];
      for (const place of given) row.push(amounts[place]);
      rows.push(row);
    }
  }
  const columns = [...lineColumns, ...given.map((place) => lineAmounts[place] as string)];
  await insertValues(db, 'items', columns, rows);
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
