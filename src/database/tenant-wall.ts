/**
 * The second wall between tenants, beside the tenant in every query: PostgreSQL itself shows a transaction the rows of
 * the tenant it was begun for, and none where it was begun for nobody. It holds for the tables' owner too; only a
 * superuser, or a role with BYPASSRLS, sees past it.
 * Source: docs/decisions/tenants.md.
 */
const setting = 'docfiscal.tenant';

/** Stands before the name: the nameless tenant is another than none, and what PostgreSQL leaves of a setting is ''. */
const mark = '=';

/** What a transaction sets before anything else: the name of the setting, and its value. */
export function tenantSetting(tenant: string): { readonly name: string; readonly value: string } {
  return { name: setting, value: mark + tenant };
}

/** Tables of a schema that have tenants and no wall yet; partitions are reached through their table. */
export const tablesWithoutWall = `
  select c.relname as name
  from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attname = 'tenant' and not a.attisdropped
  where c.relnamespace = quote_ident(current_schema())::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
    and not (c.relrowsecurity and c.relforcerowsecurity)
  order by c.relname`;

/** Tables of a schema that have a wall. */
export const tablesWithWall = `
  select c.relname as name from pg_class c
  where c.relnamespace = quote_ident(current_schema())::regnamespace and c.relkind in ('r', 'p') and c.relforcerowsecurity
  order by c.relname`;

/** Lets the owner see all tenants: what changes the tables has to change everyone's rows. */
export const takeDown = (table: string): string => `alter table "${table}" no force row level security`;

/** The statements that put the wall around a table. */
export const putUp = (table: string): readonly string[] => [
  `alter table "${table}" enable row level security`,
  `alter table "${table}" force row level security`,
  `drop policy if exists of_tenant on "${table}"`,
  // Asked once for a statement, not for each row.
  `create policy of_tenant on "${table}" using (tenant =
    (select substr(nullif(current_setting('${setting}', true), ''), ${mark.length + 1})))`,
];
