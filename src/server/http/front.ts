import {
  type AuthInfo,
  bearerAuthChallengeResponse,
  createMcpHandler,
  getOAuthProtectedResourceMetadataUrl,
  hostHeaderValidationResponse,
  type McpHttpHandler,
  type McpServer,
  OAuthError,
  type OAuthTokenVerifier,
  originValidationResponse,
  type ServerEventBus,
  verifyBearerToken,
} from '@modelcontextprotocol/server';
import { scopes } from '../../config/scopes.ts';
import type { Translator } from '../../messages/index.ts';
import { askedBy, type Observed } from '../../services/observation.ts';
import type { Services } from '../../services/services.ts';
import type { Asked } from '../server.ts';
import { type Lease, NoSuchTenant, type Tenants, TooManyCalls } from '../tenants/lending.ts';
import { isForwarded } from './addresses.ts';
import { authInfoOf, type Caller, callerOf } from './caller.ts';
import { type FileDesk, linkWords } from './files/desk.ts';
import { type Linked, LinkRefused } from './files/sealed-links.ts';
import { NoSingleTenant } from './identity.ts';
import { beginRecord, describeMessage, messageIn, outcomeOf, type RequestRecord } from './request-log.ts';
import { whenOver } from './when-over.ts';

export interface FrontOptions {
  /** The base address that clients use. */
  readonly url: string;
  /** Names that a `Host` header may have, without ports. */
  readonly hosts: string[];
  /** Origins of web pages that may call: scheme, host and port. */
  readonly origins: readonly string[];
  /** Who callers are; undefined where whoever is on this machine may call. */
  readonly identity: OAuthTokenVerifier | undefined;
  /** Who signs access tokens, for the metadata that clients read. */
  readonly issuer: string | undefined;
  readonly tenants: Tenants;
  /** What a caller is served with, made for every request; `asked` where that is one message. */
  serve(services: Services, caller: Caller, asked: Asked | undefined, observed: Observed): McpServer;
  /** Through which servers tell those who listen of changes; nobody is told without. */
  readonly bus?: ServerEventBus;
  readonly files: FileDesk;
  /** Whether whom a link was made for may still come in, as far as the tenants file says. */
  isKnown(tenant: string, principal: string): boolean;
  /** The language of whoever opens a link and belongs to nobody. */
  readonly translator: Translator;
  /** Whether everything a call needs is there. */
  ready(): Promise<boolean>;
  onerror(error: Error): void;
  /** Is told of every request to the protocol's address when it is over. */
  onRequest(record: RequestRecord, status: number, outcome: string): void;
}

/** Everything that is answered over HTTP, in the shape of `fetch`. */
export interface Front {
  /** @param body its text, which is read once and no stream */
  fetch(request: Request, body?: string): Promise<Response>;
  /** From now on nothing new is begun. */
  stop(): void;
  close(): Promise<void>;
}

const RETRY_SECONDS = '5';
const FILES = '/files/';
const METADATA = '/.well-known/oauth-protected-resource';

function plain(status: number, error: string, headers: Record<string, string> = {}): Response {
  return Response.json({ error }, { status, headers: { 'cache-control': 'no-store', ...headers } });
}

function withBody({ url, method, headers, signal }: Request, body: string): Request {
  return new Request(url, { method, headers, signal, body });
}

const onThisMachine: Caller = { tenant: '', principal: 'local', scopes };
const FAR_AWAY_S = 4_102_444_800;

