import { randomBytes } from 'node:crypto';
import type { Settings } from '../../config/settings.ts';
import type { ProcessSettings, TenantDefinition } from '../../config/tenants-file.ts';
import { version } from '../../config/version.ts';
import { createDatabases } from '../../database/databases.ts';
import { createTranslator } from '../../messages/index.ts';
import { createIdentityDocuments } from '../../services/identity-documents.ts';
import { type Exchanged, noteExchange, type Observed } from '../../services/observation.ts';
import { alone } from '../../services/served.ts';
import { createServices, type Services, type Surroundings } from '../../services/services.ts';
import { readSigningKey, SigningKeyUnusable } from '../../services/signing-key.ts';
import { createServer } from '../server.ts';
import { readTenants, servicesOfTenant } from '../tenants/definitions.ts';
import { createTenants, type Tenants } from '../tenants/lending.ts';
import { tenantsWithoutPassword, type WithoutPassword } from '../tenants/password-files.ts';
import { allowedHosts, inUrl, isLoopback } from './addresses.ts';
import { createFileDesk } from './files/desk.ts';
import { createSealedLinks } from './files/sealed-links.ts';
import { createFront } from './front.ts';
import { createIdentity, isStillKnown } from './identity.ts';
import { type Listening, listen } from './listen.ts';
import { createMetrics, type Gauges, serveMetrics } from './metrics.ts';
import { createRequestLog } from './request-log.ts';

/** What keeps the server from starting, by catalogue key. */
export type StartProblem =
  | { key: 'config.needs_identity'; values: { variable: string; value: string } }
  | { key: 'config.needs_https'; values: { variable: string } }
  | { key: 'config.needs_members'; values: Record<string, never> }
  | { key: 'config.claims_need_issuer'; values: Record<string, never> }
  | { key: 'config.signing_key'; values: { code: string } };

export class CannotStart extends Error {
  readonly problems: readonly StartProblem[];

  constructor(problems: readonly StartProblem[]) {
    super(problems.map(({ key }) => key).join(', '));
    this.name = 'CannotStart';
    this.problems = problems;
  }
}

/** A server that serves MCP over HTTP. */
export interface HttpServer {
  /** Where clients reach it. */
  readonly url: string;
  /** Whether whoever is on this machine may call. */
  readonly isOpen: boolean;
  /** Calls under way. */
  readonly active: number;
  /** The tenants whose password file cannot be read now: their calls alone will fail. */
  withoutPassword(): Promise<readonly WithoutPassword[]>;
  /** Reads the tenants file again. @throws TenantsFileWrong, TenantsUnreadable, CannotStart; then the former one holds */
  reload(): Promise<number>;
  /** Nothing new is begun; what is under way has `graceMs` to end. */
  stop(graceMs: number): Promise<void>;
}

function problemsOf(
  { settings }: ProcessSettings,
  tenants: readonly TenantDefinition[] | undefined,
): StartProblem[] {
  const problems: StartProblem[] = [];
  const { httpHost, httpUrl, httpInsecure, authIssuer } = settings;
  const members = tenants?.flatMap(({ who }) => who);
  const hasIdentity = authIssuer !== undefined || tenants !== undefined;
  const isLocalUrl = httpUrl === undefined || isLoopback(new URL(httpUrl).hostname);
  if (members?.length === 0) problems.push({ key: 'config.needs_members', values: {} });
  if (authIssuer === undefined && members?.some((one) => 'claim' in one) === true) {
    problems.push({ key: 'config.claims_need_issuer', values: {} });
  }
  if (!hasIdentity && !isLoopback(httpHost)) {
    problems.push({ key: 'config.needs_identity', values: { variable: 'DFE_HTTP_HOST', value: httpHost } });
  }
  if (!hasIdentity && httpUrl !== undefined && !isLocalUrl) {
    problems.push({ key: 'config.needs_identity', values: { variable: 'DFE_HTTP_URL', value: httpUrl } });
  }
  const isPlain = httpUrl === undefined ? !isLoopback(httpHost) : !isLocalUrl && /^http:/i.test(httpUrl);
  if (isPlain && !httpInsecure)
    problems.push({ key: 'config.needs_https', values: { variable: 'DFE_HTTP_URL' } });
  return problems;
}

/** Whether a changed definition needs services of its own: who belongs to a tenant may change without. */
const sameServices = (one: TenantDefinition, other: TenantDefinition): boolean =>
  JSON.stringify([one.companies, one.settings], revealed) ===
  JSON.stringify([other.companies, other.settings], revealed);

function revealed(this: unknown, name: string, value: unknown): unknown {
  const held = (this as Record<string, unknown>)[name];
  const hasSecret = typeof held === 'object' && held !== null && 'reveal' in held;
  return hasSecret && typeof held.reveal === 'function' ? held.reveal() : value;
}

/** No tenant has such a name, so that no tenant's own key is like it. */
const OF_LINKS = '/files';

/** The key of links to files: without one for all replicas a process understands its own links alone. */
async function linkKey({ signingKeyFile }: Settings): Promise<Uint8Array> {
  return signingKeyFile === undefined ? randomBytes(32) : readSigningKey(signingKeyFile, OF_LINKS);
}

async function keyProblems({ signingKeyFile }: Settings): Promise<StartProblem[]> {
  if (signingKeyFile === undefined) return [];
  try {
    await readSigningKey(signingKeyFile, '');
    return [];
  } catch (error) {
    if (!(error instanceof SigningKeyUnusable)) throw error;
    return [{ key: 'config.signing_key', values: { code: error.code } }];
  }
}

