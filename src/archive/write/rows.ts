import { sql } from 'kysely';
import { currentRules } from '../../documents/rules/index.ts';
import { plainId } from '../../documents/summary/parties.ts';
import { searchText } from '../schema/encoding.ts';
import type { DocumentRow, Session } from '../schema/schema.ts';
import { deleteRows, eachPart, insertRows, quoted } from '../schema/sql.ts';
import type { Plan } from './plans.ts';
import type { PreparedDocument } from './prepare.ts';

interface IdOfText {
  readonly id: number;
  readonly text: string;
}

/**
 * The ids of texts that are stored once however often they come. Missing ones are added in their own order, so that two
 * writers who add the same ones don't deadlock.
 */
export async function idsOfTexts(
  { db, tenant }: Session,
  table: 'descriptions' | 'heads',
  texts: ReadonlySet<string>,
): Promise<ReadonlyMap<string, number>> {
  const column = table === 'heads' ? 'search' : 'text';
  const ids = new Map<string, number>();
  const find = async (part: string[]) => {
    const { rows } = await sql<IdOfText>`select id, ${sql.ref(column)} as text from ${sql.table(table)}
      where tenant = ${tenant} and ${sql.ref(column)} in (${sql.join(part)})`.execute(db);
    for (const { id, text } of rows) ids.set(text, id);
  };
  await eachPart([...texts], find);
  const missing = [...texts].filter((text) => !ids.has(text)).sort();
  const conflict = `on conflict (tenant, ${column}) do nothing`;
  if (table === 'heads') {
    const rows = missing.map((search) => ({ tenant, search }));
    await insertRows(db, table, rows, conflict);
  } else {
    const rows = missing.map((text) => ({ tenant, text, search: searchText(text) }));
    await insertRows(db, table, rows, conflict);
  }
  await eachPart(missing, find);
  return ids;
}

/** Inserts the documents that are new and returns those; the others stay as they are. */
export function insertNewDocuments({ db }: Session, rows: readonly DocumentRow[]) {
  return insertRows<'documents', { id: number; identity: string }>(
    db,
    'documents',
    rows,
    'on conflict (tenant, identity) do update set identity = excluded.identity where 1 = 0 returning id, identity',
  );
}

/** Writes documents over those that are stored. */
export async function overwriteDocuments({ db }: Session, rows: readonly DocumentRow[]): Promise<void> {
  const changes = Object.keys(rows[0] ?? {})
    .filter((name) => name !== 'contents')
    .map((name) => `${quoted(name)} = excluded.${quoted(name)}`);
  await insertRows(
    db,
    'documents',
    rows,
    `on conflict (tenant, identity) do update set ${changes.join(', ')}`,
  );
}

/** Keeps the contents of these documents beside those that will count. */
export async function setContentsAside({ db, tenant }: Session, ids: readonly number[]): Promise<void> {
  if (ids.length === 0) return;
  await sql`
    insert into other_contents (tenant, document_id, digest, fetched_at, summary, xml)
    select d.tenant, d.id, d.digest, d.fetched_at, c.summary, c.xml
    from documents d join contents c on c.tenant = d.tenant and c.document_id = d.id
    where d.tenant = ${tenant} and d.id in (${sql.join([...ids])})
    on conflict (tenant, document_id, digest) do nothing`.execute(db);
}

/** Keeps judgements, as JSON, by the ids of their documents. */
export async function writeJudgements(
  { db, tenant }: Session,
  judgements: readonly (readonly [id: number, judgement: string])[],
): Promise<void> {
  await insertRows(
    db,
    'judgements',
    judgements.map(([document_id, judgement]) => ({ tenant, document_id, rules: currentRules, judgement })),
    'on conflict (tenant, document_id) do update set rules = excluded.rules, judgement = excluded.judgement',
  );
}

