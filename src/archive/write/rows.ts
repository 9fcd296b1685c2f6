import { type Selectable, sql } from 'kysely';
import { earlier, isDay, later, monthOf, type Period, weekOf } from '../../documents/days.ts';
import { currentRules, judge } from '../../documents/rules/index.ts';
import { plainId } from '../../documents/summary/parties.ts';
import type { DateField, Direction } from '../references.ts';
import { namedParties, searchText } from '../schema/encoding.ts';
import type { PlacementRow, Schema, Session } from '../schema/schema.ts';
import { eachPart, findRows, inParts, insertRows, matching, replacing, select } from '../schema/sql.ts';
import type { Provenance } from './arrival.ts';
import {
  descriptionsOf,
  installmentsOf,
  linesOf,
  type Plan,
  type PreparedDocument,
  searchedTexts,
} from './prepare.ts';

/**
 * The ids of descriptions, which are stored once each. Missing ones are inserted in sorted order, so that concurrent
 * writers don't deadlock.
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

/** Stores check results, as JSON, for documents without one, by id. */
export async function writeJudgements(
  { db, tenant }: Session,
  judgements: readonly (readonly [id: number, judgement: string])[],
): Promise<void> {
  await insertRows(
    db,
    'judgements',
    judgements.map(([document_id, judgement]) => ({ tenant, document_id, rules: currentRules, judgement })),
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

/** Writes contents, check results, lines and names of documents without them. */
export async function writeContents(session: Session, plans: readonly Plan[]): Promise<void> {
  const { db, tenant } = session;
  const rowsOf = <Row>(make: (document: PreparedDocument) => readonly Row[]) =>
    plans.flatMap(({ id: document_id, document }) =>
      make(document).map((row) => ({ tenant, document_id, ...row })),
    );
  const ids = await idsOfDescriptions(
    session,
    plans.flatMap(({ document }) => descriptionsOf(document)),
  );
  const texts = rowsOf((document) => [searchedTexts(document)]);
  await writeParties(
    session,
    plans.map(({ document }) => document),
  );
  await insertRows(
    db,
    'contents',
    rowsOf(({ summary, xml }) => [{ summary, xml }]),
  );
  await writeJudgements(
    session,
    plans.map(({ id, document: { parsed } }) => [id, JSON.stringify(judge(parsed))]),
  );
  await insertRows(
    db,
    'items',
    rowsOf((document) => linesOf(document, ids)),
  );
  await insertRows(db, 'installments', rowsOf(installmentsOf));
  await insertRows(db, 'document_texts', texts);
}

/** Stores both versions of contradicted documents, before one becomes effective. */
export async function keepContents({ db, tenant }: Session, contradicted: readonly Plan[]): Promise<void> {
  const once = 'on conflict (tenant, document_id, digest) do nothing';
  const ids = contradicted.map(({ id }) => id);
  await eachPart(ids, async (part) => {
    await sql`
      insert into other_contents (tenant, document_id, digest, fetched_at, summary, xml)
      select d.tenant, d.id, d.digest, d.fetched_at, c.summary, c.xml
      from documents d join contents c on c.tenant = d.tenant and c.document_id = d.id
      where d.tenant = ${tenant} and d.id in (${sql.join(part)}) ${sql.raw(once)}`.execute(db);
  });
  const received = contradicted.map(({ id: document_id, document: { digest, row, summary, xml } }) => {
    return { tenant, document_id, digest, fetched_at: row.fetched_at, summary, xml };
  });
  await insertRows(db, 'other_contents', received, once);
}

/** Removes effective versions from the stored alternatives, and counts the alternatives of each document. */
export async function countContents({ db, tenant }: Session, contradicted: readonly Plan[]): Promise<void> {
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

/** The issuer's documents are outbound, except notes of entry. */
export function directionRead(company: string, issuer: string, flow: string | undefined): Direction {
  return issuer === company && flow !== '0' ? 'outbound' : 'inbound';
}

type Place = Omit<PlacementRow, 'tenant' | 'company' | 'area' | 'date_field' | 'document_id'>;

/** A document's place by its days; listed in neither direction, it has the direction read from the document. */
export function placeOf({ from, to }: Period, said: Direction, isListed: Record<Direction, boolean>): Place {
  const { inbound, outbound } = isListed;
  const common = (of: (day: string) => string) => (of(from) === of(to) ? of(from) : '');
  let direction: Place['direction'] = said;
  if (inbound !== outbound) direction = inbound ? 'inbound' : 'outbound';
  return {
    from_day: from,
    to_day: to,
    day: common((day) => day),
    week: common(weekOf),
    month: common(monthOf),
    direction: inbound && outbound ? 'both' : direction,
    listed_inbound: inbound ? 1 : 0,
    listed_outbound: outbound ? 1 : 0,
  };
}

/** A document's place by its provenance and its present place; undefined if its day is unknown. */
function placementAt(
  { window, company }: Provenance,
  date_field: DateField,
  { row, parsed }: PreparedDocument,
  before: PlacementRow | undefined,
): Place | undefined {
  const known = before && { from: before.from_day, to: before.to_day };
  const issued = row.issued_at.slice(0, 10);
  let days = known;
  if (date_field === 'issue' && isDay(issued)) days = { from: issued, to: issued };
  else if (window?.by === date_field) {
    const both = known && { from: later(known.from, window.from), to: earlier(known.to, window.to) };
    // Without a common day, the date has changed since.
    days = both && both.from <= both.to ? both : window;
  }
  if (days === undefined) return undefined;
  const inbound = window?.direction === 'inbound' || before?.listed_inbound === 1;
  const outbound = window?.direction === 'outbound' || before?.listed_outbound === 1;
  return placeOf(days, directionRead(company, row.issuer, parsed.flow), { inbound, outbound });
}

/** Placements added or changed by a provenance; the documents must have ids. */
export async function changedPlacements(
  { db, tenant }: Session,
  provenance: Provenance,
  documents: readonly Pick<Plan, 'id' | 'document'>[],
): Promise<PlacementRow[]> {
  const { window, company } = provenance;
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
  return documents.flatMap(({ id: document_id, document }) =>
    fields.flatMap((date_field) => {
      const known = before.get(`${date_field} ${document_id}`);
      const now = placementAt(provenance, date_field, document, known);
      if (now === undefined) return [];
      const names = Object.keys(now) as (keyof Place)[];
      if (names.every((name) => known?.[name] === now[name])) return [];
      return [{ tenant, company, date_field, document_id, area: document.area, ...now }];
    }),
  );
}

/** Writes placements, replacing those of the same documents. */
export async function writePlacements({ db }: Session, rows: readonly PlacementRow[]): Promise<void> {
  const [{ tenant, company, date_field, document_id, area, ...place } = {}] = rows;
  await insertRows(db, 'placements', rows, replacing('placements', Object.keys(place)));
}