function gaugesOf(tenants: Tenants): Gauges {
  return {
    queue: () => tenants.all().reduce((sum, services) => sum + services.waitingCalls(), 0),
    open: (service) => tenants.all().filter((services) => services.openBreakers().has(service)).length,
    async documents() {
      const archives = tenants.all().flatMap((services) => services.openedArchive() ?? []);
      const counts = await Promise.all(archives.map(async (archive) => (await archive.info()).documents));
      return counts.reduce((sum, count) => sum + count, 0);
    },
  };
}

const READY_WITHIN_MS = 3_000;

/** Whether what calls need beside the services themselves is there: the database, where one is configured. */
async function isReady({ databaseUrl }: Settings): Promise<boolean> {
  if (databaseUrl === undefined) return true;
  const { default: pg } = await import('pg');
  const client = new pg.Client({
    connectionString: databaseUrl.reveal(),
    connectionTimeoutMillis: READY_WITHIN_MS,
    query_timeout: READY_WITHIN_MS,
  });
  client.on('error', () => undefined);
  try {
    await client.connect();
    await client.query('select 1');
    return true;
  } catch {
    return false;
  } finally {
    await client.end().catch(() => undefined);
  }
}

/**
 * Starts to serve MCP over HTTP.
 * @throws CannotStart, TenantsFileWrong, TenantsUnreadable, and the system's error where the port cannot be had
 */
export async function startHttp(
  base: ProcessSettings,
  surroundings: Partial<Surroundings>,
): Promise<HttpServer> {
  const { settings } = base;
  let definitions = await readTenants(base);
  const problems = [...problemsOf(base, definitions), ...(await keyProblems(settings))];
  if (problems.length > 0) throw new CannotStart(problems);
  const { httpHost: host, authIssuer: issuer } = settings;
  const userAgent = `docfiscal-mcp/${version}`;

  const onExchange = (exchanged: Exchanged, asker: object | undefined): void => {
    if (asker !== undefined) noteExchange(asker as Observed, exchanged);
    metrics?.exchange(exchanged);
  };
  const observed = { ...surroundings, onExchange, databases: createDatabases() };
  const make = (id: string): Services | undefined => {
    if (definitions === undefined) {
      return id === '' ? createServices(settings, userAgent, observed) : undefined;
    }
    const found = definitions.find((one) => one.id === id);
    if (found === undefined) return undefined;
    return servicesOfTenant(found, observed);
  };
  const tenants = createTenants(make);
  const metrics = settings.metricsPort === undefined ? undefined : await createMetrics(gaugesOf(tenants));
  const hasIdentity = issuer !== undefined || definitions !== undefined;

  let listening: Listening | undefined;
  const publicUrl = (port: number) => settings.httpUrl ?? `http://${inUrl(host)}:${port}`;
  const now = surroundings.now ?? (() => Date.now());
  const urlOf = publicUrl(settings.httpPort);
  const accessTokens =
    issuer === undefined
      ? undefined
      : (await import('./access-tokens.ts')).createTokenReader({
          issuer,
          audience: settings.authAudience ?? `${urlOf}/mcp`,
          jwksUrl: settings.authJwksUrl,
          read: createIdentityDocuments(userAgent, surroundings.environment ?? process.env),
        });
  const files = createFileDesk({
    links: createSealedLinks(await linkKey(settings), now),
    url: () => publicUrl(listening?.port ?? settings.httpPort),
    now,
  });
  const log = createRequestLog();
  const front = createFront({
    url: urlOf,
    hosts: allowedHosts(host, urlOf),
    origins: settings.httpOrigins,
    issuer,
    identity: hasIdentity
      ? createIdentity({ accessTokens, tenants: () => definitions, now: () => Date.now() })
      : undefined,
    tenants,
    files,
    serve: (services, { scopes }, asked, observed) =>
      createServer(alone(services), { scopes, linksOf: files.linksOf, asked, observed }),
    isKnown: (tenant, principal) => isStillKnown(definitions, tenant, principal),
    translator: createTranslator(settings.language, settings.timeZone),
    ready: () => isReady(settings),
    onerror: log.error,
    onRequest(record, status, outcome) {
      log.write(record, status, outcome);
      if (record.tool === undefined) return;
      metrics?.call(record.tool, outcome, (performance.now() - record.began) / 1000);
    },
  });
  listening = await listen(front, host, settings.httpPort);
  const counted =
    metrics === undefined
      ? undefined
      : await serveMetrics(metrics, settings.metricsHost, settings.metricsPort ?? 0).catch(async (error) => {
          await listening?.close();
          throw error;
        });

  return {
    url: `${publicUrl(listening.port)}/mcp`,
    isOpen: !hasIdentity,
    get active() {
      return tenants.active;
    },
    withoutPassword: () => tenantsWithoutPassword(definitions ?? []),
    async reload() {
      const before = definitions;
      const after = await readTenants(base);
      const wrong = problemsOf(base, after);
      if (wrong.length > 0) throw new CannotStart(wrong);
      definitions = after;
      const kept = new Map(after?.map((one) => [one.id, one]));
      const changed = (before ?? []).filter((one) => {
        const other = kept.get(one.id);
        return other === undefined || !sameServices(one, other);
      });
      tenants.reload(changed.map(({ id }) => id));
      return after?.length ?? 0;
    },
    async stop(graceMs) {
      front.stop();
      listening?.stop();
      const end = Date.now() + graceMs;
      const isBusy = () => tenants.active > 0 || (listening?.active ?? 0) > 0;
      while (isBusy() && Date.now() < end) await new Promise((resolve) => setTimeout(resolve, 50));
      await Promise.allSettled([front.close(), tenants.close()]);
      await Promise.all([listening?.close(), counted?.close()]);
      log.end();
    },
  };
}
