import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { temporaryFolder } from '../support/built-program.ts';
import type { Connection, ToolResult } from '../support/clients.ts';
import { confirmed } from '../support/confirmed.ts';
import { connectInProcess } from '../support/in-process.ts';
import {
  json,
  type RecordingUpstream,
  type Responder,
  startRecordingUpstream,
} from '../support/recording-upstream.ts';

const apiKey = { DFE_ACCOUNT_API_KEY: 'chave-da-conta-1' };

/** A service that stores what it is sent, completed by the ids of the path. */
const storeAll: Responder = ({ path, body }, response) => {
  const [, owners, owner, , id] = path.split('/').slice(-5);
  const ownerField = owners === 'companies' ? 'companyId' : 'accountId';
  json(response, { ...(JSON.parse(body) as object), id: Number(id), [ownerField]: Number(owner) });
};

const setting = { company_id: 12, id: 34, set: 'X-Plugin', name: 'cor', value: 'azul' };
const subscription = {
  account_id: 5,
  id: 67,
  subscription_type_id: 3,
  effective_date: '2026-01-01',
  end_date: '2026-12-31T23:59:59',
};

let upstream: RecordingUpstream;
let folder: ReturnType<typeof temporaryFolder>;
let connection: Connection;
let others: Connection[] = [];

function environment(more: Readonly<Record<string, string>>): Record<string, string> {
  return {
    DFE_ACCOUNT_URL: `${upstream.url}/base/`,
    DFE_DATA_DIR: folder.path,
    DFE_LANGUAGE: 'en',
    ...more,
  };
}

async function start(env: Readonly<Record<string, string>>): Promise<Connection> {
  const other = await connectInProcess('v1', { env: environment(env) });
  others.push(other);
  return other;
}

function previewOf({ structured }: ToolResult): string {
  expect(structured?.status).toBe('confirmation_required');
  return String(structured?.preview);
}

function bodies(): unknown[] {
  return upstream.seen.map(({ body }) => JSON.parse(body) as unknown);
}

beforeAll(async () => {
  folder = temporaryFolder();
  upstream = await startRecordingUpstream(storeAll);
  connection = await connectInProcess('v1', { env: environment(apiKey) });
});

beforeEach(() => {
  upstream.respond(storeAll);
  upstream.seen.length = 0;
});

afterEach(async () => {
  await Promise.all(others.map((other) => other.close()));
  others = [];
});

afterAll(async () => {
  await connection.close();
  await upstream.close();
  folder.remove();
});

