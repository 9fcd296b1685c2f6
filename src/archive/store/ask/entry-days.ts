import { sql } from 'kysely';
import { checkPeriod } from '../../days.ts';
import type { Db } from '../schema/schema.ts';
import { allOf, placedWithin } from './conditions.ts';
import type { Selection } from './question.ts';

/** See `Archive.entryDays`. */
export async function entryDays(db: Db, selection: Selection): Promise<ReadonlyMap<string, string>> {
  checkPeriod(selection);
  const conditions = [placedWithin(selection), sql<boolean>`e.day <> ''`, sql<boolean>`d.key <> ''`];
  const { rows } = await sql<{ key: string; day: string }>`
    select d.key, e.day from placements p
      join placements e on e.company = p.company and e.date_field = 'entry' and e.document_id = p.document_id
      join documents d on d.id = p.document_id
    where ${allOf(conditions)}`.execute(db);
  return new Map(rows.map(({ key, day }) => [key, day]));
}
