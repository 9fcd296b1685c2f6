import { searchText } from '../schema/encoding.ts';
import type { Session } from '../schema/schema.ts';

/** Somebody that documents name, by the name that the latest of them gives. */
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

/** In the order of their names. */
export function byName(one: NamedParty, other: NamedParty): number {
  return one.name < other.name ? -1 : one.name > other.name ? 1 : one.id < other.id ? -1 : 1;
}

/** See `Archive.parties`. */
export async function partiesNamed({ db, tenant }: Session, text: string): Promise<readonly NamedParty[]> {
  const rows = await db
    .selectFrom('parties')
    .select(['tax_id', 'name'])
    .where('tenant', '=', tenant)
    .execute();
  return rows
    .filter(({ name }) => isNamed(name, text))
    .map(({ tax_id: id, name }) => ({ id, name }))
    .sort(byName);
}
