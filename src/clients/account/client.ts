import * as z from 'zod';
import { parseJson } from '../../documents/untrusted.ts';
import { NotUnderstood, OutcomeUnknown, Refused } from '../errors.ts';
import type { HttpReply } from '../http/call.ts';
import type { HttpClient } from '../http/client.ts';
import { collect } from '../http/exchange.ts';
import { sketchReply } from '../http/redact.ts';
import { type AccountAuth, createAuthorization } from './authorization.ts';

export type { AccountAuth } from './authorization.ts';

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
 * The operations of the account service: a `PUT` that replaces one stored object, of which every field may be null, which
 * clears it. `owner` is the field that holds the id of the owning company or account, also in the path. Source:
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

/** The objects that the operations replace. The ids are the path's: the client puts them in. */
export type SettingModel = Readonly<z.infer<typeof setting>>;
export type SubscriptionModel = Readonly<z.infer<typeof subscription>>;

export interface AccountOptions {
  /** Without `/api/v2`; a trailing slash does no harm. */
  readonly baseUrl: string;
  readonly auth: AccountAuth;
  /** The service provider's name in the header `X-<Vendor>-Client`; without it the header is not sent. */
  readonly vendor?: string | undefined;
  /** The calling software, e.g. `docfiscal-mcp; 1.0.0`. */
  readonly client?: string | undefined;
}

/** What ends a call. */
interface Ending {
  readonly signal?: AbortSignal;
  /** Once this is aborted the call is not begun any more; one under way goes on. */
  readonly startBy?: AbortSignal;
}

/** Replaces the object with this owner and id by the one given, and answers with what is stored. */
type Replace<Model> = (ownerId: number, id: number, model: Model, ending?: Ending) => Promise<Model>;

/**
 * The account service.
 *
 * @throws Refused, Unreachable, TimedOut, Cancelled where nothing was changed; OutcomeUnknown where it may have been.
 *   Errors of the OAuth token endpoint carry the operation `tokenOperation`.
 */
export interface AccountClient {
  readonly updateSetting: Replace<SettingModel>;
  readonly updateSubscription: Replace<SubscriptionModel>;
}

const maxReplyBytes = 1024 * 1024;

/** @throws TypeError when the vendor or the client can't be part of a header */
export function createAccountClient(http: HttpClient, options: AccountOptions): AccountClient {
  const authorization = createAuthorization(http, options.auth);
  const baseUrl = options.baseUrl.replace(/(?<!\/)\/+$/, '');
  const headers = {
    accept: 'application/json',
    'content-type': 'application/json',
    ...vendorHeader(options),
  };

  function replacing<O extends AccountOperation>(operation: O): Replace<z.infer<O['model']>> {
    const call = { service: 'account', operation: operation.name } as const;
    return async (ownerId, id, model, ending = {}) => {
      const ids: Ids = { id, [operation.owner]: ownerId };
      const url = baseUrl + operation.path.replace(/\{(\w+)\}/g, (_, name: string) => String(ids[name]));
      const body = JSON.stringify({ ...model, ...ids });
      const request = { ...call, ...ending, method: 'PUT', kind: 'write', url, body } as const;
      async function send(authorization: string): Promise<z.infer<O['model']>> {
        try {
          return await http.call(
            { ...request, headers: { ...headers, authorization }, maxBytes: maxReplyBytes },
            (reply) => readStored(operation, ids, reply),
          );
        } catch (error) {
          // A reply that came but can't be read leaves open what the service did.
          throw error instanceof NotUnderstood ? new OutcomeUnknown(error) : error;
        }
      }

      const credential = await authorization.credential(ending.signal);
      try {
        return await send(credential);
      } catch (error) {
        // A 401 says that nothing was performed, so that this one repeat of a write is safe.
        const unauthorized = error instanceof Refused && error.refusal.status === 401;
        if (!unauthorized || authorization.discard === undefined) throw error;
        authorization.discard(credential);
        return await send(await authorization.credential(ending.signal));
      }
    };
  }

  return {
    updateSetting: replacing(accountOperations.updateSetting),
    updateSubscription: replacing(accountOperations.updateSubscription),
  };
}

function vendorHeader({ vendor, client = '' }: AccountOptions): Record<string, string> {
  if (!vendor) return {};
  if (!/^[\w!#$%&'*+.^`|~-]+$/.test(vendor)) {
    throw new TypeError('the account vendor becomes part of a header name: letters, digits and -_. only');
  }
  if (!/^[\x20-\x7e]+$/.test(client)) {
    throw new TypeError('the account client is sent in a header: printable ASCII only, and not empty');
  }
  return { [`X-${vendor}-Client`]: client };
}

/** The path's ids: the reply must be about the same object. */
type Ids = Readonly<Record<string, number>>;

/** Reads the object that the service now stores, without fields that the model does not have. @throws NotUnderstood */
async function readStored<O extends AccountOperation>({ model, owner }: O, ids: Ids, reply: HttpReply) {
  const bytes = await collect(reply.body);
  const { success, data } = model.safeParse(parseJson(new TextDecoder().decode(bytes)));
  const stored: Partial<Record<string, unknown>> = data ?? {};
  const isSame = stored.id === ids.id && (stored[owner] ?? ids[owner]) === ids[owner];
  if (success && isSame) return data as z.infer<O['model']>;
  const sketch = sketchReply(bytes, bytes.length, reply.redact);
  throw new NotUnderstood(reply.call, success ? 'another object' : 'not the stored object', sketch);
}
