import type { Archive } from '../archive/archive.ts';
import type { ArchiveOptions } from '../archive/engines/connections.ts';
import type { UserFiles } from '../archive/files/user-files.ts';
import { createMemory, type Memory } from '../archive/remember/memory.ts';
import type { AccountClient } from '../clients/account/client.ts';
import { createTaxDocumentsClient, type TaxDocumentsClient } from '../clients/documents/client.ts';
import type { Service } from '../clients/errors.ts';
import type { HttpClient, HttpOptions } from '../clients/http/client.ts';
import type { Gate } from '../clients/http/gate.ts';
import { allowsCompany } from '../config/access.ts';
import type { Settings } from '../config/settings.ts';
import type { Databases } from '../db/databases.ts';
import { createTranslator, type Translator } from '../messages/index.ts';
import type { Whose } from '../writes/journal.ts';
import { accountSetup, missingOf } from './account-setup.ts';
import { NotConfigured, readPassword, secretValues, sentAs } from './credentials.ts';
import { once } from './once.ts';
import type { Told } from './told.ts';
import type { WriteGuards } from './write-guards.ts';

/**
 * Everything that belongs to one company's configuration. Nothing is opened, read or connected before it is used,
 * so that a server starts without network, locks and files, and several can live side by side.
 */
export interface Company {
  readonly settings: Settings;
  /** Whose they are where a process serves several: the first part of every key, and of every name of a folder. */
  readonly tenant: string;
  /** Companies that calls may be about, roots as `48152036*`; undefined where any may. */
  readonly companies: readonly string[] | undefined;
  /** Whether calls about a company may be made at all. */
  allows(company: string): boolean;
  readonly translator: Translator;
  /** The clock of confirmations: milliseconds since 1970. */
  readonly now: () => number;
  /** @throws NotConfigured */
  documents(): Promise<TaxDocumentsClient>;
  /** @throws NotConfigured */
  account(): Promise<AccountClient>;
  /** The one memory of documents, over the archive and the documents service. */
  readonly memory: Memory;
  /** The user's own files, where they are configured; nothing is looked at before it is asked for. */
  files(): Promise<UserFiles | undefined>;
  /** Folders of books and lists to compare with the documents: the user's own, and in a demo its own. */
  listFolders(): Promise<readonly string[]>;
  /** Whether the documents service is configured. */
  readonly hasService: boolean;
  /** What has been fetched, kept for questions; opened when first asked. @throws ArchiveError */
  archive(): Promise<Archive>;
  /** The archive where something has asked for it already; nothing is opened. */
  openedArchive(): Archive | undefined;
  /** Sentences that a conversation needs once. */
  readonly told: Told;
  /** Calls of the services that wait for their turn. */
  waitingCalls(): number;
  /** Services whose calls are held back because one after the other failed. */
  openBreakers(): ReadonlySet<Service>;
  writeGuards(): Promise<WriteGuards>;
  /** See `sentAs` in `credentials.ts`. */
  sentAs(): Promise<string>;
  /** Ends calls under way and closes every connection. */
  close(): Promise<void>;
}

/** What a process gives its services. */
export interface CompanyOptions {
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** Where proxies are named. */
  readonly environment: NodeJS.ProcessEnv;
  /** `demo` where the services are the embedded sandbox: its writes are never taken for real ones. */
  readonly mode: Whose['mode'];
  /** Makes a folder of lists beside the user's own and gives its path: the demo's. */
  readonly lists: (() => Promise<string>) | undefined;
  /** The nameless one where a process serves only one. */
  readonly tenant: string;
  /** Companies that may be asked about; undefined: all that the services know. */
  readonly companies: readonly string[] | undefined;
  /** Called after every request to the services. */
  readonly onExchange: HttpOptions['onExchange'];
  /** Whether calls are kept fair to the services; a test of what becomes of failing calls makes many. */
  readonly isFair: boolean;
  /** The connections to databases that all tenants of a process share; own ones where it serves only one. */
  readonly databases: Databases | undefined;
}

