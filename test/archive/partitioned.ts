import pg from 'pg';

/**
 * Divides every table of an empty archive by tenant into four parts, as a database that spreads tenants over servers
 * does: PostgreSQL refuses every key and every `on conflict` that leaves the tenant out then.
 */
export async function divideByTenant(url: string): Promise<readonly string[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const { rows } = await client.query<{ name: string }>(
    `select c.relname as name from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attname = 'tenant'
      where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' order by 1`,
  );
  for (const { name } of rows) {
    await client.query(
      `create table "new_${name}" (like "${name}" including all) partition by hash (tenant)`,
    );
    await client.query(`drop table "${name}"`);
    await client.query(`alter table "new_${name}" rename to "${name}"`);
    for (let part = 0; part < 4; part += 1) {
      await client.query(
        `create table "${name}_${part}" partition of "${name}" for values with (modulus 4, remainder ${part})`,
      );
    }
  }
  await client.end();
  return rows.map(({ name }) => name);
}
