import type { Database } from '../../database/databases.ts';
import { bringUpToDateAlone, isWalled, type Statement } from '../../database/up-to-date.ts';
import { DatabaseUnusable } from './unusable.ts';

/** The version this program writes and the latest it reads. */
const version = 1;

/**
 * The tables of writes, and what is told of them. As everywhere, the tenant is the first column of every key; text is
 * compared byte by byte, so that order is the same everywhere.
 */
const firstTables = [
  // How many lines a tenant's journal has: whoever appends holds this row, so that lines are seen in their order.
  `create table journal_ends (tenant text collate "C" not null, place bigint not null,
    constraint journal_ends_primary primary key (tenant))`,
  // One line as the file would have it, JSON; kept for good.
  `create table journal_lines (tenant text collate "C" not null, place bigint not null, id text collate "C" not null,
    line text collate "C" not null, constraint journal_lines_primary primary key (tenant, place))`,
  'create index journal_lines_by_id on journal_lines (tenant, id)',
  // What a write is about: an access key, or the subject of a write without keys.
  `create table journal_subjects (tenant text collate "C" not null, subject text collate "C" not null,
    id text collate "C" not null, constraint journal_subjects_primary primary key (tenant, subject, id))`,
  // Writes whose outcome is not known.
  `create table journal_open (tenant text collate "C" not null, id text collate "C" not null,
    constraint journal_open_primary primary key (tenant, id))`,
  `create table spent_tokens (tenant text collate "C" not null, minted_at bigint not null,
    nonce text collate "C" not null, spender text collate "C" not null,
    constraint spent_tokens_primary primary key (tenant, minted_at, nonce))`,
  `create table spent_forgotten (tenant text collate "C" not null, minted_at bigint not null,
    constraint spent_forgotten_primary primary key (tenant))`,
];

async function versionOf(ask: Statement): Promise<number> {
  const found = await ask(
    `select tablename as name from pg_tables where tablename = 'writes_version' and schemaname = current_schema()`,
  );
  if (found.length === 0) return 0;
  const [row] = await ask('select version::text as name from writes_version');
  return Number(row?.name ?? 0);
}

/** Makes the tables of writes where they are missing; locks nothing where there is nothing to do. */
export async function prepareTables(database: Database): Promise<void> {
  const client = await database.connect();
  const ask: Statement = async (text) => (await client.query<{ name?: string }>(text)).rows;
  let isBroken = false;
  try {
    const found = await versionOf(ask);
    if (found > version) throw new DatabaseUnusable('SCHEMA_NEWER');
    if (found === version && (await isWalled(ask))) return;
    await ask('begin');
    await bringUpToDateAlone(ask, false, async () => {
      if ((await versionOf(ask)) > 0) return;
      await ask('create table writes_version (version bigint not null)');
      await ask(`insert into writes_version values (${version})`);
      for (const table of firstTables) await ask(table);
    });
    await ask('commit');
  } catch (error) {
    await ask('rollback').catch(() => {
      isBroken = true;
    });
    throw error;
  } finally {
    client.release(isBroken);
  }
}
