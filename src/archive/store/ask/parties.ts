import { sql } from 'kysely';
import type { Session } from '../schema/schema.ts';
import { isNamed } from './named.ts';
import type { PartyGrouping } from './question.ts';

/** Somebody that documents name, by the name that the latest of them gives. */
export interface NamedParty {
  readonly id: string;
  readonly name: string;
}

/** In the order of their names. */
export function byName(one: NamedParty, other: NamedParty): number {
  return one.name < other.name ? -1 : one.name > other.name ? 1 : one.id < other.id ? -1 : 1;
}

/** See `Archive.parties`. */
export async function partiesNamed(
  { db, tenant }: Session,
  text: string,
  role: PartyGrouping,
): Promise<readonly NamedParty[]> {
  const { rows } = await sql<{ tax_id: string; name: string }>`
    select y.tax_id, y.name from parties y where y.tenant = ${tenant} and y.tax_id in (
      select ${sql.ref(`d.${role}`)} from documents d where d.tenant = ${tenant})`.execute(db);
  return rows
    .filter(({ name }) => isNamed(name, text))
    .map(({ tax_id: id, name }) => ({ id, name }))
    .sort(byName);
}
