import { describe, expect, it } from 'vitest';
import { accountOperations } from '../../src/clients/account/client.ts';
import { type Operation, operations, wire } from '../../src/clients/documents/operations.ts';
import * as contract from '../contract/operations.ts';

/** The models' fields, with whole numbers marked. Source: docs/upstream-services.md. */
const models: Readonly<Record<string, string>> = {
  SettingModel: 'id# companyId# set name value modifiedDate modifiedUserId#',
  SubscriptionModel:
    'id# accountId# subscriptionTypeId# subscriptionDescription effectiveDate endDate createdDate createdUserId# modifiedDate modifiedUserId#',
};

it('the documents service has the operations of the contract, their parameters in order and type', () => {
  const described = ({ access, label, parameters }: Operation) => {
    const typed = Object.entries(parameters).map(
      ([name, { write }]) => `${name} ${write === wire.integer ? 'integer' : 'string'}`,
    );
    return [`${access === 'write' ? 'POST' : 'GET'} /API/${label}`, ...typed].join(', ');
  };
  const expected = contract.documentOperations.map(({ method, path, parameters }) =>
    [`${method} ${path}`, ...Object.entries(parameters).map((one) => one.join(' '))].join(', '),
  );
  expect(expected).toHaveLength(33);
  expect(Object.values(operations).map(described).toSorted()).toEqual(expected.toSorted());
});

it('the account service has the operations of the contract, their ids and the fields of their models', () => {
  const ours = Object.values(accountOperations).map(({ path, owner, model }) => {
    const fields = Object.entries(model.shape).map(([name, type]) =>
      type.safeParse('text').success ? name : `${name}#`,
    );
    return [`PUT ${path}`, owner, fields.join(' ')];
  });
  const expected = contract.accountOperations.map(({ method, path, parameters, body }) => {
    const [owner] = Object.keys(parameters);
    return [`${method} ${path}`, owner, models[body]];
  });
  expect(ours).toEqual(expected);
});

describe('values on the wire', () => {
  const formats = { date: 'dd/MM/yyyy', time: 'HH:mm:ss' };
  const moment = '2026-03-05T07:08:09';

  it.each([
    ['dd/MM/yyyy', '05/03/2026'],
    ['d/M/yyyy', '5/3/2026'],
    ['yyyy-MM-dd', '2026-03-05'],
    ['yyyyMMdd', '20260305'],
    ['dd.MM.yy', '05.03.26'],
  ])('writes a date as %s', (date, expected) => {
    expect(wire.date(moment, { ...formats, date })).toBe(expected);
    expect(wire.date(moment.slice(0, 10), { ...formats, date })).toBe(expected);
  });

  it.each([
    ['HH:mm:ss', '07:08:09'],
    ['H:mm', '7:08'],
    ['HHmmss', '070809'],
    ['none', ''],
  ])('writes a time as %s', (time, expected) => {
    expect(wire.time(moment, { ...formats, time })).toBe(expected);
  });
});