export function createFront(options: FrontOptions): Front {
  const { url, hosts, identity, issuer, tenants, files, translator } = options;
  const resource = `${url}/mcp`;
  const resourceMetadataUrl = getOAuthProtectedResourceMetadataUrl(new URL(resource));
  const asked = new WeakMap<
    object,
    { readonly lease: Lease; readonly message: Asked | undefined; readonly record: RequestRecord }
  >();
  let isStopping = false;

  const handler: McpHttpHandler = createMcpHandler(
    ({ authInfo }) => {
      const { lease, message, record } = (authInfo && asked.get(authInfo)) ?? {};
      const caller = callerOf(authInfo);
      if (lease === undefined || record === undefined || caller === undefined)
        throw new Error('a request without a tenant');
      return options.serve(lease.services, caller, message, record);
    },
    { onerror: options.onerror, ...(options.bus && { bus: options.bus }) },
  );

  const metadata = (): Response =>
    Response.json(
      {
        resource,
        ...(issuer === undefined ? {} : { authorization_servers: [issuer] }),
        scopes_supported: scopes,
        bearer_methods_supported: ['header'],
        resource_name: 'docfiscal-mcp',
      },
      { headers: { 'access-control-allow-origin': '*', 'cache-control': 'max-age=300' } },
    );

  const refused = (request: Request): Response | undefined => {
    const host = hostHeaderValidationResponse(request, hosts);
    if (host !== undefined) return host;
    const origin = request.headers.get('origin')?.toLowerCase();
    // Its host was looked at: whoever is on this machine may call from the server's own address, too.
    const own = identity === undefined ? `http://${request.headers.get('host')}` : undefined;
    if (origin !== undefined && origin !== own && !options.origins.includes(origin)) {
      return originValidationResponse(request, []) ?? plain(403, 'origin');
    }
    if (identity === undefined && isForwarded(request.headers)) return plain(403, 'forwarded');
    return undefined;
  };

  const authenticate = async (request: Request): Promise<AuthInfo | Response> => {
    if (identity === undefined) return authInfoOf(onThisMachine, '', FAR_AWAY_S);
    const guard = { verifier: identity, resourceMetadataUrl };
    try {
      const auth = await verifyBearerToken(request.headers.get('authorization'), guard);
      if (auth.scopes.length > 0) return auth;
      throw new OAuthError('insufficient_scope', 'The token allows nothing here');
    } catch (error) {
      if (error instanceof NoSingleTenant) return plain(403, 'no_single_tenant');
      if (error instanceof OAuthError && error.code === 'server_error') {
        return plain(503, 'identity_unavailable', { 'retry-after': RETRY_SECONDS });
      }
      const challenged = { ...guard, requiredScopes: ['documents:read'] };
      if (error instanceof OAuthError) return bearerAuthChallengeResponse(error, challenged);
      options.onerror(error instanceof Error ? error : new Error(typeof error));
      return plain(500, 'server_error');
    }
  };

  /** Does work with the services of the record's tenant, which it has for as long as the response takes. */
  const withLease = async (
    record: RequestRecord,
    work: (lease: Lease) => Promise<Response>,
  ): Promise<Response> => {
    let lease: Lease;
    try {
      lease = tenants.lend(record.tenant ?? '');
    } catch (error) {
      if (error instanceof TooManyCalls) {
        return plain(429, 'too_many_calls', { 'retry-after': RETRY_SECONDS });
      }
      if (error instanceof NoSuchTenant) return plain(403, 'no_single_tenant');
      throw error;
    }
    try {
      const response = await work(lease);
      record.ended = () => lease.end();
      return response;
    } catch (error) {
      lease.end();
      throw error;
    }
  };

  /** The file of a link: whoever says who they are must be whom it was made for. */
  const answerLink = async (token: string, request: Request, record: RequestRecord): Promise<Response> => {
    let linked: Linked;
    try {
      linked = await files.open(token);
    } catch (error) {
      if (!(error instanceof LinkRefused)) throw error;
      const status = error.reason === 'expired' ? 410 : 404;
      return linkWords(status, translator.say(`files.link_${error.reason}`));
    }
    const { tenant, principal } = linked;
    if (identity !== undefined && request.headers.has('authorization')) {
      const auth = await authenticate(request);
      if (auth instanceof Response) return auth;
      if (auth.clientId !== principal) return linkWords(403, translator.say('files.link_of_other'));
    }
    if (!options.isKnown(tenant, principal)) return linkWords(404, translator.say('files.link_unknown'));
    record.tenant = tenant;
    return withLease(record, ({ services }) =>
      files.answer(linked, services, askedBy(record, request.signal)),
    );
  };

  const toldWhenOver = (request: Request, record: RequestRecord, response: Response): Response =>
    whenOver(response, (isCancelled) => {
      record.ended?.();
      const outcome = outcomeOf(record, response.status, isCancelled || request.signal.aborted);
      options.onRequest(record, response.status, outcome);
    });

  const serveLink = async (token: string, request: Request): Promise<Response> => {
    const record = beginRecord(request.headers);
    record.method = 'files';
    return toldWhenOver(request, record, await answerLink(token, request, record));
  };

  const serve = async (request: Request, body: string | undefined): Promise<Response> => {
    const record = beginRecord(request.headers);
    const auth = await authenticate(request);
    if (auth instanceof Response) return toldWhenOver(request, record, auth);
    record.tenant = callerOf(auth)?.tenant;
    const parsedBody = messageIn(body);
    const message = describeMessage(record, parsedBody);
    const response = await withLease(record, (lease) => {
      asked.set(auth, { lease, message, record });
      // What is no JSON is the SDK's to say so.
      const given = parsedBody === undefined && body !== undefined ? withBody(request, body) : request;
      return handler.fetch(given, { authInfo: auth, parsedBody });
    });
    return toldWhenOver(request, record, response);
  };

  return {
    async fetch(request, body) {
      const { pathname } = new URL(request.url);
      const isGet = request.method === 'GET' || request.method === 'HEAD';
      if (isGet && pathname === '/healthz') return Response.json({ status: 'ok' });
      if (isGet && pathname === '/readyz') {
        const isReady = !isStopping && (await options.ready());
        return Response.json({ status: isReady ? 'ready' : 'not_ready' }, { status: isReady ? 200 : 503 });
      }
      const refusal = refused(request);
      if (refusal !== undefined) return refusal;
      if (identity !== undefined && isGet && (pathname === METADATA || pathname === `${METADATA}/mcp`)) {
        return metadata();
      }
      const token =
        request.method === 'GET' && pathname.startsWith(FILES) ? pathname.slice(FILES.length) : '';
      if (pathname !== '/mcp' && token === '') return plain(404, 'not_found');
      if (isStopping) return plain(503, 'stopping', { 'retry-after': RETRY_SECONDS, connection: 'close' });
      return token === '' ? serve(request, body) : serveLink(token, request);
    },
    stop() {
      isStopping = true;
    },
    close: () => handler.close(),
  };
}
