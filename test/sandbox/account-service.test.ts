import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Sandbox } from '../../src/sandbox/index.ts';
import { startNovemberSandbox } from '../support/november-sandbox.ts';
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
beforeAll(async () => {
  sandbox = await startNovemberSandbox();
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
