import { randomBytes } from 'node:crypto';
import { isIP } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import type { Exchanged } from '../../clients/http/exchange.ts';
import { type CompanyOptions, companyOfTenant, createCompany } from '../../company/company.ts';
import { singleCompany } from '../../company/company-resolver.ts';
import { readSigningKey, SecretFileUnusable } from '../../company/credentials.ts';
import { type Configuration, Misconfigured, type Problem } from '../../config/configure.ts';
import { isLoopback, isPlainHttp, Secret } from '../../config/setting-kinds.ts';
import type { Settings } from '../../config/settings.ts';
import type { TenantDefinition } from '../../config/tenants-file.ts';
import { createDatabases } from '../../db/databases.ts';
import { createTranslator } from '../../messages/index.ts';
import { createServer } from '../server.ts';
import { createTenants, readTenants, tenantsWithoutPassword } from '../tenants.ts';
import { createFront } from './front.ts';
import { createIdentity } from './identity.ts';
import { createLinkedFiles } from './linked-files.ts';
import { allowedHosts, type FetchHandler, inUrl, listen } from './listen.ts';
import { createMetrics, logError, logRequest, noteCall, noteExchange } from './telemetry.ts';

function problemsOf(
  { httpHost, httpUrl, httpInsecure, authIssuer, authJwksUrl }: Settings,
  tenants: readonly TenantDefinition[] | undefined,
): Problem[] {
  const members = tenants?.flatMap(({ who }) => who);
  const hasClaims = members?.some((one) => 'claim' in one) === true;
  const isOpen = authIssuer === undefined && tenants === undefined;
  const isFar = httpUrl !== undefined && !isLoopback(new URL(httpUrl).hostname);
  const isPlain = (url: string | undefined) => !httpInsecure && url !== undefined && isPlainHttp(url);
  const host = { variable: 'DFE_HTTP_HOST', value: httpHost };
  const url = { variable: 'DFE_HTTP_URL', value: httpUrl ?? '' };
  const rules: readonly [isBroken: boolean, key: Problem['key'], values: Problem['values']][] = [
    [members?.length === 0, 'config.needs_members', {}],
    [hasClaims && authIssuer === undefined, 'config.claims_need_issuer', {}],
    [isOpen && !isLoopback(httpHost), 'config.needs_identity', host],
    [isOpen && isFar, 'config.needs_identity', url],
    [isPlain(httpUrl ?? `http://${inUrl(httpHost)}`), 'config.needs_https', { variable: url.variable }],
    [isPlain(authIssuer), 'config.provider_needs_https', { variable: 'DFE_AUTH_ISSUER' }],
    [isPlain(authJwksUrl), 'config.provider_needs_https', { variable: 'DFE_AUTH_JWKS_URL' }],
  ];
  return rules.flatMap(([isBroken, key, values]) => (isBroken ? [{ key, values }] : []));
}

/** Companies and settings of a tenant as one text: a change of them needs a new company, one of members doesn't. */
const servicesOf = ({ companies, settings }: TenantDefinition): string =>
  JSON.stringify([
    companies,
    Object.values(settings).map((one) => (one instanceof Secret ? one.reveal() : one)),
  ]);

/** No tenant can have this id, so no tenant's key equals the links' key. */
const OF_LINKS = '/files';

const READY_WITHIN_MS = 3_000;

/** Anybody may ask whether the process is ready, but not open as many connections. */
const READY_KEPT_MS = 1_000;

/** Whether the configured database answers. */
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
    // Not awaited: it ends only when the other side closes the connection, too.
    void client.end().catch(() => undefined);
  }
}

/**
 * Answers `/metrics`. A `Host` header must be one of this machine's names or, where other machines reach it, an address
 * or a name without dots (a container's): no web page has those.
 * @param host where the metrics listen
 * @param publicUrl the address that clients of the service use
 */
function answerMetrics(text: () => Promise<string>, host: string, publicUrl: string): FetchHandler {
  const names = allowedHosts(host, publicUrl);
  return async ({ url, method }) => {
    const { hostname, pathname } = new URL(url);
    const isAddress = isIP(hostname.replace(/^\[|\]$/g, '')) !== 0 || !hostname.includes('.');
    if (!names.includes(hostname) && (isLoopback(host) || !isAddress)) {
      return new Response(null, { status: 403 });
    }
    if (pathname !== '/metrics' || method !== 'GET') return new Response(null, { status: 404 });
    return new Response(await text(), { headers: { 'content-type': 'text/plain; version=0.0.4' } });
  };
}

/**
 * Serves MCP over HTTP.
 * @throws Misconfigured, and the system's error when the port is unavailable
 */
