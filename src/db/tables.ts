import type { Database } from './databases.ts';
import { inTransaction, type Query, tenantMark, tenantSetting } from './databases.ts';

/** Tables with a common version. */
export interface Tables {
  /** The table `<name>_version` holds their version. */
  readonly name: string;
  /** The only version this program reads and writes. */
  readonly version: number;
  /** Statements that create them. */
  readonly create: readonly string[];
  /** Builds the error for tables of another version, which stay untouched. */
  readonly refuse?: (found: number) => Error;
}

/** The tables have another version. */
class OtherVersion extends Error {
  override readonly name = 'OtherVersion';
  readonly code = 'SCHEMA_NEWER';
}

/** Tenants' tables without row level security; partitions inherit it. */
const tablesWithoutPolicy = `
  select c.relname as name
  from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attname = 'tenant' and not a.attisdropped
  where c.relnamespace = quote_ident(current_schema())::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
    and not (c.relrowsecurity and c.relforcerowsecurity)
  order by c.relname`;

/**
 * Row level security, besides the tenant in every query: a transaction sees its own tenant's rows, and none without a
 * tenant. It applies to the owner too; only superusers and roles with BYPASSRLS bypass it. Source:
 * docs/decisions/tenants.md.
 */
const policyOf = (table: string): string => `
  alter table "${table}" enable row level security;
  alter table "${table}" force row level security;
  drop policy if exists of_tenant on "${table}";
  create policy of_tenant on "${table}" using (tenant =
    (select substr(nullif(current_setting('${tenantSetting}', true), ''), ${tenantMark.length + 1})))`;

/** Any constant shared by all processes. */
const creationLock = '5735102001';

/** Creates missing tables and policies, one process at a time. */
async function prepareTables(query: Query, { name, version, create, refuse }: Tables): Promise<void> {
  await query(`select pg_advisory_xact_lock(${creationLock})`);
  const table = `${name}_version`;
  const [kept] = await query(
    'select 1 from pg_tables where tablename = $1 and schemaname = current_schema()',
    [table],
  );
  if (kept === undefined) {
    await query(`create table ${table} (version bigint not null)`);
    await query(`insert into ${table} values (${version})`);
    for (const statement of create) await query(statement);
  }
  const [row] = await query<{ version: string }>(`select version::text as version from ${table}`);
  const found = Number(row?.version);
  if (found !== version) throw refuse?.(found) ?? new OtherVersion();
  for (const open of await query<{ name: string }>(tablesWithoutPolicy)) await query(policyOf(open.name));
}

/** Creates the tables on first use, then returns the pool; retried after a failure. */
export function preparedOnce(acquire: () => Promise<Database>, tables: Tables) {
  let opening: Promise<Database> | undefined;
  const open = async (): Promise<Database> => {
    const database = await acquire();
    try {
      await inTransaction(database, 'begin', (query) => prepareTables(query, tables));
      return database;
    } catch (error) {
      await database.release();
      throw error;
    }
  };
  return {
    opened(): Promise<Database> {
      opening ??= open().catch((error: unknown) => {
        opening = undefined;
        throw error;
      });
      return opening;
    },
    async close(): Promise<void> {
      const database = await opening?.catch(() => undefined);
      await database?.release();
    },
  };
}
