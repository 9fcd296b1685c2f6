import { describe, expect, it } from 'vitest';
import {
  type AccountClient,
  type AccountOptions,
  createAccountClient,
} from '../../../src/clients/account/client.ts';
import { Cancelled, OutcomeUnknown, Refused, Unreachable } from '../../../src/clients/errors.ts';
import {
  clientOf,
  closedPort,
  failure,
  type Handler,
  type LocalServer,
  serve,
} from '../http/local-server.ts';

const auth = { type: 'api-key', key: () => 'the-key' } as const;

async function serviceWith(
  handler: Handler,
  options: Partial<AccountOptions> = {},
): Promise<{ server: LocalServer; account: AccountClient }> {
  const server = await serve(handler);
  const account = createAccountClient(clientOf(), { baseUrl: server.origin, auth, ...options });
  return { server, account };
}

/** A service that stores what it is sent. */
const storing: Handler = (request, response) => {
  response.writeHead(200, { 'content-type': 'application/json' }).end(request.body);
};

const setting = { set: 'X-A', name: 'n' };

describe('a replacement', () => {
  it('of a setting is put to its path, with the ids of the path in the body whatever the model says', async () => {
    const { server, account } = await serviceWith(storing);
    const model = { set: 'X-ERP', name: 'reminder', value: 'dia 5', modifiedUserId: null };
    const stored = await account.updateSetting(123, 456, { id: 9, companyId: 9, ...model });
    expect(stored).toEqual({ id: 456, companyId: 123, ...model });
    const url = '/api/v2/companies/123/settings/456';
    const json = 'application/json';
    const headers = { accept: json, 'content-type': json, authorization: 'the-key' };
    expect(server.received).toMatchObject([{ method: 'PUT', url, headers }]);
    expect(JSON.parse(server.received[0]?.body ?? '')).toEqual({ id: 456, companyId: 123, ...model });
  });

  it('of a subscription is put to its path', async () => {
    const { server, account } = await serviceWith(storing);
    const subscription = { subscriptionTypeId: 7, effectiveDate: '2026-01-01T00:00:00', endDate: null };
    const stored = await account.updateSubscription(11, 22, subscription);
    expect(stored).toEqual({ id: 22, accountId: 11, ...subscription });
    expect(server.received).toMatchObject([{ method: 'PUT', url: '/api/v2/accounts/11/subscriptions/22' }]);
  });

  it('leaves out of the answer what the model does not have', async () => {
    const { account } = await serviceWith((_, response) => {
      response.end('{"id":2,"set":"X-A","name":"n","value":null,"surprise":{"a":1}}');
    });
    expect(await account.updateSetting(1, 2, setting)).toEqual({ id: 2, ...setting, value: null });
  });
});

describe('the address and the header of the calling software', () => {
  it('a base address may have a path and a trailing slash', async () => {
    const server = await serve(storing);
    const account = createAccountClient(clientOf(), { baseUrl: `${server.origin}/gateway/`, auth });
    await account.updateSetting(1, 2, setting);
    expect(server.received[0]?.url).toBe('/gateway/api/v2/companies/1/settings/2');
  });

  it('is sent only with a vendor', async () => {
    const named = await serviceWith(storing, { vendor: 'Acme', client: 'docfiscal-mcp; 1.0.0' });
    await named.account.updateSetting(1, 2, setting);
    expect(named.server.received[0]?.headers['x-acme-client']).toBe('docfiscal-mcp; 1.0.0');

    const unnamed = await serviceWith(storing, { client: 'docfiscal-mcp; 1.0.0' });
    await unnamed.account.updateSetting(1, 2, setting);
    const names = Object.keys(unnamed.server.received[0]?.headers ?? {});
    expect(names.filter((name) => name.startsWith('x-'))).toEqual([]);
  });

  it.each([
    { vendor: 'A B', client: 'c' },
    { vendor: 'A:B', client: 'c' },
    { vendor: 'é', client: 'c' },
    { vendor: 'A', client: 'c\nX: y' },
    { vendor: 'A' },
  ])('refuses %j', (options) => {
    expect(() => createAccountClient(clientOf(), { baseUrl: 'http://h.test', auth, ...options })).toThrow(
      TypeError,
    );
  });
});

