import { type Selectable, sql } from 'kysely';
import { currentRules, judge } from '../../documents/rules/index.ts';
import { plainId } from '../../documents/summary/parties.ts';
import { earlier, isDay, later, monthOf, type Period, weekOf } from '../days.ts';
import type { DateField, Direction } from '../references.ts';
import { headText, namedParties, remarksText, searchText } from '../schema/encoding.ts';
import type { PlacementRow, Schema, Session } from '../schema/schema.ts';
import { deleteRows, eachPart, findRows, inParts, insertRows, matching, select } from '../schema/sql.ts';
import type { Provenance } from './arrival.ts';
import { installmentsOf, linesOf, type Plan, type PreparedDocument } from './prepare.ts';

/**
 * The ids of descriptions, which are stored once however often they come. Missing ones are added in their own order, so
 * that two writers who add the same ones don't deadlock.
 */
async function idsOfDescriptions(
  session: Session,
  texts: Iterable<string>,
): Promise<ReadonlyMap<string, number>> {
  const { db, tenant } = session;
  const find = async (wanted: Iterable<string>) =>
    (await findRows(session, 'descriptions', ['id', 'text'], 'text', wanted)).map(
      ({ id, text }) => [text, id] as const,
    );
  const all = new Set(texts);
  const known = new Map(await find(all));
  const missing = [...all].filter((text) => !known.has(text)).sort();
  const rows = missing.map((text) => ({ tenant, text, search: searchText(text) }));
  await insertRows(db, 'descriptions', rows, 'on conflict (tenant, text) do nothing');
  return new Map([...known, ...(await find(missing))]);
}