describe('what is sent', () => {
  it('for a setting is the whole object, under the ids of the path', async () => {
    const done = await confirmed(connection, 'update_company_setting', {
      ...setting,
      modified_date: '2026-11-20',
      modified_user_id: 9,
    });
    expect(upstream.seen.map(({ method, path, rawQuery }) => [method, path, rawQuery])).toEqual([
      ['PUT', '/base/api/v2/companies/12/settings/34', ''],
    ]);
    const stored = {
      id: 34,
      companyId: 12,
      set: 'X-Plugin',
      name: 'cor',
      value: 'azul',
      modifiedDate: '2026-11-20T00:00:00',
      modifiedUserId: 9,
    };
    expect(bodies()).toEqual([stored]);
    expect(upstream.seen[0]?.headers).toMatchObject({
      'content-type': 'application/json',
      accept: 'application/json',
    });
    expect(done.structured).toEqual({ status: 'done', stored, differences: [] });
    expect(JSON.parse(done.text.slice(done.text.indexOf('{'), done.text.lastIndexOf('}') + 1))).toEqual(
      stored,
    );
  });

  it('for a subscription has dates as date-times without zone', async () => {
    await confirmed(connection, 'update_subscription', { ...subscription, created_user_id: 2 });
    expect(upstream.seen[0]?.path).toBe('/base/api/v2/accounts/5/subscriptions/67');
    expect(bodies()).toEqual([
      {
        id: 67,
        accountId: 5,
        subscriptionTypeId: 3,
        effectiveDate: '2026-01-01T00:00:00',
        endDate: '2026-12-31T23:59:59',
        createdUserId: 2,
      },
    ]);
  });

  it('has null for what is cleared on purpose, and nothing for what is not mentioned', async () => {
    await confirmed(connection, 'update_company_setting', {
      ...setting,
      value: undefined,
      clear: ['value', 'modified_user_id'],
    });
    await confirmed(connection, 'update_subscription', {
      account_id: 5,
      id: 67,
      subscription_description: 'Notas',
      clear: ['effective_date', 'end_date', 'created_date'],
    });
    expect(bodies()).toEqual([
      { id: 34, companyId: 12, set: 'X-Plugin', name: 'cor', value: null, modifiedUserId: null },
      {
        id: 67,
        accountId: 5,
        subscriptionDescription: 'Notas',
        effectiveDate: null,
        endDate: null,
        createdDate: null,
      },
    ]);
  });

  it('keeps an empty value, which is not the same as none', async () => {
    await confirmed(connection, 'update_company_setting', { ...setting, value: '' });
    expect(bodies()).toMatchObject([{ value: '' }]);
  });

  it('carries the header of the calling software where a vendor is set, and none otherwise', async () => {
    const vendor = await start({ ...apiKey, DFE_ACCOUNT_VENDOR: 'Acme', DFE_ACCOUNT_CLIENT: 'erp; 7' });
    await confirmed(vendor, 'update_company_setting', setting);
    await confirmed(connection, 'update_company_setting', setting);
    const [withVendor, without] = upstream.seen.map(({ headers }) => headers);
    expect(withVendor).toMatchObject({ 'x-acme-client': 'erp; 7' });
    expect(Object.keys(without ?? {}).filter((name) => /^x-/.test(name))).toEqual([]);
  });
});

