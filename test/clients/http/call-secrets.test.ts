import { describe, expect, it } from 'vitest';
import { NotUnderstood, OutcomeUnknown, Refused, TimedOut } from '../../../src/clients/errors.ts';
import type { HttpCall } from '../../../src/clients/http/call.ts';
import { createRedaction, redactedError, secretsOf } from '../../../src/clients/http/redact.ts';

const call: HttpCall = {
  service: 'documents',
  operation: 'X',
  method: 'GET',
  url: 'https://h.test/',
  kind: 'read',
};

describe('the secrets of a call', () => {
  it.each([
    ['a password', 'https://h.test/a?usuario=joao&senha=p%40ss', {}, ['p@ss']],
    ['a signature', 'https://h.test/a.pdf?sv=1&sig=a%2Bb%3D', {}, ['a+b=']],
    [
      'a signature in an address in the address',
      `https://h.test/a?oldUrl=${encodeURIComponent('https://b.test/x?sv=1&sig=a%2Bb%3D')}`,
      {},
      ['a+b='],
    ],
    ['a token', 'https://h.test/', { authorization: 'Bearer abc.def' }, ['abc.def']],
    ['a key', 'https://h.test/', { Authorization: 'plain-key' }, ['plain-key']],
    [
      'a pair',
      'https://h.test/',
      { authorization: `Basic ${Buffer.from('user:se:cret').toString('base64')}` },
      [Buffer.from('user:se:cret').toString('base64'), 'user:se:cret', 'se:cret'],
    ],
    ['none', 'https://h.test/a?cnpj=48152036000117', { accept: 'x' }, []],
  ])('%s', (_what, url, headers: Record<string, string>, secrets) => {
    expect(secretsOf({ ...call, url, headers })).toEqual(secrets);
  });
});

describe('an error that a reader made', () => {
  const redact = createRedaction(['hush-hush']).redact;
  const sketch = { kind: 'text', bytes: 20, start: 'it was hush-hush' };

  it('loses secrets in the words it quotes', () => {
    const understood = redactedError(new NotUnderstood(call, 'unknown form', sketch), redact);
    expect(understood).toMatchObject({ reason: 'unknown form', reply: { ...sketch, start: '***' } });
    const refused = redactedError(new Refused(call, { status: 400, message: 'no hush-hush' }), redact);
    expect(refused).toMatchObject({ refusal: { status: 400, message: '***' } });
    const unknown = redactedError(new OutcomeUnknown(new NotUnderstood(call, 'x', sketch)), redact);
    expect(unknown).toMatchObject({ name: 'OutcomeUnknown', cause: { reply: { start: '***' } } });
  });

  it('is left alone where it quotes none', () => {
    const error = new TimedOut(call, 3);
    expect(redactedError(error, redact)).toBe(error);
    expect(redactedError('anything', redact)).toBe('anything');
  });
});
