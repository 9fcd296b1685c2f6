import { jsonReply, type Reply } from '../reply.ts';
import { jsonOf, type SandboxRequest } from '../request.ts';
import type { Authentication } from './authentication.ts';
import { accountError } from './errors.ts';
import { isObject, type SentObject, WrongField } from './fields.ts';
import { type Setting, type Subscription, storedSettings, storedSubscriptions } from './models.ts';
import { type Replacement, replaceSetting, replaceSubscription } from './replacements.ts';

/** Answers a request below `/api/v2/`. */
export type AccountService = (request: SandboxRequest) => Reply;

/** What one of the two operations replaces. */
interface Resource<T> {
  readonly path: RegExp;
  readonly name: string;
  readonly stored: Map<number, T>;
  ownerOf(item: T): number;
  replace(before: T, sent: SentObject): Replacement<T>;
}

function byId<T extends { readonly id: number }>(items: readonly T[]): Map<number, T> {
  return new Map(items.map((item) => [item.id, item]));
}

function replaceIn<T extends { readonly id: number }>(
  resource: Resource<T>,
  owner: number,
  id: number,
  body: Buffer,
): Reply {
  const before = resource.stored.get(id);
  if (!before || resource.ownerOf(before) !== owner) {
    return accountError('EntityNotFoundError', `${resource.name} with id ${id} not found.`);
  }
  const sent = jsonOf(body);
  if (!isObject(sent)) return accountError('JsonFormatError', 'The request body is not a JSON object.');
  try {
    const replacement = resource.replace(before, sent);
    if ('refused' in replacement) return replacement.refused;
    resource.stored.set(id, replacement.stored);
    return jsonReply(200, replacement.stored);
  } catch (error) {
    if (error instanceof WrongField) return accountError('JsonFormatError', error.message);
    throw error;
  }
}

export function createAccountService(authentication: Authentication): AccountService {
  const settings: Resource<Setting> = {
    path: /^\/api\/v2\/companies\/(\d+)\/settings\/(\d+)$/i,
    name: 'Setting',
    stored: byId(storedSettings),
    ownerOf: (setting) => setting.companyId,
    replace: replaceSetting,
  };
  const subscriptions: Resource<Subscription> = {
    path: /^\/api\/v2\/accounts\/(\d+)\/subscriptions\/(\d+)$/i,
    name: 'Subscription',
    stored: byId(storedSubscriptions),
    ownerOf: (subscription) => subscription.accountId,
    replace: replaceSubscription,
  };

  return (request) => {
    if (!authentication.allows(request.headers.authorization)) {
      return accountError('AuthenticationException', 'Authentication failed.');
    }
    const ofSetting = settings.path.exec(request.path);
    const [, owner, id] = ofSetting ?? subscriptions.path.exec(request.path) ?? [];
    if (!owner || !id) return accountError('EntityNotFoundError', 'No resource at this path.');
    if (request.method !== 'PUT') return jsonReply(405, { message: 'Method not allowed.' }, { allow: 'PUT' });
    return ofSetting
      ? replaceIn(settings, Number(owner), Number(id), request.body)
      : replaceIn(subscriptions, Number(owner), Number(id), request.body);
  };
}
