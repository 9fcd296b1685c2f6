import type { Database } from './databases.ts';
import { inTransaction, type Query, tenantMark, tenantSetting } from './transaction.ts';

/** Tables that belong together and have a version of their own. */
export interface Tables {
  /** The table `<name>_version` holds their version. */
  readonly name: string;
  /** The only version this program reads and writes. */
  readonly version: number;
  /** Statements that create them. */
  readonly create: readonly string[];
  /** The error for tables of another version, which are not touched. */
  readonly refuse?: (found: number) => Error;
}

/** The tables are of another version of the program. */
class OtherVersion extends Error {
  override readonly name = 'OtherVersion';
  readonly code = 'SCHEMA_NEWER';
}

/** Tables of tenants without row level security; partitions are reached through their table. */
const tablesWithoutPolicy = `
  select c.relname as name
  from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attname = 'tenant' and not a.attisdropped
  where c.relnamespace = quote_ident(current_schema())::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
    and not (c.relrowsecurity and c.relforcerowsecurity)
  order by c.relname`;

/**
 * Row level security, beside the tenant in every query: a transaction sees the rows of the tenant it was begun for, and
 * none where it was begun for nobody. It binds the owner too; only superusers and roles with BYPASSRLS see past it.
 * Source: docs/decisions/tenants.md.
 */
const policyOf = (table: string): string => `
  alter table "${table}" enable row level security;
  alter table "${table}" force row level security;
  drop policy if exists of_tenant on "${table}";
  create policy of_tenant on "${table}" using (tenant =
    (select substr(nullif(current_setting('${tenantSetting}', true), ''), ${tenantMark.length + 1})))`;

/** Any number, the same for every process that creates tables. */
const creationLock = '5735102001';

/** Creates missing tables and policies; locks nothing where nothing is missing. */
async function prepareTables(query: Query, { name, version, create, refuse }: Tables): Promise<void> {
  const table = `${name}_version`;
  const versionFound = async () => {
    const found = await query(
      'select 1 from pg_tables where tablename = $1 and schemaname = current_schema()',
      [table],
    );
    if (found.length === 0) return 0;
    const [row] = await query<{ version: string }>(`select version::text as version from ${table}`);
    return Number(row?.version ?? 0);
  };
  const isDone = async () => {
    const found = await versionFound();
    if (found > 0 && found !== version) throw refuse?.(found) ?? new OtherVersion();
    return found > 0 && (await query(tablesWithoutPolicy)).length === 0;
  };
  if (await isDone()) return;
  await query(`select pg_advisory_xact_lock(${creationLock})`);
  // Another process may have created them meanwhile.
  if (await isDone()) return;
  if ((await versionFound()) === 0) {
    await query(`create table ${table} (version bigint not null)`);
    await query(`insert into ${table} values (${version})`);
    for (const statement of create) await query(statement);
  }
  const open = await query<{ name: string }>(tablesWithoutPolicy);
  for (const one of open) await query(policyOf(one.name));
}

/** A database whose tables are created on first use, or on the next one where that failed. */
export function preparedOnce(lend: () => Promise<Database>, tables: Tables) {
  let opening: Promise<Database> | undefined;
  const open = async (): Promise<Database> => {
    const database = await lend();
    try {
      await inTransaction(database, 'begin', (query) => prepareTables(query, tables));
      return database;
    } catch (error) {
      await database.giveBack();
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
      await database?.giveBack();
    },
  };
}
