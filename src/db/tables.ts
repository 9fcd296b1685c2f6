import type { Database } from './databases.ts';
import { hasPolicies, type Statement, updateSchema } from './tenant-policies.ts';

/** Tables that belong together and have a version of their own. */
export interface Tables {
  /** What they are for, in a word: the table `<name>_version` holds their version. */
  readonly name: string;
  /** The version this program writes and the latest it reads. */
  readonly version: number;
  /** Statements that make them. */
  readonly create: readonly string[];
}

/** A later version of the program was here. Nothing was touched. */
class TablesNewer extends Error {
  override readonly name = 'TablesNewer';
  readonly code = 'SCHEMA_NEWER';
}

async function versionOf(ask: Statement, table: string): Promise<number> {
  const found = await ask(
    `select tablename as name from pg_tables where tablename = '${table}' and schemaname = current_schema()`,
  );
  if (found.length === 0) return 0;
  const [row] = await ask(`select version::text as name from ${table}`);
  return Number(row?.name ?? 0);
}

/** Makes tables where they are missing; locks nothing where there is nothing to do. */
async function prepareTables(database: Database, { name, version, create }: Tables): Promise<void> {
  const table = `${name}_version`;
  const client = await database.connect();
  const ask: Statement = async (text) => (await client.query<{ name?: string }>(text)).rows;
  let isBroken = false;
  try {
    const isDone = async () => (await versionOf(ask, table)) === version && hasPolicies(ask);
    if ((await versionOf(ask, table)) > version) throw new TablesNewer();
    if (await isDone()) return;
    await ask('begin');
    await updateSchema(ask, isDone, false, async () => {
      if ((await versionOf(ask, table)) > 0) return;
      await ask(`create table ${table} (version bigint not null)`);
      await ask(`insert into ${table} values (${version})`);
      for (const statement of create) await ask(statement);
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

/** Lends a database whose tables are there: prepared with the first use, tried again where that failed. */
export function preparedOnce(lend: () => Promise<Database>, tables: Tables) {
  let opening: Promise<Database> | undefined;
  const open = async (): Promise<Database> => {
    const database = await lend();
    try {
      await prepareTables(database, tables);
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
