import { type Kysely, type RawBuilder, sql } from 'kysely';
import { unmaskTaxId } from '../../../documents/identity/tax-ids.ts';
import { plainId } from '../../../documents/summary/parties.ts';
import type { Party } from '../../../documents/summary/summary.ts';
import { summaryFrom } from '../schema/encoding.ts';
import type { Schema } from '../schema/schema.ts';

/** Documents read at a time. */
const pageSize = 200;

interface Row {
  readonly id: number;
  readonly issued_at: string;
  readonly summary: Uint8Array;
}

interface Name {
  readonly name: string;
  readonly issued_at: string;
}

/** What was found of parties from abroad, by the ids they have now. */
interface Found {
  readonly names: Map<string, Name>;
  /** The same ids as they stood without punctuation. */
  readonly stripped: Set<string>;
}

const isAltered = (party: Party | undefined): party is Party & { id: string } =>
  party?.id !== undefined && plainId(party) !== unmaskTaxId(party.id);

const idOf = (party: Party | undefined): string => (party && plainId(party)) ?? '';

async function restoreDocument(db: Kysely<Schema>, row: Row, { names, stripped }: Found): Promise<void> {
  const { issuer, recipient, sender, payer } = summaryFrom(row.summary);
  const altered = [issuer, recipient, sender, payer].filter(isAltered);
  if (altered.length === 0) return;
  for (const { id, name } of altered) {
    stripped.add(unmaskTaxId(id));
    const before = names.get(id);
    const isLater = before === undefined || before.issued_at <= row.issued_at;
    if (name !== undefined && isLater) names.set(id, { name, issued_at: row.issued_at });
  }
  await sql`update documents set issuer = ${idOf(issuer)}, recipient = ${idOf(recipient)}
    where tenant = '' and id = ${row.id}`.execute(db);
}

async function restoreNames(db: Kysely<Schema>, { names, stripped }: Found): Promise<void> {
  for (const id of stripped) {
    await sql`delete from parties where tenant = '' and tax_id = ${id} and not exists (
      select 1 from documents d where d.tenant = '' and (d.issuer = ${id} or d.recipient = ${id}))`.execute(
      db,
    );
  }
  for (const [id, { name, issued_at }] of names) {
    await sql`insert into parties (tenant, tax_id, name, issued_at) values ('', ${id}, ${name}, ${issued_at})
      on conflict (tenant, tax_id) do nothing`.execute(db);
  }
}

/** Adds up anew what is kept by issuer and by recipient. */
async function remakeItemRollups(db: Kysely<Schema>, amounts: readonly string[]): Promise<void> {
  const list = (parts: readonly RawBuilder<unknown>[]) => sql.join([...parts]);
  const sums = list([
    ...amounts.map((name) => sql`count(${sql.ref(`i.${name}`)})`),
    ...amounts.map((name) => sql`coalesce(sum(${sql.ref(`i.${name}`)}), 0)`),
  ]);
  const columns = list([
    ...amounts.map((name) => sql.ref(`${name}_given`)),
    ...amounts.map((name) => sql.ref(name)),
  ]);
  for (const party of ['issuer', 'recipient'] as const) {
    const grouping = sql.lit(`${party} cfop`);
    await sql`delete from item_rollup where "grouping" = ${grouping}`.execute(db);
    await sql`
      insert into item_rollup (tenant, company, area, date_field, month, direction, "grouping", first_value,
        second_value, documents, items, ${columns})
      select '', p.company, p.area, p.date_field, p.month, p.direction, ${grouping}, ${sql.ref(`d.${party}`)}, i.cfop,
        count(distinct i.document_id), sum(case when i.line > 0 then 1 else 0 end), ${sums}
      from placements p join documents d on d.id = p.document_id join items i on i.document_id = p.document_id
      where d.exclusion = '' and d.status not in ('cancelled', 'denied')
      group by p.company, p.area, p.date_field, p.month, p.direction, ${sql.ref(`d.${party}`)}, i.cfop`.execute(
      db,
    );
  }
}

/**
 * Ids from other countries have their punctuation again, which versions 1 and 2 had dropped where a CNPJ has none: the
 * documents' own text has it still. To be called before the sums by document are remade.
 */
export async function restoreForeignIds(db: Kysely<Schema>, amounts: readonly string[]): Promise<void> {
  const found: Found = { names: new Map(), stripped: new Set() };
  for (let after = -1; ; ) {
    const { rows } = await sql<Row>`
      select d.id, d.issued_at, c.summary from documents d join contents c on c.document_id = d.id
      where d.id > ${after} order by d.id limit ${sql.lit(pageSize)}`.execute(db);
    for (const row of rows) await restoreDocument(db, row, found);
    const last = rows.at(-1);
    if (last === undefined) break;
    after = last.id;
  }
  if (found.stripped.size === 0) return;
  await restoreNames(db, found);
  await remakeItemRollups(db, amounts);
}
