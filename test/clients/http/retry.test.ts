import { describe, expect, it } from 'vitest';
import {
  Cancelled,
  NotUnderstood,
  Refused,
  TimedOut,
  Unreachable,
  type UpstreamError,
} from '../../../src/clients/errors.ts';
import { isTransient, parseRetryAfter, waitBeforeRetry as wait } from '../../../src/clients/http/refusal.ts';

const call = { service: 'documents', operation: 'X' } as const;

describe('what is worth repeating', () => {
  it.each([408, 429, 502, 503, 504])('status %i', (status) => {
    expect(isTransient(new Refused(call, { status }))).toBe(true);
  });

  it.each(['ECONNREFUSED', 'ECONNRESET', 'EAI_AGAIN', 'EPIPE', 'PROXY_503'])('code %s', (code) => {
    expect(isTransient(new Unreachable(call, 'h:1', code))).toBe(true);
  });

  const lasting: [string, UpstreamError][] = [
    ['400', new Refused(call, { status: 400 })],
    ['401', new Refused(call, { status: 401 })],
    ['404', new Refused(call, { status: 404 })],
    ['500', new Refused(call, { status: 500 })],
    ['501', new Refused(call, { status: 501 })],
    ['a refusal inside a 200', new Refused(call, { code: '656' })],
    ['an unknown name', new Unreachable(call, 'h:1', 'ENOTFOUND')],
    ['a certificate', new Unreachable(call, 'h:1', 'SELF_SIGNED_CERT_IN_CHAIN')],
    ['a proxy that wants a password', new Unreachable(call, 'h:1', 'PROXY_407')],
    ['a time-out', new TimedOut(call, 60)],
    ['a cancellation', new Cancelled(call)],
    ['a strange reply', new NotUnderstood(call, 'unknown form', { kind: 'text', bytes: 1, start: 'x' })],
  ];
  it.each(lasting)('not %s', (_, error) => {
    expect(isTransient(error)).toBe(false);
  });
});

describe('how long is waited', () => {
  const waitBeforeRetry = (
    { attempts, retryAfter, remaining }: { attempts: number; retryAfter?: number; remaining: number },
    random: () => number,
  ) =>
    wait(
      new Refused(call, { status: 503, ...(retryAfter !== undefined && { retryAfter }) }),
      attempts,
      remaining,
      random,
    );

  it('grows exponentially, with jitter between half of the bound and the whole', () => {
    expect(waitBeforeRetry({ attempts: 1, remaining: 60_000 }, () => 0)).toBe(250);
    expect(waitBeforeRetry({ attempts: 1, remaining: 60_000 }, () => 0.5)).toBe(375);
    expect(waitBeforeRetry({ attempts: 1, remaining: 60_000 }, () => 0.999)).toBeLessThan(500);
    expect(waitBeforeRetry({ attempts: 2, remaining: 60_000 }, () => 0)).toBe(500);
  });

  it('is never so short that a service which restarts in 300 ms is asked only while it is away', () => {
    const waits = [1, 2].map((attempts) => waitBeforeRetry({ attempts, remaining: 60_000 }, () => 0) ?? 0);
    expect(waits[0] ?? 0).toBeGreaterThan(0);
    expect((waits[0] ?? 0) + (waits[1] ?? 0)).toBeGreaterThan(300);
  });

  it('ends after three attempts', () => {
    expect(waitBeforeRetry({ attempts: 3, remaining: 60_000 }, () => 0)).toBeUndefined();
  });

  it('is never shorter than the service asks, and no longer when it asks for less', () => {
    expect(waitBeforeRetry({ attempts: 1, retryAfter: 7, remaining: 60_000 }, () => 0.5)).toBe(7000);
    expect(waitBeforeRetry({ attempts: 1, retryAfter: 0, remaining: 60_000 }, () => 0.5)).toBe(375);
    expect(waitBeforeRetry({ attempts: 1, retryAfter: 30, remaining: 60_000 }, () => 0)).toBe(30_000);
  });

  it('does not begin a wait that is too long or that the call has no time for', () => {
    expect(waitBeforeRetry({ attempts: 1, retryAfter: 31, remaining: 600_000 }, () => 0)).toBeUndefined();
    expect(waitBeforeRetry({ attempts: 1, retryAfter: 5, remaining: 5000 }, () => 0)).toBeUndefined();
    expect(waitBeforeRetry({ attempts: 1, remaining: 200 }, () => 0)).toBeUndefined();
    const year = 365 * 24 * 3600;
    expect(waitBeforeRetry({ attempts: 1, retryAfter: year, remaining: 60_000 }, () => 0)).toBeUndefined();
  });
});

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
    ['Sun, 06 Nov 1994 08:49:37 GMT', 0],
    ['0000000000031', 31],
    ['5, 120, 7', 120],
    ['12345678901', 31_536_000],
    ['9'.repeat(400), 31_536_000],
    ['Fri, 20 Nov 2099 12:00:30 GMT', 31_536_000],
  ])('%s', (header, seconds) => {
    expect(parseRetryAfter(header, now)).toBe(seconds);
  });

  it.each([undefined, '', 'soon', '-5', '1.5', '1e3', '2026-11-20T12:00:30', 'Foo, 99 Bar GMT'])(
    'not %s',
    (header) => {
      expect(parseRetryAfter(header, now)).toBeUndefined();
    },
  );
});
