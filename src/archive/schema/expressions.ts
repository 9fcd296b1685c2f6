import { type RawBuilder, sql } from 'kysely';
import { codesOf, type Nature, natures } from '../../documents/tables/cfop.ts';
import type { Grouping } from './measures.ts';

/** Documents `d` as they are placed by `p`. */
export const placedDocuments = sql`placements p join documents d on d.tenant = p.tenant and d.id = p.document_id`;

/** The same with their items `i`. */
export const placedItems = sql`${placedDocuments} join items i on i.tenant = p.tenant and i.document_id = p.document_id`;

/** The same with their instalments `n`. */
export const placedInstallments = sql`${placedDocuments} join installments n on n.tenant = p.tenant and n.document_id = p.document_id`;

/** Documents in these states are in no sum unless asked for. Source: docs/fiscal/events.md. */
const voidStatuses = ['cancelled', 'denied'] as const;

export function isVoid(status: string): boolean {
  return voidStatuses.some((one) => one === status);
}

export function isNotVoid(status: RawBuilder<unknown>): RawBuilder<boolean> {
  return sql<boolean>`${status} not in (${sql.join(voidStatuses.map((one) => sql.lit(one)))})`;
}

/**
 * A column of the other party. Of what the company issued it is the recipient's, also of its own notes of entry (tpNF 0):
 * of an import that is the supplier abroad. Source: MOC NF-e, layout 4.00, group E.
 */
function ofOtherParty(column: '' | '_state' | '_city'): RawBuilder<string> {
  return sql<string>`case when d.issuer = p.company or p.direction = 'outbound'
    then ${sql.ref(`d.recipient${column}`)} else ${sql.ref(`d.issuer${column}`)} end`;
}

const cnpjLength = 14;

/** The root of a CNPJ; another tax id as it is. */
function rootOf(id: RawBuilder<unknown>): RawBuilder<string> {
  return sql<string>`case when length(${id}) = ${sql.lit(cnpjLength)} then substr(${id}, 1, 8) else ${id} end`;
}

/** What the issuer sells the other party buys; everything else is the same on both sides. */
const otherSide: Readonly<Partial<Record<Nature, Nature>>> = { sale: 'purchase', purchase: 'sale' };

function natureByCode(seen: (nature: Nature) => Nature): RawBuilder<string> {
  const branches = natures
    .filter((nature) => nature !== 'other')
    .map(
      (nature) =>
        sql`when i.cfop in (${sql.join(codesOf(nature).map((code) => sql.lit(code)))}) then ${sql.lit(seen(nature))}`,
    );
  // Services have no CFOP: their issuer sells them. What is no item's has no nature.
  return sql<string>`case ${sql.join(branches, sql` `)}
    when i.cfop <> '' then 'other' when d.area = 'nfse' then ${sql.lit(seen('sale'))} else '' end`;
}

/** What an item is for companies, given as a list in SQL. Source: docs/fiscal/checks.md. */
function natureFor(companies: RawBuilder<unknown>): RawBuilder<string> {
  return sql<string>`case when d.issuer in (${companies}) then ${natureByCode((nature) => nature)}
    else ${natureByCode((nature) => otherSide[nature] ?? nature)} end`;
}

const columnsOf = <Name extends string>(table: string, ...names: readonly Name[]) =>
  Object.fromEntries(names.map((name) => [name, sql.ref(`${table}.${name}`)])) as Readonly<
    Record<Name, RawBuilder<string>>
  >;

const groups: Readonly<Record<Exclude<Grouping, 'nature'>, RawBuilder<string>>> = {
  ...columnsOf('d', 'issuer', 'recipient', 'payer', 'kind', 'status', 'purpose', 'competence', 'regime'),
  ...columnsOf('d', 'iss_city', 'origin_state', 'destination_state'),
  ...columnsOf('p', 'month', 'week', 'day'),
  ...columnsOf('i', 'cfop', 'ncm', 'cst', 'class_trib', 'pis_cofins_cst', 'unit'),
  ...columnsOf('n', 'due_day', 'due_week', 'due_month'),
  counterparty: ofOtherParty(''),
  state: ofOtherParty('_state'),
  city: ofOtherParty('_city'),
  issuer_root: rootOf(sql`d.issuer`),
  recipient_root: rootOf(sql`d.recipient`),
  event: sql`d.events`,
  item: sql`cast(i.description_id as text)`,
};

/** The value of a grouping of a document `d` placed by `p`, of its item `i` or its instalment `n`. @param companies a list in SQL */
export function groupOf(grouping: Grouping, companies: RawBuilder<unknown>): RawBuilder<string> {
  return grouping === 'nature' ? natureFor(companies) : groups[grouping];
}
