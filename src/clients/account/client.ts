import * as z from 'zod';
import { parseJson } from '../../documents/untrusted.ts';
import { Cancelled, NotUnderstood, OutcomeUnknown, Refused, tokenCall } from '../errors.ts';
import { abortable, basic, type HttpCall, type HttpReply } from '../http/call.ts';
import type { HttpClient } from '../http/client.ts';
import { collect } from '../http/exchange.ts';
import { sketchReply } from '../http/redact.ts';

const integer = z.int().nullish();
const text = z.string().nullish();

/** One name and value of a company, in a named set. */
const setting = z.object({
  id: integer,
  companyId: integer,
  set: text,
  name: text,
  value: text,
  modifiedDate: text,
  modifiedUserId: integer,
});

/** An account's licence for a service. */
const subscription = z.object({
  id: integer,
  accountId: integer,
  subscriptionTypeId: integer,
  subscriptionDescription: text,
  effectiveDate: text,
  endDate: text,
  createdDate: text,
  createdUserId: integer,
  modifiedDate: text,
  modifiedUserId: integer,
});

/**
 * The operations of the account service: each a `PUT` that replaces one stored object; null clears a field. `owner`
 * is the field that holds the id of the owning company or account, also in the path. Source:
 * docs/upstream-services.md.
 */
export const accountOperations = {
  updateSetting: {
    name: 'UpdateSetting',
    path: '/api/v2/companies/{companyId}/settings/{id}',
    owner: 'companyId',
    model: setting,
  },
  updateSubscription: {
    name: 'UpdateSubscription',
    path: '/api/v2/accounts/{accountId}/subscriptions/{id}',
    owner: 'accountId',
    model: subscription,
  },
} as const;

type AccountOperation = (typeof accountOperations)[keyof typeof accountOperations];

/** An object to store, or as it is stored, by its fields. */
export type AccountObject = Readonly<Record<string, string | number | null | undefined>>;

export interface AccountOptions {
  /** Without `/api/v2` or a trailing slash. */
  readonly baseUrl: string;
  readonly auth: AccountAuth;
  /** The service provider's name in the header `X-<Vendor>-Client`; without it the header is not sent. */
  readonly vendor?: string | undefined;
  /** The calling software, e.g. `docfiscal-mcp; 1.0.0`. */
  readonly client: string;
}

/** Replaces the object with this owner and id, and returns the stored one. The ids in its body are the path's. */
type Replace = (
  ownerId: number,
  id: number,
  model: AccountObject,
  ending?: Pick<HttpCall, 'signal' | 'startBy'>,
) => Promise<AccountObject>;

/**
 * The account service.
 *
 * @throws Refused, Unreachable, TimedOut, Cancelled if nothing was changed; OutcomeUnknown if it may have been.
 * Errors of the OAuth token endpoint carry the operation `tokenOperation`.
 */
export type AccountClient = Readonly<Record<keyof typeof accountOperations, Replace>>;

const maxReplyBytes = 1024 * 1024;

export function createAccountClient(
  http: HttpClient,
  { baseUrl, auth, vendor, client }: AccountOptions,
): AccountClient {
  const { credential, discard } = createAuthorization(http, auth);
  const headers = {
    accept: 'application/json',
    'content-type': 'application/json',
    ...(vendor !== undefined && { [`X-${vendor}-Client`]: client }),
  };

  function replacing(operation: AccountOperation): Replace {
    const call = { service: 'account', operation: operation.name } as const;
    return async (ownerId, id, model, ending = {}) => {
      const ids: Ids = { id, [operation.owner]: ownerId };
      const url = baseUrl + operation.path.replace(/\{(\w+)\}/g, (_, name: string) => String(ids[name]));
      const body = JSON.stringify({ ...model, ...ids });
      const request = { ...call, ...ending, method: 'PUT', kind: 'write', url, body } as const;
      async function send(authorization: string): Promise<AccountObject> {
        try {
          return await http.call(
            { ...request, headers: { ...headers, authorization }, maxBytes: maxReplyBytes },
            (reply) => readStored(operation, ids, reply),
          );
        } catch (error) {
          // After an unreadable reply the outcome is unknown.
          throw error instanceof NotUnderstood ? new OutcomeUnknown(error) : error;
        }
      }

      const first = await credential(ending.signal);
      try {
        return await send(first);
      } catch (error) {
        // A 401 means that nothing was performed: this one retry of a write is safe.
        const unauthorized = error instanceof Refused && error.refusal.status === 401;
        if (!unauthorized || discard === undefined) throw error;
        discard(first);
        return await send(await credential(ending.signal));
      }
    };
  }

  return {
    updateSetting: replacing(accountOperations.updateSetting),
    updateSubscription: replacing(accountOperations.updateSubscription),
  };
}