export async function startHttp(configuration: Configuration, surroundings: Partial<CompanyOptions>) {
  const { settings } = configuration;
  const { httpHost: host, httpPort, metricsPort, metricsHost, signingKeyFile, authIssuer: issuer } = settings;
  let definitions = await readTenants(configuration);
  const problems = problemsOf(settings, definitions);
  // The key of file links: random per process unless replicas share one.
  const shared = signingKeyFile === undefined ? randomBytes(32) : readSigningKey(signingKeyFile, OF_LINKS);
  const key = await Promise.resolve(shared).catch((error: unknown) => {
    if (!(error instanceof SecretFileUnusable)) throw error;
    problems.push({ key: 'config.signing_key', values: { code: error.code } });
  });
  if (problems.length > 0 || key === undefined) throw new Misconfigured(problems);

  const onExchange = (exchanged: Exchanged): void => {
    noteExchange(exchanged);
    metrics?.exchange(exchanged);
  };
  const observed = { ...surroundings, onExchange, databases: createDatabases() };
  const tenants = createTenants((id) => {
    const found = definitions?.find((one) => one.id === id);
    if (found !== undefined) return companyOfTenant(found, observed);
    if (definitions !== undefined || id !== '') return undefined;
    return createCompany(settings, observed);
  });
  const metrics = metricsPort === undefined ? undefined : await createMetrics(() => tenants.all());

  let listening: Awaited<ReturnType<typeof listen>> | undefined;
  const publicUrl = () => settings.httpUrl ?? `http://${inUrl(host)}:${listening?.port ?? httpPort}`;
  const url = publicUrl();
  const provider =
    issuer === undefined
      ? undefined
      : {
          issuer,
          audience: settings.authAudience ?? `${url}/mcp`,
          jwksUrl: settings.authJwksUrl,
          isInsecureAllowed: settings.httpInsecure,
          environment: surroundings.environment ?? process.env,
        };
  const isOpen = issuer === undefined && definitions === undefined;
  let readiness: Promise<boolean> | undefined;
  const files = createLinkedFiles(key, publicUrl, surroundings.now ?? (() => Date.now()));
  const front = createFront({
    url,
    hosts: allowedHosts(host, url),
    origins: settings.httpOrigins,
    identity: isOpen ? undefined : createIdentity(provider, () => definitions),
    tenants,
    files,
    serve(company, caller, onlyTool) {
      const linksOf = files.linksFor(caller);
      const options = { scopes: caller.scopes, linksOf, onCall: noteCall, onlyTool };
      return createServer(singleCompany(company), options);
    },
    translator: createTranslator(settings.language, settings.timeZone),
    ready() {
      readiness ??= isReady(settings).finally(() => {
        setTimeout(() => (readiness = undefined), READY_KEPT_MS).unref();
      });
      return readiness;
    },
    onerror: logError,
    onRequest(record, status, isCancelled) {
      const { outcome, ms } = logRequest(record, status, isCancelled);
      if (record.tool !== undefined) metrics?.call(record.tool, outcome, ms / 1000);
    },
  });
  listening = await listen(front.fetch, host, httpPort);
  const servers = [listening];
  if (metrics !== undefined) {
    const counted = listen(answerMetrics(metrics.text, metricsHost, url), metricsHost, metricsPort ?? 0);
    servers.push(
      await counted.catch(async (error: unknown) => {
        await listening?.close();
        throw error;
      }),
    );
  }

  return {
    /** Address for clients. */
    url: `${publicUrl()}/mcp`,
    /** Whether every process of this machine may call. */
    isOpen,
    get active() {
      return listening?.active ?? 0;
    },
    /** Tenants whose password file is unreadable now; only their calls will fail. */
    withoutPassword: () => tenantsWithoutPassword(definitions ?? []),
    /** Reloads the tenants file; the number of tenants. @throws Misconfigured; then the former one stays */
    async reload() {
      const before = definitions;
      const after = await readTenants(configuration);
      const wrong = problemsOf(settings, after);
      if (wrong.length > 0) throw new Misconfigured(wrong);
      definitions = after;
      const kept = new Map(after?.map((one) => [one.id, servicesOf(one)]));
      const changed = (before ?? []).filter((one) => kept.get(one.id) !== servicesOf(one));
      tenants.reload(changed.map(({ id }) => id));
      return after?.length ?? 0;
    },
    /** Refuses new requests; those under way have `graceMs` to end. */
    async stop(graceMs: number) {
      front.stop();
      listening?.stop();
      const end = Date.now() + graceMs;
      while ((listening?.active ?? 0) > 0 && Date.now() < end) await wait(50);
      await Promise.allSettled([front.close(), tenants.close()]);
      await Promise.all(servers.map((one) => one.close()));
    },
  };
}
