import { join } from 'node:path';
import type { Archive } from '../archive/archive.ts';
import type { ArchiveOptions } from '../archive/engines/connections.ts';
import type { UserFiles } from '../archive/files/user-files.ts';
import { createMemory } from '../archive/remember/memory.ts';
import { createTaxDocumentsClient } from '../clients/documents/client.ts';
import type { Service } from '../clients/errors.ts';
import type { HttpClient, HttpOptions } from '../clients/http/client.ts';
import { createGate, createLocalStates, type Gate } from '../clients/http/gate.ts';
import type { Settings } from '../config/settings.ts';
import type { TenantDefinition } from '../config/tenants-file.ts';
import { userAgent } from '../config/version.ts';
import { createDatabases, type Databases } from '../db/databases.ts';
import { createTranslator } from '../messages/index.ts';
import type { JournalOwner } from '../writes/journal.ts';
import { accountSetup, missingOf, NotConfigured, readPassword, secretValues, sentAs } from './credentials.ts';
import { once } from './once.ts';

/**
 * One company's dependencies. Each is opened on first use, so that a start needs no network, lock or file and several
 * companies can coexist.
 */
export type Company = ReturnType<typeof createCompany>;

export interface CompanyOptions {
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** Source of the proxy variables. */
  readonly environment: NodeJS.ProcessEnv;
  /** `demo` with the embedded sandbox: its writes never count as real. */
  readonly mode: JournalOwner['mode'];
  /** Creates the demo's folder of lists and returns its path. */
  readonly lists: (() => Promise<string>) | undefined;
  /** Empty when a process serves one company. */
  readonly tenant: string;
  /** Companies that calls may name; undefined allows any. */
  readonly companies: readonly string[] | undefined;
  /** Called after every request to a service. */
  readonly onExchange: HttpOptions['onExchange'];
  /** Whether calls pass the gate (slots, breaker); off in tests that make many failing calls. */
  readonly isFair: boolean;
  /** Database connections shared by the tenants of a process. */
  readonly databases: Databases;
}

function archiveOptions(settings: Settings, databases: Databases) {
  const { archive, archiveXml: keepXml, dataDir: folder, databaseUrl } = settings;
  if (archive !== 'database') return { mode: archive, folder, keepXml } satisfies ArchiveOptions;
  if (databaseUrl === undefined) throw new NotConfigured(['DFE_DATABASE_URL']);
  return { mode: 'postgres', url: databaseUrl.reveal(), databases, keepXml } satisfies ArchiveOptions;
}

