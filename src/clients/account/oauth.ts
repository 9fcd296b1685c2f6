import type * as OAuth from 'oauth4webapi';
import { Cancelled, NotUnderstood, tokenOperation } from '../errors.ts';
import { abortable } from '../http/abortable.ts';
import { collect } from '../http/body.ts';
import type { HttpReply } from '../http/call.ts';
import type { HttpClient } from '../http/client.ts';

/** The client credentials grant of OAuth 2.0. Source: RFC 6749, section 4.4. */
export interface OAuthSettings {
  readonly tokenUrl: string;
  readonly clientId: string;
  readonly clientSecret: () => string;
  readonly scope?: string | undefined;
}

/** Access tokens, each kept until it nears its end. */
export interface TokenSource {
  /**
   * Callers that come while a token is being fetched share it. A caller that cancels does not take it from the others.
   *
   * @throws Refused, Unreachable, TimedOut, NotUnderstood or Cancelled, of the operation `tokenOperation`
   */
  token(signal?: AbortSignal): Promise<string>;
  /** Forgets a token that was refused; one fetched since stays. */
  discard(token: string): void;
}

interface Token {
  readonly value: string;
  /** On the clock of `performance.now()`. */
  readonly renewAt: number;
}

const call = { service: 'account', operation: tokenOperation } as const;

const maxReplyBytes = 64 * 1024;

export function createTokenSource(http: HttpClient, settings: OAuthSettings): TokenSource {
  let kept: Token | undefined;
  let underWay: Promise<Token> | undefined;

  const fetchShared = (): Promise<Token> => {
    underWay ??= fetchToken(http, settings)
      .then((token) => {
        kept = token;
        return token;
      })
      .finally(() => {
        underWay = undefined;
      });
    return underWay;
  };

  return {
    async token(signal) {
      if (signal?.aborted) throw new Cancelled(call);
      if (kept && performance.now() < kept.renewAt) return kept.value;
      return (await unlessCancelled(fetchShared(), signal)).value;
    },
    discard(token) {
      if (kept?.value === token) kept = undefined;
    },
  };
}

async function unlessCancelled<T>(work: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (!signal) return await work;
  try {
    return await abortable(work, signal);
  } catch (error) {
    throw signal.aborted ? new Cancelled(call) : error;
  }
}

async function fetchToken(http: HttpClient, settings: OAuthSettings): Promise<Token> {
  const oauth = await import('oauth4webapi');
  const server = { issuer: settings.tokenUrl, token_endpoint: settings.tokenUrl };
  const client = { client_id: settings.clientId };
  const began = performance.now();
  const response = await oauth.clientCredentialsGrantRequest(
    server,
    client,
    oauth.ClientSecretBasic(settings.clientSecret()),
    settings.scope ? { scope: settings.scope } : {},
    {
      [oauth.customFetch]: (url, options) => fetchOver(http, url, options),
      [oauth.allowInsecureRequests]: new URL(settings.tokenUrl).protocol === 'http:',
    },
  );
  const reply = await understand(oauth, server, client, response);
  return { value: reply.access_token, renewAt: began + usableSeconds(reply.expires_in) * 1000 };
}

/** The time a token is used: a minute less than it lives, or a tenth less where that is shorter. */
function usableSeconds(lifetime: number | undefined): number {
  return lifetime === undefined ? Number.POSITIVE_INFINITY : lifetime - Math.min(60, lifetime / 10);
}

type FetchOptions = OAuth.CustomFetchOptions<'POST', URLSearchParams>;

/** Asking for a token changes nothing, so that the call is a read and is repeated like one. */
async function fetchOver(http: HttpClient, url: string, options: FetchOptions): Promise<Response> {
  return await http.call(
    {
      ...call,
      method: 'POST',
      url,
      headers: options.headers,
      body: options.body.toString(),
      kind: 'read',
      maxBytes: maxReplyBytes,
    },
    async ({ status, headers, body }: HttpReply) => new Response(await collect(body), { status, headers }),
  );
}

async function understand(
  oauth: typeof OAuth,
  server: OAuth.AuthorizationServer,
  client: OAuth.Client,
  response: Response,
): Promise<OAuth.TokenEndpointResponse> {
  try {
    return await oauth.processClientCredentialsResponse(server, client, response);
  } catch {
    // The library's error holds the reply, and the reply may hold a token.
    throw new NotUnderstood(call, 'not a token', { kind: 'token reply', bytes: 0, start: '' });
  }
}
