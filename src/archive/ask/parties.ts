import { type RawBuilder, sql } from 'kysely';
import { searchText } from '../schema/encoding.ts';
import { groupOf, placedDocuments } from '../schema/expressions.ts';
import type { Session } from '../schema/schema.ts';
import { allOf, findRows, isOneOf } from '../schema/sql.ts';
import type { PartyGrouping } from './question.ts';

/** A party with its name in the latest document. */
export interface NamedParty {
  readonly id: string;
  readonly name: string;
}

/** Whether a name contains every word, or part of a word, of a text, ignoring order, accents and case. */
export function isNamed(name: string, text: string): boolean {
  const written = searchText(name);
  return searchText(text)
    .split(' ')
    .every((word) => written.includes(word));
}

/** Tax ids of parties in a role, as one column `id`. */
function idsOf(role: PartyGrouping, tenant: string, companies: readonly string[]): RawBuilder<unknown> {
  if (role !== 'counterparty') {
    const party = sql.ref(`d.${role}`);
    return sql`select distinct ${party} as id from documents d where d.tenant = ${tenant} and ${party} <> ''`;
  }
  // The counterparty depends on the companies asked about.
  const other = groupOf(role, sql`null`);
  const asked = [sql<boolean>`p.tenant = ${tenant}`, sql<boolean>`${other} <> ''`];
  const placed = [...asked, ...isOneOf(sql`p.company`, companies.length > 0 ? companies : undefined)];
  return sql`select distinct ${other} as id from ${placedDocuments} where ${allOf(placed)}`;
}

/** See `Archive.partyNames`. */
export async function partyNames(
  session: Session,
  ids: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const rows = await findRows(session, 'parties', ['tax_id', 'name'], 'tax_id', [...new Set(ids)]);
  return new Map(rows.map(({ tax_id, name }) => [tax_id, name]));
}

/** See `Archive.parties`. */
export async function partiesNamed(
  { db, tenant }: Session,
  text: string,
  role: PartyGrouping,
  companies: readonly string[] = [],
): Promise<readonly NamedParty[]> {
  const { rows } = await sql<NamedParty>`
    select x.id, coalesce(nullif(y.name, ''), x.id) as name
    from (${idsOf(role, tenant, companies)}) x
      left join parties y on y.tenant = ${tenant} and y.tax_id = x.id`.execute(db);
  return rows
    .filter(({ id, name }) => id === text || isNamed(name, text))
    .sort((one, other) => (`${one.name}\0${one.id}` < `${other.name}\0${other.id}` ? -1 : 1));
}
