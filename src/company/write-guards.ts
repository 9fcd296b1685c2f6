import type { Settings } from '../config/settings.ts';
import type { Databases } from '../db/databases.ts';
import type { Translator } from '../messages/index.ts';
import { createDataFolder } from '../writes/data-folder.ts';
import { createJournal, type JournalOwner } from '../writes/journal.ts';
import { journalInFolder } from '../writes/journal-file.ts';
import { spentInFolder } from '../writes/spent-tokens.ts';
import { createTokens } from '../writes/tokens.ts';
import { readSigningKey } from './credentials.ts';
import { once } from './once.ts';

/** The journal and the confirmation tokens. */
export type WriteGuards = Awaited<ReturnType<typeof openWriteGuards>>;

export interface WriteGuardsOptions {
  readonly settings: Settings;
  readonly tenant: string;
  readonly mode: JournalOwner['mode'];
  readonly translator: Translator;
  readonly now: () => number;
  /** Database connections shared by the tenants of a process. */
  readonly databases: Databases | undefined;
}

/** Opens the storage of both in the replicas' database if configured, else in the data folder. */
async function openRecords({ settings, tenant, databases, translator }: WriteGuardsOptions) {
  const { databaseUrl, dataDir } = settings;
  const folder = createDataFolder(dataDir);
  if (databaseUrl === undefined) {
    return { store: journalInFolder(folder), spent: spentInFolder(folder), close: async () => undefined };
  }
  const [{ createDatabases }, { openSharedRecords, spentInDatabase }, { importRecords, journalInDatabase }] =
    await Promise.all([
      import('../db/databases.ts'),
      import('../writes/in-database/records.ts'),
      import('../writes/in-database/journal.ts'),
    ]);
  const records = openSharedRecords(databases ?? createDatabases(), databaseUrl.reveal(), tenant);
  try {
    const lines = await importRecords(folder, records, tenant);
    if (lines > 0) {
      console.error(translator.say('journal.taken_over', { count: lines }));
      const { count } = await journalInFolder(folder).damage();
      if (count > 0) console.error(translator.say('journal.damaged', { count }));
    }
  } catch (error) {
    await records.close();
    throw error;
  }
  const [store, spent] = [journalInDatabase(records, tenant), spentInDatabase(records, tenant)];
  return { store, spent, close: () => records.close() };
}

/** Opens the guards and reports earlier writes with unknown outcome on standard error. @throws RecordUnusable */
export async function openWriteGuards(options: WriteGuardsOptions) {
  const { settings, tenant, mode, translator, now } = options;
  const { url, accountUrl, cnpj, dataDir, signingKeyFile: keyFile } = settings;
  const { store, spent, close } = await openRecords(options);
  const services = { documents: url, account: accountUrl };
  const journal = createJournal({ store, now, owner: { services, company: cnpj, mode } });
  try {
    const open = await journal.open();
    const [oldest] = open;
    if (oldest !== undefined) {
      const values = { count: open.length, at: translator.moment(oldest.at) };
      console.error(translator.say('journal.open_writes', values));
    }
  } catch (error) {
    await close();
    throw error;
  }
  const sharedKey = keyFile === undefined ? undefined : once(() => readSigningKey(keyFile, tenant));
  const tokens = createTokens({ folder: createDataFolder(dataDir), spent, now, sharedKey });
  return { journal, tokens, close };
}
