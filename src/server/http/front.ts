import {
  type AuthInfo,
  bearerAuthChallengeResponse,
  createMcpHandler,
  getOAuthProtectedResourceMetadataUrl,
  hostHeaderValidationResponse,
  type McpServer,
  OAuthError,
  OAuthErrorCode,
  originValidationResponse,
  type ServerEventBus,
  verifyBearerToken,
} from '@modelcontextprotocol/server';
import type { Company } from '../../company/company.ts';
import { scopes } from '../../config/settings.ts';
import { membersOf, parseJson } from '../../documents/untrusted.ts';
import type { Translator } from '../../messages/index.ts';
import { withVisiblePrototype } from '../server.ts';
import type { Tenants } from '../tenants.ts';
import { type Caller, callerOf, type Identity, toAuthInfo } from './identity.ts';
import { type createLinkedFiles, textResponse } from './linked-files.ts';
import { type Arrival, protocolError } from './listen.ts';
import { beginRecord, describeMessage, type RequestRecord, serveObserved } from './telemetry.ts';

/** Headers that a proxy adds: behind one, a loopback address is no proof that the caller is on this machine. */
const forwarding =
  /^(?:x-forwarded|forwarded(?:-for)?$|via$|cdn-loop$|x-real-ip$|(?:x-)?client-ip$|x-cluster-client-ip$|x-original-|true-client-ip$|cf-|fastly-client-ip$|fly-client-ip$|x-envoy-|x-azure-|x-arr-|x-amzn-trace-id$|wl-proxy-|x-proxyuser-ip$)/;

export interface FrontOptions {
  readonly url: string;
  /** Names that a `Host` header may have, without ports. */
  readonly hosts: string[];
  /** Origins of web pages that may call: scheme, host and port. */
  readonly origins: readonly string[];
  /** Undefined where every process of this machine may call. */
  readonly identity: Identity | undefined;
  readonly tenants: Tenants;
  serve(company: Company, caller: Caller, onlyTool: string | undefined): McpServer;
  readonly bus?: ServerEventBus;
  readonly files: Pick<ReturnType<typeof createLinkedFiles>, 'open' | 'answer'>;
  /** Language for people who open a link without a token. */
  readonly translator: Translator;
  ready(): Promise<boolean>;
  onerror(error: Error): void;
  /** Called once per request to the protocol or a link, when its response is over. */
  onRequest(record: RequestRecord, status: number, isCancelled: boolean): void;
}

const RETRY = { 'retry-after': '5' };
const FILES = '/files/';
const METADATA = '/.well-known/oauth-protected-resource';

function plain(status: number, error: string, headers: Record<string, string> = {}): Response {
  return Response.json({ error }, { status, headers: { 'cache-control': 'no-store', ...headers } });
}

const onThisMachine: Caller = { tenant: '', principal: 'local', scopes, memberships: [] };
const FAR_AWAY_S = 4_102_444_800;

/** Name of the tool that a message calls; undefined for any other message, and for several at once. */
function calledTool(message: unknown): string | undefined {
  const { method, params } = membersOf(message);
  const { name } = membersOf(params);
  return method === 'tools/call' && typeof name === 'string' ? name : undefined;
}

