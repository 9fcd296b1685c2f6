import type { Settings } from '../config/settings.ts';
import type { Databases } from '../db/databases.ts';
import type { Translator } from '../messages/index.ts';
import { createDataFolder, type DataFolder } from '../writes/data-folder.ts';
import { createJournal, type JournalOwner } from '../writes/journal.ts';
import { journalInFolder } from '../writes/journal-file.ts';
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
  readonly databases: Databases;
}

/** Opens the journal's storage in the replicas' database if configured, else in the data folder. */
async function openStore(
  folder: DataFolder,
  { settings, tenant, databases, translator }: WriteGuardsOptions,
) {
  const { databaseUrl } = settings;
  if (databaseUrl === undefined) return { store: journalInFolder(folder), close: async () => undefined };
  const { openSharedJournal } = await import('../writes/journal-database.ts');
  const shared = openSharedJournal(databases, databaseUrl.reveal(), tenant);
  try {
    const lines = await shared.takeOver(folder);
    if (lines > 0) {
      console.error(translator.say('journal.taken_over', { count: lines }));
      const { count } = await journalInFolder(folder).damage();
      if (count > 0) console.error(translator.say('journal.damaged', { count }));
    }
  } catch (error) {
    await shared.close();
    throw error;
  }
  return shared;
}

/** Opens the guards and reports earlier writes with unknown outcome on standard error. @throws RecordUnusable */
export async function openWriteGuards(options: WriteGuardsOptions) {
  const { settings, tenant, mode, translator, now } = options;
  const { url, accountUrl, cnpj, dataDir, signingKeyFile: keyFile } = settings;
  const folder = createDataFolder(dataDir);
  const { store, close } = await openStore(folder, options);
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
  return { journal, tokens: createTokens({ folder, journal, now, sharedKey }), close };
}
