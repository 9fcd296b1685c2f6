import {
  type AuthorizationServer,
  allowInsecureRequests,
  type Client,
  ClientSecretBasic,
  type CustomFetchOptions,
  clientCredentialsGrantRequest,
  customFetch,
  processClientCredentialsResponse,
  type TokenEndpointResponse,
} from 'oauth4webapi';
import { NotUnderstood, tokenCall } from '../errors.ts';
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

const maxReplyBytes = 64 * 1024;

type FetchOptions = CustomFetchOptions<'POST', URLSearchParams>;

/**
 * A response with one of these and a body, be it an empty one, can't be made. Source: Fetch Standard, null body status.
 */
const withoutBody: ReadonlySet<number> = new Set([204, 205]);

/** Asking for a token changes nothing, so that the call is a read and is repeated like one. */
async function fetchOver(http: HttpClient, url: string, options: FetchOptions): Promise<Response> {
  return await http.call(
    {
      ...tokenCall,
      method: 'POST',
      url,
      headers: options.headers,
      body: options.body.toString(),
      kind: 'read',
      maxBytes: maxReplyBytes,
    },
    async ({ status, headers, body }: HttpReply) => {
      const bytes = await collect(body);
      return new Response(withoutBody.has(status) ? null : bytes, { status, headers });
    },
  );
}

async function understand(
  server: AuthorizationServer,
  client: Client,
  response: Response,
): Promise<TokenEndpointResponse> {
  try {
    return await processClientCredentialsResponse(server, client, response);
  } catch {
    // The library's error holds the reply, and the reply may hold a token.
    throw new NotUnderstood(tokenCall, 'not a token', { kind: 'token reply', bytes: 0, start: '' });
  }
}

/** Asks for an access token. @throws as `TokenSource.token` */
export async function requestToken(
  http: HttpClient,
  settings: OAuthSettings,
): Promise<TokenEndpointResponse> {
  const server = { issuer: settings.tokenUrl, token_endpoint: settings.tokenUrl };
  const client = { client_id: settings.clientId };
  const response = await clientCredentialsGrantRequest(
    server,
    client,
    ClientSecretBasic(settings.clientSecret()),
    settings.scope ? { scope: settings.scope } : {},
    {
      [customFetch]: (url, options) => fetchOver(http, url, options),
      [allowInsecureRequests]: new URL(settings.tokenUrl).protocol === 'http:',
    },
  );
  return understand(server, client, response);
}
