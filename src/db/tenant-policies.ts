/**
 * Row level security, beside the tenant in every query: PostgreSQL shows a transaction the rows of the tenant it was
 * begun for, and none where it was begun for nobody. It holds for the tables' owner too; only a superuser, or a role
 * with BYPASSRLS, sees past it.
 * Source: docs/decisions/tenants.md.
 */
const setting = 'docfiscal.tenant';

/** Stands before the name: the nameless tenant is another than none, and what PostgreSQL leaves of a setting is ''. */
const mark = '=';

/** What a transaction sets before anything else: the name of the setting, and its value. */
export function tenantSetting(tenant: string): { readonly name: string; readonly value: string } {
  return { name: setting, value: mark + tenant };
}

/** Tables of a schema that have tenants and no policy yet; partitions are reached through their table. */
const tablesWithoutPolicy = `
  select c.relname as name
  from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attname = 'tenant' and not a.attisdropped
  where c.relnamespace = quote_ident(current_schema())::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
    and not (c.relrowsecurity and c.relforcerowsecurity)
  order by c.relname`;

/** Tables of a schema that have a policy. */
const tablesWithPolicy = `
  select c.relname as name from pg_class c
  where c.relnamespace = quote_ident(current_schema())::regnamespace and c.relkind in ('r', 'p') and c.relforcerowsecurity
  order by c.relname`;

/** Lets the owner see all tenants: a change of the tables changes everyone's rows. */
const disablePolicy = (table: string): string => `alter table "${table}" no force row level security`;

/** The statements that give a table its policy. */
const enablePolicy = (table: string): readonly string[] => [
  `alter table "${table}" enable row level security`,
  `alter table "${table}" force row level security`,
  `drop policy if exists of_tenant on "${table}"`,
  // Asked once for a statement, not for each row.
  `create policy of_tenant on "${table}" using (tenant =
    (select substr(nullif(current_setting('${setting}', true), ''), ${mark.length + 1})))`,
];

/** Asks the database something that has no values. */
export type Statement = (text: string) => Promise<readonly { name?: string }[]>;

/** Any number, the same for everyone who brings a database up to date. */
const updateLock = '5735102001';

/** Whether every table of tenants has its policy. */
export async function hasPolicies(ask: Statement): Promise<boolean> {
  return (await ask(tablesWithoutPolicy)).length === 0;
}

/**
 * Brings tables up to date while nobody else does. Where rows are changed, the policies are off for the transaction that
 * does it; every table has its policy afterwards. To be called in a transaction.
 * @param isDone asked again when it is one's turn: of many tenants that are opened at once the first has done it for all
 */
export async function updateSchema(
  ask: Statement,
  isDone: () => Promise<boolean>,
  changesRows: boolean,
  update: () => Promise<void>,
): Promise<void> {
  await ask(`select pg_advisory_xact_lock(${updateLock})`);
  if (await isDone()) return;
  const guarded = changesRows ? await ask(tablesWithPolicy) : [];
  for (const { name } of guarded) await ask(disablePolicy(name ?? ''));
  await update();
  for (const { name } of await ask(tablesWithoutPolicy)) {
    for (const statement of enablePolicy(name ?? '')) await ask(statement);
  }
}