/** Keeps the contents of documents beside those that will count. */
export async function setContentsAside({ db, tenant }: Session, plans: readonly Plan[]): Promise<void> {
  const ids = plans.flatMap(({ id, setsAside }) => (setsAside ? [id] : []));
  await eachPart(ids, async (part) => {
    await sql`
      insert into other_contents (tenant, document_id, digest, fetched_at, summary, xml)
      select d.tenant, d.id, d.digest, d.fetched_at, c.summary, c.xml
      from documents d join contents c on c.tenant = d.tenant and c.document_id = d.id
      where d.tenant = ${tenant} and d.id in (${sql.join(part)})
      on conflict (tenant, document_id, digest) do nothing`.execute(db);
  });
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

/** Stores each tax id's name in its latest document. */
async function writeParties({ db, tenant }: Session, documents: readonly PreparedDocument[]): Promise<void> {
  const named = documents.flatMap(({ row: { issued_at }, parsed }) =>
    namedParties(parsed).flatMap((party) => {
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

/** Writes contents, judgements, lines and names of documents that have none. */
export async function writeContents(session: Session, plans: readonly Plan[]): Promise<void> {
  const { db, tenant } = session;
  const lines = plans.flatMap(({ id: document_id, document }) =>
    linesOf(document).map((line) => ({ tenant, document_id, ...line })),
  );
  const words = lines.flatMap(({ description, code, order }) => [description, code, order]);
  const ids = await idsOfDescriptions(session, words);
  await writeParties(
    session,
    plans.map(({ document }) => document),
  );
  await insertRows(
    db,
    'contents',
    plans.map(({ id, document: { summary, xml } }) => ({ tenant, document_id: id, summary, xml })),
  );
  await writeJudgements(
    session,
    plans.map(({ id, document: { parsed } }) => [id, JSON.stringify(judge(parsed))]),
  );
  const idOf = (text: string) => ids.get(text) ?? 0;
  await insertRows(
    db,
    'items',
    lines.map(({ description, code, order, ...line }) => {
      const texts = { description_id: idOf(description), code_id: idOf(code), order_id: idOf(order) };
      return { ...line, ...texts };
    }),
  );
  await insertRows(
    db,
    'installments',
    plans.flatMap(({ id: document_id, document: { parsed } }) =>
      installmentsOf(parsed).map((one) => ({ tenant, document_id, ...one })),
    ),
  );
  await insertRows(
    db,
    'document_texts',
    plans.map(({ id: document_id, document: { parsed } }) => {
      return { tenant, document_id, head: headText(parsed), remarks: remarksText(parsed) };
    }),
  );
}

/** Keeps contents that don't count, and counts how many different ones each document has. */
export async function writeOtherContents(
  { db, tenant }: Session,
  plans: readonly Plan[],
  fetched_at: string,
): Promise<void> {
  const contradicted = plans.filter(({ isAside, setsAside }) => isAside || setsAside);
  const rows = contradicted
    .filter(({ isAside }) => isAside)
    .map(({ id, document: { digest, summary, xml } }) => {
      return { tenant, document_id: id, digest, fetched_at, summary, xml };
    });
  await insertRows(db, 'other_contents', rows, 'on conflict (tenant, document_id, digest) do nothing');
  const ids = contradicted.map(({ id }) => id);
  await eachPart(ids, async (part) => {
    await sql`
      delete from other_contents where tenant = ${tenant} and document_id in (${sql.join(part)})
        and digest = (select d.digest from documents d
          where d.tenant = other_contents.tenant and d.id = other_contents.document_id)`.execute(db);
    await sql`
      update documents as d set contents = 1 + (select count(*) from other_contents o
        where o.tenant = d.tenant and o.document_id = d.id)
      where d.tenant = ${tenant} and d.id in (${sql.join(part)})`.execute(db);
  });
}

/** Who issues sends, unless the note itself says that its issuer receives (a note of entry). */
export function directionRead(company: string, issuer: string, flow: string | undefined): Direction {
  return issuer === company && flow !== '0' ? 'outbound' : 'inbound';
}

/** The days both windows have; the later window where they have none, since the date was changed then. */
function narrowed(before: Period | undefined, now: Period): Period {
  if (before === undefined) return now;
  const from = later(before.from, now.from);
  const to = earlier(before.to, now.to);
  return from <= to ? { from, to } : now;
}

/** A document's date by its provenance; undefined if unknown. */
function placementAt(
  { window, company }: Provenance,
  date_field: DateField,
  { row, parsed }: PreparedDocument,
  before: PlacementRow | undefined,
) {
  const known = before && { from: before.from_day, to: before.to_day };
  const issued = row.issued_at.slice(0, 10);
  const listed = window?.by === date_field ? narrowed(known, window) : known;
  const period = date_field === 'issue' && isDay(issued) ? { from: issued, to: issued } : listed;
  if (period === undefined) return undefined;
  const { from, to } = period;
  const inbound = window?.direction === 'inbound' || before?.listed_inbound === 1;
  const outbound = window?.direction === 'outbound' || before?.listed_outbound === 1;
  const only = inbound ? 'inbound' : directionRead(company, row.issuer, parsed.flow);
  return {
    from_day: from,
    to_day: to,
    day: from === to ? from : '',
    week: weekOf(from) === weekOf(to) ? weekOf(from) : '',
    month: monthOf(from) === monthOf(to) ? monthOf(from) : '',
    direction: inbound && outbound ? 'both' : outbound ? 'outbound' : only,
    listed_inbound: inbound ? 1 : 0,
    listed_outbound: outbound ? 1 : 0,
  };
}

/** Placements that a provenance adds or changes; the documents have ids. */
export async function changedPlacements(
  { db, tenant }: Session,
  provenance: Provenance,
  documents: readonly Pick<Plan, 'id' | 'document'>[],
): Promise<PlacementRow[]> {
  const { window, company, area } = provenance;
  const fields = [...new Set<DateField>(['issue', ...(window ? [window.by] : [])])];
  const ids = documents.map(({ id }) => id);
  const rows = await inParts(ids, (part) =>
    select<Selectable<Schema['placements']>>(
      db,
      sql`select * from placements where ${matching({ tenant, company })}
        and date_field in (${sql.join(fields)}) and document_id in (${sql.join(part)})`,
    ),
  );
  const before = new Map(rows.map((row) => [`${row.date_field} ${row.document_id}`, row]));
  return documents.flatMap(({ id, document }) =>
    fields.flatMap((date_field) => {
      const known = before.get(`${date_field} ${id}`);
      const now = placementAt(provenance, date_field, document, known);
      if (now === undefined) return [];
      const isSame = Object.entries(now).every(
        ([name, value]) => known?.[name as keyof typeof now] === value,
      );
      return isSame ? [] : [{ tenant, company, date_field, document_id: id, area, ...now }];
    }),
  );
}

const movable = [
  'from_day',
  'to_day',
  'day',
  'week',
  'month',
  'direction',
  'listed_inbound',
  'listed_outbound',
];

/** Writes placements over those of the same documents. */
export async function writePlacements({ db }: Session, rows: readonly PlacementRow[]): Promise<void> {
  const changes = movable.map((name) => `"${name}" = excluded."${name}"`);
  const ending = `on conflict (tenant, company, date_field, document_id) do update set ${changes.join(', ')}`;
  await insertRows(db, 'placements', rows, ending);
}

/** Tables with rows of a document by its id. */
export const tablesOfDocuments = [
  'placements',
  'items',
  'installments',
  'document_texts',
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
