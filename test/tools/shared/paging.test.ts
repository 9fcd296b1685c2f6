import { describe, expect, it, onTestFinished } from 'vitest';
import * as z from 'zod';
import { readTool } from '../../../src/tools/shared/definition.ts';
import { askAllPages, cursorTo, readPlace, takePage } from '../../../src/tools/shared/paging.ts';
import { prepareContext } from '../../support/tool-context.ts';

const query = { document: 'nfe', from: '2026-11-01' };

interface Asked {
  readonly items: readonly string[];
  readonly limit: number;
  readonly cursor?: string | undefined;
}

async function page({ items, limit, cursor }: Asked) {
  const { context, close } = prepareContext();
  onTestFinished(close);
  const place = await readPlace(cursor, query, context);
  return takePage({ items, write: (item) => item, limit, place, query });
}

describe('pages', () => {
  it.each([
    ['by the limit', Array.from({ length: 10 }, (_, i) => `item ${i}`), 3, [3, 3, 3, 1]],
    [
      'before their text is too long',
      Array.from({ length: 10 }, (_, i) => String(i).repeat(9_000)),
      10,
      [4, 4, 2],
    ],
    ['after one entry at least, however long', ['x'.repeat(60_000), 'y'], 2, [1, 1]],
    ['at once where there is nothing', [], 5, [0]],
  ])('end %s, and hold every entry once', async (_, items, limit, lengths) => {
    const pages: (readonly string[])[] = [];
    let cursor: string | undefined;
    do {
      const { items: some, lines, nextCursor } = await page({ items, limit, cursor });
      expect(lines).toEqual(some);
      pages.push(some);
      cursor = nextCursor;
    } while (cursor !== undefined && pages.length < 20);
    expect(pages.map(({ length }) => length)).toEqual(lengths);
    expect(pages.flat()).toEqual(items);
  });
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
    const { context, close } = prepareContext();
    onTestFinished(close);
    const { tool, calls } = listOf(count, isShown);
    const { rows, isWaiting } = await askAllPages(tool, {}, 'rows', context);
    expect(isWaiting).toBe(false);
    expect(rows).toEqual(Array.from({ length: count }, (_, at) => at).filter(isShown));
    expect(calls.length).toBeLessThanOrEqual(1 + Math.ceil(count / 300));
  });
});
