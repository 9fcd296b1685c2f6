import { jsonOf, jsonReply, type Reply, type SandboxRequest } from './server.ts';

/** Alternative credentials of the account service. */
export const accountCredentials = {
  apiKey: 'sandbox-api-key',
  token: 'sandbox-token',
  user: 'demo',
  licenseKey: 'sandbox-license-key',
} as const;

const { apiKey, token, user, licenseKey } = accountCredentials;
const basic = `Basic ${Buffer.from(`${user}:${licenseKey}`).toString('base64')}`;
const authorizations = [apiKey, `Bearer ${token}`, basic];
/** Existing settings by id with their company, and subscriptions with their account. */
const settings: Readonly<Record<string, number>> = {
  ...{ 501: 1001, 502: 1001, 503: 1001, 504: 1001, 511: 1002, 521: 1003, 531: 1004 },
};
const subscriptions: typeof settings = { 701: 2001, 702: 2001, 703: 2001, 711: 2002 };
const OF_PROVIDER = 504;
const subscriptionTypes = ['TaxDocuments', 'TaxDocumentsPro', 'Manifestation', 'Archive'];

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

function refused(code: keyof typeof ERRORS, message: string): Reply {
  const [number, status] = ERRORS[code];
  const details = [{ code, number, message, description: message, faultCode: 'Client', severity: 'Error' }];
  const challenge = { 'www-authenticate': 'Basic realm="sandbox", Bearer realm="sandbox"' };
  const error = { code, message, target: 'HttpRequest', details };
  return jsonReply(status, { error }, status === 401 ? challenge : {});
}

type Fields = Readonly<Record<string, unknown>>;

const settingFields = ['id', 'companyId', 'set', 'name', 'value', 'modifiedDate', 'modifiedUserId'];
const subscriptionFields = [
  ...['id', 'accountId', 'subscriptionTypeId', 'subscriptionDescription', 'effectiveDate', 'endDate'],
  ...['createdDate', 'createdUserId', 'modifiedDate', 'modifiedUserId'],
];

/** Replaces a whole resource: omitted fields become null. */
const replaced = (names: readonly string[], sent: Fields, more: Fields) =>
  jsonReply(200, { ...Object.fromEntries(names.map((name) => [name, sent[name] ?? null])), ...more });

function replaceSetting(companyId: number, id: number, sent: Fields): Reply {
  const missing = ['id', 'set', 'name'].find((name) => !sent[name]);
  if (missing !== undefined) return refused('ValueRequiredError', `Field ${missing} is required.`);
  if (!String(sent.set).startsWith('X-'))
    return refused('InvalidSettingSet', 'Field set must begin with X-.');
  if (id === OF_PROVIDER) return refused('InvalidSettingSet', "The setting's set is the provider's own.");
  return replaced(settingFields, sent, { companyId });
}

/** Replaces a subscription; a type overrides a description. */
function replaceSubscription(accountId: number, id: number, sent: Fields): Reply {
  const { subscriptionTypeId: type, subscriptionDescription: words } = sent;
  const about = type ?? undefined;
  const at = about === undefined ? subscriptionTypes.indexOf(String(words)) : Number(about) - 1;
  const named = subscriptionTypes[at];
  if (about !== undefined && named === undefined)
    return refused('InvalidSubscriptionTypeId', `Subscription type ${about} does not exist.`);
  if (words && named === undefined)
    return refused('InvalidSubscriptionDescription', 'subscriptionDescription names no type.');
  const found = named && { subscriptionTypeId: at + 1, subscriptionDescription: named };
  return replaced(subscriptionFields, sent, { id, accountId, ...found });
}

const PATH = /^\/api\/v2\/(?:companies\/(\d+)\/settings|accounts\/(\d+)\/subscriptions)\/(\d+)$/i;

/** Answers a request below `/api/v2/`, which has two operations, both writes. */
export function callAccountService({ authorization = '', path, method, body }: SandboxRequest): Reply {
  if (!authorizations.includes(authorization))
    return refused('AuthenticationException', 'Authentication failed.');
  const [, company, account, id = ''] = PATH.exec(path) ?? [];
  if (id === '') return refused('EntityNotFoundError', 'No resource at this path.');
  if (method !== 'PUT') return jsonReply(405, { message: 'Method not allowed.' }, { allow: 'PUT' });
  const owner = Number(company ?? account);
  const [ownerField, held] = company ? ['companyId', settings] : ['accountId', subscriptions];
  if (held[id] !== owner)
    return refused('EntityNotFoundError', `${company ? 'Setting' : 'Subscription'} with id ${id} not found.`);
  const value = jsonOf(body);
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return refused('JsonFormatError', 'The request body is not a JSON object.');
  const sent: Fields = { ...value };
  if ((sent.id ?? Number(id)) !== Number(id) || (sent[ownerField] ?? owner) !== owner)
    return refused('ValueConflictError', `Field id or ${ownerField} differs from the path.`);
  return company ? replaceSetting(owner, Number(id), sent) : replaceSubscription(owner, Number(id), sent);
}
