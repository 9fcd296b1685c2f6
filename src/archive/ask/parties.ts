import { sql } from 'kysely';
import { searchText } from '../schema/encoding.ts';
import type { Session } from '../schema/schema.ts';
import type { PartyGrouping } from './question.ts';

/** A party by the name that the latest document gives it. */
export interface NamedParty {
  readonly id: string;
  readonly name: string;
}

/** Whether a name has every word, or part of a word, of a text in it, whatever their order, accents and case. */
export function isNamed(name: string, text: string): boolean {
  const written = searchText(name);
  return searchText(text)
    .split(' ')
    .every((word) => written.includes(word));
}

/** See `Archive.parties`. */
export async function partiesNamed(
  { db, tenant }: Session,
  text: string,
  role: PartyGrouping,
): Promise<readonly NamedParty[]> {
  // Whoever is asked about may be on either side.
  const roles = role === 'counterparty' ? (['issuer', 'recipient'] as const) : [role];
  const ids = roles.map((one) => {
    const party = sql.ref(`d.${one}`);
    return sql`select ${party} as id from documents d where d.tenant = ${tenant} and ${party} <> ''`;
  });
  const { rows } = await sql<NamedParty>`
    select x.id, coalesce(y.name, '') as name
    from (select distinct id from (${sql.join(ids, sql` union all `)}) z) x
      left join parties y on y.tenant = ${tenant} and y.tax_id = x.id`.execute(db);
  return rows
    .filter(({ id, name }) => id === text || isNamed(name, text))
    .map(({ id, name }) => ({ id, name: name || id }))
    .sort((one, other) => (`${one.name}\0${one.id}` < `${other.name}\0${other.id}` ? -1 : 1));
}