describe('authentication', () => {
  it.each([
    [{ type: 'api-key', key: () => 'Chave abc=' }, 'Chave abc='],
    [{ type: 'bearer', token: () => 't.o.k' }, 'Bearer t.o.k'],
    // base64 of the UTF-8 bytes of "joão:1A2B", by hand: 6a 6f c3 a3 6f 3a 31 41 32 42
    [{ type: 'basic', user: 'joão', licenseKey: () => '1A2B' }, 'Basic am/Do286MUEyQg=='],
  ] as const)('%#', async (given, header) => {
    const { server, account } = await serviceWith(storing, { auth: given });
    await account.updateSetting(1, 2, setting);
    expect(server.received[0]?.headers.authorization).toBe(header);
  });

  it('a credential that stays the same is not tried again after a 401', async () => {
    const { server, account } = await serviceWith((_, response) => response.writeHead(401).end());
    const error = await failure(account.updateSetting(1, 2, setting));
    expect(error).toBeInstanceOf(Refused);
    expect(server.received).toHaveLength(1);
    expect(JSON.stringify(error) + String(error)).not.toContain('the-key');
  });
});

describe('when it does not work', () => {
  const update = (account: AccountClient, signal?: AbortSignal) =>
    account.updateSetting(1, 2, setting, { signal });

  it.each([400, 401, 404, 409, 429])('a %i is a refusal with the words of the service', async (status) => {
    const { server, account } = await serviceWith((_, response) => {
      response.writeHead(status).end('{"error":{"code":"InvalidSettingSet","message":"Set is reserved."}}');
    });
    expect(await failure(update(account))).toMatchObject({
      name: 'Refused',
      service: 'account',
      operation: 'UpdateSetting',
      refusal: { status, code: 'InvalidSettingSet', message: 'Set is reserved.' },
    });
    expect(server.received).toHaveLength(1);
  });

  it.each(
    Object.entries({
      'not the stored object': [
        ...['ok', '', '[{"id":2}]', 'null', '{"id":2', '{"id":2,"set":"X-A","name":7}'],
        '{"id":2,"set":"X-A","name":"n","modifiedUserId":"x"}',
      ],
      'another object': [
        ...['{"id":3,"set":"X-A","name":"n"}', '{"set":"X-A","name":"n"}'],
        '{"id":2,"companyId":9,"set":"X-A","name":"n"}',
      ],
    }),
  )('%s in the reply leaves the outcome unknown', async (reason, bodies) => {
    for (const body of bodies) {
      const { server, account } = await serviceWith((_, response) => response.end(body));
      const unknown = { name: 'OutcomeUnknown', cause: { name: 'NotUnderstood', reason } };
      expect(await failure(update(account)), body).toMatchObject(unknown);
      expect(server.received).toHaveLength(1);
    }
  });

  it('a reply without end and a 500 leave the outcome unknown', async () => {
    const endless = await serviceWith((_, response) => response.end('x'.repeat(2_000_000)));
    const unknown = { name: 'OutcomeUnknown', cause: { name: 'NotUnderstood', reason: 'too large' } };
    expect(await failure(update(endless.account))).toMatchObject(unknown);
    const failing = await serviceWith((_, response) => response.writeHead(500).end());
    expect(await failure(update(failing.account))).toBeInstanceOf(OutcomeUnknown);
    expect(failing.server.received).toHaveLength(1);
  });

  it('nothing listening and a caller that is gone are not unknown', async () => {
    const nowhere = createAccountClient(clientOf(), {
      baseUrl: `http://127.0.0.1:${await closedPort()}`,
      auth,
    });
    expect(await failure(update(nowhere))).toBeInstanceOf(Unreachable);
    const { account } = await serviceWith(storing);
    expect(await failure(update(account, AbortSignal.abort()))).toBeInstanceOf(Cancelled);
  });
});
