import { type Kysely, sql } from 'kysely';
import type { Schema } from '../schema/schema.ts';
import type { Spelling } from './spelling.ts';

/**
 * What version 4 added to the tables of version 3. Nothing here follows later changes of the program: what a released
 * version made stays as it was.
 */
const shared = [
  'products_net',
  'services',
  'insurance',
  'other',
  'icms_credit',
  'icms_relieved',
  'icms_mono',
  'fcp',
  'fcp_st',
  'difal',
  'import_duty',
];
const ofDocuments = ['irrf', 'csll', 'inss', 'pis_withheld', 'cofins_withheld', 'contributions_withheld'];

const added = [
  {
    table: 'documents',
    texts: ['issuer_city', 'recipient_city', 'regime', 'payer', 'purpose', 'competence'],
    // Rows of before were read by a reader that took less out of a document.
    counts: ['reading'],
    amounts: [...shared, ...ofDocuments],
  },
  // In the sums beside the documents too.
  ...['document_rollup', 'item_rollup'].map((table) => ({
    table,
    texts: [],
    counts: ['icms_credit_given', 'icms_credit'],
    amounts: [],
  })),
  { table: 'items', texts: ['unit'], counts: [], amounts: ['quantity', 'unit_price', ...shared] },
];

const indexes = ['payer', 'reading'].map((column) => ({ table: 'documents', column }));

/** The columns of a table that version 4 has and version 3 hadn't. */
export function addedColumns(name: string, { text, whole }: Spelling): string[] {
  return added
    .filter(({ table }) => table === name)
    .flatMap(({ texts, counts, amounts }) => [
      ...texts.map((column) => `"${column}" ${text} not null default ''`),
      ...counts.map((column) => `"${column}" ${whole} not null default 0`),
      ...amounts.map((column) => `"${column}" ${whole}`),
    ]);
}

/** Adds them to tables of version 3. */
export async function addColumns(db: Kysely<Schema>, spelling: Spelling): Promise<void> {
  for (const { table } of added) {
    for (const column of addedColumns(table, spelling)) {
      await sql.raw(`alter table ${table} add column ${column}`).execute(db);
    }
  }
}

/** The indexes that version 4 has and version 3 hadn't. */
export async function addIndexes(db: Kysely<Schema>): Promise<void> {
  for (const { table, column } of indexes) {
    await sql.raw(`create index ${table}_by_${column} on ${table} (tenant, ${column})`).execute(db);
  }
}