function archiveOptions(
  { archive, archiveXml: keepXml, dataDir: folder, databaseUrl }: Settings,
  databases: Databases | undefined,
) {
  if (archive !== 'database') return { mode: archive, folder, keepXml } satisfies ArchiveOptions;
  if (databaseUrl === undefined) throw new NotConfigured(['DFE_DATABASE_URL']);
  return { mode: 'postgres', url: databaseUrl.reveal(), databases, keepXml } satisfies ArchiveOptions;
}

/** Makes a company's dependencies; see `Company`. */
export function createCompany(
  settings: Settings,
  userAgent: string,
  {
    now = () => Date.now(),
    environment = process.env,
    mode = 'real',
    tenant = '',
    isFair = true,
    lists,
    companies,
    onExchange,
    databases,
  }: Partial<CompanyOptions> = {},
): Company {
  const secrets = new Set(secretValues(settings));
  const open: { close(): Promise<void> }[] = [];
  const opened: { http?: HttpClient; archive?: Archive; gate?: Gate } = {};
  const http = once(async () => {
    const { createHttpClient } = await import('../clients/http/client.ts');
    const { openGate } = await import('./breaker.ts');
    if (isFair) {
      const opening = await openGate(settings, tenant, databases);
      open.push(opening);
      opened.gate = opening.gate;
    }
    const client = createHttpClient({
      timeoutSeconds: settings.timeout,
      concurrency: settings.concurrency,
      userAgent,
      env: environment,
      secrets: () => secrets,
      gate: opened.gate,
      onExchange,
    });
    opened.http = client;
    open.push(client);
    return client;
  });

  const { url, user } = settings;
  const hasPassword = settings.password !== undefined || settings.passwordFile !== undefined;
  const missing = missingOf({ DFE_URL: url, DFE_USER: user, DFE_PASSWORD: hasPassword });
  const documents = once(async () => {
    if (url === undefined || user === undefined || missing.length > 0) {
      throw new NotConfigured(missing, settings.files !== undefined);
    }
    return createTaxDocumentsClient(await http(), {
      baseUrl: url,
      credentials: async () => {
        const password = await readPassword(settings);
        secrets.add(password);
        return { user, password };
      },
      formats: { date: settings.dateFormat, time: settings.timeFormat },
      company: settings.cnpj,
    });
  });

  const translator = createTranslator(settings.language, settings.timeZone);
  const archive = once(async () => {
    const { openArchive } = await import('../archive/archive.ts');
    opened.archive = await openArchive({ ...archiveOptions(settings, databases), tenant });
    open.push(opened.archive);
    return opened.archive;
  });

  const hasService = missing.length === 0;
  /** What was imported for good is answered from without a folder. */
  const hasTakenOver = async () =>
    settings.archive !== 'memory' && (await (await archive()).files.known('', '')).size > 0;
  let readFiles: UserFiles | undefined;
  const files = once(async () => {
    const { files: folders, cnpj: company } = settings;
    const roots = folders ?? (!hasService && (await hasTakenOver()) ? [] : undefined);
    if (roots === undefined) return undefined;
    const { createUserFiles } = await import('../archive/files/user-files.ts');
    readFiles = createUserFiles({ roots, archive, company });
    return readFiles;
  });

  const ownLists = once(async () => (lists === undefined ? [] : [await lists()]));

  const { archiveRefresh: rules, cnpj } = settings;
  const memory = createMemory({ archive, client: documents, files, hasService, rules, company: cnpj, now });

  return {
    settings,
    tenant,
    companies,
    allows: (company) => companies === undefined || allowsCompany(companies, company),
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
    files,
    listFolders: async () => [...((await files())?.roots() ?? []), ...(await ownLists())],
    hasService,
    memory,
    archive,
    openedArchive: () => opened.archive,
    waitingCalls: () => opened.http?.waiting ?? 0,
    told: new Map(),
    openBreakers: () => opened.gate?.open ?? new Set(),
    writeGuards: once(async () => {
      const { openWriteGuards } = await import('./write-guards.ts');
      const guards = await openWriteGuards({ settings, tenant, mode, translator, now, databases });
      open.push(guards);
      return guards;
    }),
    sentAs: () => sentAs(settings),
    close: async () => {
      await memory.close();
      // Reading ends before the archive that it writes to is closed.
      await readFiles?.close();
      await Promise.all(open.map((one) => one.close()));
    },
  };
}