/** Writes contents, judgements and lines of documents that have none. */
export async function writeContents(
  session: Session,
  plans: readonly Plan[],
  descriptions: ReadonlyMap<string, number>,
): Promise<void> {
  const { db, tenant } = session;
  const contents = plans.map(({ id, document: { summary, xml } }) => {
    return { tenant, document_id: id, summary, xml };
  });
  await insertRows(db, 'contents', contents);
  await writeJudgements(
    session,
    plans.map(({ id, document }) => [id, document.judgement]),
  );
  const idOf = (text: string) => descriptions.get(text) ?? 0;
  const lines = plans.flatMap(({ id, document }) =>
    document.lines.map(({ description, code, order, ...line }) => {
      const texts = { description_id: idOf(description), code_id: idOf(code), order_id: idOf(order) };
      return { tenant, document_id: id, ...texts, ...line };
    }),
  );
  await insertRows(db, 'items', lines);
  const installments = plans.flatMap(({ id, document }) =>
    document.installments.map((one, index) => ({ tenant, document_id: id, line: index + 1, ...one })),
  );
  await insertRows(db, 'installments', installments);
  const remarks = plans.flatMap(({ id, document: { remarks: search } }) =>
    search === '' ? [] : [{ tenant, document_id: id, search }],
  );
  await insertRows(db, 'remarks', remarks);
}

/** Keeps contents that don't count, and counts how many different ones each document has. */
export async function writeOtherContents(
  { db, tenant }: Session,
  plans: readonly Plan[],
  fetched_at: string,
): Promise<void> {
  const ids = plans.map(({ id }) => id);
  if (ids.length === 0) return;
  const rows = plans.flatMap(({ id, others }) =>
    others.map(({ digest, summary, xml }) => ({ tenant, document_id: id, digest, fetched_at, summary, xml })),
  );
  await insertRows(db, 'other_contents', rows, 'on conflict (tenant, document_id, digest) do nothing');
  await sql`
    delete from other_contents where tenant = ${tenant} and document_id in (${sql.join(ids)})
      and digest = (select d.digest from documents d
        where d.tenant = other_contents.tenant and d.id = other_contents.document_id)`.execute(db);
  await sql`
    update documents as d set contents = 1 + (select count(*) from other_contents o
      where o.tenant = d.tenant and o.document_id = d.id)
    where d.tenant = ${tenant} and d.id in (${sql.join(ids)})`.execute(db);
}

/** Keeps the name that the latest document gives each tax id. */
export async function writeParties(
  { db, tenant }: Session,
  documents: readonly PreparedDocument[],
): Promise<void> {
  const named = documents.flatMap(({ row: { issued_at }, parties }) =>
    parties.flatMap((party) => {
      const [tax_id, name] = [plainId(party), party.name];
      return tax_id === undefined || name === undefined ? [] : [{ tenant, tax_id, name, issued_at }];
    }),
  );
  const inTime = named.sort((one, other) =>
    one.issued_at < other.issued_at ? -1 : Number(one.issued_at > other.issued_at),
  );
  const latest = new Map(inTime.map((row) => [row.tax_id, row]));
  await insertRows(
    db,
    'parties',
    [...latest.values()].sort((one, other) => (one.tax_id < other.tax_id ? -1 : 1)),
    `on conflict (tenant, tax_id) do update set name = excluded.name, issued_at = excluded.issued_at
      where excluded.issued_at >= parties.issued_at and excluded.name <> parties.name`,
  );
}

/** Tables with rows of a document by its id. */
export const tablesOfDocuments = [
  'placements',
  'items',
  'installments',
  'remarks',
  'contents',
  'judgements',
  'other_contents',
  'file_parties',
] as const;

/** Removes documents with everything that refers to them by their ids, but for their sums. */
export async function removeDocumentRows(session: Session, ids: readonly number[]): Promise<void> {
  for (const table of tablesOfDocuments) await deleteRows(session, table, 'document_id', ids);
  await deleteRows(session, 'documents', 'id', ids);
}
