import type { Settings } from '../config/settings.ts';
import type { Databases } from '../db/databases.ts';
import type { Translator } from '../messages/index.ts';
import { createDataFolder } from '../writes/data-folder.ts';
import type { JournalStore } from '../writes/journal.ts';
import { createJournal, type Journal, type JournalOwner } from '../writes/journal.ts';
import { journalInFolder } from '../writes/journal-file.ts';
import { type SpentTokens, spentInFolder } from '../writes/spent-tokens.ts';
import { createTokens, type Tokens } from '../writes/tokens.ts';
import { readSigningKey } from './credentials.ts';
import { once } from './once.ts';

export interface WriteGuards {
  readonly journal: Journal;
  readonly tokens: Tokens;
  close(): Promise<void>;
}

export interface WriteGuardsOptions {
  readonly settings: Settings;
  readonly tenant: string;
  readonly mode: JournalOwner['mode'];
  readonly translator: Translator;
  readonly now: () => number;
  /** Database connections shared by the tenants of a process. */
  readonly databases: Databases | undefined;
}

interface Records {
  readonly store: JournalStore;
  readonly spent: SpentTokens;
  close(): Promise<void>;
}

/** Opens them in the replicas' database if configured, else in the data folder. */
async function openRecords({
  settings,
  tenant,
  databases,
  translator,
}: WriteGuardsOptions): Promise<Records> {
  const { databaseUrl, dataDir } = settings;
  const folder = createDataFolder(dataDir);
  if (databaseUrl === undefined) {
    return { store: journalInFolder(folder), spent: spentInFolder(folder), close: async () => undefined };
  }
  const [
    { createDatabases },
    { openSharedRecords },
    { journalInDatabase },
    { spentInDatabase },
    { importRecords },
  ] = await Promise.all([
    import('../db/databases.ts'),
    import('../writes/in-database/records.ts'),
    import('../writes/in-database/journal.ts'),
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
export async function openWriteGuards(options: WriteGuardsOptions): Promise<WriteGuards> {
  const { settings, tenant, mode, translator, now } = options;
  const { url, accountUrl, cnpj, dataDir, signingKeyFile: keyFile } = settings;
  const records = await openRecords(options);
  const { store, spent, close } = records;
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
