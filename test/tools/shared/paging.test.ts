import { describe, expect, it, onTestFinished, vi } from 'vitest';
import * as z from 'zod';
import type { Archive } from '../../../src/archive/archive.ts';
import { readTool } from '../../../src/tools/shared/definition.ts';
import {
  askAllPages,
  cursorTo,
  keptByQuestion,
  linesThatFit,
  Resumable,
  readPlace,
  takePage,
} from '../../../src/tools/shared/paging.ts';
import { prepareContext } from '../../support/tool-context.ts';

const query = { document: 'nfe', from: '2026-11-01' };

interface Asked {
  readonly items: readonly string[];
  readonly limit: number;
  readonly cursor?: string | undefined;
}

async function page({ items, limit, cursor }: Asked) {
  const { context } = prepareContext();
  const place = await readPlace(cursor, query, context);
  return takePage({ items, limit, place, query });
}

describe('pages', () => {
  it.each([
    ['by the limit', 10, [3, 3, 3, 1]],
    ['with the last entry', 6, [3, 3]],
    ['at once where there is nothing', 0, [0]],
  ])('end %s, and hold every entry once', async (_, count, lengths) => {
    const items = Array.from({ length: count }, (_, at) => `item ${at}`);
    const pages: (readonly string[])[] = [];
    let cursor: string | undefined;
    do {
      const { items: some, nextCursor } = await page({ items, limit: 3, cursor });
      pages.push(some);
      cursor = nextCursor;
    } while (cursor !== undefined && pages.length < 20);
    expect(pages.map(({ length }) => length)).toEqual(lengths);
    expect(pages.flat()).toEqual(items);
  });
});

it.each([
  ['before their text is too long', Array.from({ length: 10 }, (_, at) => String(at).repeat(9_000)), 4],
  ['sooner where they open with more', ['x'.repeat(30_000), 'y'.repeat(9_000)], 1],
  ['after one at least, however long', ['x'.repeat(60_000), 'y'], 1],
  ['with the last one', ['x', 'y'], 2],
])('lines end %s', (_, lines, count) => {
  expect(linesThatFit(['o'.repeat(2_000)], lines)).toEqual(lines.slice(0, count));
});

describe('all pages of another tool', () => {
  /** A list whose answers hold 300 items at most, and of which some need not be shown any more. */
  const listOf = (count: number, isShown: (at: number) => boolean) => {
    const calls: number[] = [];
    const tool = readTool({
      name: 'numbers',
      group: 'analysis',
      description: 'Numbers',
      input: () => z.strictObject({ limit: z.int().max(200), cursor: z.string().optional() }),
      output: () => z.object({ rows: z.array(z.int()), next_cursor: z.string().optional() }),
      async run({ limit, cursor }, context) {
        const { offset } = await readPlace(cursor, query, context);
        const next = Math.min(count, offset + Math.min(limit, 300));
        calls.push(offset);
        const rows = Array.from({ length: next - offset }, (_, at) => offset + at).filter(isShown);
        const next_cursor = next < count ? await cursorTo({ offset: next }, query) : undefined;
        return { structured: { rows, next_cursor }, text: [] };
      },
    });
    return { tool, calls };
  };

  it.each([
    ['few', 10, () => true],
    ['many', 1_000, () => true],
    ['many, of which a page has nothing left', 1_000, (at: number) => at < 200 || at >= 500],
    ['many, with nothing on the first page', 1_000, (at: number) => at >= 200],
  ])('hold every row: %s', async (_, count, isShown) => {
    const { context } = prepareContext();
    const { tool, calls } = listOf(count, isShown);
    const { answer, isWaiting } = await askAllPages<{ rows: number[] }>(tool, {}, 'rows', context);
    expect(isWaiting).toBe(false);
    expect(answer.rows).toEqual(Array.from({ length: count }, (_, at) => at).filter(isShown));
    expect(calls.length).toBeLessThanOrEqual(1 + Math.ceil(count / 300));
  });
});

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
    const clock = vi.spyOn(performance, 'now').mockImplementation(() => now);
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => {
      vi.useRealTimers();
      clock.mockRestore();
    });
    const kept = keptByQuestion<object>({ max: 2 })({} as Archive);
    const sizeAfter = (minutes: number) => {
      now += minutes * 60_000;
      vi.advanceTimersByTime(minutes * 60_000);
      return kept.size;
    };
    kept.set('question', {});
    expect(sizeAfter(9)).toBe(1);
    expect(kept.get('question')).toBeDefined();
    expect([sizeAfter(9), sizeAfter(2)]).toEqual([1, 0]);
  });
});
