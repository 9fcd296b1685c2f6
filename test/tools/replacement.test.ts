import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { OutcomeUnknown, Refused, TimedOut, tokenOperation, Unreachable } from '../../src/clients/errors.ts';
import { NotConfigured } from '../../src/company/credentials.ts';
import { BadArguments } from '../../src/company/failures.ts';
import { planReplacement, type Replacement } from '../../src/tools/replacement.ts';
import { type PreparedContext, prepareContext } from '../support/tool-context.ts';

let prepared: PreparedContext;

beforeEach(() => {
  prepared = prepareContext();
});
afterEach(() => prepared.close());

type Sent = Parameters<Replacement['send']>[0];

/** A subscription with its excluding pair, and what was sent of it. */
function replacement(
  values: Readonly<Record<string, string | number>>,
  clear: readonly string[] = [],
  answer: (model: Sent) => Promise<Readonly<Record<string, unknown>>> = async (model) => model,
): { replacement: Replacement; sent: Sent[] } {
  const sent: Sent[] = [];
  const field = (argument: string, name: string, holds: 'data' | 'record', excludedBy?: string) => ({
    argument,
    field: name,
    value: values[argument],
    holds,
    ...(excludedBy !== undefined && { excludedBy }),
  });
  return {
    sent,
    replacement: {
      tool: 'update_subscription',
      operation: 'UpdateSubscription',
      subject: 'accounts/1/subscriptions/2',
      subjectWords: 'subscription 2 of account 1',
      clear,
      roles: 'Registrar, SiteAdmin',
      fields: [
        field('type_id', 'typeId', 'data', 'description'),
        field('description', 'description', 'data', 'type_id'),
        field('end_date', 'endDate', 'data'),
        field('created_date', 'createdDate', 'record'),
      ],
      send: async (model) => {
        sent.push(model);
        return answer(model);
      },
    },
  };
}

async function refusalOf(values: Readonly<Record<string, string | number>>, clear: readonly string[] = []) {
  const { replacement: one, sent } = replacement(values, clear);
  const error = await Promise.resolve()
    .then(() => planReplacement(one, prepared.context))
    .then(
      () => undefined,
      (thrown: unknown) => thrown,
    );
  expect(error).toBeInstanceOf(BadArguments);
  expect(sent).toEqual([]);
  return error instanceof BadArguments ? error.reasons.join('; ') : '';
}

describe('a full replacement', () => {
  it('is refused where it would clear data by omission, with the list of fields', async () => {
    expect(await refusalOf({ type_id: 7 })).toMatch(/would clear end_date:/);
    expect(await refusalOf({ end_date: '2026-12-31T00:00:00' })).toMatch(/would clear type_id, description:/);
    expect(await refusalOf({})).toMatch(/would clear type_id, description, end_date:/);
  });

  it('is refused where a field has a value and is to be cleared', async () => {
    const reasons = await refusalOf({ type_id: 7, end_date: '2026-12-31T00:00:00' }, ['end_date']);
    expect(reasons).toMatch(/end_date has a value and is in "clear"/);
  });

  it('sends what is given and null for what is cleared, and leaves record-keeping out', async () => {
    const { replacement: one, sent } = replacement({ type_id: 7 }, ['end_date']);
    const plan = await planReplacement(one, prepared.context);
    expect(sent).toEqual([]);
    await plan.perform();
    expect(sent).toEqual([{ typeId: 7, endDate: null }]);
  });

  it('clears record-keeping only where it is named', async () => {
    const { replacement: one, sent } = replacement({ description: 'NF-e' }, ['end_date', 'created_date']);
    await (await planReplacement(one, prepared.context)).perform();
    expect(sent).toEqual([{ description: 'NF-e', endDate: null, createdDate: null }]);
  });

  it('is previewed field by field', async () => {
    const { replacement: one } = replacement({ type_id: 7 }, ['end_date']);
    const preview = (await planReplacement(one, prepared.context)).preview.join('\n');
    expect(preview).toContain('subscription 2 of account 1');
    expect(preview).toContain('type_id: "7"');
    expect(preview).toContain('end_date: will be cleared');
    expect(preview).toMatch(/description: not sent, because type_id determines it/);
    expect(preview).toMatch(/Record-keeping fields not sent.*created_date/);
  });

  it('is done, with the stored object and what differs in it', async () => {
    const stored = {
      typeId: 7,
      description: 'Serviço',
      endDate: '2026-12-31T00:00:00.000',
      createdDate: '2020',
    };
    const { replacement: one } = replacement(
      { type_id: 7, end_date: '2026-12-31T00:00:00' },
      [],
      async () => stored,
    );
    const { structured } = await (await planReplacement(one, prepared.context)).perform();
    expect(structured).toEqual({ status: 'done', stored, differences: [] });

    const { replacement: other } = replacement({ type_id: 7 }, ['end_date'], async () => ({
      typeId: 8,
      endDate: '2027-01-01',
    }));
    const answer = await (await planReplacement(other, prepared.context)).perform();
    expect(answer.structured).toMatchObject({ status: 'done' });
    const told = answer.text.join('\n');
    expect(told).toContain('typeId: sent "7", stored "8"');
    expect(told).toContain('endDate: sent "", stored "2027-01-01"');
  });

  const call = { service: 'account', operation: 'UpdateSubscription' } as const;

  it.each([
    ['a 401 names the roles', new Refused(call, { status: 401 }), 'refused', /Registrar, SiteAdmin/],
    ['a 403 names the roles', new Refused(call, { status: 403 }), 'refused', /Registrar, SiteAdmin/],
    [
      'a 404 points at the ids',
      new Refused(call, { status: 404 }),
      'refused',
      /Check the ids: subscription 2 of account 1/,
    ],
    [
      'no connection',
      new Unreachable(call, '127.0.0.1:9', 'ECONNREFUSED'),
      'not_sent',
      /Nothing was sent, and nothing was replaced/,
    ],
    [
      'a no of the token endpoint',
      new Refused({ service: 'account', operation: tokenOperation }, { status: 401 }),
      'not_sent',
      /Nothing was sent/,
    ],
    ['missing settings', new NotConfigured(['DFE_ACCOUNT_URL']), 'not_sent', /DFE_ACCOUNT_URL/],
    ['an error nobody foresaw', new TypeError('x'), 'unknown', /may have been replaced/],
    ['a lost reply', new OutcomeUnknown(new TimedOut(call, 60)), 'unknown', /may have been replaced/],
  ])('%s', async (_name, error, status, words) => {
    const { replacement: one, sent } = replacement({ type_id: 7 }, ['end_date'], async () => {
      throw error;
    });
    const { structured, text } = await (await planReplacement(one, prepared.context)).perform();
    expect(structured).toMatchObject({ status });
    expect(text.join('\n')).toMatch(words);
    expect(sent).toHaveLength(1);
  });

  it('leaves an unknown outcome open in the journal, and every other closed', async () => {
    const { journal } = await prepared.context.company.writeGuards();
    const { replacement: done } = replacement({ type_id: 7 }, ['end_date']);
    await (await planReplacement(done, prepared.context)).perform();
    expect(await journal.open()).toEqual([]);
    const { replacement: lost } = replacement({ type_id: 7 }, ['end_date'], async () => {
      throw new OutcomeUnknown(new TimedOut(call, 60));
    });
    await (await planReplacement(lost, prepared.context)).perform();
    expect(await journal.open()).toMatchObject([{ subject: 'accounts/1/subscriptions/2' }]);
  });
});
