import { describe, expect, it } from 'vitest';
import { asJson, send } from '../support/failed-answers.ts';
import { json, type Responder } from '../support/recording-upstream.ts';
import { serve } from '../support/served.ts';

const apiKey = 'chave-da-conta-1';

/** A service that stores what it is sent, completed by the ids of the path. */
const storeAll: Responder = ({ path, body }, response) => {
  const [, owners, owner, , id] = path.split('/').slice(-5);
  const ownerField = owners === 'companies' ? 'companyId' : 'accountId';
  json(response, { ...(JSON.parse(body) as object), id: Number(id), [ownerField]: Number(owner) });
};
const service = serve({
  respond: storeAll,
  envAt: (url) => ({ DFE_ACCOUNT_API_KEY: apiKey, DFE_ACCOUNT_URL: `${url}/base/` }),
});
const { confirmed, preview, refused } = service;

const setting = { company_id: 12, id: 34, set: 'X-Plugin', name: 'cor', value: 'azul' };
const subscription = {
  ...{ account_id: 5, id: 67, subscription_type_id: 3 },
  ...{ effective_date: '2026-01-01', end_date: '2026-12-31T23:59:59' },
};
const toolOf = {
  setting: ['update_company_setting', setting],
  subscription: ['update_subscription', subscription],
} as const;
const bodies = () => service.seen.map(({ body }) => JSON.parse(body) as unknown);

describe('what is sent', () => {
  it('for a setting is the whole object, under the ids of the path', async () => {
    const more = { modified_date: '2026-11-20', modified_user_id: 9 };
    const { structured, text } = await confirmed('update_company_setting', { ...setting, ...more });
    const stored = {
      ...{ id: 34, companyId: 12, set: 'X-Plugin', name: 'cor', value: 'azul' },
      ...{ modifiedDate: '2026-11-20T00:00:00', modifiedUserId: 9 },
    };
    expect(bodies()).toEqual([stored]);
    expect(service.seen).toMatchObject([
      {
        ...{ method: 'PUT', path: '/base/api/v2/companies/12/settings/34', rawQuery: '' },
        headers: { 'content-type': 'application/json', accept: 'application/json' },
      },
    ]);
    expect(structured).toEqual({ status: 'done', stored, differences: [] });
    expect(JSON.parse(text.slice(text.indexOf('{'), text.lastIndexOf('}') + 1))).toEqual(stored);
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
    await confirmed('update_subscription', { ...subscription, ...change });
    expect(service.seen[0]?.path).toBe('/base/api/v2/accounts/5/subscriptions/67');
    expect(bodies()).toEqual([body]);
  });

  it('is compared with what was stored: times in another spelling are equal, differences are reported', async () => {
    const dates = { ...begun, endDate: '2026-12-31T23:59:59.000', createdDate: '2020' };
    const stored = { ...ids, subscriptionTypeId: 8, ...dates };
    service.respond((_, response) => json(response, stored));
    const { structured, text } = await confirmed('update_subscription', subscription);
    expect(structured).toMatchObject({ status: 'done', stored, differences: { length: 1 } });
    expect(text).toContain('subscriptionTypeId: sent "3", stored "8"');
  });
});

describe('what is refused before anything is sent', () => {
  it.each([
    ['name', 'n'],
    ['value', '\u202e'],
  ])('a %s that a preview could not show whole', async (argument, sign) => {
    const text = await refused('update_company_setting', { ...setting, [argument]: sign.repeat(10_001) });
    expect(text).toContain(`"${argument}": use 10000 characters at most`);
    const whole = { ...setting, [argument]: 'n'.repeat(10_000) };
    expect(await preview('update_company_setting', whole)).toContain('n'.repeat(10_000));
    expect(service.seen).toEqual([]);
  });

  const noDates = { effective_date: undefined, end_date: undefined };
  const noType = { subscription_type_id: undefined };
  it.each<[what: string, of: 'setting' | 'subscription', change: object, words: RegExp]>([
    ['a value left out', 'setting', { value: undefined }, /would clear value/],
    ['a value given and cleared', 'setting', { clear: ['value'] }, /value has a value and is in/],
    ['a set of the provider', 'setting', { set: 'Plugin' }, /must begin with X-/],
    ['a blank name', 'setting', { name: ' ' }, /"name".*cannot be empty/],
    ['an id of zero', 'setting', { id: 0 }, /"id"/],
    [
      'all left out',
      'subscription',
      { ...noType, ...noDates },
      /would clear subscription_type_id, subscription_description, effective_date, end_date:/,
    ],
    [
      'type and description',
      'subscription',
      { subscription_description: 'N', clear: ['x'] },
      /"clear": allowed values.*excludes subscription_type_id/,
    ],
    ['a Brazilian date', 'subscription', { end_date: '31/12/2026' }, /"end_date".*YYYY-MM-DD/],
    ['a zone', 'subscription', { end_date: '2026-12-31T00:00:00Z' }, /"end_date".*without zone/],
    ['an unknown name', 'subscription', { endDate: '2026' }, /"endDate" does not exist.*"end_date"/],
  ])('%s, of a %s', async (_, of, change, words) => {
    const [tool, base] = toolOf[of];
    const text = await refused(tool, { ...base, ...change });
    expect(text).toMatch(words);
    expect(text).toMatch(/nothing was sent or changed/i);
    expect(service.seen).toEqual([]);
  });
});

describe('the preview', () => {
  it('says field by field what is sent, cleared and left out, and whose it is', async () => {
    const cleared = { ...subscription, end_date: undefined, clear: ['end_date'] };
    const text = await preview('update_subscription', cleared);
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
    const text = await preview('update_company_setting', { ...setting, value });
    expect(text.split('\n')).toContain(
      '- value: "x\\n- name: will be cleared\\nNothing else changes.\\u202eabc"',
    );
  });
});

describe('what the service answers', () => {
  const mayHaveBeen = /companies\/12\/settings\/\d+ may have been sent/;
  const refusing = (status: number) => send(status, '{"error":{"code":"x","message":"no"}}', asJson);

  it.each<[what: string, id: number, respond: Responder, status: string, words: RegExp]>([
    ['a lost connection', 100, (_, response) => void response.destroy(), 'unknown', /may have been replaced/],
    ['a 403', 403, refusing(403), 'refused', /SiteAdmin/],
    ['a 404', 404, refusing(404), 'refused', /Check the ids: .*404.*12/],
  ])('that is %s settles or leaves open what became of setting %i', async (_, id, respond, status, words) => {
    service.respond(respond);
    const own = { ...setting, id };
    const answer = await confirmed('update_company_setting', own);
    expect(answer).toMatchObject({ isError: false, structured: { status } });
    expect(answer.text).toMatch(words);
    expect(service.seen).toHaveLength(1);
    const next = await preview('update_company_setting', own);
    expect(mayHaveBeen.test(next)).toBe(status === 'unknown');
    expect(await preview('update_company_setting', { ...setting, id: 99 })).not.toMatch(/may have been/);
    // A later success replaced the whole object.
    service.respond(storeAll);
    await confirmed('update_company_setting', own);
    expect(await preview('update_company_setting', own)).not.toMatch(/may have been/);
  });
});
