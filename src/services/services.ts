import { readFile } from 'node:fs/promises';
import type { Archive } from '../archive/store/archive.ts';
import type { ArchiveOptions } from '../archive/store/engines/connections.ts';
import type { AccountClient } from '../clients/account/client.ts';
import { createTaxDocumentsClient, type TaxDocumentsClient } from '../clients/tax-documents/client.ts';
import type { Settings } from '../config/settings.ts';
import { createTranslator, type Translator } from '../messages/index.ts';
import type { Journal } from '../writes/journal.ts';
import type { Tokens } from '../writes/tokens.ts';
import { accountSetup, type MissingVariables, missingOf } from './account-setup.ts';
import { createLibrary, type Library } from './library.ts';

/** A call needs settings that are not there. */
export class NotConfigured extends Error {
  /** The variables to set. */
  readonly variables: MissingVariables;

  constructor(variables: MissingVariables) {
    super(`not configured: ${variables.flat().join(', ')}`);
    this.name = 'NotConfigured';
    this.variables = variables;
  }
}

/** The password file could not be read. Only its variable is named. */
export class PasswordFileUnreadable extends Error {
  /** The system's code, e.g. `ENOENT`. */
  readonly code: string;

  constructor(code: string) {
    super(`DFE_PASSWORD_FILE cannot be read (${code})`);
    this.name = 'PasswordFileUnreadable';
    this.code = code;
  }
}

/** What guards writes: the journal of what was sent, and the tokens that stand for a person's yes. */
export interface WriteGuards {
  readonly journal: Journal;
  readonly tokens: Tokens;
}

/**
 * Everything that belongs to one company's configuration. Nothing is opened, read or connected before it is used,
 * so that a server starts without network, locks and files, and several can live side by side.
 */
export interface Services {
  readonly settings: Settings;
  readonly translator: Translator;
  /** The clock of confirmations: milliseconds since 1970. */
  readonly now: () => number;
  /** @throws NotConfigured */
  documents(): Promise<TaxDocumentsClient>;
  /** @throws NotConfigured */
  account(): Promise<AccountClient>;
  readonly library: Library;
  /** What has been fetched, kept for questions; opened when first asked. @throws ArchiveError */
  archive(): Promise<Archive>;
  /** The archive where something has asked for it already; nothing is opened. */
  openedArchive(): Archive | undefined;
  writeGuards(): Promise<WriteGuards>;
  /** Ends calls under way and closes every connection. */
  close(): Promise<void>;
}

/** What a process gives its services. */
export interface Surroundings {
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** Where proxies are named. */
  readonly environment: NodeJS.ProcessEnv;
}

const ofThisProcess: Surroundings = { now: () => Date.now(), environment: process.env };

async function readPassword(settings: Settings): Promise<string> {
  if (settings.password) return settings.password.reveal();
  if (settings.passwordFile === undefined) throw new NotConfigured(['DFE_PASSWORD']);
  try {
    return (await readFile(settings.passwordFile, 'utf8')).replace(/\r?\n$/, '');
  } catch (error) {
    throw new PasswordFileUnreadable(
      error instanceof Error && 'code' in error ? String(error.code) : 'unreadable',
    );
  }
}

/** Values that must not show in a service's own words when they are passed on. */
function secretValues(settings: Settings): string[] {
  const { password, accountApiKey, accountToken, accountOauthClientSecret, accountLicenseKey } = settings;
  return [password, accountApiKey, accountToken, accountOauthClientSecret, accountLicenseKey].flatMap(
    (one) => (one === undefined ? [] : [one.reveal()]),
  );
}

function archiveOptions({ archive, archiveXml: keepXml, dataDir: folder, databaseUrl }: Settings) {
  if (archive !== 'database') return { mode: archive, folder, keepXml } satisfies ArchiveOptions;
  if (databaseUrl === undefined) throw new NotConfigured(['DFE_DATABASE_URL']);
  return { mode: 'postgres', url: databaseUrl.reveal(), keepXml } satisfies ArchiveOptions;
}

/** A value made at most once, when first asked for; a failure is not kept. */
function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined;
  return () => {
    made ??= make().catch((error: unknown) => {
      made = undefined;
      throw error;
    });
    return made;
  };
}

export function createServices(
  settings: Settings,
  userAgent: string,
  { now, environment }: Surroundings = ofThisProcess,
): Services {
  const secrets = new Set(secretValues(settings));
  const open: { close(): Promise<void> }[] = [];
  const http = once(async () => {
    const [{ createHttpClient }, { createRedactor }] = await Promise.all([
      import('../clients/http/client.ts'),
      import('../clients/http/redact.ts'),
    ]);
    const client = createHttpClient({
      timeoutSeconds: settings.timeout,
      concurrency: settings.concurrency,
      userAgent,
      env: environment,
      redact: (text) => createRedactor([...secrets])(text),
    });
    open.push(client);
    return client;
  });

  const documents = once(async () => {
    const { url, user } = settings;
    const hasPassword = settings.password !== undefined || settings.passwordFile !== undefined;
    const missing = missingOf({ DFE_URL: url, DFE_USER: user, DFE_PASSWORD: hasPassword });
    if (url === undefined || user === undefined || missing.length > 0) throw new NotConfigured(missing);
    return createTaxDocumentsClient(await http(), {
      baseUrl: url,
      credentials: async () => {
        const password = await readPassword(settings);
        secrets.add(password);
        return { user, password };
      },
      formats: { date: settings.dateFormat, time: settings.timeFormat },
    });
  });

  const translator = createTranslator(settings.language);
  let opened: Archive | undefined;

  return {
    settings,
    translator,
    now,
    documents,
    account: once(async () => {
      const setup = accountSetup(settings);
      if ('missing' in setup) throw new NotConfigured(setup.missing);
      const { createAccountClient } = await import('../clients/account/client.ts');
      return createAccountClient(await http(), {
        baseUrl: setup.url,
        auth: setup.auth,
        vendor: settings.accountVendor,
        client: settings.accountClient,
      });
    }),
    library: createLibrary(documents),
    archive: once(async () => {
      const { openArchive } = await import('../archive/store/archive.ts');
      const archive = await openArchive(archiveOptions(settings));
      open.push(archive);
      opened = archive;
      return archive;
    }),
    openedArchive: () => opened,
    writeGuards: once(async () => {
      const [{ createDataFolder }, { createJournal }, { createTokens }] = await Promise.all([
        import('../writes/data-folder.ts'),
        import('../writes/journal.ts'),
        import('../writes/tokens.ts'),
      ]);
      const folder = createDataFolder(settings.dataDir);
      const journal = createJournal({ folder });
      const open = await journal.open();
      const [oldest] = open;
      if (oldest !== undefined) {
        console.error(translator.say('journal.open_writes', { count: open.length, at: oldest.at }));
      }
      return { journal, tokens: createTokens({ folder, now }) };
    }),
    close: async () => {
      await Promise.all(open.map((one) => one.close()));
    },
  };
}
