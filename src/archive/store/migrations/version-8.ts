import { type Kysely, sql } from 'kysely';
import type { Schema } from '../schema/schema.ts';
import type { Spelling } from './spelling.ts';
import type { LaterChanges } from './version-3.ts';

/**
 * What version 8 added: the texts that documents' heads have in common, each once, where every document had had its own
 * with number and key in it; and what leads to those documents that are not like most. Nothing here follows later changes
 * of the program.
 */

/** What the tables of version 3 have no more. */
export const droppedWithHeads: LaterChanges['dropped'] = {
  documents: { columns: ['search'], indexes: ['key'] },
};

/** The columns of a table that version 8 has and version 7 hadn't. */
export function headColumns(table: string, { whole }: Spelling): readonly string[] {
  return table === 'documents' ? [`head_id ${whole} not null default 0`] : [];
}

/** Makes the table of the texts. */
export async function addHeads(db: Kysely<Schema>, spelling: Spelling): Promise<void> {
  const { text, number, numberIsKey, ordinary } = spelling;
  const key = numberIsKey ? '' : 'constraint heads_primary primary key (tenant, id), ';
  await sql
    .raw(
      `create table heads (tenant ${text} not null, id ${number(true)}, search ${text} not null,
        ${key}constraint heads_once unique (tenant, search)) ${ordinary}`,
    )
    .execute(db);
}

const digits = '0123456789';
const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ';

/**
 * The text of a document's head without its number and key, which are looked at themselves. They stand side by side in
 * it unless it was cut before them; and one that has more in it than digits and letters stays where it is.
 */
const common = `case when ltrim(documents.number, '${digits}') = '' and ltrim(documents.key, '${digits}${letters}') = ''
  then trim(replace(' ' || documents.search || ' ', ' ' || trim(documents.number || ' ' || lower(documents.key)) || ' ', ' '))
  else documents.search end`;

/** In PostgreSQL an entry of an index has at most 2,704 bytes, and a character at most three here. */
const mostBytes = 2_500;
const fewerCharacters = 800;

function commonIn({ numberIsKey }: Spelling): string {
  const bytes = numberIsKey ? `length(cast((${common}) as blob))` : `octet_length(${common})`;
  return `case when ${bytes} <= ${mostBytes} then ${common} else substr(${common}, 1, ${fewerCharacters}) end`;
}

/** Moves the texts of before into it. */
export async function moveHeads(db: Kysely<Schema>, spelling: Spelling): Promise<void> {
  for (const column of headColumns('documents', spelling)) {
    await sql.raw(`alter table documents add column ${column}`).execute(db);
  }
  const text = commonIn(spelling);
  await sql
    .raw(`insert into heads (tenant, search) select distinct tenant, ${text} from documents`)
    .execute(db);
  await sql
    .raw(
      `update documents set head_id = (select h.id from heads h where h.tenant = documents.tenant and h.search = ${text})`,
    )
    .execute(db);
  await sql.raw('alter table documents drop column search').execute(db);
  await sql.raw('drop index if exists documents_by_key').execute(db);
}

/** The indexes that version 8 has and version 7 hadn't. */
export async function addHeadIndexes(db: Kysely<Schema>): Promise<void> {
  const indexes = [
    'documents_by_head_id on documents (tenant, head_id)',
    // The number beside the key, so that a part of either is looked for in the index alone.
    'documents_by_key on documents (tenant, key, number)',
    `documents_by_lettered_key on documents (tenant, key) where ltrim(key, '${digits}') <> ''`,
    `documents_apart on documents (tenant, status, exclusion, has_lines)
      where status <> 'authorized' or exclusion <> '' or has_lines = 0`,
  ];
  for (const index of indexes) await sql.raw(`create index ${index}`).execute(db);
}
