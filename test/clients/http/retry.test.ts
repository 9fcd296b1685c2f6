import { describe, expect, it } from 'vitest';
import { Refused, Unreachable, type UpstreamError } from '../../../src/clients/errors.ts';
import { parseRetryAfter, waitBeforeRetry } from '../../../src/clients/http/refusal.ts';

const call = { service: 'documents', operation: 'X' } as const;
const minute = 60_000;

/** What is waited after an error: which statuses are repeated the fault matrix shows. */
function wait(error: UpstreamError, attempts = 1, remaining = minute, random = 0): number | undefined {
  return waitBeforeRetry(error, attempts, remaining, () => random);
}
const asking = (retryAfter?: number) =>
  new Refused(call, { status: 503, ...(retryAfter !== undefined && { retryAfter }) });
const unreachable = (code: string) => new Unreachable(call, 'h:1', code);

it.each<[what: string, waited: number | undefined, milliseconds: number | undefined]>([
  ['half of the bound at least', wait(asking()), 250],
  ['with jitter', wait(asking(), 1, minute, 0.5), 375],
  ['twice as long the second time', wait(asking(), 2), 500],
  ['none after three attempts', wait(asking(), 3), undefined],
  ['as long as the service asks', wait(asking(7), 1, minute, 0.5), 7000],
  ['no shorter where it asks for less', wait(asking(0), 1, minute, 0.5), 375],
  ['half a minute at most', wait(asking(30)), 30_000],
  ['none that is too long', wait(asking(31), 1, 600_000), undefined],
  ['none that uses the time up', wait(asking(5), 1, 5000), undefined],
  ['a name server that is away', wait(unreachable('EAI_AGAIN')), 250],
  ['a proxy that is busy', wait(unreachable('PROXY_503')), 250],
  ['no unknown name', wait(unreachable('ENOTFOUND')), undefined],
  ['no wrong certificate', wait(unreachable('SELF_SIGNED_CERT_IN_CHAIN')), undefined],
  ['no proxy that wants a password', wait(unreachable('PROXY_407')), undefined],
  ['no refusal inside a 200', wait(new Refused(call, { code: '656' })), undefined],
])('the wait before a read is repeated: %s', (_, waited, milliseconds) => expect(waited).toBe(milliseconds));

describe('Retry-After', () => {
  const now = Date.UTC(2026, 10, 20, 12, 0, 0);

  it.each([
    ['120', 120],
    [' 0 ', 0],
    ['Fri, 20 Nov 2026 12:00:30 GMT', 30],
    ['Fri, 20 Nov 2026 11:00:00 GMT', 0],
    ['Friday, 20-Nov-26 12:01:00 GMT', 60],
    ['Fri Nov 20 12:02:00 2026', 120],
    ['fri, 20 nov 2026 12:00:30 gmt', 30],
    ['Fri, 20 Nov 2026 09:00:30 -0300', 30],
    ['2026-11-20T12:00:30Z', 30],
    ['2026-11-20T09:00:30-03:00', 30],
    ['5, 120, 7', 120],
    ['9'.repeat(400), 31_536_000],
    ['Fri, 20 Nov 2099 12:00:30 GMT', 31_536_000],
  ])('%s', (header, seconds) => {
    expect(parseRetryAfter(header, now)).toBe(seconds);
  });

  it.each([
    ...[undefined, '', 'soon', 'not before 2099', 'try 5', '-5', '1.5', '1e3', '2026-11-20T12:00:30'],
    'Foo, 99 Bar GMT',
  ])('not %s', (header) => {
    expect(parseRetryAfter(header, now)).toBeUndefined();
  });
});
