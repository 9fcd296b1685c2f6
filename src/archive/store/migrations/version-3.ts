import { type Kysely, sql } from 'kysely';
import type { Schema } from '../schema/schema.ts';
import { restoreForeignIds } from './foreign-ids.ts';
import type { Spelling } from './spelling.ts';

/**
 * The tables of version 3 and how an archive of version 1 or 2 becomes one. Nothing here follows later changes of the
 * program: what a released version made stays as it was.
 */
interface Table {
  readonly name: string;
  /** The number that is the key: `id` is given by the database, another comes with the row. */
  readonly number?: string;
  readonly texts: readonly string[];
  readonly wholes?: readonly string[];
  /** Columns of bytes; those with a question mark may be null. */
  readonly bytes?: readonly string[];
  /** May be null: what a document does not give. */
  readonly amounts?: readonly string[];
  /** Begin at zero. */
  readonly sums?: readonly string[];
  /** What a row is known by, besides the tenant, which comes first in every key. */
  readonly key?: readonly string[];
  readonly unique?: readonly string[];
  readonly indexes?: readonly (readonly string[])[];
}

const amounts = [
  'total',
  'products',
  'icms',
  'icms_base',
  'icms_st',
  'ipi',
  'pis',
  'cofins',
  'iss',
  'iss_withheld',
  'ibs',
  'cbs',
  'is',
  'freight',
  'discount',
];
const sums = [...amounts.map((name) => `${name}_given`), ...amounts];

const documentTexts = ['identity', 'digest', 'area', 'kind', 'key', 'number', 'issued_at', 'own_status'];
const partyTexts = [
  'status',
  'exclusion',
  'issuer',
  'issuer_state',
  'recipient',
  'recipient_state',
  'search',
];
const place = ['company', 'area', 'date_field'];

/** Tables that version 2 had too, with the columns that are the same. */
const grown: readonly Table[] = [
  {
    name: 'documents',
    number: 'id',
    texts: [...documentTexts, ...partyTexts],
    wholes: ['item_count', 'has_lines'],
    amounts,
    unique: ['identity'],
    indexes: [['key'], ['issuer'], ['recipient']],
  },
  {
    name: 'contents',
    number: 'document_id',
    texts: [],
    bytes: ['summary', 'xml?'],
  },
  {
    name: 'items',
    texts: ['ncm', 'cfop', 'cst', 'class_trib'],
    wholes: ['document_id', 'line', 'description_id'],
    amounts,
    key: ['document_id', 'line'],
    indexes: [['description_id'], ['ncm']],
  },
  { name: 'descriptions', number: 'id', texts: ['text', 'search'], unique: ['text'] },
  { name: 'parties', texts: ['tax_id', 'name', 'issued_at'], key: ['tax_id'] },
  {
    name: 'placements',
    texts: [...place, 'from_day', 'to_day', 'day', 'week', 'month', 'direction'],
    wholes: ['document_id', 'listed_inbound', 'listed_outbound'],
    key: ['company', 'date_field', 'document_id'],
    indexes: [[...place, 'from_day', 'to_day', 'direction'], ['document_id']],
  },
  {
    name: 'coverage',
    texts: [...place, 'direction', 'from_day', 'to_day', 'fetched_at'],
    wholes: ['documents'],
    indexes: [[...place, 'from_day']],
  },
  {
    name: 'events',
    number: 'id',
    texts: ['identity', 'key', 'code', 'at', 'digest'],
    wholes: ['cancels'],
    bytes: ['summary', 'xml?'],
    unique: ['identity'],
    indexes: [['key']],
  },
  {
    name: 'document_rollup',
    texts: [...place, 'month', 'direction', 'kind', 'status', 'exclusion', 'issuer', 'recipient', 'state'],
    sums: ['documents', 'lined', 'items', ...sums],
    key: [...place, 'month', 'direction', 'kind', 'status', 'exclusion', 'issuer', 'recipient', 'state'],
  },
  {
    name: 'item_rollup',
    texts: [...place, 'grouping', 'month', 'first_value', 'second_value', 'direction'],
    sums: ['documents', 'items', ...sums],
    key: [...place, 'grouping', 'month', 'first_value', 'second_value', 'direction'],
  },
];

