import { type Kysely, sql } from 'kysely';
import { natureFor } from '../rollups/nature.ts';
import type { Schema } from '../schema/schema.ts';
import type { Spelling } from './spelling.ts';

/**
 * What version 7 added: sums over documents by the days they stand in, and sums of items by their nature and their
 * unit, made of what is there. Nothing here follows later changes of the program, but for the nature of a code, which is
 * what the program says now.
 */
const measures = [
  'total',
  'products',
  'icms',
  'icms_base',
  'icms_st',
  'icms_credit',
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
const sums = [...measures.map((name) => `${name}_given`), ...measures];

const place = ['company', 'area', 'date_field'];
const days = ['from_day', 'to_day', 'day', 'week', 'month', 'direction'];
const said = ['kind', 'status', 'exclusion'];
const key = ['tenant', ...place, ...days, ...said, 'state'];
const counts = ['documents', 'lined', 'items'];

const quoted = (names: readonly string[]): string => names.map((name) => `"${name}"`).join(', ');

/** Of rows `d` or `i`. */
function sumsOf(row: 'd' | 'i'): string {
  const given = measures.map((name) => `count(${row}."${name}")`);
  return [...given, ...measures.map((name) => `coalesce(sum(${row}."${name}"), 0)`)].join(', ');
}

const numbered = (length: number): string => Array.from({ length }, (_, index) => index + 1).join(', ');

async function addItemSums(db: Kysely<Schema>, name: 'nature' | 'unit'): Promise<void> {
  const value = name === 'unit' ? sql`i.unit` : natureFor(sql`p.company`);
  const columns = ['tenant', ...place, 'month', 'direction', 'first_value'];
  await sql`
    insert into item_rollup (${sql.raw(quoted(columns))}, "grouping", second_value, documents, items, ${sql.raw(quoted(sums))})
    select p.tenant, p.company, p.area, p.date_field, p.month, p.direction, ${value}, ${sql.lit(name)}, '',
      count(distinct i.document_id), sum(case when i.line > 0 then 1 else 0 end), ${sql.raw(sumsOf('i'))}
    from placements p join documents d on d.tenant = p.tenant and d.id = p.document_id
      join items i on i.tenant = p.tenant and i.document_id = p.document_id
    where d.exclusion = '' and d.status not in ('cancelled', 'denied')
    group by ${sql.raw(numbered(columns.length))}`.execute(db);
}

/** Makes the sums by day and adds those by nature and unit. */
export async function addDaysAndNatures(
  db: Kysely<Schema>,
  { text, whole, clustered }: Spelling,
): Promise<void> {
  const columns = [
    ...key.map((name) => `"${name}" ${text} not null`),
    ...[...counts, ...sums].map((name) => `"${name}" ${whole} not null default 0`),
  ];
  const table = `create table day_rollup (${columns.join(', ')}, constraint day_rollup_primary primary key (${quoted(key)}))`;
  await sql.raw(`${table} ${clustered}`).execute(db);
  await sql
    .raw('create index day_rollup_of_none on day_rollup (tenant, documents) where documents = 0')
    .execute(db);
  const placed = ['tenant', ...place, ...days].map((name) => `p."${name}"`);
  const state = `case when d.issuer = p.company or p.direction = 'outbound' then d.recipient_state else d.issuer_state end`;
  await sql
    .raw(
      `insert into day_rollup (${quoted([...key, ...counts, ...sums])})
      select ${[...placed, ...said.map((name) => `d."${name}"`), state].join(', ')},
        count(*), sum(d.has_lines), sum(d.item_count), ${sumsOf('d')}
      from placements p join documents d on d.tenant = p.tenant and d.id = p.document_id
      group by ${numbered(key.length)}`,
    )
    .execute(db);
  await addItemSums(db, 'nature');
  await addItemSums(db, 'unit');
}
