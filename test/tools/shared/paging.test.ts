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

const numbered = (count: number) => Array.from({ length: count }, (_, i) => `item ${i}`);

describe('pages', () => {
  it.each([
    [10, 3],
    [10, 10],
    [10, 11],
    [1, 1],
    [0, 5],
    [9, 3],
  ])('of %i entries by %i hold every entry once', async (count, limit) => {
    const items = numbered(count);
    const gathered: string[] = [];
    let cursor: string | undefined;
    let pages = 0;
    do {
      const { items: some, lines, nextCursor } = await page({ items, limit, cursor });
      expect(lines).toEqual(some);
      expect(some.length).toBeLessThanOrEqual(limit);
      gathered.push(...some);
      cursor = nextCursor;
      pages += 1;
    } while (cursor !== undefined && pages < 20);
    expect(gathered).toEqual(items);
    expect(pages).toBe(Math.max(1, Math.ceil(count / limit)));
  });

  it('end before their text is too long, and go on after it', async () => {
    const items = Array.from({ length: 10 }, (_, i) => String(i).repeat(9_000));
    const first = await page({ items, limit: 10 });
    expect(first.items).toEqual(items.slice(0, 4));
    const second = await page({ items, limit: 10, cursor: first.nextCursor });
    expect(second.items).toEqual(items.slice(4, 8));
  });

  it('hold one entry at least, however long', async () => {
    const items = ['x'.repeat(60_000), 'y'];
    const { items: some, nextCursor } = await page({ items, limit: 2 });
    expect(some).toEqual(['x'.repeat(60_000)]);
    expect((await page({ items, limit: 2, cursor: nextCursor })).items).toEqual(['y']);
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
