import { setTimeout as wait } from 'node:timers/promises';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { type CollectionOptions, collect } from '../../../src/archive/fetch/collect.ts';
import type { Arrival } from '../../../src/archive/write/arrival.ts';
import { Cancelled, NotUnderstood, Refused, TimedOut, Unreachable } from '../../../src/clients/errors.ts';
import { daysOf, daysWith, type Period } from '../../../src/documents/days.ts';
import { summaryOf } from '../../support/summaries.ts';

const call = { service: 'documents', operation: 'Mercadoria/RetornaListaXmlPelaEmissao' } as const;
const november: Period = { from: '2026-11-01', to: '2026-11-30' };

const errors = {
  TimedOut: () => new TimedOut(call, 60),
  'Refused in the reply': () => new Refused(call, { code: '999', message: 'reduza o período' }),
  'Refused with 500': () => new Refused(call, { status: 500 }),
  NotUnderstood: () => new NotUnderstood(call, 'truncated', { kind: 'xml', bytes: 9, start: '' }),
  'a connection that broke': () => new Unreachable(call, 'service:80', 'ECONNRESET'),
};

/** Identical documents. */
function arrivalsOf(count: number): Arrival[] {
  return Array.from({ length: count }, () => ({ summary: summaryOf() }));
}

const replyOf = (count: number) => ({ arrivals: arrivalsOf(count), count, unreadable: [] });

interface Asked {
  readonly window: Period;
  readonly days: readonly string[];
  readonly hours: number;
}

interface Service {
  /** Documents a window has. */
  readonly documents?: (asked: Asked) => number;
  /** What a window fails with. */
  readonly fails?: (asked: Asked) => Error | undefined;
  readonly takes?: (asked: Asked) => number;
}

/** Options with a stub service, which records its requests and the stored days. */
function prepare({ documents = () => 1, fails = () => undefined, takes = () => 1 }: Service) {
  const asked: Asked[] = [];
  const stored: { days: Period; count: number }[] = [];
  let now = 0;
  let most = 0;
  const options: CollectionOptions<Arrival> = {
    async fetch(window, signal) {
      const { from, to } = window;
      const hours = Math.round((Date.parse(`${to}Z`) - Date.parse(`${from}Z`)) / 3_600_000);
      const one = { window, days: daysOf(daysWith(window)), hours };
      asked.push(one);
      now += 1;
      most = Math.max(most, now);
      try {
        await wait(takes(one), undefined, { signal });
      } catch {
        throw new Cancelled(call);
      } finally {
        now -= 1;
      }
      const error = fails(one);
      if (error !== undefined) throw error;
      return replyOf(documents(one));
    },
    async store(days, { arrivals }) {
      stored.push({ days, count: arrivals.length });
    },
    concurrency: 4,
    longestWindow: 31,
    hasTimes: true,
    deadline: Date.now() + 60_000,
    signal: new AbortController().signal,
    onProgress: () => undefined,
  };
  const storedDays = () => stored.flatMap(({ days }) => daysOf(days)).sort();
  return { options, asked, stored, storedDays, most: () => most };
}

afterEach(() => {
  vi.useRealTimers();
});

