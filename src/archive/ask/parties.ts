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
function byName(one: NamedParty, other: NamedParty): number {
  return one.name < other.name ? -1 : one.name > other.name ? 1 : one.id < other.id ? -1 : 1;
}

/** Of parties, those with the text in their name or as their id; once each, also where one of them has no name. */
function partiesCalled(parties: Iterable<NamedParty>, text: string): readonly NamedParty[] {
  const called = new Map<string, NamedParty>();
  for (const { id, name } of parties) {
    if (id !== text && !isNamed(name, text)) continue;
    called.set(id, { id, name: name || called.get(id)?.name || id });
  }
  return [...called.values()].sort(byName);
}

/** See `Archive.parties`. */
export async function partiesNamed(
  { db, tenant }: Session,
  text: string,
  role: PartyGrouping,
): Promise<readonly NamedParty[]> {
  const party = sql.ref(`d.${role}`);
  const { rows } = await sql<NamedParty>`
    select y.tax_id as id, y.name as name from parties y where y.tenant = ${tenant} and y.tax_id in (
      select ${party} from documents d where d.tenant = ${tenant})
    union select ${party}, '' from documents d where d.tenant = ${tenant} and ${party} = ${text}`.execute(db);
  return partiesCalled(rows, text);
}