/** Answers requests: checks path, host, origin and identity before anything of the body is read. */
export function createFront(options: FrontOptions) {
  const { url, identity, tenants, files, translator } = options;
  const resource = `${url}/mcp`;
  const resourceMetadataUrl = getOAuthProtectedResourceMetadataUrl(new URL(resource));
  let isStopping = false;

  const handler = createMcpHandler(
    ({ authInfo }) => {
      const { company, onlyTool } = authInfo?.extra ?? {};
      return options.serve(company as Company, callerOf(authInfo), onlyTool as string | undefined);
    },
    { onerror: options.onerror, ...(options.bus && { bus: options.bus }) },
  );

  const metadata = (): Response =>
    Response.json(
      {
        resource,
        ...(identity?.issuer !== undefined && { authorization_servers: [identity.issuer] }),
        scopes_supported: scopes,
        bearer_methods_supported: ['header'],
        resource_name: 'docfiscal-mcp',
      },
      { headers: { 'access-control-allow-origin': '*', 'cache-control': 'max-age=300' } },
    );

  const refused = (request: Request, { httpVersion }: Arrival): Response | undefined => {
    const host = hostHeaderValidationResponse(request, options.hosts);
    if (host !== undefined) return host;
    const origin = request.headers.get('origin')?.toLowerCase();
    // Without identity the server's own origin may call, too; its host was checked above.
    const own = identity === undefined ? `http://${request.headers.get('host')}` : undefined;
    if (origin !== undefined && origin !== own && !options.origins.includes(origin)) {
      return originValidationResponse(request, []) ?? plain(403, 'origin');
    }
    const isByProxy =
      httpVersion !== '1.1' || [...request.headers.keys()].some((name) => forwarding.test(name));
    return identity === undefined && isByProxy ? plain(403, 'forwarded') : undefined;
  };

  const authenticate = async (request: Request): Promise<AuthInfo | Response> => {
    if (identity === undefined) return toAuthInfo(onThisMachine, '', FAR_AWAY_S);
    const guard = { verifier: identity, resourceMetadataUrl };
    try {
      const auth = await verifyBearerToken(request.headers.get('authorization'), guard);
      if (auth.scopes.length > 0) return auth;
      throw new OAuthError(OAuthErrorCode.InsufficientScope, 'The token allows nothing here');
    } catch (error) {
      if (!(error instanceof OAuthError)) {
        options.onerror(error instanceof Error ? error : new Error(typeof error));
        return plain(500, 'server_error');
      }
      if (error.code === OAuthErrorCode.AccessDenied) return plain(403, 'no_single_tenant');
      if (error.code === OAuthErrorCode.ServerError) return plain(503, 'identity_unavailable', RETRY);
      return bearerAuthChallengeResponse(error, { ...guard, requiredScopes: ['documents:read'] });
    }
  };

  /** Answers for the record's tenant, whose company is leased until the response is over. */
  const answerFor = async (
    record: RequestRecord,
    { over }: Arrival,
    answer: (company: Company) => Promise<Response>,
  ): Promise<Response> => {
    const company = tenants.lease(record.tenant ?? '', over);
    if (company === 'too_many') return plain(429, 'too_many_calls', RETRY);
    if (company === undefined) return plain(403, 'no_single_tenant');
    return serveObserved(record, () => answer(company));
  };

  /** Answers a file link. A bearer token, if any, must be that of the caller it was made for. */
  const answerLink = async (
    token: string,
    request: Request,
    arrival: Arrival,
    record: RequestRecord,
  ): Promise<Response> => {
    record.method = 'files';
    const linked = await files.open(token);
    if (typeof linked === 'string') {
      return textResponse(linked === 'expired' ? 410 : 404, translator.say(`files.link_${linked}`));
    }
    if (identity !== undefined && request.headers.has('authorization')) {
      const auth = await authenticate(request);
      if (auth instanceof Response) return auth;
      if (auth.clientId !== linked.principal) return textResponse(403, translator.say('files.link_of_other'));
    }
    if (identity?.mayStillRead(linked) === false) {
      return textResponse(404, translator.say('files.link_ended'));
    }
    record.tenant = linked.tenant;
    return answerFor(record, arrival, (company) => files.answer(linked, company, request.signal));
  };

  const answerMessage = async (
    request: Request,
    arrival: Arrival,
    record: RequestRecord,
  ): Promise<Response> => {
    const auth = await authenticate(request);
    if (auth instanceof Response) return auth;
    record.tenant = callerOf(auth).tenant;
    const body = await arrival.body(auth.clientId);
    if (body instanceof Response) return body;
    const parsedBody = withVisiblePrototype(parseJson(body ?? ''));
    if (body !== undefined && parsedBody === undefined) {
      return protocolError(400, -32_700, 'Parse error: the request body is not valid JSON', {});
    }
    describeMessage(record, parsedBody);
    return answerFor(record, arrival, (company) => {
      const authInfo = { ...auth, extra: { ...auth.extra, company, onlyTool: calledTool(parsedBody) } };
      return handler.fetch(request, { authInfo, parsedBody });
    });
  };

  return {
    async fetch(request: Request, arrival: Arrival): Promise<Response> {
      const { pathname } = new URL(request.url);
      const isHead = request.method === 'HEAD';
      const isGet = request.method === 'GET' || isHead;
      if (isGet && pathname === '/healthz') return Response.json({ status: 'ok' });
      if (isGet && pathname === '/readyz') {
        const isReady = !isStopping && (await options.ready());
        return Response.json({ status: isReady ? 'ready' : 'not_ready' }, { status: isReady ? 200 : 503 });
      }
      const refusal = refused(request, arrival);
      if (refusal !== undefined) return refusal;
      if (identity !== undefined && isGet && (pathname === METADATA || pathname === `${METADATA}/mcp`)) {
        return metadata();
      }
      const token = isGet && pathname.startsWith(FILES) ? pathname.slice(FILES.length) : '';
      if (pathname !== '/mcp' && token === '') return plain(404, 'not_found');
      if (isStopping) return plain(503, 'stopping', { ...RETRY, connection: 'close' });
      const record = beginRecord(request.headers);
      const response =
        token === ''
          ? await answerMessage(request, arrival, record)
          : await answerLink(token, request, arrival, record);
      void arrival.over.then((isCancelled) => options.onRequest(record, response.status, isCancelled));
      if (token === '' || !isHead) return response;
      await response.body?.cancel();
      return new Response(null, response);
    },
    stop() {
      isStopping = true;
    },
    close: () => handler.close(),
  };
}