/** The columns that version 3 added to them. */
const added: Readonly<Record<string, Pick<Table, 'texts' | 'wholes'>>> = {
  documents: { texts: ['fetched_at', 'source', 'status_at', 'status_from'], wholes: ['contents'] },
  coverage: { texts: ['unreadable'] },
  events: { texts: ['origin', 'asked_at'] },
};

const answerTexts = [
  ...place,
  'operation',
  'direction',
  'from_moment',
  'to_moment',
  'fetched_at',
  'unreadable',
];

const fresh: readonly Table[] = [
  {
    name: 'other_contents',
    texts: ['digest', 'fetched_at'],
    wholes: ['document_id'],
    bytes: ['summary', 'xml?'],
    key: ['document_id', 'digest'],
  },
  {
    name: 'answers',
    texts: answerTexts,
    wholes: ['lines'],
    bytes: ['identities'],
    key: ['company', 'area', 'operation', 'date_field', 'direction', 'from_moment', 'to_moment'],
  },
];

function withAdded(table: Table): Table {
  const { texts = [], wholes = [] } = added[table.name] ?? {};
  return { ...table, texts: [...table.texts, ...texts], wholes: [...(table.wholes ?? []), ...wholes] };
}

const quoted = (names: readonly string[]): string => names.map((name) => `"${name}"`).join(', ');

function columnsOf(table: Table, { text, whole, bytes, number }: Spelling): string[] {
  const { texts, wholes = [], amounts = [], sums = [] } = table;
  return [
    `tenant ${text} not null`,
    ...(table.number ? [`${table.number} ${number(table.number === 'id')}`] : []),
    ...texts.map((name) => `"${name}" ${text} not null`),
    ...wholes.map((name) => `"${name}" ${whole} not null`),
    ...(table.bytes ?? []).map((name) =>
      name.endsWith('?') ? `"${name.slice(0, -1)}" ${bytes}` : `"${name}" ${bytes} not null`,
    ),
    ...amounts.map((name) => `"${name}" ${whole}`),
    ...sums.map((name) => `"${name}" ${whole} not null default 0`),
  ];
}

async function createTable(
  db: Kysely<Schema>,
  table: Table,
  spelling: Spelling,
  later: readonly string[],
): Promise<void> {
  const { name, number, key, unique, indexes = [], bytes, sums } = table;
  const keys = number && !spelling.numberIsKey ? [number] : key;
  const constraints = [
    ...(keys ? [`constraint ${name}_primary primary key (${quoted(['tenant', ...keys])})`] : []),
    ...(unique ? [`constraint ${name}_once unique (${quoted(['tenant', ...unique])})`] : []),
  ];
  const lines = [...columnsOf(table, spelling), ...later, ...constraints];
  // A table in the order of its key is slow where its rows are long.
  const ending = key && !bytes ? spelling.clustered : spelling.ordinary;
  await sql.raw(`create table ${name} (${lines.join(', ')}) ${ending}`).execute(db);
  for (const columns of indexes) {
    const index = `${name}_by_${columns.join('_').slice(0, 30)}`;
    await sql.raw(`create index ${index} on ${name} (${quoted(['tenant', ...columns])})`).execute(db);
  }
  // What has come down to nothing is looked for after every change.
  if (sums) {
    await sql
      .raw(`create index ${name}_of_none on ${name} (tenant, documents) where documents = 0`)
      .execute(db);
  }
}

/** What later versions change in the tables of this one. */
export interface LaterChanges {
  /** Columns that a table has more. */
  readonly added: (table: string) => readonly string[];
  /** Columns of text, and indexes by their first column, that a table hasn't any more. */
  readonly dropped: Readonly<
    Record<string, { readonly columns: readonly string[]; readonly indexes: readonly string[] }>
  >;
}

/**
 * Makes the tables in an empty database, but for the one that has the version.
 * @param later what later versions change; each change by itself would take SQLite a millisecond
 */
