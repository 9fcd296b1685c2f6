import { describe, expect, it, onTestFinished } from 'vitest';
import { BadArguments, Unfulfilled } from '../../../src/company/failures.ts';
import { type Page, readPlace, takePage } from '../../../src/tools/shared/paging.ts';
import { prepareContext } from '../../support/tool-context.ts';

const query = { document: 'nfe', from: '2026-11-01' };

interface Asked {
  readonly items: readonly string[];
  readonly limit: number;
  readonly cursor?: string | undefined;
  readonly query?: unknown;
}

async function page({ items, limit, cursor, query: asked = query }: Asked): Promise<Page<string>> {
  const { context, close } = prepareContext();
  onTestFinished(close);
  const place = await readPlace(cursor, asked, context);
  return takePage({ items, write: (item) => item, limit, place, query: asked });
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

describe('cursors', () => {
  it.each([
    ['another query', { ...query, from: '2026-11-02' }],
    ['a narrower query', { document: 'nfe' }],
  ])('of %s are refused', async (_name, other) => {
    const { nextCursor } = await page({ items: numbered(5), limit: 2 });
    await expect(page({ items: numbered(5), limit: 2, cursor: nextCursor, query: other })).rejects.toThrow(
      BadArguments,
    );
  });

  it('work whatever the order in which the query is written', async () => {
    const { nextCursor } = await page({ items: numbered(5), limit: 2 });
    const reordered = { from: '2026-11-01', document: 'nfe' };
    const { items } = await page({ items: numbered(5), limit: 2, cursor: nextCursor, query: reordered });
    expect(items).toEqual(['item 2', 'item 3']);
  });

  it.each([
    '',
    'x',
    '!!!',
    Buffer.from('{}').toString('base64url'),
    Buffer.from('[-1,"a","b"]').toString('base64url'),
  ])('are refused where they are made up: %j', async (cursor) => {
    await expect(page({ items: numbered(5), limit: 2, cursor })).rejects.toThrow(BadArguments);
  });

  it.each([
    ['an entry before it went', (items: string[]) => items.slice(1)],
    ['an entry before it came', (items: string[]) => ['new', ...items]],
    ['entries before it changed places', ([a = '', b = '', ...rest]: string[]) => [b, a, ...rest]],
    ['the list is shorter than the place', (items: string[]) => items.slice(0, 1)],
  ])('are refused where %s', async (_name, change) => {
    const { nextCursor } = await page({ items: numbered(5), limit: 2 });
    const stale = page({ items: change(numbered(5)), limit: 2, cursor: nextCursor });
    await expect(stale).rejects.toThrow(Unfulfilled);
  });

  it('go on where entries came after the place', async () => {
    const { nextCursor } = await page({ items: numbered(3), limit: 2 });
    const { items } = await page({ items: numbered(6), limit: 2, cursor: nextCursor });
    expect(items).toEqual(['item 2', 'item 3']);
  });
});
