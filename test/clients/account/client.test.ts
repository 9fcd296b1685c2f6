import { describe, expect, it } from 'vitest';
import {
  type AccountClient,
  type AccountOptions,
  createAccountClient,
} from '../../../src/clients/account/client.ts';
import { OutcomeUnknown } from '../../../src/clients/errors.ts';
import { accountSetup } from '../../../src/company/credentials.ts';
import { configure } from '../../../src/config/configure.ts';
import { clientOf, failure, type Handler, type LocalServer, serve } from '../http/local-server.ts';

const auth = { type: 'api-key', authorization: () => 'the-key' } as const;
const client = 'docfiscal-mcp; 1.0.0';

async function serviceWith(
  handler: Handler,
  options: Partial<AccountOptions> = {},
): Promise<{ server: LocalServer; account: AccountClient }> {
  const server = await serve(handler);
  const account = createAccountClient(clientOf(), { baseUrl: server.origin, auth, client, ...options });
  return { server, account };
}

/** A service that stores what it is sent. */
const storing: Handler = (request, response) => {
  response.writeHead(200, { 'content-type': 'application/json' }).end(request.body);
};

const setting = { set: 'X-A', name: 'n' };

const settingsOf = (given: Readonly<Record<string, string>>) => {
  const env = Object.fromEntries(Object.entries(given).map(([name, one]) => [`DFE_ACCOUNT_${name}`, one]));
  return configure(new Map(), env).settings;
};

it('the stored object has only the fields of its model', async () => {
  const { account } = await serviceWith((_, response) => {
    response.end('{"id":2,"set":"X-A","name":"n","value":null,"surprise":{"a":1}}');
  });
  expect(await account.updateSetting(1, 2, setting)).toEqual({ id: 2, ...setting, value: null });
});

it.each([
  [{ vendor: 'Acme' }, { 'x-acme-client': client }],
  [{}, {}],
])('the client header is sent only with a vendor: %j', async (options, expected) => {
  const { server, account } = await serviceWith(storing, options);
  await account.updateSetting(1, 2, setting);
  const headers = Object.entries(server.received[0]?.headers ?? {});
  expect(Object.fromEntries(headers.filter(([name]) => name.startsWith('x-')))).toEqual(expected);
});

it.each<[Record<string, string>, string]>([
  [{ API_KEY: 'Chave abc=' }, 'Chave abc='],
  [{ TOKEN: 't.o.k' }, 'Bearer t.o.k'],
  // base64 of the UTF-8 bytes of "joão:1A2B", by hand: 6a 6f c3 a3 6f 3a 31 41 32 42
  [{ USER: 'joão', LICENSE_KEY: '1A2B' }, 'Basic am/Do286MUEyQg=='],
])('authenticates by %j', async (given, header) => {
  const setup = accountSetup(settingsOf({ URL: 'https://account.example', ...given }));
  const { server, account } = await serviceWith(storing, 'auth' in setup ? { auth: setup.auth } : {});
  await account.updateSetting(1, 2, setting);
  expect(server.received[0]?.headers.authorization).toBe(header);
});

it.each<[Record<string, string>, ReturnType<typeof accountSetup>]>([
  [{}, { missing: ['DFE_ACCOUNT_URL', expect.arrayContaining(['DFE_ACCOUNT_API_KEY'])] }],
  [{ USER: 'joão' }, { missing: ['DFE_ACCOUNT_URL', 'DFE_ACCOUNT_LICENSE_KEY'] }],
  [
    { URL: 'https://account.example', OAUTH_CLIENT_ID: 'erp' },
    { missing: ['DFE_ACCOUNT_OAUTH_TOKEN_URL', 'DFE_ACCOUNT_OAUTH_CLIENT_SECRET'] },
  ],
])('names what is missing beside %j', (given, setup) => {
  expect(accountSetup(settingsOf(given))).toEqual(setup);
});

describe('when it does not work', () => {
  const update = (account: AccountClient, signal?: AbortSignal) =>
    account.updateSetting(1, 2, setting, { signal });

  it.each([400, 401, 404, 409, 429])('a %i is a refusal with the words of the service', async (status) => {
    const { server, account } = await serviceWith((_, response) => {
      response.writeHead(status).end('{"error":{"code":"InvalidSettingSet","message":"Set is reserved."}}');
    });
    const error = await failure(update(account));
    expect(error).toMatchObject({
      name: 'Refused',
      service: 'account',
      operation: 'UpdateSetting',
      refusal: { status, code: 'InvalidSettingSet', message: 'Set is reserved.' },
    });
    expect(JSON.stringify(error) + String(error)).not.toContain('the-key');
    // Not even after a 401, as with a token: the credential would be the same.
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
});