export async function createTables(
  db: Kysely<Schema>,
  spelling: Spelling,
  { added: addedTo, dropped }: LaterChanges = { added: () => [], dropped: {} },
): Promise<void> {
  for (const table of [...grown.map(withAdded), ...fresh]) {
    const { columns = [], indexes = [] } = dropped[table.name] ?? {};
    const left = {
      ...table,
      texts: table.texts.filter((name) => !columns.includes(name)),
      indexes: table.indexes?.filter(([first = '']) => !indexes.includes(first)) ?? [],
    };
    await createTable(db, left, spelling, addedTo(table.name));
  }
}

const oldIndexes = [
  'documents_key',
  'documents_issuer',
  'documents_recipient',
  'items_description',
  'items_ncm',
  'placements_days',
  'placements_document',
  'coverage_days',
  'events_key',
  'document_rollup_empty',
  'item_rollup_empty',
];

function columnsBefore(table: Table): string[] {
  const { number, texts, wholes = [], bytes = [], amounts = [], sums = [] } = table;
  const names = bytes.map((name) => name.replace('?', ''));
  return [...(number ? [number] : []), ...texts, ...wholes, ...names, ...amounts, ...sums];
}

/** What the added columns hold for rows of before: all that is known is when their days were last fetched. */
const addedValues: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  documents: {
    fetched_at: 'f.at',
    source: `'service'`,
    status_at: 'f.at',
    status_from: `case when o.status <> o.own_status then 'event' else 'document' end`,
    contents: '1',
  },
  coverage: { unreadable: `'[]'` },
  events: { origin: `'list'`, asked_at: 'f.at' },
};

/**
 * The other party of a company's own notes of entry is their recipient; version 1 had summed them up under the
 * company's own state.
 */
const otherState = `case when d.issuer = p.company or p.direction = 'outbound'
  then d.recipient_state else d.issuer_state end`;

async function remakeDocumentRollup(db: Kysely<Schema>): Promise<void> {
  const keys = ['kind', 'status', 'exclusion', 'issuer', 'recipient'].map((name) => `d."${name}"`);
  const places = [...place, 'month', 'direction'].map((name) => `p."${name}"`);
  const given = amounts.map((name) => `count(d."${name}")`);
  const totals = amounts.map((name) => `coalesce(sum(d."${name}"), 0)`);
  const columns = [
    ...place,
    'month',
    'direction',
    'kind',
    'status',
    'exclusion',
    'issuer',
    'recipient',
    'state',
  ];
  await sql
    .raw(
      `insert into document_rollup (${quoted(['tenant', ...columns, 'documents', 'lined', 'items', ...sums])})
      select '', ${[...places, ...keys, otherState].join(', ')},
        count(*), sum(d.has_lines), sum(d.item_count), ${[...given, ...totals].join(', ')}
      from placements p join documents d on d.id = p.document_id group by 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12`,
    )
    .execute(db);
}

/** Brings an archive of version 1 or 2 to version 3. Its rows are the nameless tenant's. */
export async function upgradeTables(db: Kysely<Schema>, spelling: Spelling): Promise<void> {
  for (const index of oldIndexes) await sql.raw(`drop index ${index}`).execute(db);
  for (const { name } of grown) await sql.raw(`alter table ${name} rename to old_${name}`).execute(db);
  await createTables(db, spelling);
  for (const table of grown) {
    if (table.name === 'document_rollup') continue;
    const columns = columnsBefore(table);
    const values = addedValues[table.name] ?? {};
    const names = ['tenant', ...columns, ...Object.keys(values)];
    const selected = [`''`, ...columns.map((name) => `o."${name}"`), ...Object.values(values)];
    await sql
      .raw(
        `insert into ${table.name} (${quoted(names)}) select ${selected.join(', ')}
        from old_${table.name} o, (select coalesce(min(fetched_at), '') as at from old_coverage) f`,
      )
      .execute(db);
    if (table.number === 'id') await spelling.continueNumbers?.(table.name).execute(db);
  }
  await restoreForeignIds(db, amounts);
  await remakeDocumentRollup(db);
  for (const { name } of grown) await sql.raw(`drop table old_${name}`).execute(db);
}