/** Creates a company's dependencies; see `Company`. */
export function createCompany(
  settings: Settings,
  {
    now = () => Date.now(),
    environment = process.env,
    mode = 'real',
    tenant = '',
    isFair = true,
    lists,
    companies,
    onExchange,
    databases = createDatabases(),
  }: Partial<CompanyOptions> = {},
) {
  const open: { close(): Promise<void> }[] = [];
  const opened: { http?: HttpClient; archive?: Archive; gate?: Gate } = {};
  const http = once(async () => {
    const { createHttpClient } = await import('../clients/http/client.ts');
    const opening = isFair ? await openGate(settings, tenant, databases) : undefined;
    const { timeout: timeoutSeconds, concurrency } = settings;
    const shared = { timeoutSeconds, concurrency, userAgent, env: environment, onExchange };
    const client = createHttpClient({ ...shared, secrets: secretValues(settings), gate: opening?.gate });
    Object.assign(opened, { http: client, gate: opening?.gate });
    open.push(...(opening ? [opening] : []), client);
    return client;
  });

  const { url, user, password = settings.passwordFile } = settings;
  const missing = missingOf({ DFE_URL: url, DFE_USER: user, DFE_PASSWORD: password });
  const documents = once(async () => {
    if (url === undefined || user === undefined || missing.length > 0) {
      throw new NotConfigured(missing, settings.files !== undefined);
    }
    return createTaxDocumentsClient(await http(), {
      baseUrl: url,
      credentials: async () => ({ user, password: await readPassword(settings) }),
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
  /** Imported documents are answered without a configured folder. */
  const hasTakenOver = async () =>
    settings.archive !== 'memory' && (await (await archive()).files.filesOf('', '')).length > 0;
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
    /** Tenant id, the prefix of every key and folder name; empty when a process serves one company. */
    tenant,
    /** Companies that calls may name, roots as `48152036*`; undefined allows any. */
    companies,
    /** Whether calls may be about a company. */
    allows: (company: string) => companies === undefined || allowsCompany(companies, company),
    translator,
    /** Clock of confirmations: milliseconds since 1970. */
    now,
    /** @throws NotConfigured */
    documents,
    /** @throws NotConfigured */
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
    /** Whether the documents service is configured. */
    hasService,
    /** Documents from the archive and the service. */
    memory,
    /** The archive, opened on first use. @throws ArchiveError */
    archive,
    /** The archive if it is open already. */
    openedArchive: () => opened.archive,
    /** The user's own files, if configured; read on first use. */
    files,
    /** Folders of books and lists for `reconcile`: the user's, and the demo's in a demo. */
    listFolders: async () => [...((await files())?.roots() ?? []), ...(await ownLists())],
    /** When once-per-conversation sentences were last said. */
    notices: new Map() as NoticeTimes,
    /** Calls queued for a slot. */
    waitingCalls: () => opened.http?.waiting ?? 0,
    /** Services whose breaker is open after repeated failures. */
    openBreakers: (): ReadonlySet<Service> => opened.gate?.open ?? new Set(),
    writeGuards: once(async () => {
      const { openWriteGuards } = await import('./write-guards.ts');
      const guards = await openWriteGuards({ settings, tenant, mode, translator, now, databases });
      open.push(guards);
      return guards;
    }),
    /** See `sentAs` in `credentials.ts`. */
    sentAs: () => sentAs(settings),
    /** Cancels calls under way and closes all connections. */
    async close(): Promise<void> {
      await memory.close();
      // Reading must end before the archive it writes to is closed.
      await readFiles?.close();
      await Promise.all(open.map((one) => one.close()));
    },
  };
}

/** Creates a tenant's company with its credentials, companies and storage. */
export function companyOfTenant(
  { id, settings, companies }: TenantDefinition,
  surroundings: Partial<CompanyOptions>,
): Company {
  const own = { ...settings, dataDir: join(settings.dataDir, 'tenants', id) };
  return createCompany(own, { ...surroundings, tenant: id, companies });
}

/** Whether a company is among these: 14 positions, or the eight of a root where the whole root is allowed. */
export function allowsCompany(companies: readonly string[], id: string): boolean {
  return companies.some((one) => (one.endsWith('*') ? id.startsWith(one.slice(0, -1)) : one === id));
}

/** Opens a tenant's gate: shared by all replicas through their database, or local to this process. */
export async function openGate(
  { databaseUrl, concurrency }: Settings,
  tenant: string,
  databases: Databases,
): Promise<{ readonly gate: Gate; close(): Promise<void> }> {
  if (databaseUrl === undefined) {
    return { gate: createGate(createLocalStates(), concurrency), close: async () => undefined };
  }
  const { openShared } = await import('../db/replicas.ts');
  const shared = openShared(databases, databaseUrl.reveal(), tenant);
  return { gate: createGate(shared, concurrency), close: shared.close };
}

/** Silence after which a caller counts as a new conversation: the protocol has no conversation id. */
const LONGEST_SILENCE_MS = 30 * 60_000;

/** Sentences remembered for all callers together. */
const MOST_NOTICES = 1_000;

/** When each once-per-conversation sentence was last said, by caller. */
export type NoticeTimes = Map<string, number>;

/** Returns a predicate: whether a once-per-conversation sentence is due. Stable within a call. */
export function noticeDue(
  notices: NoticeTimes,
  principal: string,
  now: () => number,
): (sentence: string) => boolean {
  const due = new Map<string, boolean>();
  return (sentence) => {
    const known = due.get(sentence);
    if (known !== undefined) return known;
    const key = `${principal} ${sentence}`;
    const last = notices.get(key);
    const isDue = last === undefined || now() - last > LONGEST_SILENCE_MS;
    if (notices.size >= MOST_NOTICES) notices.clear();
    notices.set(key, now());
    due.set(sentence, isDue);
    return isDue;
  };
}
