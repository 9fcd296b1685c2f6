import { jsonReply, type Reply } from '../reply.ts';
import { jsonOf, type SandboxRequest } from '../request.ts';
import type { Authentication } from './authentication.ts';
import { type Stored, storedSettings, storedSubscriptions, subscriptionTypes } from './stored.ts';

/**
 * Codes of the account service's errors with number and status. Source: docs/upstream-services.md; a value that
 * contradicts the path has no code there and gets one of the sandbox's own.
 */
const ERRORS = {
  EntityNotFoundError: [4, 404],
  ValueRequiredError: [5, 400],
  AuthenticationException: [30, 401],
  JsonFormatError: [47, 400],
  InvalidSubscriptionDescription: [318, 400],
  InvalidSubscriptionTypeId: [319, 400],
  InvalidSettingSet: [1727, 400],
  ValueConflictError: [9001, 400],
} as const;

class AccountError extends Error {
  readonly code: keyof typeof ERRORS;

  constructor(code: keyof typeof ERRORS, message: string) {
    super(message);
    this.code = code;
  }
}

function errorReply({ code, message }: AccountError): Reply {
  const [number, status] = ERRORS[code];
  const about = { message, description: message, faultCode: 'Client', severity: 'Error' };
  const challenge = { 'www-authenticate': 'Basic realm="sandbox", Bearer realm="sandbox"' };
  const error = { code, message, target: 'HttpRequest', details: [{ code, number, ...about }] };
  return jsonReply(status, { error }, status === 401 ? challenge : {});
}

const DATE = /^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}:\d{2}(\.\d+)?)?$/;

/** Kinds of fields: what a value has to be, in words and as a check. */
const kinds = {
  text: ['a string', (value: unknown) => typeof value === 'string'],
  integer: ['an integer', Number.isSafeInteger],
  date: [
    'a date and time, e.g. 2026-01-31T00:00:00',
    (value: unknown) => typeof value === 'string' && DATE.test(value) && !Number.isNaN(Date.parse(value)),
  ],
} as const;

type Fields = Readonly<Record<string, keyof typeof kinds>>;

/** The fields of an object that was sent; one that wasn't is null. */
function readFields(sent: object, fields: Fields): Stored {
  const values: Readonly<Record<string, unknown>> = { ...sent };
  return Object.fromEntries(
    Object.entries(fields).map(([name, kind]) => {
      const [words, fits] = kinds[kind];
      const value = values[name] ?? null;
      if (value !== null && !fits(value))
        throw new AccountError('JsonFormatError', `Field ${name} must be ${words}.`);
      return [name, value as string | number | null];
    }),
  );
}

/** A value that repeats one of the path must be the same. */
function checkSame(sent: Stored, before: Stored, names: readonly string[]): void {
  for (const name of names) {
    if ((sent[name] ?? before[name]) !== before[name])
      throw new AccountError('ValueConflictError', `Field ${name} differs from the path.`);
  }
}

const isOfClients = ({ set }: Stored) => String(set).startsWith('X-');

function replaceSetting(before: Stored, sent: Stored): Stored {
  for (const name of ['id', 'set', 'name']) {
    if (!sent[name]) throw new AccountError('ValueRequiredError', `Field ${name} is required.`);
  }
  checkSame(sent, before, ['id', 'companyId']);
  if (!isOfClients(sent)) throw new AccountError('InvalidSettingSet', 'Field set must begin with X-.');
  if (!isOfClients(before))
    throw new AccountError('InvalidSettingSet', `Set ${before.set} is the provider's own.`);
  return { ...sent, companyId: before.companyId ?? null };
}

/** A type overrides a description. */
function typeOf({ subscriptionTypeId: id = null, subscriptionDescription: words = null }: Stored): Stored {
  if (id === null && words === null) return {};
  const found = [...subscriptionTypes].find(([typeId, name]) =>
    id === null ? name === words : typeId === id,
  );
  if (found !== undefined) return { subscriptionTypeId: found[0], subscriptionDescription: found[1] };
  if (id === null)
    throw new AccountError('InvalidSubscriptionDescription', 'subscriptionDescription names no type.');
  throw new AccountError('InvalidSubscriptionTypeId', `Subscription type ${id} does not exist.`);
}

function replaceSubscription(before: Stored, sent: Stored): Stored {
  checkSame(sent, before, ['id', 'accountId']);
  return { ...sent, ...typeOf(sent), id: before.id ?? null, accountId: before.accountId ?? null };
}

const resources = [
  {
    path: /^\/api\/v2\/companies\/(\d+)\/settings\/(\d+)$/i,
    name: 'Setting',
    stored: storedSettings,
    owner: 'companyId',
    fields: {
      id: 'integer',
      companyId: 'integer',
      set: 'text',
      name: 'text',
      value: 'text',
      modifiedDate: 'date',
      modifiedUserId: 'integer',
    },
    replace: replaceSetting,
  },
  {
    path: /^\/api\/v2\/accounts\/(\d+)\/subscriptions\/(\d+)$/i,
    name: 'Subscription',
    stored: storedSubscriptions,
    owner: 'accountId',
    fields: {
      id: 'integer',
      accountId: 'integer',
      subscriptionTypeId: 'integer',
      subscriptionDescription: 'text',
      effectiveDate: 'date',
      endDate: 'date',
      createdDate: 'date',
      createdUserId: 'integer',
      modifiedDate: 'date',
      modifiedUserId: 'integer',
    },
    replace: replaceSubscription,
  },
] as const;

/** Answers a request below `/api/v2/`. */
export type AccountService = (request: SandboxRequest) => Reply;

/** The two operations, each of which replaces what is stored as a whole. */
export function createAccountService(authentication: Authentication): AccountService {
  const held = resources.map(({ stored }) => new Map(stored.map((item) => [Number(item.id), item])));

  function answer({ headers, path, method, body }: SandboxRequest): Reply {
    if (!authentication.allows(headers.authorization))
      throw new AccountError('AuthenticationException', 'Authentication failed.');
    const at = resources.findIndex((one) => one.path.test(path));
    const [resource, items] = [resources[at], held[at]];
    if (resource === undefined || items === undefined)
      throw new AccountError('EntityNotFoundError', 'No resource at this path.');
    if (method !== 'PUT') return jsonReply(405, { message: 'Method not allowed.' }, { allow: 'PUT' });
    const [, owner, id] = resource.path.exec(path) ?? [];
    const before = items.get(Number(id));
    if (before === undefined || before[resource.owner] !== Number(owner))
      throw new AccountError('EntityNotFoundError', `${resource.name} with id ${id} not found.`);
    const sent = jsonOf(body);
    if (typeof sent !== 'object' || sent === null || Array.isArray(sent))
      throw new AccountError('JsonFormatError', 'The request body is not a JSON object.');
    const stored = resource.replace(before, readFields(sent, resource.fields));
    items.set(Number(id), stored);
    return jsonReply(200, stored);
  }

  return (request) => {
    try {
      return answer(request);
    } catch (error) {
      if (error instanceof AccountError) return errorReply(error);
      throw error;
    }
  };
}
