import { expect, it } from 'vitest';
import { duringTests } from '../support/during-tests.ts';
import { startNovemberSandbox } from '../support/november-sandbox.ts';
import { call } from './calls.ts';

const SETTING = '/api/v2/companies/1001/settings/501';
const SUBSCRIPTION = '/api/v2/accounts/2001/subscriptions/701';
const named = { id: 501, companyId: 1001, set: 'X-Preferences', name: 'closing-reminder-days' };
const setting = { ...named, value: '7' };

const sandbox = duringTests(startNovemberSandbox);

async function put(path: string, value: unknown, authorization = 'sandbox-api-key') {
  const headers = { authorization, 'content-type': 'application/json' };
  const { status, text } = await call(sandbox, path, { method: 'PUT', headers, body: JSON.stringify(value) });
  return { status, body: text && JSON.parse(text) };
}
const basic = (user: string, secret: string) =>
  `Basic ${Buffer.from(`${user}:${secret}`).toString('base64')}`;

const dates = { modifiedDate: null, modifiedUserId: null };
const whole = { ...setting, modifiedDate: '2026-11-20T09:00:00', modifiedUserId: 9 };
const emptied = {
  ...{ id: 701, accountId: 2001, subscriptionTypeId: null, subscriptionDescription: null },
  ...{ effectiveDate: null, endDate: null, createdDate: null, createdUserId: null, ...dates },
};
it.each<[what: string, path: string, sent: object, stored: object]>([
  ['a setting with all that is sent', SETTING, whole, whole],
  [
    'a setting of which little is sent',
    SETTING,
    { ...named, companyId: undefined },
    { ...named, value: null, ...dates },
  ],
  ['a subscription sent empty', SUBSCRIPTION, {}, emptied],
])('%s is replaced as a whole: what is not sent becomes null', async (_, path, sent, stored) => {
  expect(await put(path, sent)).toEqual({ status: 200, body: stored });
});

it.each<[path: string, sent: object, code: string]>([
  [SETTING, { ...setting, set: 'Preferences' }, 'InvalidSettingSet'],
  [SETTING, { ...setting, set: 'x-preferences' }, 'InvalidSettingSet'],
  [SETTING, { ...setting, id: 502 }, 'ValueConflictError'],
  [SETTING, { ...setting, companyId: 1002 }, 'ValueConflictError'],
  [SUBSCRIPTION, { id: 702 }, 'ValueConflictError'],
  [SUBSCRIPTION, { accountId: 2002 }, 'ValueConflictError'],
  [SUBSCRIPTION, { subscriptionTypeId: 99 }, 'InvalidSubscriptionTypeId'],
  [SUBSCRIPTION, { subscriptionDescription: 'Nothing' }, 'InvalidSubscriptionDescription'],
  [SUBSCRIPTION, [], 'JsonFormatError'],
])('%s with %j is refused', async (path, sent, code) => {
  const details = [{ code, severity: 'Error' }];
  const error = { code, target: 'HttpRequest', message: expect.any(String), details };
  expect(await put(path, sent)).toMatchObject({ status: 400, body: { error } });
});

const credentials = ['sandbox-api-key', 'Bearer sandbox-token', basic('demo', 'sandbox-license-key')];
it.each(credentials)('lets %s in, and nobody without', async (authorization) => {
  expect((await put(SETTING, setting, authorization)).status).toBe(200);
  expect((await put(SETTING, setting, `${authorization}x`)).status).toBe(401);
});
