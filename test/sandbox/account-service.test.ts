import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Sandbox } from '../../src/sandbox/index.ts';
import { november20, startNovemberSandbox } from '../support/november-sandbox.ts';
import { type Called, call } from './calls.ts';

const SETTING = '/api/v2/companies/1001/settings/501';
const SUBSCRIPTION = '/api/v2/accounts/2001/subscriptions/701';
const GOOD_SETTING = {
  id: 501,
  companyId: 1001,
  set: 'X-Preferences',
  name: 'closing-reminder-days',
  value: '7',
};

let sandbox: Sandbox;
let now = new Date(november20);
beforeAll(async () => {
  sandbox = await startNovemberSandbox({ now: () => now });
});
afterAll(() => sandbox.close());

async function put(path: string, value: unknown, authorization = 'sandbox-api-key'): Promise<Called> {
  const headers = { authorization, 'content-type': 'application/json' };
  return call(sandbox, path, { method: 'PUT', headers, body: JSON.stringify(value) });
}

function basic(user: string, secret: string): string {
  return `Basic ${Buffer.from(`${user}:${secret}`).toString('base64')}`;
}

async function expectError(called: Promise<Called>, status: number, code: string): Promise<void> {
  const { status: found, text } = await called;
  expect(found).toBe(status);
  expect(JSON.parse(text)).toMatchObject({
    error: {
      code,
      target: 'HttpRequest',
      message: expect.any(String),
      details: [{ code, severity: 'Error' }],
    },
  });
}

describe('a setting', () => {
  it('is replaced as a whole: what is not sent becomes null', async () => {
    const whole = { ...GOOD_SETTING, modifiedDate: '2026-11-20T09:00:00', modifiedUserId: 9 };
    expect(JSON.parse((await put(SETTING, whole)).text)).toEqual(whole);
    const { status, text } = await put(SETTING, {
      id: 501,
      set: 'X-Preferences',
      name: 'closing-reminder-days',
    });
    expect(status).toBe(200);
    expect(JSON.parse(text)).toEqual({
      id: 501,
      companyId: 1001,
      set: 'X-Preferences',
      name: 'closing-reminder-days',
      value: null,
      modifiedDate: null,
      modifiedUserId: null,
    });
  });

  it.each([
    [{ set: 'Preferences' }, 'InvalidSettingSet'],
    [{ set: 'x-preferences' }, 'InvalidSettingSet'],
    [{ id: 502 }, 'ValueConflictError'],
    [{ companyId: 1002 }, 'ValueConflictError'],
  ])('with %j is refused', async (change, code) => {
    await expectError(put(SETTING, { ...GOOD_SETTING, ...change }), 400, code);
  });
});

describe('a subscription', () => {
  const empty = {
    id: 701,
    accountId: 2001,
    subscriptionTypeId: null,
    subscriptionDescription: null,
    effectiveDate: null,
    endDate: null,
    createdDate: null,
    createdUserId: null,
    modifiedDate: null,
    modifiedUserId: null,
  };

  it('sent empty is emptied', async () => {
    expect(JSON.parse((await put(SUBSCRIPTION, {})).text)).toEqual(empty);
  });

  it.each([
    [{ id: 702 }, 'ValueConflictError'],
    [{ accountId: 2002 }, 'ValueConflictError'],
    [{ subscriptionTypeId: 99 }, 'InvalidSubscriptionTypeId'],
    [{ subscriptionDescription: 'Nothing' }, 'InvalidSubscriptionDescription'],
    [[], 'JsonFormatError'],
  ])('with %j is refused', async (sent, code) => {
    await expectError(put(SUBSCRIPTION, sent), 400, code);
  });
});

describe('authentication', () => {
  it.each([['sandbox-api-key'], ['Bearer sandbox-token'], [basic('demo', 'sandbox-license-key')]])(
    'lets %s in',
    async (authorization) => {
      expect((await put(SETTING, GOOD_SETTING, authorization)).status).toBe(200);
    },
  );
});

describe('the token endpoint', () => {
  const client = { client_id: 'sandbox-client', client_secret: 'sandbox-client-secret' };
  const grant = { grant_type: 'client_credentials', scope: 'all' };
  const token = (form: Record<string, string>, headers: Record<string, string> = {}): Promise<Called> =>
    call(sandbox, '/oauth/token', { method: 'POST', headers, body: new URLSearchParams(form) });

  it.each([
    ['in the form', { ...grant, ...client }, {}],
    ['as Basic', grant, { authorization: basic(client.client_id, client.client_secret) }],
  ])('gives tokens that last an hour to credentials %s', async (_, form, headers) => {
    const { status, text } = await token(form, headers);
    const { access_token, token_type, expires_in, scope } = JSON.parse(text);
    expect([status, token_type, expires_in, scope]).toEqual([200, 'Bearer', 3600, 'all']);
    expect((await put(SETTING, GOOD_SETTING, `Bearer ${access_token}`)).status).toBe(200);
    now = new Date(now.getTime() + 3_600_000);
    expect((await put(SETTING, GOOD_SETTING, `Bearer ${access_token}`)).status).toBe(401);
  });

  it.each([
    [{ ...grant, ...client, client_secret: 'other' }, 401, 'invalid_client'],
    [{ ...client, grant_type: 'password' }, 400, 'unsupported_grant_type'],
  ])('refuses %j', async (form, status, error) => {
    const { status: found, text } = await token(form);
    expect([found, JSON.parse(text)]).toEqual([status, { error }]);
  });
});
