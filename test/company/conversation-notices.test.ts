import { expect, it } from 'vitest';
import { type NoticeTimes, noticeDue } from '../../src/company/company.ts';

it('a sentence is due once in a conversation of each caller, and throughout the call that says it', () => {
  let now = 0;
  const notices: NoticeTimes = new Map();
  const call = (principal: string, minutes: number) => {
    now += minutes * 60_000;
    const isDue = noticeDue(notices, principal, () => now);
    return [isDue('grace'), isDue('grace')];
  };
  expect(call('local', 0)).toEqual([true, true]);
  expect(call('local', 10)).toEqual([false, false]);
  expect(call('ana', 1)).toEqual([true, true]);
  // Each call goes on with the conversation; a long silence ends it.
  expect(call('local', 25)).toEqual([false, false]);
  expect(call('local', 29)).toEqual([false, false]);
  expect(call('local', 31)).toEqual([true, true]);
});