describe('a collection', () => {
  it('ends with the last day there is', async () => {
    const { options, storedDays } = prepare({});
    const last = { from: '9999-12-30', to: '9999-12-31' };
    await collect([last], options);
    expect(storedDays()).toEqual(daysOf(last));
  });

  it('fetches every day once and stores it', async () => {
    const { options, asked, stored, storedDays } = prepare({ documents: ({ days }) => 2 * days.length });
    const result = await collect([november], options);
    expect(result).toEqual({ daysDone: 30, missing: [], pending: [], documents: 60 });
    expect(storedDays()).toEqual(daysOf(november));
    expect(asked.flatMap(({ days }) => days).sort()).toEqual(daysOf(november));
    expect(stored.reduce((sum, { count }) => sum + count, 0)).toBe(60);
  });

  it.each([1, 2, 4, 7])('has %i calls under way and never more', async (concurrency) => {
    const { options, most } = prepare({ documents: () => 70, takes: () => 5 });
    await collect([november], { ...options, concurrency });
    expect(most()).toBe(concurrency);
  });

  it('takes fewer days at once when they hold much', async () => {
    const busy = (day: string) => day >= '2026-06-01';
    const { options, asked } = prepare({
      documents: ({ days }) => days.reduce((sum, day) => sum + (busy(day) ? 500 : 1), 0),
    });
    await collect([{ from: '2026-01-01', to: '2026-12-31' }], { ...options, concurrency: 1 });
    const lengths = asked.filter(({ days }) => days.every(busy)).map(({ days }) => days.length);
    expect(lengths.slice(-100).every((length) => length === 1)).toBe(true);
  });

  it('hands on what could not be read with the days it was in, also of a day that was cut', async () => {
    const { options } = prepare({});
    const unreadable: unknown[] = [];
    const place = (from: string) => ({ place: from, reason: 'unknown_layout' }) as const;
    await collect([{ from: '2026-11-05', to: '2026-11-05' }], {
      ...options,
      async fetch({ from, to }) {
        if (from.endsWith('T00:00:00') && to.endsWith('T23:59:59')) throw errors.TimedOut();
        return { arrivals: [], count: 0, unreadable: [place(from.slice(11))] };
      },
      async store(days, fetched) {
        unreadable.push([days, fetched.unreadable]);
      },
    });
    const day = { from: '2026-11-05', to: '2026-11-05' };
    expect(unreadable).toEqual([[day, [place('00:00:00'), place('12:00:00')]]]);
  });
});

describe('a window that is too large', () => {
  it.each(Object.entries(errors))(
    'is halved after %s, and a failing day is missing alone',
    async (_, error) => {
      const bad = { from: '2026-11-17', to: '2026-11-17' };
      const { options, asked, storedDays } = prepare({
        documents: ({ days }) => days.length,
        fails: ({ days }) => (days.length > 4 || days.includes(bad.from) ? error() : undefined),
      });
      const year = { from: '2026-01-01', to: '2026-12-31' };
      const result = await collect([year], { ...options, concurrency: 1 });
      const missing = [{ ...bad, error: { name: error().name } }];
      expect(result).toMatchObject({ daysDone: 364, missing, pending: [] });
      expect(storedDays()).toEqual(daysOf(year).filter((day) => day !== bad.from));
      expect(asked.some(({ days }) => days.length > 4)).toBe(true);
    },
  );

  it.each(['2026-11-05', '2024-02-29'])(
    'is halved down to an hour, without gaps or overlaps: %s',
    async (from) => {
      const { options, asked, stored } = prepare({
        fails: ({ hours }) => (hours > 1 ? errors['Refused in the reply']() : undefined),
      });
      const day = { from, to: from };
      expect(await collect([day], options)).toMatchObject({ missing: [], documents: 24 });
      expect(stored).toEqual([{ days: day, count: 24 }]);
      const hours = asked.filter((one) => one.hours === 1).map(({ window }) => window);
      expect(hours.map(({ from: first, to }) => `${first.slice(11)} ${to.slice(11)}`).sort()).toEqual(
        Array.from({ length: 24 }, (_, hour) => String(hour).padStart(2, '0')).map(
          (hour) => `${hour}:00:00 ${hour}:59:59`,
        ),
      );
    },
  );

  it('is cut down to a day where times are not sent', async () => {
    const { options, asked } = prepare({ fails: () => errors.TimedOut() });
    const day = { from: '2026-11-05', to: '2026-11-05' };
    const result = await collect([day], { ...options, hasTimes: false });
    expect(result.missing).toMatchObject([day]);
    expect(asked).toHaveLength(1);
  });

  it('is given up after twenty seconds and cut, though the call itself could go on', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'Date'] });
    const hours: number[] = [];
    const { options, stored } = prepare({});
    const collecting = collect([{ from: '2026-11-05', to: '2026-11-05' }], {
      ...options,
      deadline: Date.now() + 60_000,
      fetch: ({ from, to }, signal) =>
        new Promise((resolve, reject) => {
          const length = Number(to.slice(11, 13)) - Number(from.slice(11, 13)) + 1;
          hours.push(length);
          signal.addEventListener('abort', () => reject(new Cancelled(call)));
          if (length > 12) return;
          resolve(replyOf(1));
        }),
    });
    await vi.advanceTimersByTimeAsync(19_000);
    expect(hours).toEqual([24]);
    await vi.advanceTimersByTimeAsync(2_000);
    expect(await collecting).toMatchObject({ missing: [], pending: [] });
    expect(hours).toEqual([24, 12, 12]);
    expect(stored).toEqual([{ days: { from: '2026-11-05', to: '2026-11-05' }, count: 2 }]);
  });
});