describe('what is refused before anything is sent', () => {
  it.each([
    ['name', 'n'],
    ['value', '\u202e'],
  ])('is refused with a %s that a preview could not show whole', async (argument, sign) => {
    const { isError, text } = await connection.call('update_company_setting', {
      ...setting,
      [argument]: sign.repeat(10_001),
    });
    expect(isError).toBe(true);
    expect(text).toContain(`"${argument}": use 10000 characters at most`);
    const whole = { ...setting, [argument]: 'n'.repeat(10_000) };
    expect(previewOf(await connection.call('update_company_setting', whole))).toContain('n'.repeat(10_000));
    expect(bodies()).toEqual([]);
  });

  const cases: readonly (readonly [string, string, Readonly<Record<string, unknown>>, RegExp])[] = [
    ['a value left out', 'update_company_setting', { value: undefined }, /would clear value/],
    [
      'a value given and cleared',
      'update_company_setting',
      { clear: ['value'] },
      /value has a value and is in/,
    ],
    ['a set of the provider', 'update_company_setting', { set: 'Plugin' }, /must begin with X-/],
    ['a set with a small x', 'update_company_setting', { set: 'x-Plugin' }, /must begin with X-/],
    ['a set that is only the mark', 'update_company_setting', { set: 'X-' }, /must begin with X-/],
    ['no name', 'update_company_setting', { name: undefined }, /"name"/],
    ['a blank name', 'update_company_setting', { name: ' ' }, /"name".*cannot be empty/],
    ['a name to be cleared', 'update_company_setting', { clear: ['name'] }, /"clear/],
    ['an id of zero', 'update_company_setting', { id: 0 }, /"id"/],
    ['a negative company', 'update_company_setting', { company_id: -1 }, /"company_id"/],
    ['a broken id', 'update_company_setting', { id: 1.5 }, /"id"/],
    ['a user who is none', 'update_company_setting', { modified_user_id: 0 }, /"modified_user_id"/],
    [
      'both dates left out',
      'update_subscription',
      { effective_date: undefined, end_date: undefined },
      /would clear effective_date, end_date/,
    ],
    [
      'neither type nor description',
      'update_subscription',
      { subscription_type_id: undefined },
      /would clear subscription_type_id, subscription_description/,
    ],
    [
      'type and description',
      'update_subscription',
      { subscription_description: 'Notas' },
      /excludes subscription_type_id/,
    ],
    ['a Brazilian date', 'update_subscription', { end_date: '31/12/2026' }, /"end_date".*YYYY-MM-DD/],
    ['a day that does not exist', 'update_subscription', { end_date: '2026-02-30' }, /"end_date"/],
    ['a time that does not exist', 'update_subscription', { end_date: '2026-02-20T25:00:00' }, /"end_date"/],
    ['a zone', 'update_subscription', { end_date: '2026-12-31T00:00:00Z' }, /"end_date".*without zone/],
    [
      'an argument nobody knows',
      'update_subscription',
      { endDate: '2026-12-31' },
      /"endDate" does not exist.*"end_date"/,
    ],
  ];

  it.each(cases)('%s, in %s', async (_, tool, change, expected) => {
    const base = tool === 'update_subscription' ? subscription : setting;
    const refused = await connection.call(tool, { ...base, ...change });
    expect(refused.isError).toBe(true);
    expect(refused.text).toMatch(expected);
    expect(refused.text).toMatch(/nothing was asked or sent/i);
    expect(upstream.seen).toEqual([]);
  });
});

describe('the preview', () => {
  it('tells field by field what will be stored, cleared, and left to the service', async () => {
    const text = previewOf(
      await connection.call('update_company_setting', { ...setting, clear: ['modified_date'] }),
    );
    expect(text).toMatch(/setting 34 of company 12/);
    expect(text).toMatch(/as a whole.*ceases to exist/s);
    for (const line of ['- set: "X-Plugin"', '- name: "cor"', '- value: "azul"']) {
      expect(text.split('\n')).toContain(line);
    }
    expect(text).toMatch(/- modified_date: will be cleared/);
    expect(text).toMatch(/Record-keeping fields not sent.*: modified_user_id\./);
    expect(upstream.seen).toEqual([]);
  });

  it('says that naming one of type and description in clear clears both', async () => {
    const { subscription_type_id: _, ...others } = subscription;
    const text = previewOf(
      await connection.call('update_subscription', { ...others, clear: ['subscription_type_id'] }),
    );
    expect(text).toMatch(/- subscription_type_id: will be cleared/);
    expect(text).toMatch(/- subscription_description: will be cleared/);
  });

  it('has one line for a value that would write further ones, and shows what cannot be seen', async () => {
    const value = 'x\n- name: will be cleared\nNothing else changes.\u202eabc';
    const text = previewOf(await connection.call('update_company_setting', { ...setting, value }));
    expect(text.split('\n')).toContain(
      '- value: "x\\n- name: will be cleared\\nNothing else changes.\\u202eabc"',
    );
  });

  it('tells it of a subscription, in Portuguese as well', async () => {
    const portuguese = await start({ ...apiKey, DFE_LANGUAGE: 'pt-BR' });
    const text = previewOf(
      await portuguese.call('update_subscription', {
        ...subscription,
        end_date: undefined,
        clear: ['end_date'],
      }),
    );
    expect(text).toMatch(/assinatura 67 da conta 5/);
    expect(text).toMatch(/- subscription_type_id: "3"/);
    expect(text).toMatch(/- subscription_description: não se envia/);
    expect(text).toMatch(/- effective_date: "2026-01-01T00:00:00"/);
    expect(text).toMatch(/- end_date: será apagado/);
    expect(text).toMatch(/created_date, created_user_id, modified_date, modified_user_id/);
  });
});

describe('the ways of authenticating', () => {
  const basic = `Basic ${Buffer.from('maria:licença-9').toString('base64')}`;

  it.each([
    ['an API key, as it is', apiKey, 'chave-da-conta-1'],
    ['a token', { DFE_ACCOUNT_TOKEN: 'tok.en-1' }, 'Bearer tok.en-1'],
    ['user and licence key', { DFE_ACCOUNT_USER: 'maria', DFE_ACCOUNT_LICENSE_KEY: 'licença-9' }, basic],
  ] as const)('%s', async (_, env, expected) => {
    const client = await start(env);
    const done = await confirmed(client, 'update_company_setting', setting);
    expect(done.structured?.status).toBe('done');
    expect(upstream.seen.map(({ headers }) => headers.authorization)).toEqual([expected]);
  });

  it('client credentials: a token is fetched, kept, and fetched anew once after a 401', async () => {
    let tokens = 0;
    let refusals = 0;
    upstream.respond((request, response, count) => {
      if (request.path === '/token') {
        tokens += 1;
        return json(response, { access_token: `t${tokens}`, token_type: 'Bearer', expires_in: 3600 });
      }
      if (tokens === 1 && refusals === 0 && count > 2) {
        refusals += 1;
        return json(response, { error: { code: 'AuthenticationException' } }, 401);
      }
      return storeAll(request, response, count);
    });
    const client = await start({
      DFE_ACCOUNT_OAUTH_TOKEN_URL: `${upstream.url}/token`,
      DFE_ACCOUNT_OAUTH_CLIENT_ID: 'cliente',
      DFE_ACCOUNT_OAUTH_CLIENT_SECRET: 'segredo-oauth',
      DFE_ACCOUNT_OAUTH_SCOPE: 'conta',
    });
    for (const value of ['um', 'dois']) {
      const done = await confirmed(client, 'update_company_setting', { ...setting, value });
      expect(done.structured?.status).toBe('done');
    }
    expect(upstream.seen.map(({ path, headers }) => [path.split('/').pop(), headers.authorization])).toEqual([
      ['token', expect.any(String)],
      ['34', 'Bearer t1'],
      ['34', 'Bearer t1'],
      ['token', expect.any(String)],
      ['34', 'Bearer t2'],
    ]);
    expect(upstream.seen[0]?.body).toMatch(/grant_type=client_credentials/);
    expect(upstream.seen[0]?.body).toMatch(/scope=conta/);
  });

  it('none at all: the call says what to set', async () => {
    const client = await start({});
    const refused = await client.call('update_company_setting', setting);
    expect(refused.isError).toBe(true);
    expect(refused.text).toMatch(/DFE_ACCOUNT_API_KEY/);
    expect(upstream.seen).toEqual([]);
  });
});

describe('what the service answers', () => {
  it.each([
    ['update_company_setting', setting, ['CompanyAdmin', 'AccountAdmin', 'TechnicalSupportAdmin']],
    ['update_subscription', subscription, ['Registrar', 'BatchServiceAdmin', 'SystemAdmin']],
  ] as const)('a 401 to %s is explained with the roles it needs', async (tool, args, roles) => {
    upstream.respond((_, response) => json(response, {}, 401));
    const refused = await confirmed(connection, tool, args);
    expect(refused.structured).toMatchObject({ status: 'refused' });
    expect(refused.text).toMatch(/nothing was replaced/i);
    for (const role of roles) expect(refused.text).toContain(role);
    expect(refused.text.includes('CompanyAdmin')).toBe(tool === 'update_company_setting');
    expect(upstream.seen).toHaveLength(1);
  });

  it('a 404 names what was not found', async () => {
    upstream.respond((_, response) => json(response, { error: { message: 'Setting not found' } }, 404));
    const refused = await confirmed(connection, 'update_company_setting', setting);
    expect(refused.structured).toMatchObject({ status: 'refused' });
    expect(refused.text).toMatch(/setting 34 of company 12 does not exist/);
    expect(refused.text).not.toContain('TechnicalSupportAdmin');
  });

  it('a 400 is passed on in the words of the service', async () => {
    const error = { error: { code: 'InvalidSettingValue', message: 'Value is too long' } };
    upstream.respond((_, response) => json(response, error, 400));
    const refused = await confirmed(connection, 'update_company_setting', setting);
    expect(refused.structured).toMatchObject({ status: 'refused' });
    expect(refused.text).toContain('Value is too long');
  });

  it('is compared with what was sent, and every difference reported', async () => {
    upstream.respond((_, response) =>
      json(response, {
        id: 67,
        accountId: 5,
        subscriptionTypeId: 3,
        subscriptionDescription: 'Notas fiscais',
        effectiveDate: '2026-01-01T00:00:00.000',
        endDate: '2027-01-31T00:00:00',
        createdDate: '2020-05-05T10:00:00',
      }),
    );
    const done = await confirmed(connection, 'update_subscription', {
      ...subscription,
      clear: ['created_date'],
    });
    expect(done.structured).toMatchObject({
      status: 'done',
      stored: { subscriptionDescription: 'Notas fiscais', endDate: '2027-01-31T00:00:00' },
    });
    const differences = done.structured?.differences as string[];
    expect(differences).toHaveLength(2);
    expect(differences.join('\n')).toMatch(/endDate.*2026-12-31T23:59:59.*2027-01-31T00:00:00/);
    expect(differences.join('\n')).toMatch(/createdDate.*2020-05-05T10:00:00/);
    for (const difference of differences) expect(done.text).toContain(difference);
  });

  it.each([
    ['a word that looks like nothing', 'null', null],
    ['a moment in free text', '2026-01-01T00:00:00.000Z', '2026-01-01T00:00:00'],
    ['a value that is not there', 'undefined', undefined],
  ])('differs in %s', async (_, value, stored) => {
    upstream.respond((__, response) =>
      json(response, { id: 34, companyId: 12, set: 'X-Plugin', name: 'cor', value: stored }),
    );
    const own = { company_id: 12, id: 34, set: 'X-Plugin', name: 'cor', value };
    const done = await confirmed(connection, 'update_company_setting', own);
    expect(done.structured).toMatchObject({
      status: 'done',
      differences: [expect.stringContaining('value')],
    });
  });

  it.each([
    ['a 500', 500, '{}'],
    ['another object', 200, JSON.stringify({ id: 35, companyId: 12, set: 'X-Plugin', name: 'cor' })],
    ['half an object', 200, '{"id": 34, "compan'],
    ['a page', 200, '<html>Login</html>'],
  ])('that is %s leaves the outcome unknown; the next preview says so', async (_, status, body) => {
    upstream.respond((__, response) => {
      response.writeHead(status, { 'content-type': 'application/json' });
      response.end(body);
    });
    const own = { ...setting, id: 34, company_id: 12 };
    const lost = await confirmed(connection, 'update_company_setting', own);
    expect(lost.isError).toBe(false);
    expect(lost.structured).toMatchObject({ status: 'unknown' });
    expect(lost.text).toMatch(/may have been replaced/);
    expect(upstream.seen).toHaveLength(1);
    expect(previewOf(await connection.call('update_company_setting', own))).toMatch(
      /companies\/12\/settings\/34 may have been sent/,
    );
    const elsewhere = { ...setting, id: 99 };
    expect(previewOf(await connection.call('update_company_setting', elsewhere))).not.toMatch(
      /may have been/,
    );
  });
});

describe('the journal', () => {
  it('has intent and outcome of a replacement, and none of its values or credentials', async () => {
    const value = 'valor que ninguém deve ler';
    await confirmed(connection, 'update_company_setting', { ...setting, id: 77, value });
    const text = readFileSync(join(folder.path, 'journal.jsonl'), 'utf8');
    const lines = text
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, unknown>);
    const intent = lines.find(({ subject }) => subject === 'companies/12/settings/77');
    expect(intent).toMatchObject({ line: 'intent', tool: 'update_company_setting' });
    expect(lines.filter(({ id }) => id === intent?.id).map(({ line, status }) => [line, status])).toEqual([
      ['intent', undefined],
      ['outcome', 'done'],
    ]);
    for (const secret of [value, apiKey.DFE_ACCOUNT_API_KEY, 'licença-9', 'segredo-oauth']) {
      expect(text).not.toContain(secret);
    }
  });
});
