import { type Kysely, sql } from 'kysely';
import type { Schema } from '../schema/schema.ts';
import type { Spelling } from './spelling.ts';

/**
 * What version 6 added: what the rules about one document by itself say of each. Documents of before are judged when
 * they are first asked about. Nothing here follows later changes of the program.
 */
export async function createJudgements(
  db: Kysely<Schema>,
  { text, whole, clustered }: Spelling,
): Promise<void> {
  await sql
    .raw(
      `create table judgements (tenant ${text} not null, document_id ${whole} not null, rules ${whole} not null,
        judgement ${text} not null, constraint judgements_primary primary key (tenant, document_id)) ${clustered}`,
    )
    .execute(db);
}
