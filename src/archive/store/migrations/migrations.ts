import { setImmediate as letOthersRun } from 'node:timers/promises';
import { type Kysely, sql } from 'kysely';
import { ArchiveNewer } from '../../errors.ts';
import type { Schema } from '../schema/schema.ts';
import type { Spelling } from './spelling.ts';
import { createTables, upgradeTables } from './version-3.ts';
import { addColumns, addedColumns, addIndexes } from './version-4.ts';
import { createFileTables } from './version-5.ts';
import { createJudgements } from './version-6.ts';
import { addDaysAndNatures } from './version-7.ts';
import { addHeadIndexes, addHeads, droppedWithHeads, headColumns, moveHeads } from './version-8.ts';

/** The version this program writes and the latest it reads. */
export const schemaVersion = 8;

/** The version of a database, 0 where it is empty. */
export async function versionOf(db: Kysely<Schema>, { hasVersion }: Spelling): Promise<number> {
  const { rows } = await sql<{
    found: number;
  }>`select case when ${hasVersion} then 1 else 0 end as found`.execute(db);
  if (rows[0]?.found !== 1) return 0;
  const row = await db.selectFrom('schema_version').select('version').executeTakeFirstOrThrow();
  return row.version;
}

async function createVersionTable(db: Kysely<Schema>, { whole, ordinary }: Spelling): Promise<void> {
  await sql.raw(`create table schema_version (version ${whole} not null) ${ordinary}`).execute(db);
  await db.insertInto('schema_version').values({ version: 0 }).execute();
}

/**
 * Applies what is missing, all of it or nothing. To be called in a transaction that nobody else can be in. Throws
 * `ArchiveNewer` where a later program was here.
 */
export async function migrate(db: Kysely<Schema>, spelling: Spelling): Promise<void> {
  const found = await versionOf(db, spelling);
  if (found > schemaVersion) throw new ArchiveNewer(found, schemaVersion);
  if (found === schemaVersion) return;
  if (found === 0) {
    await createVersionTable(db, spelling);
    await createTables(db, spelling, {
      added: (table) => [...addedColumns(table, spelling), ...headColumns(table, spelling)],
      dropped: droppedWithHeads,
    });
  } else if (found < 3) {
    await upgradeTables(db, spelling);
  }
  if (found > 0 && found < 4) await addColumns(db, spelling);
  await letOthersRun();
  if (found < 4) await addIndexes(db);
  if (found < 5) await createFileTables(db, spelling);
  await letOthersRun();
  if (found < 6) await createJudgements(db, spelling);
  if (found < 7) await addDaysAndNatures(db, spelling);
  if (found < 8) await addHeads(db, spelling);
  if (found > 0 && found < 8) await moveHeads(db, spelling);
  if (found < 8) await addHeadIndexes(db);
  await db.updateTable('schema_version').set({ version: schemaVersion }).execute();
}
