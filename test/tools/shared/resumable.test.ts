import { afterEach, describe, expect, it, vi } from 'vitest';
import type { Archive } from '../../../src/archive/archive.ts';
import { keptByQuestion, Resumable } from '../../../src/tools/shared/resumable.ts';

afterEach(() => void vi.useRealTimers());

const call = { signal: new AbortController().signal };
const never = () => false;

/** Work of five steps, of which one may fail. */
function work(failing?: number) {
  const taken: number[] = [];
  const steps = new Resumable<typeof call>(async function* () {
    for (let step = 1; step <= 5; step++) {
      if (step === failing) throw new Error('failed');
      taken.push(step);
      yield;
    }
  });
  return { steps, taken };
}

describe('work over several calls', () => {
  it('stops when the time is over, goes on where it stopped, and takes no step twice', async () => {
    const { steps, taken } = work();
    for (let calls = 1; !steps.isDone; calls++) {
      await steps.proceed(call, () => true);
      expect(taken).toHaveLength(Math.min(calls, 5));
    }
    expect(taken).toEqual([1, 2, 3, 4, 5]);
  });

  it('is done once by two callers at once, and goes on for the next where one gave up', async () => {
    const { steps, taken } = work();
    const gone = { signal: AbortSignal.abort(new Error('gone')) };
    await expect(steps.proceed(gone, never)).rejects.toThrow('gone');
    await Promise.all([steps.proceed(call, never), steps.proceed(call, never)]);
    expect([steps.isDone, steps.isBroken, taken]).toEqual([true, false, [1, 2, 3, 4, 5]]);
  });

  it('is broken by a step that fails, and never passes for whole', async () => {
    const { steps } = work(3);
    await expect(steps.proceed(call, never)).rejects.toThrow('failed');
    expect([steps.isDone, steps.isBroken]).toEqual([false, true]);
  });

  it('stays broken for a caller that waited for its turn', async () => {
    const { steps, taken } = work(3);
    const [first, second] = [steps.proceed(call, never), steps.proceed(call, never)];
    await expect(first).rejects.toThrow('failed');
    await second;
    expect([steps.isDone, steps.isBroken, taken]).toEqual([false, true, [1, 2]]);
  });

  it('is kept by question and archive, and so many at once', () => {
    const [archive, other] = [{}, {}] as [Archive, Archive];
    const kept = keptByQuestion<object>({ max: 2 });
    for (const name of ['first', 'second', 'third']) kept(archive).set(name, { name });
    expect(['first', 'third'].map((name) => kept(archive).get(name))).toEqual([undefined, { name: 'third' }]);
    expect(kept(other).get('third')).toBeUndefined();
  });

  it('is kept for ten minutes after its last page', () => {
    let now = 1;
    vi.spyOn(performance, 'now').mockImplementation(() => now);
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const pass = (minutes: number) => {
      now += minutes * 60_000;
      vi.advanceTimersByTime(minutes * 60_000);
    };
    const kept = keptByQuestion<object>({ max: 2 })({} as Archive);
    kept.set('question', {});
    pass(9);
    expect(kept.get('question')).toBeDefined();
    pass(9);
    expect(kept.size).toBe(1);
    pass(2);
    expect(kept.size).toBe(0);
  });
});
