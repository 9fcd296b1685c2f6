import * as z from 'zod';
import { parseJson } from '../../documents/untrusted.ts';
import { type Call, NotUnderstood, OutcomeUnknown, Refused } from '../errors.ts';
import { collect } from '../http/body.ts';
import type { HttpReply } from '../http/call.ts';
import type { HttpClient } from '../http/client.ts';
import { sketchReply } from '../http/redact.ts';
import { type AccountAuth, createAuthorization } from './authorization.ts';
import {
  type AccountOperation,
  accountOperations,
  type ModelOf,
  type SettingModel,
  type SubscriptionModel,
} from './operations.ts';

export type { AccountAuth } from './authorization.ts';
export type { SettingModel, SubscriptionModel } from './operations.ts';

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
export interface Ending {
  readonly signal?: AbortSignal;
  /** Once this is aborted the call is not begun any more; one under way goes on. */
  readonly startBy?: AbortSignal;
}

/**
 * The account service. Both operations replace the stored object by the one given and answer with what is stored.
 *
 * @throws Refused, Unreachable, TimedOut, Cancelled where nothing was changed; OutcomeUnknown where it may have been.
 *   Errors of the OAuth token endpoint carry the operation `tokenOperation`.
 */
export interface AccountClient {
  updateSetting(companyId: number, id: number, setting: SettingModel, ending?: Ending): Promise<SettingModel>;
  updateSubscription(
    accountId: number,
    id: number,
    subscription: SubscriptionModel,
    ending?: Ending,
  ): Promise<SubscriptionModel>;
}

const maxReplyBytes = 1024 * 1024;

/** @throws TypeError when the vendor or the client can't be part of a header */
export function createAccountClient(http: HttpClient, options: AccountOptions): AccountClient {
  const authorization = createAuthorization(http, options.auth);
  const baseUrl = options.baseUrl.replace(/(?<!\/)\/+$/, '');
  const fixedHeaders = {
    accept: 'application/json',
    'content-type': 'application/json',
    ...vendorHeader(options),
  };

  async function send<O extends AccountOperation>(replacement: Replacement<O>, credential: string) {
    const { operation, ownerId, id, model, ending } = replacement;
    const call = { service: 'account', operation: operation.name } as const;
    const ids = { id, [operation.owner]: ownerId };
    const request = {
      ...call,
      method: operation.method,
      url: baseUrl + fillPath(operation.path, ids),
      headers: { ...fixedHeaders, authorization: credential },
      body: JSON.stringify({ ...model, ...ids }),
      kind: 'write',
      ...ending,
      maxBytes: maxReplyBytes,
    } as const;
    return await http.call(request, (reply) => readStored(call, operation, ids, reply)).catch(sentAllTheSame);
  }

  async function replace<O extends AccountOperation>(replacement: Replacement<O>): Promise<ModelOf<O>> {
    const credential = await authorization.credential(replacement.ending.signal);
    try {
      return await send(replacement, credential);
    } catch (error) {
      // A 401 says that nothing was performed, so that this one repeat of a write is safe.
      const unauthorized = error instanceof Refused && error.refusal.status === 401;
      if (!unauthorized || authorization.discard === undefined) throw error;
      authorization.discard(credential);
      return await send(replacement, await authorization.credential(replacement.ending.signal));
    }
  }

  const { updateSetting, updateSubscription } = accountOperations;
  return {
    updateSetting: (ownerId, id, model, ending = {}) =>
      replace({ operation: updateSetting, ownerId, id, model, ending }),
    updateSubscription: (ownerId, id, model, ending = {}) =>
      replace({ operation: updateSubscription, ownerId, id, model, ending }),
  };
}

interface Replacement<O extends AccountOperation> {
  readonly operation: O;
  readonly ownerId: number;
  readonly id: number;
  readonly model: ModelOf<O>;
  readonly ending: Ending;
}

/** A reply that came but can't be read leaves open what the service did. */
function sentAllTheSame(error: unknown): never {
  throw error instanceof NotUnderstood ? new OutcomeUnknown(error) : error;
}

function fillPath(template: string, ids: Readonly<Record<string, number>>): string {
  return template.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(ids[name])));
}

function vendorHeader({ vendor, client }: AccountOptions): Record<string, string> {
  if (!vendor) return {};
  if (!/^[\w!#$%&'*+.^`|~-]+$/.test(vendor)) {
    throw new TypeError('the account vendor becomes part of a header name: letters, digits and -_. only');
  }
  if (!/^[\x20-\x7e]+$/.test(client ?? '')) {
    throw new TypeError('the account client is sent in a header: printable ASCII only, and not empty');
  }
  return { [`X-${vendor}-Client`]: client ?? '' };
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
