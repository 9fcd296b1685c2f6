import { describe, expect, it } from 'vitest';
import {
  NotUnderstood,
  OutcomeUnknown,
  Refused,
  TimedOut,
  tokenOperation,
  Unreachable,
} from '../../src/clients/errors.ts';
import { outcomeOfFailure, outcomeOfRecord, overallStatus } from '../../src/writes/outcome.ts';

const call = { service: 'documents', operation: 'Mercadoria/RealizarManifesto' } as const;

describe('an error that ended a write', () => {
  const lost = new TimedOut(call, 40);
  it.each([
    ['a no of the service', new Refused(call, { status: 403 }), 'refused'],
    ['a reply that was lost', new OutcomeUnknown(lost), 'unknown'],
    [
      'a reply that is not understood',
      new OutcomeUnknown(new NotUnderstood(call, 'unknown form', { kind: 'text', bytes: 3, start: 'abc' })),
      'unknown',
    ],
    ['no connection', new Unreachable(call, '127.0.0.1:1', 'ECONNREFUSED'), 'not_sent'],
    ['time over before anything left', lost, 'not_sent'],
    [
      'a no of the token endpoint, which is another server',
      new Refused({ service: 'account', operation: tokenOperation }, { status: 401 }),
      'not_sent',
    ],
    ['an unexpected error', new TypeError('x is undefined'), 'unknown'],
  ])('by %s leaves it %s', (_, error, status) => {
    expect(outcomeOfFailure(error, false)).toBe(status);
  });

  it('that is known to arise before the sending leaves it not sent, but changes nothing of the others', () => {
    expect(outcomeOfFailure(new Error('not configured'), true)).toBe('not_sent');
    expect(outcomeOfFailure(new OutcomeUnknown(lost), true)).toBe('unknown');
    expect(outcomeOfFailure(new Refused(call, { status: 400 }), true)).toBe('refused');
  });
});

describe('a record of the service', () => {
  it.each([
    ['135 - Evento registrado e vinculado a NF-e', 'done', '135'],
    ['Rejeicao 573: Duplicidade de evento', 'done', '573'],
    ['Rejeicao 596: Evento apresentado fora do prazo', 'refused', '596'],
    ['128 - Lote processado', 'unknown', '128'],
    ['Processado com sucesso', 'unknown', undefined],
  ])('saying %j', (message, status, status_code) => {
    expect(outcomeOfRecord({ message, success: 1 })).toEqual({ status, status_code });
  });

  it('is believed of the event asked about only', () => {
    const record = { event: '210210', message: '135 - Evento registrado' };
    expect(outcomeOfRecord(record, '210210').status).toBe('done');
    expect(outcomeOfRecord(record, '210200').status).toBe('unknown');
    expect(outcomeOfRecord(record).status).toBe('done');
  });

  it('without a message leaves the outcome unknown, whatever Sucesso is', () => {
    for (const success of [0, 1, undefined]) expect(outcomeOfRecord({ success }).status).toBe('unknown');
  });
});

it.each([
  [['done', 'done'], 'done'],
  [['done', 'not_sent'], 'partly'],
  [['done', 'unknown'], 'partly'],
  [['not_sent', 'not_sent'], 'not_sent'],
  [['refused', 'not_sent'], 'refused'],
  [['refused', 'unknown', 'not_sent'], 'unknown'],
] as const)('%j together are %s', (outcomes, status) => {
  expect(overallStatus(outcomes)).toBe(status);
});