/** The path's ids: the reply must be about the same object. */
type Ids = Readonly<Record<string, number>>;

/** Reads the object that the service now stores, without fields that the model does not have. @throws NotUnderstood */
async function readStored(
  { model, owner }: AccountOperation,
  ids: Ids,
  reply: HttpReply,
): Promise<AccountObject> {
  const bytes = await collect(reply.body);
  const stored: AccountObject | undefined = model.safeParse(parseJson(new TextDecoder().decode(bytes))).data;
  if (stored && stored.id === ids.id && (stored[owner] ?? ids[owner]) === ids[owner]) return stored;
  const sketch = sketchReply(bytes, bytes.length, reply.redact);
  throw new NotUnderstood(reply.call, stored ? 'another object' : 'not the stored object', sketch);
}

/** The client credentials grant of OAuth 2.0. Source: RFC 6749, section 4.4. */
interface OAuthSettings {
  readonly tokenUrl: string;
  readonly clientId: string;
  readonly clientSecret: () => string;
  readonly scope?: string | undefined;
}

/** How the account service authenticates its caller. Secrets are read on use. Source: docs/upstream-services.md. */
export type AccountAuth =
  | { readonly type: 'api-key' | 'bearer' | 'basic'; readonly authorization: () => string }
  | ({ readonly type: 'oauth' } & OAuthSettings);

/** Creates the `Authorization` header. */
interface Authorization {
  /** @throws an UpstreamError of the operation `tokenOperation` if no token could be fetched */
  credential(signal?: AbortSignal): Promise<string>;
  /** Invalidates a credential, so that the next one is new. Undefined if there is only one. */
  readonly discard?: (credential: string) => void;
}

function createAuthorization(http: HttpClient, auth: AccountAuth): Authorization {
  if (auth.type === 'oauth') return createTokenCache(() => requestToken(http, auth));
  return { credential: async () => auth.authorization() };
}

interface Token {
  readonly credential: string;
  /** On the clock of `performance.now()`. */
  readonly renewAt: number;
}

/**
 * Caches a token until shortly before it expires. Callers share a pending request; cancelling one call does not abort
 * it.
 */
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

/** Encodes a name or secret for the header. Source: RFC 6749, section 2.3.1. */
function formEncoded(text: string): string {
  return new URLSearchParams({ '': text }).toString().slice(1);
}

/** Requests a token. It changes nothing, so the call is retried like a read. */
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
    // The reply may hold a token, so the error shows nothing of it.
    const sketch = { kind: 'token reply', bytes: 0, start: '' };
    if (!success || reply.status !== 200) throw new NotUnderstood(tokenCall, 'not a token', sketch);
    const lifetime = data.expires_in ?? Number.POSITIVE_INFINITY;
    // Renewed a minute before it expires, or a tenth of its lifetime if that is shorter.
    const usable = lifetime - Math.min(60, lifetime / 10);
    return { credential: `Bearer ${data.access_token}`, renewAt: began + usable * 1000 };
  });
}
