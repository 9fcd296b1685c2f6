import * as z from 'zod';
import { parseJson } from '../../documents/untrusted.ts';
import { type Call, NotUnderstood, OutcomeUnknown, Refused } from '../errors.ts';
import type { HttpReply } from '../http/call.ts';
import type { HttpClient } from '../http/client.ts';
import { collect } from '../http/exchange.ts';
import { sketchReply } from '../http/redact.ts';
import { type AccountAuth, createAuthorization } from './authorization.ts';

export type { AccountAuth } from './authorization.ts';

/** One operation as data; every field may also be null, which clears it. */
interface AccountOperation {
  readonly name: string;
  readonly path: string;
  /** The field that holds the id of the owning company or account, also in the path. */
  readonly owner: string;
  readonly fields: Readonly<Record<string, 'integer' | 'string'>>;
}

/** The operations of the account service: a `PUT` that replaces one stored object. Source: docs/upstream-services.md. */
export const accountOperations = {
  updateSetting: {
    name: 'UpdateSetting',
    path: '/api/v2/companies/{companyId}/settings/{id}',
    owner: 'companyId',
    fields: {
      id: 'integer',
      companyId: 'integer',
      set: 'string',
      name: 'string',
      value: 'string',
      modifiedDate: 'string',
      modifiedUserId: 'integer',
    },
  },
  updateSubscription: {
    name: 'UpdateSubscription',
    path: '/api/v2/accounts/{accountId}/subscriptions/{id}',
    owner: 'accountId',
    fields: {
      id: 'integer',
      accountId: 'integer',
      subscriptionTypeId: 'integer',
      subscriptionDescription: 'string',
      effectiveDate: 'string',
      endDate: 'string',
      createdDate: 'string',
      createdUserId: 'integer',
      modifiedDate: 'string',
      modifiedUserId: 'integer',
    },
  },
} as const satisfies Record<string, AccountOperation>;

/** The object an operation replaces. The ids are the path's: the client puts them in. */
type ModelOf<O extends AccountOperation> = {
  readonly [Field in keyof O['fields']]?:
    | (O['fields'][Field] extends 'integer' ? number : string)
    | null
    | undefined;
};

/** One name and value of a company, in a named set. */
export type SettingModel = ModelOf<typeof accountOperations.updateSetting>;

/** An account's licence for a service. */
export type SubscriptionModel = ModelOf<typeof accountOperations.updateSubscription>;

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

  function replacing<O extends AccountOperation>(operation: O): Replace<ModelOf<O>> {
    const call = { service: 'account', operation: operation.name } as const;
    return async (ownerId, id, model, ending = {}) => {
      const ids: Readonly<Record<string, number>> = { id, [operation.owner]: ownerId };
      const path = operation.path.replace(/\{(\w+)\}/g, (_, name: string) => String(ids[name]));
      const body = JSON.stringify({ ...model, ...ids });
      const send = (credential: string) =>
        http
          .call(
            {
              ...call,
              method: 'PUT',
              url: baseUrl + path,
              headers: { ...headers, authorization: credential },
              body,
              kind: 'write',
              ...ending,
              maxBytes: maxReplyBytes,
            },
            (reply) => readStored(call, operation, ids, reply),
          )
          .catch((error: unknown) => {
            // A reply that came but can't be read leaves open what the service did.
            throw error instanceof NotUnderstood ? new OutcomeUnknown(error) : error;
          });

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

const wireTypes = { integer: z.int().nullish(), string: z.string().nullish() };

/**
 * Reads the object that the service now stores. Fields that the model does not have are left out.
 *
 * @param ids the path's ids: the reply must be about the same object
 * @throws NotUnderstood when the reply is not that object
 */
async function readStored<O extends AccountOperation>(
  call: Call,
  { fields, owner }: O,
  ids: Readonly<Record<string, number>>,
  reply: HttpReply,
): Promise<ModelOf<O>> {
  const bytes = await collect(reply.body);
  const shape = Object.fromEntries(Object.entries(fields).map(([name, type]) => [name, wireTypes[type]]));
  const { success, data } = z.object(shape).safeParse(parseJson(new TextDecoder().decode(bytes)));
  const isSame = success && data.id === ids.id && (data[owner] ?? ids[owner]) === ids[owner];
  if (isSame) return data as ModelOf<O>;
  const sketch = sketchReply(bytes, bytes.length, reply.redact);
  throw new NotUnderstood(call, success ? 'another object' : 'not the stored object', sketch);
}
