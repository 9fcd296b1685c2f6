import { type Kysely, sql } from 'kysely';
import type { Schema } from '../schema/schema.ts';
import type { Spelling } from './spelling.ts';

/**
 * What version 5 added: which of the user's files gave which documents and events. Nothing here follows later changes
 * of the program: what a released version made stays as it was.
 */
interface Table {
  readonly name: string;
  readonly isNumbered?: boolean;
  readonly texts: readonly string[];
  readonly wholes: readonly string[];
  readonly key: readonly string[];
  readonly index?: readonly string[];
}

const tables: readonly Table[] = [
  {
    name: 'files',
    isNumbered: true,
    texts: ['root', 'folder', 'name', 'digest', 'left_out'],
    wholes: ['size', 'changed', 'due'],
    key: ['root', 'folder', 'name'],
  },
  {
    name: 'file_documents',
    texts: [],
    wholes: ['file_id', 'document_id'],
    key: ['file_id', 'document_id'],
    index: ['document_id'],
  },
  {
    name: 'file_events',
    texts: [],
    wholes: ['file_id', 'event_id'],
    key: ['file_id', 'event_id'],
    index: ['event_id'],
  },
  {
    name: 'file_parties',
    texts: ['tax_id', 'direction'],
    wholes: ['document_id'],
    key: ['tax_id', 'document_id'],
    index: ['document_id'],
  },
  {
    name: 'given_up_numbers',
    texts: ['area', 'company', 'model', 'series', 'year', 'protocol'],
    wholes: ['file_id', 'first_number', 'last_number'],
    key: ['company', 'area', 'model', 'series', 'year', 'first_number', 'last_number', 'file_id'],
    index: ['file_id'],
  },
];

const quoted = (names: readonly string[]): string => names.map((name) => `"${name}"`).join(', ');

/** Makes the tables of the user's files. */
export async function createFileTables(db: Kysely<Schema>, spelling: Spelling): Promise<void> {
  const { text, whole, number, numberIsKey, ordinary, clustered } = spelling;
  for (const { name, isNumbered = false, texts, wholes, key, index } of tables) {
    const columns = [
      `tenant ${text} not null`,
      ...(isNumbered ? [`id ${number(true)}`] : []),
      ...texts.map((column) => `"${column}" ${text} not null`),
      ...wholes.map((column) => `"${column}" ${whole} not null`),
    ];
    const keys = quoted(['tenant', ...key]);
    const constraints = isNumbered
      ? [
          ...(numberIsKey ? [] : [`constraint ${name}_primary primary key (tenant, id)`]),
          `constraint ${name}_once unique (${keys})`,
        ]
      : [`constraint ${name}_primary primary key (${keys})`];
    const ending = isNumbered ? ordinary : clustered;
    await sql.raw(`create table ${name} (${[...columns, ...constraints].join(', ')}) ${ending}`).execute(db);
    if (index !== undefined) {
      await sql
        .raw(`create index ${name}_by_${index.join('_')} on ${name} (${quoted(['tenant', ...index])})`)
        .execute(db);
    }
  }
}
