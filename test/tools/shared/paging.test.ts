import { describe, expect, it, onTestFinished } from 'vitest';
import { type Page, readPlace, takePage } from '../../../src/tools/shared/paging.ts';
import { prepareContext } from '../../support/tool-context.ts';

const query = { document: 'nfe', from: '2026-11-01' };

interface Asked {
  readonly items: readonly string[];
  readonly limit: number;
  readonly cursor?: string | undefined;
}

async function page({ items, limit, cursor }: Asked): Promise<Page<string>> {
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
