import * as z from 'zod';
import { parseJson } from '../../documents/untrusted.ts';
import { Cancelled, NotUnderstood, tokenCall } from '../errors.ts';
import { abortable } from '../http/call.ts';
import type { HttpClient } from '../http/client.ts';
import { collect } from '../http/exchange.ts';

/** The client credentials grant of OAuth 2.0. Source: RFC 6749, section 4.4. */
interface OAuthSettings {
  readonly tokenUrl: string;
  readonly clientId: string;
  readonly clientSecret: () => string;
  readonly scope?: string | undefined;
}

/** How the account service authenticates its caller. Secrets are read on use. Source: docs/upstream-services.md. */
export type AccountAuth =
  | { readonly type: 'api-key'; readonly key: () => string }
  | { readonly type: 'bearer'; readonly token: () => string }
  | ({ readonly type: 'oauth' } & OAuthSettings)
  | { readonly type: 'basic'; readonly user: string; readonly licenseKey: () => string };

/** Makes the `Authorization` header. */
interface Authorization {
  /** @throws an UpstreamError of the operation `tokenOperation` where a token could not be fetched */
  credential(signal?: AbortSignal): Promise<string>;
  /** Makes the next `credential` a new one, unless it already is. Undefined where there is only one. */
  readonly discard?: (credential: string) => void;
}

export function createAuthorization(http: HttpClient, auth: AccountAuth): Authorization {
  switch (auth.type) {
    case 'api-key':
      return { credential: async () => auth.key() };
    case 'bearer':
      return { credential: async () => `Bearer ${auth.token()}` };
    case 'basic':
      return { credential: async () => basic(auth.user, auth.licenseKey()) };
    case 'oauth':
      return createTokenCache(() => requestToken(http, auth));
  }
}

function basic(user: string, password: string): string {
  return `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`;
}

interface Token {
  readonly credential: string;
  /** On the clock of `performance.now()`. */
  readonly renewAt: number;
}

/** Keeps a token until it nears its end. Callers share a request under way, and one that cancels ends it for none. */
function createTokenCache(request: () => Promise<Token>): Authorization {
  let kept: Token | undefined;
  let underWay: Promise<Token> | undefined;
  return {
    async credential(signal = new AbortController().signal) {
      if (kept !== undefined && performance.now() < kept.renewAt) return kept.credential;
      underWay ??= request().finally(() => {
        underWay = undefined;
      });
      try {
        kept = await abortable(underWay, signal);
        return kept.credential;
      } catch (error) {
        throw signal.aborted ? new Cancelled(tokenCall) : error;
      }
    },
    discard(credential) {
      if (kept?.credential === credential) kept = undefined;
    },
  };
}

const MAX_REPLY_BYTES = 64 * 1024;

/** Source: RFC 6749, section 5.1. */
const tokenReply = z.object({
  access_token: z.string().min(1),
  token_type: z.string().regex(/^bearer$/i),
  expires_in: z.number().nonnegative().optional(),
});

/** A name or secret as RFC 6749, section 2.3.1, wants it in a header. */
function formEncoded(text: string): string {
  return new URLSearchParams({ '': text }).toString().slice(1);
}

/** Asking for a token changes nothing, so the call is a read and retried like one. */
async function requestToken(http: HttpClient, settings: OAuthSettings): Promise<Token> {
  const { tokenUrl: url, clientId, clientSecret, scope } = settings;
  const began = performance.now();
  const headers = {
    accept: 'application/json',
    authorization: basic(formEncoded(clientId), formEncoded(clientSecret())),
    'content-type': 'application/x-www-form-urlencoded;charset=UTF-8',
  };
  const body = new URLSearchParams({ grant_type: 'client_credentials', ...(scope && { scope }) }).toString();
  const call = { ...tokenCall, method: 'POST', url, headers, body, kind: 'read' } as const;
  return await http.call({ ...call, maxBytes: MAX_REPLY_BYTES }, async (reply) => {
    const { success, data } = tokenReply.safeParse(
      parseJson(Buffer.from(await collect(reply.body)).toString()),
    );
    // What arrived may be a token, so the error shows nothing of it.
    const sketch = { kind: 'token reply', bytes: 0, start: '' };
    if (!success || reply.status !== 200) throw new NotUnderstood(tokenCall, 'not a token', sketch);
    const lifetime = data.expires_in ?? Number.POSITIVE_INFINITY;
    // A minute less than it lives, or a tenth less where that is shorter.
    const usable = lifetime - Math.min(60, lifetime / 10);
    return { credential: `Bearer ${data.access_token}`, renewAt: began + usable * 1000 };
  });
}
