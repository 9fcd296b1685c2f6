import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { ToolResult } from '../support/clients.ts';
import { type ConfiguredServer, startConfigured } from '../support/configured-server.ts';
import { confirmed } from '../support/confirmed.ts';
import { connectInProcess } from '../support/in-process.ts';
import { json, type Responder } from '../support/recording-upstream.ts';

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

let connection: ConfiguredServer;

function previewOf({ structured }: ToolResult): string {
  expect(structured?.status).toBe('confirmation_required');
  return String(structured?.preview);
}

function bodies(): unknown[] {
  return connection.upstream.seen.map(({ body }) => JSON.parse(body) as unknown);
}

beforeAll(async () => {
  const envAt = (url: string) => ({ ...apiKey, DFE_ACCOUNT_URL: `${url}/base/` });
  connection = await startConfigured({ respond: storeAll, envAt });
});
beforeEach(() => {
  connection.upstream.respond(storeAll);
  connection.upstream.seen.length = 0;
});
afterAll(() => connection.close());

describe('what is sent', () => {
  it('for a setting is the whole object, under the ids of the path', async () => {
    const done = await confirmed(connection, 'update_company_setting', {
      ...setting,
      modified_date: '2026-11-20',
      modified_user_id: 9,
    });
    expect(connection.upstream.seen.map(({ method, path, rawQuery }) => [method, path, rawQuery])).toEqual([
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
    expect(connection.upstream.seen[0]?.headers).toMatchObject({
      'content-type': 'application/json',
      accept: 'application/json',
    });
    expect(done.structured).toEqual({ status: 'done', stored, differences: [] });
    expect(JSON.parse(done.text.slice(done.text.indexOf('{'), done.text.lastIndexOf('}') + 1))).toEqual(
      stored,
    );
  });

  const ids = { id: 67, accountId: 5 };
  const begun = { effectiveDate: '2026-01-01T00:00:00' };
  const untilEndOfYear = { ...begun, endDate: '2026-12-31T23:59:59' };

  it.each<[what: string, change: object, body: object]>([
    [
      'dates as date-times without zone',
      { created_user_id: 2 },
      { ...ids, subscriptionTypeId: 3, ...untilEndOfYear, createdUserId: 2 },
    ],
    [
      'null for what is cleared, and record-keeping is left out',
      { end_date: undefined, clear: ['end_date'] },
      { ...ids, subscriptionTypeId: 3, ...begun, endDate: null },
    ],
    [
      'record-keeping cleared only where it is named, and a description in place of a type',
      { subscription_type_id: undefined, subscription_description: 'NF-e', clear: ['created_date'] },
      { ...ids, subscriptionDescription: 'NF-e', ...untilEndOfYear, createdDate: null },
    ],
  ])('for a subscription has %s', async (_, change, body) => {
    await confirmed(connection, 'update_subscription', { ...subscription, ...change });
    expect(connection.upstream.seen[0]?.path).toBe('/base/api/v2/accounts/5/subscriptions/67');
    expect(bodies()).toEqual([body]);
  });

  it('is held against what was stored: times alike in another spelling, and what differs is told', async () => {
    const stored = {
      ...ids,
      subscriptionTypeId: 8,
      ...begun,
      endDate: '2026-12-31T23:59:59.000',
      createdDate: '2020',
    };
    connection.upstream.respond((_, response) => json(response, stored));
    const { structured, text } = await confirmed(connection, 'update_subscription', subscription);
    expect(structured).toMatchObject({ status: 'done', stored });
    expect(structured?.differences).toHaveLength(1);
    expect(text).toContain('subscriptionTypeId: sent "3", stored "8"');
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

  it.each<[what: string, of: 'setting' | 'subscription', change: object, words: RegExp]>([
    ['a value left out', 'setting', { value: undefined }, /would clear value/],
    [
      'all left out',
      'subscription',
      { subscription_type_id: undefined, effective_date: undefined, end_date: undefined },
      /would clear subscription_type_id, subscription_description, effective_date, end_date:/,
    ],
    ['a value given and cleared', 'setting', { clear: ['value'] }, /value has a value and is in/],
    ['a set of the provider', 'setting', { set: 'Plugin' }, /must begin with X-/],
    ['a set that is only the mark', 'setting', { set: 'X-' }, /must begin with X-/],
    ['a blank name', 'setting', { name: ' ' }, /"name".*cannot be empty/],
    ['an id of zero', 'setting', { id: 0 }, /"id"/],
    [
      'both dates left out',
      'subscription',
      { effective_date: undefined, end_date: undefined },
      /clear effective_date, e/,
    ],
    [
      'neither type nor description',
      'subscription',
      { subscription_type_id: undefined },
      /would clear subscription_t/,
    ],
    [
      'type and description',
      'subscription',
      { subscription_description: 'Notas' },
      /excludes subscription_type_id/,
    ],
    ['a Brazilian date', 'subscription', { end_date: '31/12/2026' }, /"end_date".*YYYY-MM-DD/],
    ['a zone', 'subscription', { end_date: '2026-12-31T00:00:00Z' }, /"end_date".*without zone/],
    [
      'a name nobody knows',
      'subscription',
      { endDate: '2026-12-31' },
      /"endDate" does not exist.*"end_date"/,
    ],
  ])('%s, of a %s', async (_, of, change, words) => {
    const [tool, base] =
      of === 'setting'
        ? (['update_company_setting', setting] as const)
        : (['update_subscription', subscription] as const);
    const refused = await connection.call(tool, { ...base, ...change });
    expect(refused.isError).toBe(true);
    expect(refused.text).toMatch(words);
    expect(refused.text).toMatch(/nothing was asked or sent/i);
    expect(connection.upstream.seen).toEqual([]);
  });
});

describe('the preview', () => {
  it('says field by field what is sent, cleared and left out, and whose it is', async () => {
    const cleared = { ...subscription, end_date: undefined, clear: ['end_date'] };
    const text = previewOf(await connection.call('update_subscription', cleared));
    for (const words of [
      /subscription 67.*account 5/,
      /subscription_type_id: "3"/,
      /end_date: will be cleared/,
      /subscription_description: not sent, because subscription_type_id determines it/,
      /Record-keeping fields not sent.*created_date/,
    ])
      expect(text).toMatch(words);
  });

  it('has one line for a value that would write further ones, and shows what cannot be seen', async () => {
    const value = 'x\n- name: will be cleared\nNothing else changes.\u202eabc';
    const text = previewOf(await connection.call('update_company_setting', { ...setting, value }));
    expect(text.split('\n')).toContain(
      '- value: "x\\n- name: will be cleared\\nNothing else changes.\\u202eabc"',
    );
  });
});

describe('what the service answers', () => {
  it.each([
    ['a 500', 500, '{}'],
    ['another object', 200, JSON.stringify({ id: 35, companyId: 12, set: 'X-Plugin', name: 'cor' })],
    ['half an object', 200, '{"id": 34, "compan'],
    ['a page', 200, '<html>Login</html>'],
  ])('that is %s leaves the outcome unknown; the next preview says so', async (_, status, body) => {
    connection.upstream.respond((__, response) => {
      response.writeHead(status, { 'content-type': 'application/json' });
      response.end(body);
    });
    const own = { ...setting, id: 34, company_id: 12 };
    const lost = await confirmed(connection, 'update_company_setting', own);
    expect(lost.isError).toBe(false);
    expect(lost.structured).toMatchObject({ status: 'unknown' });
    expect(lost.text).toMatch(/may have been replaced/);
    expect(connection.upstream.seen).toHaveLength(1);
    expect(previewOf(await connection.call('update_company_setting', own))).toMatch(
      /companies\/12\/settings\/34 may have been sent/,
    );
    const elsewhere = { ...setting, id: 99 };
    expect(previewOf(await connection.call('update_company_setting', elsewhere))).not.toMatch(
      /may have been/,
    );
  });

  it.each([
    [401, /SiteAdmin/],
    [403, /SiteAdmin/],
    [404, /Check the ids: .*439.*12/],
  ])('with %i is a refusal that says what to look at, and is closed', async (status, words) => {
    connection.upstream.respond((_, response) =>
      json(response, { error: { code: 'x', message: 'no' } }, status),
    );
    const own = { ...setting, id: 35 + status };
    const refused = await confirmed(connection, 'update_company_setting', own);
    expect(refused.structured).toMatchObject({ status: 'refused' });
    expect(refused.text).toMatch(words);
    expect(previewOf(await connection.call('update_company_setting', own))).not.toMatch(/may have been/);
  });

  it('is not asked for where the token endpoint says no: nothing was sent', async () => {
    const other = await connectInProcess('v1', {
      env: {
        ...connection.env,
        DFE_ACCOUNT_API_KEY: '',
        DFE_ACCOUNT_OAUTH_TOKEN_URL: `${connection.upstream.url}/token`,
        DFE_ACCOUNT_OAUTH_CLIENT_ID: 'id',
        DFE_ACCOUNT_OAUTH_CLIENT_SECRET: 'segredo-oauth',
      },
    });
    connection.upstream.respond((_, response) => json(response, { error: 'invalid_client' }, 401));
    const { structured, text } = await confirmed(other, 'update_company_setting', { ...setting, id: 36 });
    await other.close();
    expect(structured).toMatchObject({ status: 'not_sent' });
    expect(text).toMatch(/Nothing was sent/);
    expect(connection.upstream.seen.map(({ method }) => method)).not.toContain('PUT');
  });
});

describe('the journal', () => {
  it('has intent and outcome of a replacement, and none of its values or credentials', async () => {
    const value = 'valor que ninguém deve ler';
    await confirmed(connection, 'update_company_setting', { ...setting, id: 77, value });
    const text = readFileSync(join(connection.dataFolder, 'journal.jsonl'), 'utf8');
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
