import { describe, expect, it } from 'vitest';
import { HeldBack, Refused, TimedOut, Unreachable } from '../../../src/clients/errors.ts';
import type { HttpCall } from '../../../src/clients/http/call.ts';
import { createGate, createLocalStates } from '../../../src/clients/http/gate.ts';
import { call } from '../../support/service-call.ts';

const other = { ...call, company: '58716523000119' };
const second = 1_000;
const never = new AbortController().signal;
const down = new Unreachable(call, 'documents.example', 'ECONNREFUSED');
const refusedWith = (refusal: Refused['refusal']) => new Refused(call, refusal);

function startGate() {
  const clock = { now: Date.parse('2026-11-20T12:00:00.000Z') };
  const gate = createGate(
    createLocalStates(() => clock.now),
    4,
  );
  /** Makes a call that ends so; what held it back. */
  const make = async (error?: unknown, one: HttpCall = call): Promise<HeldBack | undefined> => {
    try {
      await (await gate.enter(one, never))(error);
      return undefined;
    } catch (held) {
      if (held instanceof HeldBack) return held;
      throw held;
    }
  };
  const repeatedly = async (count: number, error: unknown) => {
    for (let index = 0; index < count; index += 1) expect(await make(error)).toBeUndefined();
  };
  return { clock, gate, make, repeatedly };
}

describe('a service that fails', () => {
  it('five times in a row is left alone for half a minute, tried once, and twice as long after that', async () => {
    const { clock, gate, make, repeatedly } = startGate();
    await repeatedly(5, down);
    expect(await make()).toMatchObject({ reason: 'failing', until: '2026-11-20T12:00:30.000Z' });
    expect([...gate.open]).toEqual(['documents']);
    expect(await make(undefined, { ...call, service: 'account' })).toBeUndefined();
    clock.now += 30 * second;
    const trying = await gate.enter(call, never);
    expect(await make()).toMatchObject({ reason: 'failing' });
    await trying(down);
    expect(await make()).toMatchObject({ until: '2026-11-20T12:01:30.000Z' });
    clock.now += 60 * second;
    await repeatedly(1, undefined);
    expect([...gate.open]).toEqual([]);
    await repeatedly(4, down);
    expect(await make()).toBeUndefined();
  });

  it('is not left alone for what is the question’s fault, or for failures with answers between', async () => {
    const { make, repeatedly } = startGate();
    await repeatedly(9, new TimedOut(call, 40));
    await repeatedly(9, refusedWith({ status: 500 }));
    for (let round = 0; round < 3; round += 1) {
      await repeatedly(4, down);
      await repeatedly(1, refusedWith({ status: 404 }));
    }
    expect(await make()).toBeUndefined();
  });

  it('with calls under way when the others have failed is not left alone the longer for them', async () => {
    const { gate, make } = startGate();
    const under = await Promise.all(Array.from({ length: 9 }, () => gate.enter(call, never)));
    for (const end of under) await end(down);
    expect(await make()).toMatchObject({ until: '2026-11-20T12:00:30.000Z' });
  });
});

it('a service that asks to wait is waited for, an hour at most', async () => {
  const { clock, make, repeatedly } = startGate();
  await repeatedly(1, refusedWith({ status: 429, retryAfter: 90 }));
  expect(await make()).toMatchObject({ reason: 'asked_to_wait', until: '2026-11-20T12:01:30.000Z' });
  clock.now += 90 * second;
  await repeatedly(1, refusedWith({ status: 503, retryAfter: 99_999_999 }));
  expect(await make()).toMatchObject({ until: '2026-11-20T13:01:30.000Z' });
});

it('undue consumption stops the calls of its company for an hour, and of no other', async () => {
  const { clock, make, repeatedly } = startGate();
  await repeatedly(1, refusedWith({ code: '656' }));
  expect(await make()).toMatchObject({ reason: 'undue_consumption', until: '2026-11-20T13:00:00.000Z' });
  expect(await make(undefined, other)).toBeUndefined();
  clock.now += 3_599 * second;
  expect(await make()).toBeInstanceOf(HeldBack);
  clock.now += second;
  expect(await make()).toBeUndefined();
});

it('calls beyond the budget wait, a hundred a second, and go in the order they came', async () => {
  const { gate, repeatedly } = startGate();
  await repeatedly(300, undefined);
  const entered: string[] = [];
  const began = performance.now();
  const enter = async (name: string) => {
    await gate.enter(call, never);
    entered.push(name);
  };
  await Promise.all(['first', 'second', 'third', 'fourth', 'fifth'].map(enter));
  expect(entered).toEqual(['first', 'second', 'third', 'fourth', 'fifth']);
  expect(performance.now() - began).toBeGreaterThan(40);
});

it.each([
  ['a service that fails', down, 5],
  ['a service that asked to wait', refusedWith({ status: 429, retryAfter: 3_600 }), 1],
  ['undue consumption', refusedWith({ code: '656' }), 1],
] as const)('a clock set back by seconds still holds back %s, by a day nothing', async (_, error, times) => {
  const { clock, make, repeatedly } = startGate();
  await repeatedly(times, error);
  clock.now += 5 * second;
  expect(await make()).toBeInstanceOf(HeldBack);
  clock.now -= 26 * 3_600 * second;
  expect(await make()).toBeUndefined();
});

it.each(['takePlace', 'change'] as const)(
  'a call aborted while %s fails has its own reason',
  async (name) => {
    const leaving = new AbortController();
    const reason = new TimedOut(call, 40);
    const failing = async () => {
      leaving.abort(reason);
      throw new Error('the database is away');
    };
    const gate = createGate({ ...createLocalStates(), [name]: failing }, 4);
    await expect(gate.enter(call, leaving.signal)).rejects.toBe(reason);
    const going = await createGate({ ...createLocalStates(), [name]: () => Promise.reject(down) }, 4).enter(
      call,
      never,
    );
    await expect(going()).resolves.toBeUndefined();
  },
);
