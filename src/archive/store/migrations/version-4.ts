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

/** Adds the columns that version 4 has and version 3 hadn't. */
export async function addColumns(db: Kysely<Schema>, { text, whole }: Spelling): Promise<void> {
  const add = (table: string, column: string) =>
    sql.raw(`alter table ${table} add column ${column}`).execute(db);
  for (const { table, texts, counts, amounts } of added) {
    for (const name of texts) await add(table, `"${name}" ${text} not null default ''`);
    for (const name of counts) await add(table, `"${name}" ${whole} not null default 0`);
    for (const name of amounts) await add(table, `"${name}" ${whole}`);
  }
  for (const { table, column } of indexes) {
    await sql.raw(`create index ${table}_by_${column} on ${table} (tenant, ${column})`).execute(db);
  }
}
