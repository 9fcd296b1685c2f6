import { accountCredentials } from './credentials.ts';
import type { Moment } from './data/calendar.ts';
import { createRandom } from './data/random.ts';
import { jsonOf, jsonReply, type Reply, type SandboxRequest } from './http.ts';

/** What is stored under an id; a field that was not sent is null. */
type Stored = Readonly<Record<string, string | number | null>>;

/** The description of each type a subscription may have. */
const subscriptionTypes: ReadonlyMap<number, string> = new Map([
  [1, 'TaxDocuments'],
  [2, 'TaxDocumentsPro'],
  [3, 'Manifestation'],
  [4, 'Archive'],
]);

function setting(companyId: number, id: number, set: string, name: string, value: string): Stored {
  return { id, companyId, set, name, value, modifiedDate: '2026-10-01T09:00:00', modifiedUserId: 9001 };
}

function subscription(accountId: number, id: number, typeId: number, endDate: string | null): Stored {
  return {
    id,
    accountId,
    subscriptionTypeId: typeId,
    subscriptionDescription: subscriptionTypes.get(typeId) ?? null,
    effectiveDate: '2026-01-01T00:00:00',
    endDate,
    createdDate: '2025-12-15T10:30:00',
    createdUserId: 9001,
    modifiedDate: '2025-12-15T10:30:00',
    modifiedUserId: 9001,
  };
}

/** The set of 504 is the provider's own: it cannot be changed. */
const storedSettings: readonly Stored[] = [
  setting(1001, 501, 'X-Preferences', 'closing-reminder-days', '5'),
  setting(1001, 502, 'X-Preferences', 'report-format', 'csv'),
  setting(1001, 503, 'X-Integration', 'erp-branch', '0101'),
  setting(1001, 504, 'Provider', 'tax-profile', 'standard'),
  setting(1002, 511, 'X-Preferences', 'closing-reminder-days', '3'),
  setting(1002, 512, 'X-Integration', 'erp-branch', '0201'),
  setting(1003, 521, 'X-Preferences', 'report-format', 'xlsx'),
  setting(1004, 531, 'X-Integration', 'erp-branch', '0401'),
];

const storedSubscriptions: readonly Stored[] = [
  subscription(2001, 701, 1, null),
  subscription(2001, 702, 3, '2026-12-31T00:00:00'),
  subscription(2001, 703, 4, null),
  subscription(2002, 711, 2, '2026-06-30T00:00:00'),
];

/** Who may call the account service, and the OAuth tokens given out since the sandbox started. */
interface Authentication {
  allows(authorization: string | undefined): boolean;
  /** Answers `POST /oauth/token`. */
  issueToken(request: SandboxRequest): Reply;
}

const TOKEN_LIFETIME_IN_SECONDS = 3_600;

function basic(user: string, secret: string): string {
  return `Basic ${Buffer.from(`${user}:${secret}`).toString('base64')}`;
}

/** The client's own credentials, as Basic or in the form. */
function isOurClient(request: SandboxRequest, form: URLSearchParams): boolean {
  const { clientId, clientSecret } = accountCredentials.oauth;
  if (request.headers.authorization !== undefined) {
    return (
      request.headers.authorization === basic(encodeURIComponent(clientId), encodeURIComponent(clientSecret))
    );
  }
  return form.get('client_id') === clientId && form.get('client_secret') === clientSecret;
}

export function createAuthentication(seed: string, now: () => Moment): Authentication {
  const expiries = new Map<string, Moment>();
  const random = createRandom(seed, 'tokens');

  function allowsToken(token: string): boolean {
    const expiry = expiries.get(token);
    return token === accountCredentials.token || (expiry !== undefined && now() < expiry);
  }

  return {
    allows(authorization) {
      const { apiKey, user, licenseKey } = accountCredentials;
      if (authorization === apiKey || authorization === basic(user, licenseKey)) return true;
      const [, token] = /^Bearer ([\w.~+/-]+=*)$/i.exec(authorization ?? '') ?? [];
      return token !== undefined && allowsToken(token);
    },

    issueToken(request) {
      const noStore = { 'cache-control': 'no-store' };
      if (request.method !== 'POST') return jsonReply(405, { error: 'invalid_request' }, { allow: 'POST' });
      const form = new URLSearchParams(request.body.toString('utf8'));
      if (!isOurClient(request, form)) {
        const challenge = { 'www-authenticate': 'Basic realm="sandbox"' };
        return jsonReply(401, { error: 'invalid_client' }, { ...noStore, ...challenge });
      }
      if (form.get('grant_type') !== 'client_credentials') {
        return jsonReply(400, { error: 'unsupported_grant_type' }, noStore);
      }
      const token = `sandbox-${random.digits(24)}`;
      expiries.set(token, now() + TOKEN_LIFETIME_IN_SECONDS);
      const scope = form.get('scope');
      const grant = { access_token: token, token_type: 'Bearer', expires_in: TOKEN_LIFETIME_IN_SECONDS };
      return jsonReply(200, scope ? { ...grant, scope } : grant, noStore);
    },
  };
}

/** Errors: number and status. Source: docs/upstream-services.md; ValueConflictError is the sandbox's own. */
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
type AccountService = (request: SandboxRequest) => Reply;

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