it('a day with a failed hour is missing as a whole, and nothing of it is stored', async () => {
  const { options, stored } = prepare({
    fails: ({ window: { from, to } }) =>
      from <= '2026-11-05T14:00:00' && to >= '2026-11-05T14:00:00' ? errors.NotUnderstood() : undefined,
  });
  const result = await collect([{ from: '2026-11-04', to: '2026-11-06' }], options);
  expect(result.missing).toMatchObject([{ from: '2026-11-05', to: '2026-11-05' }]);
  expect(stored.flatMap(({ days }) => daysOf(days)).sort()).toEqual(['2026-11-04', '2026-11-06']);
});

describe('a service that does not work', () => {
  const hopeless = {
    'is not there': new Unreachable(call, 'service:80', 'ECONNREFUSED'),
    'has another certificate': new Unreachable(call, 'service:443', 'CERT_HAS_EXPIRED'),
    'refuses the password': new Refused(call, { status: 401 }),
    'forbids it': new Refused(call, { status: 403 }),
    'does not know the operation': new Refused(call, { status: 404 }),
  };

  it.each(Object.entries(hopeless))('because it %s is asked no more', async (_, error) => {
    const { options, asked } = prepare({ fails: () => error });
    const { missing, pending } = await collect([{ from: '2026-01-01', to: '2026-12-31' }], options);
    expect(asked.length).toBeLessThanOrEqual(options.concurrency);
    expect(missing.flatMap(daysOf).sort()).toEqual(daysOf({ from: '2026-01-01', to: '2026-12-31' }));
    expect(missing.every((one) => one.error === error)).toBe(true);
    expect(pending).toEqual([]);
  });

  it('any more, after some days, loses the rest but not these days', async () => {
    const { options, storedDays } = prepare({
      fails: ({ days }) => (days.some((day) => day > '2026-11-10') ? hopeless['is not there'] : undefined),
    });
    const { missing, daysDone } = await collect([november], { ...options, longestWindow: 1 });
    expect(storedDays()).toHaveLength(daysDone);
    expect(daysDone).toBeGreaterThanOrEqual(6);
    expect([...storedDays(), ...missing.flatMap(daysOf)].sort()).toEqual(daysOf(november));
  });

  it('for one day after the other is not asked about a whole year', async () => {
    const { options, asked } = prepare({ fails: errors['Refused with 500'] });
    const { missing, daysDone } = await collect([{ from: '2026-01-01', to: '2026-12-31' }], options);
    expect(daysDone).toBe(0);
    expect(missing.flatMap(daysOf)).toHaveLength(365);
    expect(asked.length).toBeLessThan(80);
  });
});

it('a deadline before anything was complete is a timeout, not a pending rest', async () => {
  const { options } = prepare({});
  vi.useFakeTimers({ toFake: ['Date'] });
  const collecting = collect([november], {
    ...options,
    hasTimes: false,
    longestWindow: 1,
    deadline: Date.now() + 100,
    fetch: (_window, signal) =>
      new Promise((_resolve, reject) => {
        signal.addEventListener('abort', () => reject(new Cancelled(call)));
      }),
  });
  vi.setSystemTime(Date.now() + 38_000);
  const { missing, pending } = await collecting;
  expect(pending).toEqual([]);
  expect(missing).toMatchObject([{ ...november, error: { name: 'TimedOut', seconds: 38 } }]);
});

it('a failing store stops every worker, and its error is passed on', async () => {
  const { options, asked } = prepare({ takes: () => 5 });
  const broken = new Error('disk full');
  const store = async () => {
    throw broken;
  };
  await expect(collect([november], { ...options, longestWindow: 1, store })).rejects.toBe(broken);
  const { length } = asked;
  await wait(50);
  expect(asked).toHaveLength(length);
  expect(length).toBeLessThanOrEqual(8);
});
