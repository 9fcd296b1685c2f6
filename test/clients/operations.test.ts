import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { accountOperations } from '../../src/clients/account/client.ts';
import {
  type Operation,
  operationLabel,
  operations,
  type WireType,
  wireTypes,
} from '../../src/clients/documents/operations.ts';

interface ContractOperation {
  readonly method: string;
  readonly path: string;
  readonly query?: Readonly<Record<string, 'string' | 'integer'>>;
  readonly pathParameters?: Readonly<Record<string, string>>;
  readonly body?: string;
}

type Contract = Readonly<
  Record<'tax-documents' | 'company-settings-and-subscriptions', readonly ContractOperation[]>
>;

/** The project's own copy of the contract's facts. */
const contract: Contract = JSON.parse(
  readFileSync(new URL('../contract/operations.json', import.meta.url), 'utf8'),
);
const documents = contract['tax-documents'];
const account = contract['company-settings-and-subscriptions'];

/** The models' fields, with whole numbers marked. Source: docs/upstream-services.md. */
const models: Readonly<Record<string, string>> = {
  SettingModel: 'id# companyId# set name value modifiedDate modifiedUserId#',
  SubscriptionModel:
    'id# accountId# subscriptionTypeId# subscriptionDescription effectiveDate endDate createdDate createdUserId# modifiedDate modifiedUserId#',
};

describe('the table of the documents service', () => {
  it('has the 33 operations, each once', () => {
    expect(documents).toHaveLength(33);
    const ours = Object.values(operations).map(
      ({ access, label }) => `${access === 'write' ? 'POST' : 'GET'} /API/${label}`,
    );
    expect(ours.toSorted()).toEqual(documents.map(({ method, path }) => `${method} ${path}`).toSorted());
    expect(new Set(ours).size).toBe(33);
  });

  it.each(documents)('has the parameters of $path, in order and type', ({ path, query = {} }) => {
    const operation: Operation | undefined = Object.values(operations).find(
      ({ label }) => path === `/API/${label}`,
    );
    const ours = Object.entries(operation?.parameters ?? {}).map(([name, { type }]) => [
      name,
      type === 'integer' ? 'integer' : 'string',
    ]);
    expect(ours).toEqual(Object.entries(query));
  });

  it('names operations by area and name', () => {
    expect(operationLabel('nfeKeys')).toBe('Mercadoria/RetornaChaves');
    expect(operationLabel('login')).toBe('ConsumoWS/Login');
  });
});

describe('values on the wire', () => {
  const formats = { date: 'dd/MM/yyyy', time: 'HH:mm:ss' };
  const moment = { date: '2026-03-05', time: '07:08:09' };

  it.each([
    ['dd/MM/yyyy', '05/03/2026'],
    ['d/M/yyyy', '5/3/2026'],
    ['yyyy-MM-dd', '2026-03-05'],
    ['yyyyMMdd', '20260305'],
    ['dd.MM.yy', '05.03.26'],
  ])('writes a date as %s', (date, expected) => {
    expect(wireTypes.date(moment, { ...formats, date })).toBe(expected);
    expect(wireTypes.day(moment.date, { ...formats, date })).toBe(expected);
  });

  it.each([
    ['HH:mm:ss', '07:08:09'],
    ['H:mm', '7:08'],
    ['HHmmss', '070809'],
    ['none', ''],
  ])('writes a time as %s', (time, expected) => {
    expect(wireTypes.time(moment, { ...formats, time })).toBe(expected);
  });

  it('has the service’s words for directions', () => {
    expect(wireTypes.goodsDirection('inbound')).toBe('Entrada');
    expect(wireTypes.goodsDirection('outbound')).toBe('Saída');
    expect(wireTypes.servicesDirection('inbound')).toBe('Recebidas');
    expect(wireTypes.servicesDirection('outbound')).toBe('Emitidas');
  });

  it('uses every wire type it declares', () => {
    const used = Object.values(operations).flatMap(({ parameters }: Operation) =>
      Object.values(parameters).map(({ type }): WireType => type),
    );
    expect([...new Set(used)].toSorted()).toEqual(Object.keys(wireTypes).toSorted());
  });
});

describe('the table of the account service', () => {
  it('has the two operations', () => {
    const ours = Object.values(accountOperations).map(({ path }) => ({ method: 'PUT', path }));
    expect(ours).toEqual(account.map(({ method, path }) => ({ method, path })));
  });

  it.each(account)('has the path parameters and the fields of $path', ({ path, pathParameters, body }) => {
    const operation = Object.values(accountOperations).find((one) => one.path === path);
    expect(Object.keys(pathParameters ?? {})).toEqual([operation?.owner, 'id']);
    const ours = Object.entries(operation?.model.shape ?? {}).map(([name, type]) =>
      type.safeParse('text').success ? name : `${name}#`,
    );
    expect(ours.join(' ')).toBe(models[body ?? '']);
  });
});
